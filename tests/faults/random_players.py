"""Random players at many tables: they take seats, make random legal moves, talk, ask for undos and
reconnect.

They continue whatever happens to the servers, until the test tells them to rest.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import httpx

from tests.faults.client import Client
from tests.faults.server import Server
from theriac.game import all_games

#: How long it may take until every client has its replies and all agree.
REST_TIMEOUT_S = 180.0


@dataclass
class PlayedTable:
    """A table and its clients: one player more than there are seats, and a spectator."""

    name: str
    game: str
    clients: list[Client] = field(default_factory=list)


def table_requests(count: int, random: Random) -> list[dict[str, Any]]:
    """Requests for new tables: every game in turn, every other table with a bot."""
    games = sorted(all_games().values(), key=lambda game: game.name)
    random.shuffle(games)
    requests = []
    for number in range(count):
        game = games[number % len(games)]
        seats: list[str | None] = [None] * max(2, game.players[0])
        if number % 2:
            seats[-1] = "easy"
        requests.append({"game": game.name, "seats": seats})
    return requests


class RandomPlayers:
    """The players of all tables."""

    def __init__(self, random: Random, address: Callable[[], str | None]) -> None:
        self.tables: list[PlayedTable] = []
        self._random = random
        self._address = address
        self._resting = False

    @property
    def clients(self) -> list[Client]:
        """The clients of all tables."""
        return [client for table in self.tables for client in table.clients]

    @property
    def acknowledged_count(self) -> int:
        """How many requests have been acknowledged so far."""
        return sum(len(client.acknowledged) for client in self.clients)

    @property
    def move_count(self) -> int:
        """How many moves have been acknowledged so far."""
        requests = (
            client.requests[name] for client in self.clients for name in client.acknowledged
        )
        return sum(request["do"] == "move" for request in requests)

    async def open_tables(self, server: Server, requests: Sequence[dict[str, Any]]) -> None:
        """Open tables and create their players."""
        for request in requests:
            players = request["seats"].count(None) + 1
            keys = [await create_player(server, f"Player {n}") for n in range(players)]
            opened = await server.ask("POST", "/api/tables", keys[0], json=request)
            table = PlayedTable(opened["table"], request["game"])
            for key in (*keys, None):
                table.clients.append(Client(table.name, key, self._address, self._random))
            self.tables.append(table)

    @contextlib.asynccontextmanager
    async def playing(self) -> AsyncIterator[None]:
        """Let them play; at the end, let them rest until all clients of a table agree."""
        connections = [asyncio.create_task(client.run()) for client in self.clients]
        players = [asyncio.create_task(self._act(client)) for client in self.clients if client.key]
        try:
            yield
            self._resting = True
            await asyncio.gather(*players)
            await self._settle()
        finally:
            for task in (*connections, *players):
                task.cancel()
            results = await asyncio.gather(*connections, *players, return_exceptions=True)
        failed = [r for r in results if isinstance(r, Exception)]
        assert not failed, failed

    async def _settle(self) -> None:
        """Wait until every client has its replies, all clients of a table have the same version,
        and no table will change without them.
        """
        seen: list[int] = []
        settled = 0
        async with asyncio.timeout(REST_TIMEOUT_S):
            while settled < 2:
                await asyncio.sleep(0.5)
                now = [client.version for client in self.clients]
                same = all(len({c.version for c in table.clients}) == 1 for table in self.tables)
                quiet = same and now == seen and not any(client.busy for client in self.clients)
                settled = settled + 1 if quiet and not any(map(will_change, self.tables)) else 0
                seen = now

    # What a player does

    async def _act(self, client: Client) -> None:
        while not self._resting:
            await asyncio.sleep(0.05)
            if client.busy or client.table_info is None:
                continue
            request = self._choose_request(client, client.table_info)
            if request is not None:
                await client.ask(**request)
                # On average below the server's limit of ten messages per second.
                await asyncio.sleep(self._random.uniform(0.0, 0.15))

    def _choose_request(self, client: Client, table: dict[str, Any]) -> dict[str, Any] | None:
        random = self._random
        if random.random() < 0.02:
            return self._talk(client)
        if client.seat is None:
            return self._sit(table)
        if table["stage"] in ("gathering", "over") and random.random() < 0.1:
            return {"do": "stand"}
        if table["stage"] in ("gathering", "over") and not table["seats"][client.seat]["ready"]:
            return {"do": "ready", "nonce": f"again {random.random()}"}
        if table["stage"] == "playing" and client.view is not None:
            return self._play(client, table, client.view)
        return None

    def _sit(self, table: dict[str, Any]) -> dict[str, Any] | None:
        """Take a seat that is free, as far as the client knows."""
        free = [n for n, seat in enumerate(table["seats"]) if not seat["taken"]]
        if table["stage"] in ("sealing", "playing") or not free:
            return None
        return {"do": "sit", "seat": self._random.choice(free), "nonce": f"{self._random.random()}"}

    def _play(
        self, client: Client, table: dict[str, Any], view: dict[str, Any]
    ) -> dict[str, Any] | None:
        undo = table["undo"]
        if undo and undo["seat"] != client.seat and client.seat not in undo["agreed"]:
            return {"do": "answer", "agree": self._random.random() < 0.7}
        if view["to_act"] == client.seat:
            move = self._random.choice(view["legal"])
            return {"do": "move", "move": move, "version": client.version}
        if self._random.random() < 0.02:
            return {"do": "undo"}
        return None

    def _talk(self, client: Client) -> dict[str, Any]:
        random = self._random
        return random.choice(
            [
                {"do": "say", "text": f"word {random.random()}"},
                {"do": "react", "to": max(1, client.version), "sign": "wow"},
                {"do": "gesture", "sign": "wave"},
                {"do": "typing"},
            ]
        )


def will_change(played: PlayedTable) -> bool:
    """Will this table change although no player does anything?"""
    table, view = played.clients[0].table_info, played.clients[0].view
    assert table is not None
    seats = table["seats"]
    if table["stage"] != "playing":
        return all(seat["ready"] for seat in seats)
    assert view is not None
    bots = [n for n, seat in enumerate(seats) if seat["bot"] or seat["stand_in"]]
    if view["over"] or view["to_act"] in bots:
        return True
    undo = table["undo"]
    return bool(undo) and {*bots, undo["seat"], *undo["agreed"]} == set(range(len(seats)))


async def create_player(server: Server, name: str) -> str:
    """The key of a new player."""
    key: str = (await server.ask("POST", "/api/players", json={"name": name}))["key"]
    return key


async def keep_opening_tables(address: Callable[[], Server | None], random: Random) -> list[str]:
    """Open tables until cancelled; the names of those that were acknowledged."""
    opened: list[str] = []
    with contextlib.suppress(asyncio.CancelledError):
        while True:
            await asyncio.sleep(random.uniform(0.5, 2.0))
            server = address()
            if server is None:
                continue
            with contextlib.suppress(httpx.HTTPError):
                key = await create_player(server, "Opener")
                request = {"game": "poison", "seats": [None, None, None]}
                opened.append((await server.ask("POST", "/api/tables", key, json=request))["table"])
    return opened
