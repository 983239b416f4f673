"""A week in an hour: on a server whose time runs 168 times faster, no clock stops, absent players
are replaced and come back, spectators see late, what is too old is deleted and nothing else,
sockets that do nothing stay, and the memory does not grow.

No bound depends on how fast this machine is: nothing may come too early by the server's own time,
and whatever must come is waited for.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import secrets
import sqlite3
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any, ClassVar, NamedTuple

import httpx
import pytest

from tests.faults import LONG
from tests.faults.client import Client, Message
from tests.faults.random_players import create_player
from tests.faults.server import Server
from tests.faults.waiting import CONDITION_TIMEOUT_S, until, until_checked

SPEED = 168
DAY_MS = 24 * 3_600_000
#: The sockets that do nothing.
IDLE = 20
#: How much the memory may grow after the second day, in bytes.
MAX_GROWTH = 24 << 20
#: How much longer than a day the events of a day may take, in seconds: the machine may be busy.
TOO_LONG_S = 300.0
#: The shortest time after which a server deletes something, in days.
SHORTEST_KEPT = 0.01
#: Network times, which are as long as ever: the client is not faster than usual.
LIMITS = ("request_timeout_s", "hello_timeout_s", "idle_timeout_s", "stalled_timeout_s")


class Week(NamedTuple):
    """How many days, how long each takes the test, in seconds, and the clocks of the tables."""

    days: int
    day_s: float
    clock_s: int

    @property
    def kept_days(self) -> dict[str, float]:
        """How long things are kept: words for one day of this week, tables two, people three."""
        day = self.day_s * SPEED / 86_400
        kept = {"chat": day, "tables": 2 * day, "people": 3 * day}
        return {kind: max(SHORTEST_KEPT, days) for kind, days in kept.items()}


class FastServer(Server):
    """A server whose time runs faster."""

    program = ("tests.faults.fast_server", str(SPEED))


class ServerTime:
    """The time of the server, at the latest: what it said once, and the time since the request."""

    async def read(self, server: Server, table: str) -> None:
        """Ask the server for its time."""
        asked = time.monotonic()
        said: int = (await server.ask("GET", f"/api/tables/{table}"))["welcome"]["now"]
        # Only now: while the server is slow to answer, others use the time from before.
        self._asked, self._said = asked, said

    def latest_ms(self) -> float:
        """It is not later than this now."""
        return self._said + 1000 * SPEED * (time.monotonic() - self._asked)


class LateSpectator(Client):
    """A spectator of a table with a delay, who notes what came too early."""

    def watch(self, now: ServerTime, delay_s: int) -> LateSpectator:
        """Compare with this time."""
        self._now, self._delay_ms = now, 1000 * delay_s
        return self

    def _record(self, update: Message) -> None:
        early = update["at"] + self._delay_ms - self._now.latest_ms()
        if early > 0 and update["version"] > 1:  # everybody may see at once that there is a table
            self.faults.append(f"version {update['version']} came {early:.0f} ms too early")
        super()._record(update)


class Kept:
    """What the store has, read at intervals: nothing may be gone before its time."""

    #: By kind: names, since when, and whether they are in use and so kept longer.
    QUERIES: ClassVar = {
        "tables": "SELECT room, MAX(log.at), stage = 'playing' FROM rooms JOIN log USING (room) "
        "GROUP BY room",
        "chat": "SELECT room || number, at, 0 FROM log "
        "WHERE event LIKE '%\"kind\":\"said\"%' AND event NOT LIKE '%[deleted]%'",
        "people": "SELECT player, COALESCE(seen, made), player IN (SELECT player FROM seats) "
        "FROM players",
    }

    def __init__(self, database: Path, week: Week, now: ServerTime) -> None:
        self._database = database
        self._kept_ms = {kind: days * DAY_MS for kind, days in week.kept_days.items()}
        self._now = now
        self._known: dict[str, dict[str, tuple[int, bool]]] = {kind: {} for kind in self.QUERIES}
        self.deleted: Counter[str] = Counter()

    def check(self) -> None:
        """Read the store."""
        with contextlib.closing(sqlite3.connect(self._database)) as connection:
            for kind, query in self.QUERIES.items():
                found = {name: (at, used) for name, at, used in connection.execute(query)}
                for name in self._known[kind].keys() - found.keys():
                    at, _ = self._known[kind][name]
                    early = at + self._kept_ms[kind] - self._now.latest_ms()
                    assert early <= 0, f"{kind}: {name} was deleted {early:.0f} ms too early"
                    self.deleted[kind] += 1
                self._known[kind] = found

    def overdue(self, now_ms: float) -> list[str]:
        """What the store still has although its time was over at this moment."""
        self.check()
        return [
            f"{kind} {name}"
            for kind, rows in self._known.items()
            for name, (at, used) in rows.items()
            if not used and at + self._kept_ms[kind] < now_ms
        ]

    async def watch(self) -> None:
        """Read the store again and again, until cancelled."""
        while True:
            self.check()
            await asyncio.sleep(0.3)


class Guests:
    """The clients of a server: each stays connected until it leaves."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.random = Random()
        self._tasks: dict[Client, asyncio.Task[None]] = {}

    async def open(self, **fields: Any) -> tuple[str, list[str]]:
        """A table and the keys of its players; the first one has opened it."""
        keys = [await create_player(self.server, f"Guest {n}") for n in (1, 2)]
        request = {"game": "shokoba", "seats": [None, None], "stand_in": "easy", **fields}
        opened = await self.server.ask("POST", "/api/tables", keys[0], json=request)
        return opened["table"], keys

    def client(self, table: str, key: str | None, kind: type[Client] = Client) -> Any:
        """A client who is not connected yet."""
        return kind(table, key, lambda: self.server.address, self.random)

    def arrive(self, client: Client) -> None:
        """Connect a client, and keep it connected."""
        self._tasks[client] = asyncio.create_task(client.run())

    async def leave(self, *clients: Client) -> None:
        """Disconnect clients."""
        tasks = [self._tasks.pop(client) for client in clients]
        for task in tasks:
            task.cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert all(isinstance(result, asyncio.CancelledError) for result in results), results

    async def everybody_leaves(self) -> None:
        """Disconnect all clients."""
        await self.leave(*self._tasks)


# What guests do


async def take_part(client: Client, seat: int, *, plays: bool = False) -> None:
    """Sit, begin games, come back to their own seat; and play, or let the time run out."""
    info, view = client.table_info, client.view
    if client.busy or info is None:
        return
    if client.seat is None:
        await client.ask(do="sit", seat=seat, nonce=secrets.token_hex(8))
    elif info["stage"] in ("gathering", "over"):
        if not info["seats"][seat]["ready"]:
            await client.ask(do="ready", nonce=secrets.token_hex(8))
    elif info["stage"] == "playing" and view is not None:
        if info["seats"][seat]["stand_in"] and (info["clock"] or {}).get("per") == "move":
            await client.ask(do="return")
        elif plays and view["to_act"] == seat:
            await client.ask(do="move", move=view["legal"][0], version=client.version)


def times_out(client: Client) -> list[int]:
    """The versions at which the time of a player ran out."""
    found = ((version, what["event"]) for version, what in client.received.items())
    return [n for n, event in found if (event["kind"], event.get("why")) == ("handed", "time")]


def check_clock(client: Client, clock_s: int) -> None:
    """Nobody's time for a move ran out too early."""
    out, began, back = times_out(client), 0, {0: 0, 1: 0}
    for version, what in sorted(client.received.items()):
        event, at = what["event"], what["at"]
        if version in out:
            assert at - max(began, back[event["seat"]]) >= 1000 * clock_s, (what, began, back)
        if event["kind"] in ("begun", "moved"):
            began = at
        elif event["kind"] == "returned":
            back[event["seat"]] = at


async def be_absent(guests: Guests, here: Client, away: Client) -> bool:
    """If a game is in play, one player leaves, the other lets a bot play, and the first one comes
    back. Returns whether that happened.
    """
    info = here.table_info
    if info is None or info["stage"] != "playing" or info["seats"][1]["stand_in"]:
        return False
    await guests.leave(away)
    before = handed(here)
    while handed(here) == before:
        assert here.table_info is not None
        if here.table_info["stage"] != "playing" or here.table_info["seats"][1]["stand_in"]:
            break  # the time has run out meanwhile
        if not here.busy:
            await here.ask(do="hand", seat=1)
        await asyncio.sleep(0.05)
    guests.arrive(away)
    await until(lambda: not away.busy, "the player is back")
    return handed(here) > before


def handed(client: Client) -> int:
    """How often this client has let a bot play for another."""
    return sum(client.requests[name]["do"] == "hand" for name in client.acknowledged)


async def live_a_day(guests: Guests, week: Week, now: ServerTime) -> Counter[str]:
    """New players at new tables, for a day. They leave in the middle of their games."""
    clock = {"per": "move", "seconds": week.clock_s}
    tables = [
        await guests.open(clock=clock, delay=week.clock_s),
        await guests.open(clock={"per": "game", "seconds": week.clock_s}),
        await guests.open(clock=clock),
    ]
    seated = [[guests.client(table, key) for key in keys] for table, keys in tables]
    late = guests.client(tables[0][0], None, LateSpectator).watch(now, week.clock_s)
    clients: list[Client] = [late, *(client for pair in seated for client in pair)]
    for client in clients:
        guests.arrive(client)
    counts: Counter[str] = Counter()
    end = time.monotonic() + week.day_s

    def complete() -> bool:
        out = [len(times_out(pair[0])) for pair in seated[:2]]
        return time.monotonic() > end and all(out) and counts["absences"] > 0 and bool(late.version)

    async def act() -> bool:
        for number, pair in enumerate(seated):
            for seat, client in enumerate(pair):
                await take_part(client, seat, plays=number == 2 and seat == 0)
        counts["absences"] += await be_absent(guests, *seated[2])
        return complete()

    await until_checked(act, "clocks, an absence, a late spectator", week.day_s + TOO_LONG_S)
    check_clock(seated[0][0], week.clock_s)
    counts["times out"] = sum(len(times_out(pair[0])) for pair in seated)
    counts["events"] = sum(pair[0].version for pair in seated)
    await guests.leave(*clients)
    faults = [fault for client in clients for fault in client.faults]
    assert not faults, faults
    return counts


async def open_sockets(server: Server) -> int:
    """The sockets that the server has."""
    async with httpx.AsyncClient(timeout=CONDITION_TIMEOUT_S) as http:
        metrics = (await http.get(f"http://{server.address}/metrics")).text
    found = re.search(r"^theriac_sockets (\S+)", metrics, re.MULTILINE)
    assert found is not None
    return int(float(found[1]))


async def live_a_week(server: Server, week: Week, database: Path) -> Counter[str]:
    """Days on a server, and the checks; counts of what happened."""
    guests, now, counts = Guests(server), ServerTime(), Counter[str]()
    # A table with a game in play is never deleted, however long nobody moves.
    lounge, keys = await guests.open()
    await now.read(server, lounge)
    players = [guests.client(lounge, key) for key in keys]
    host = players[0]
    idle = [*players[1:], *(guests.client(lounge, None) for _ in range(IDLE))]
    for client in (host, *idle):
        guests.arrive(client)

    async def begin() -> bool:
        for seat, client in enumerate(players):
            await take_part(client, seat)
        return host.table_info is not None and host.table_info["stage"] == "playing"

    await until_checked(begin, "a game begins")
    kept = Kept(database, week, now)
    watching = asyncio.create_task(kept.watch())
    memory = []
    try:
        for day in range(week.days):
            await host.ask(do="say", text=f"Good morning, day {day}")
            await now.read(server, lounge)
            counts += await live_a_day(guests, week, now)
            memory.append(server.memory)
            assert not watching.done(), watching.exception()
            print(f"day {day + 1}: {dict(counts)}, {memory[-1] >> 20} MB", flush=True)
        await host.ask(do="say", text="Good night")
        await now.read(server, lounge)
        evening = now.latest_ms()

        def up_to_date() -> bool:
            return not kept.overdue(evening) and all(kept.deleted[kind] for kind in Kept.QUERIES)

        await until(up_to_date, f"what is old is deleted: {kept.overdue(evening)}")

        async def only_idle() -> bool:
            return await open_sockets(server) == 1 + len(idle)

        await until_checked(only_idle, "the sockets of those who left are closed")
        counts["connections of idle clients"] = sum(client.connections for client in idle)
    finally:
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
        await guests.everybody_leaves()
    assert memory[-1] - memory[min(1, len(memory) - 1)] < MAX_GROWTH, memory
    return counts + Counter({f"{kind} deleted": n for kind, n in kept.deleted.items()})


async def run_week(folder: Path, week: Week) -> Counter[str]:
    """A server, for a week."""
    database = folder / "tables.sqlite"
    keep = [f"--keep-{kind}={days}" for kind, days in week.kept_days.items()]
    limits = [f"--limit={name}=1000000" for name in LIMITS]
    server = FastServer(folder, str(database), *keep, *limits)
    await server.start()
    try:
        counts = await live_a_week(server, week, database)
    finally:
        if server.running:
            await server.kill()
    assert server.logged_errors() == []
    return counts


@pytest.mark.skipif(not LONG, reason="a day in minutes on a quiet machine: make faults")
def test_a_week_in_an_hour(tmp_path: Path) -> None:
    week = Week(7, 3600 / 7, clock_s=300)
    print(dict(asyncio.run(run_week(tmp_path, week))))
