"""People at tables: they take seats, play random legal moves, talk, ask for moves back, come back.

They go on through whatever happens to the servers, until they are asked to rest.
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
from tests.faults.serving import Server
from theriac.game import all_games

#: How long everybody may take to be answered and to agree, in seconds.
LONGEST_REST = 180.0


@dataclass
class Party:
    """A table and all who are at it: one more than there are seats for, and one who watches."""

    name: str
    game: str
    clients: list[Client] = field(default_factory=list)


def wishes(many: int, random: Random) -> list[dict[str, Any]]:
    """Tables to open: every game in turn, every other time with a bot."""
    known = sorted(all_games().values(), key=lambda game: game.name)
    random.shuffle(known)
    wished = []
    for number in range(many):
        game = known[number % len(known)]
        seats: list[str | None] = [None] * max(2, game.players[0])
        if number % 2:
            seats[-1] = "easy"
        wished.append({"game": game.name, "seats": seats})
    return wished


class Crowd:
    """Everybody at all tables."""

    def __init__(self, random: Random, address: Callable[[], str | None]) -> None:
        self.parties: list[Party] = []
        self._random = random
        self._address = address
        self._resting = False

    @property
    def clients(self) -> list[Client]:
        """All of them."""
        return [client for party in self.parties for client in party.clients]

    @property
    def answers(self) -> int:
        """How many requests were acknowledged so far."""
        return sum(len(client.done) for client in self.clients)

    @property
    def moves(self) -> int:
        """How many moves of theirs were acknowledged so far."""
        asked = (client.asked[name] for client in self.clients for name in client.done)
        return sum(request["do"] == "move" for request in asked)

    async def gather(self, server: Server, wished: Sequence[dict[str, Any]]) -> None:
        """Open tables and invite people."""
        for wish in wished:
            persons = wish["seats"].count(None) + 1
            keys = [await admit(server, f"Person {n}") for n in range(persons)]
            opened = await server.ask("POST", "/api/tables", keys[0], json=wish)
            party = Party(opened["table"], wish["game"])
            for key in (*keys, None):
                party.clients.append(Client(party.name, key, self._address, self._random))
            self.parties.append(party)

    @contextlib.asynccontextmanager
    async def at_play(self) -> AsyncIterator[None]:
        """Let them play; in the end, let them rest until all of them know the same."""
        lines = [asyncio.create_task(client.run()) for client in self.clients]
        players = [asyncio.create_task(self._act(client)) for client in self.clients if client.key]
        try:
            yield
            self._resting = True
            await asyncio.gather(*players)
            await self._settle()
        finally:
            for task in (*lines, *players):
                task.cancel()
            results = await asyncio.gather(*lines, *players, return_exceptions=True)
        failed = [r for r in results if isinstance(r, Exception)]
        assert not failed, failed

    async def _settle(self) -> None:
        """Wait until everybody is answered, all at a table have come to the same version, and
        nothing goes on there by itself.
        """
        seen: list[int] = []
        calm = 0
        async with asyncio.timeout(LONGEST_REST):
            while calm < 2:
                await asyncio.sleep(0.5)
                now = [client.version for client in self.clients]
                same = all(len({c.version for c in party.clients}) == 1 for party in self.parties)
                quiet = same and now == seen and not any(client.busy for client in self.clients)
                calm = calm + 1 if quiet and not any(map(goes_on, self.parties)) else 0
                seen = now

    # What a person does

    async def _act(self, client: Client) -> None:
        while not self._resting:
            await asyncio.sleep(0.05)
            if client.busy or client.room is None:
                continue
            wish = self._wish(client)
            if wish is not None:
                await client.ask(**wish)
                # On the whole slower than the server allows: ten messages a second.
                await asyncio.sleep(self._random.uniform(0.0, 0.15))

    def _wish(self, client: Client) -> dict[str, Any] | None:
        room, random = client.room, self._random
        assert room is not None
        if random.random() < 0.02:
            return self._words(client)
        if client.seat is None:
            return self._sit(client, room)
        if room["stage"] in ("gathering", "over") and random.random() < 0.1:
            return {"do": "stand"}
        if room["stage"] == "over" and not room["seats"][client.seat]["ready"]:
            return {"do": "ready", "nonce": f"again {random.random()}"}
        if room["stage"] == "playing" and client.view is not None:
            return self._play(client, room, client.view)
        return None

    def _sit(self, client: Client, room: dict[str, Any]) -> dict[str, Any] | None:
        """Take a seat that is free, or was when this client last heard."""
        free = [n for n, seat in enumerate(room["seats"]) if not seat["taken"]]
        if room["stage"] == "playing" or not free:
            return None
        return {"do": "sit", "seat": self._random.choice(free), "nonce": f"{self._random.random()}"}

    def _play(
        self, client: Client, room: dict[str, Any], view: dict[str, Any]
    ) -> dict[str, Any] | None:
        undo = room["undo"]
        if undo and undo["seat"] != client.seat and client.seat not in undo["agreed"]:
            return {"do": "answer", "agree": self._random.random() < 0.7}
        if view["to_act"] == client.seat:
            move = self._random.choice(view["legal"])
            return {"do": "move", "move": move, "version": client.version}
        if self._random.random() < 0.02:
            return {"do": "undo"}
        return None

    def _words(self, client: Client) -> dict[str, Any]:
        random = self._random
        return random.choice(
            [
                {"do": "say", "text": f"word {random.random()}"},
                {"do": "react", "to": max(1, client.version), "sign": "wow"},
                {"do": "gesture", "sign": "wave"},
                {"do": "typing"},
            ]
        )


def goes_on(party: Party) -> bool:
    """Will something happen at this table although nobody does anything?"""
    room, view = party.clients[0].room, party.clients[0].view
    assert room is not None
    seats = room["seats"]
    if room["stage"] != "playing":
        return all(seat["ready"] for seat in seats)
    assert view is not None
    bots = [n for n, seat in enumerate(seats) if seat["bot"] or seat["stand_in"]]
    if view["over"] or view["to_act"] in bots:
        return True
    undo = room["undo"]
    return bool(undo) and {*bots, undo["seat"], *undo["agreed"]} == set(range(len(seats)))


async def admit(server: Server, name: str) -> str:
    """A new person's key."""
    key: str = (await server.ask("POST", "/api/players", json={"name": name}))["key"]
    return key


async def keep_opening(address: Callable[[], Server | None], random: Random) -> list[str]:
    """Open tables until cancelled; the names of those that were acknowledged."""
    opened: list[str] = []
    with contextlib.suppress(asyncio.CancelledError):
        while True:
            await asyncio.sleep(random.uniform(0.5, 2.0))
            server = address()
            if server is None:
                continue
            with contextlib.suppress(httpx.HTTPError):
                key = await admit(server, "Opener")
                wish = {"game": "poison", "seats": [None, None, None]}
                opened.append((await server.ask("POST", "/api/tables", key, json=wish))["table"])
    return opened
