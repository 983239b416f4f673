"""A move that the store has not confirmed does not exist: no request sees it, and no rule of the
server has played it.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.server.alone import Alone
from tests.server.club import Club, Person
from tests.server.line import Line, seated
from theriac.game import all_games
from theriac.server.bots.bot_pool import BotPool
from theriac.server.running.metrics import Metrics
from theriac.server.store import events
from theriac.server.store.events import LogEntry
from theriac.server.store.store import StoreFault
from theriac.server.store.writer import VersionTaken
from theriac.server.tables import messages
from theriac.server.tables.decisions import Requester, decide, follow_up, on_timeout
from theriac.server.tables.pubsub import PubSub
from theriac.server.tables.service import TableService
from theriac.server.tables.table import Table


@contextlib.contextmanager
def write_locked(database: Path) -> Iterator[None]:
    """Hold SQLite's write lock: the server can read, and its writes hang until they time out."""
    connection = sqlite3.connect(database, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        connection.execute("ROLLBACK")
        connection.close()


def what_is_seen(club: Club, table: str, people: Sequence[Person], moves: list[str]) -> list[Any]:
    """All that HTTP requests show of a table, except those that wait for the table's lock."""
    seen: list[Any] = [row for row in club.web.get("/api/tables").json() if row["table"] == table]
    for person in people:
        seen += [row for row in person.get("/api/me/tables") if row["table"] == table]
        thought = person.web.post(f"/api/tables/{table}/preview", json={"moves": moves})
        seen.append(thought.json())
        seen.append(person.web.get(f"/api/tables/{table}/games/1").status_code)
    return seen


def without_clock(welcome: Any) -> Any:
    """A welcome without the time of day."""
    return {key: value for key, value in welcome.items() if key not in ("now", "present")}


def come(club: Club, table: str, person: Person) -> tuple[int, Any]:
    """What a new socket shows."""
    line = Line(club, table, person)
    return line.version, line.view


def test_while_the_store_hangs_and_after_it_fails_no_request_sees_the_move(tmp_path: Path) -> None:
    club = Club(tmp_path)
    people = club.persons("Ana", "Bo")
    ana, bo = people
    table = ana.open("shokoba", [None, None], options={"first": 1}, listed=True)
    one, two = seated(table, ana, bo)
    watcher = Line(club, table)
    version, moves = one.version, one.view["legal"][:3]
    before = what_is_seen(club, table, people, moves)
    welcome = without_clock(bo.look(table))
    with write_locked(club.database), ThreadPoolExecutor(3) as threads:
        name = one.send("move", move=moves[0], version=version)
        time.sleep(0.5)  # the server has decided it and waits for the store
        waiting = [
            threads.submit(bo.look, table),
            threads.submit(bo.look, table, since=version, wait=3),
            threads.submit(come, club, table, bo),
        ]
        for _ in range(3):
            assert what_is_seen(club, table, people, moves) == before
            time.sleep(0.3)
        assert two.do("ping") == version
        assert two.refused("hint")["code"] == "turn", "it is still Ana's turn"
        assert two.do("gesture", sign="wave") == version
        one.until(lambda: one.answers.get(name))
        assert one.answers[name][0]["refused"]["code"] == "store"
        assert without_clock(waiting[0].result()) == welcome
        assert without_clock(waiting[1].result())["version"] == version
        assert waiting[2].result() == (version, welcome["view"])
        assert what_is_seen(club, table, people, moves) == before
    for line in (one, two, watcher):
        assert line.do("ping") == version
        assert "moved" not in line.kinds
    done = one.do("move", id=name, move=moves[0], version=version)
    for line in (one, two, watcher):
        line.reach(done)
        assert line.kinds.count("moved") == 1
    assert what_is_seen(club, table, people, moves) != before
    assert club.stop() == 0


def test_a_bots_move_that_is_not_stored_is_not_seen(tmp_path: Path) -> None:
    club = Club(tmp_path, pace=1.5)
    ana = club.person("Ana")
    table = ana.open("shokoba", [None, "easy"], options={"first": 1}, listed=True)
    (one,) = seated(table, ana)
    one.play(one.view["legal"][0])
    one.until(lambda: one.kinds.count("moved") == 2)  # the bot's process has started
    one.play(one.view["legal"][0])
    with write_locked(club.database):
        before = what_is_seen(club, table, [ana], ["S1"])
        assert before[0]["to_act"] == 1
        for _ in range(12):
            assert what_is_seen(club, table, [ana], ["S1"]) == before
            time.sleep(0.5)
    one.until(lambda: one.kinds.count("moved") == 4)
    assert one.last("moved")["bot"] == "easy"
    assert club.stop() == 0


# Decisions


def memory(table: Table) -> Any:
    """All that a table holds, as far as decisions could change it."""
    match = table.current_match
    seats = [vars(seat).copy() for seat in table.seats]
    return (
        match._memory.tobytes(),
        list(match.moves),
        match.drawn,
        match.dealt,
        seats,
        table.version,
    )


@pytest.mark.parametrize("name", list(all_games()))
def test_decisions_change_nothing(name: str) -> None:
    game = all_games()[name]
    players = game.usual_players
    alone = Alone(name, [None] * players, clock={"per": "move", "seconds": 5})
    alone.sit(*(f"player{seat}" for seat in range(players)))
    for _ in range(12):
        if alone.table.to_act is None:
            break
        before = memory(alone.table)
        requester = Requester(f"player{alone.table.to_act}", "", frozenset(), alone.table.version)
        request = messages.Play("id", alone.table.current_match.legal()[0], alone.table.version)
        (decided,) = decide(alone.table, requester, request)
        assert isinstance(decided, events.Moved)
        assert on_timeout(alone.table, alone.now + 10**9) != []
        follow_up(alone.table)
        assert memory(alone.table) == before
        alone.play()
        assert memory(alone.table) != before


# A store that fails


class FaultyStore:
    """A log in memory. The next append hangs until `release` is set, then fails."""

    def __init__(self, *, keeps: bool) -> None:
        self.log: list[LogEntry] = []
        self.fails = False
        self.keeps = keeps
        self.hangs = asyncio.Event()
        self.release = asyncio.Event()
        self.read_after: list[int] = []

    async def append(
        self, table: str, entries: Sequence[LogEntry], updates: Sequence[Any] = ()
    ) -> None:
        if self.fails:
            self.fails = False
            self.hangs.set()
            await self.release.wait()
            if self.keeps:
                self.log += entries
            raise StoreFault("the store failed")
        if entries[0].number != len(self.log) + 1:
            raise VersionTaken
        self.log += entries

    async def read_log(self, table: str, after: int = 0) -> list[LogEntry]:
        self.read_after.append(after)
        return self.log[after:]


@pytest.mark.parametrize("keeps", [False, True])
def test_a_fault_of_the_store_reads_on_from_the_last_version(keeps: bool) -> None:
    async def run() -> None:
        store = FaultyStore(keeps=keeps)
        service = TableService(store, BotPool(1), PubSub(), Metrics(), bot_delay=0)  # type: ignore[arg-type]
        opened = Alone("shokoba", [None, None], options={"first": 1}).table.opened
        session = await service.open("table", opened)
        for seat, player in enumerate(("ana", "bo")):
            requester = service.requester(session, player, player)
            await service.handle(session, requester, messages.Sit(f"sit{seat}", seat, "nonce"))
        table = session.table
        before, version = memory(table), table.version
        store.fails = True
        move = messages.Play("move", table.current_match.legal()[0], version)
        ana = service.requester(session, "ana", "ana")
        asked = asyncio.create_task(service.handle(session, ana, move))
        await store.hangs.wait()
        assert memory(session.table) == before
        store.release.set()
        done = await asked
        assert session.table is table, "the table was not replay_log"
        assert store.read_after == [version], "only what came after was read"
        if keeps:
            assert done == messages.Reply("move", version + 1)
            assert len(table.current_match.moves) == 1
        else:
            assert done.refused is not None and done.refused.code == "store"
            assert memory(table) == before
        again = await service.handle(session, ana, move)
        assert again == messages.Reply("move", version + 1)
        assert len(table.current_match.moves) == 1
        await service.stop()

    asyncio.run(run())
