"""A move that the store has not confirmed does not exist: no request shows it, and no table has
applied it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sqlite3
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.server.server_process import Player, ServerProcess
from tests.server.socket_client import SocketClient, seat_players
from tests.server.table_harness import TableHarness, sit_down
from theriac.game import all_games
from theriac.server.bots import hints
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


def visible_state(
    server: ServerProcess, table: str, people: Sequence[Player], moves: list[str]
) -> list[Any]:
    """What HTTP requests show of a table."""
    seen: list[Any] = [
        row for row in server.http.get("/api/tables").json() if row["table"] == table
    ]
    for player in people:
        seen += [row for row in player.get("/api/me/tables") if row["table"] == table]
        preview = player.http.post(f"/api/tables/{table}/preview", json={"moves": moves})
        seen.append(preview.json())
        seen.append(player.http.get(f"/api/tables/{table}/games/1").status_code)
        seen.append(without_clock(player.get_table(table)))
    return seen


def without_clock(welcome: Any) -> Any:
    """A welcome without the time of day."""
    return {key: value for key, value in welcome.items() if key not in ("now", "present")}


def connect_again(server: ServerProcess, table: str, player: Player) -> tuple[int, Any]:
    """The version and view of a new client."""
    client = SocketClient(server, table, player)
    return client.version, client.view


def test_no_request_shows_a_move_while_the_store_hangs_and_after_it_fails(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path)
    people = server.new_players("Ana", "Bo")
    ana, bo = people
    table = ana.open("shokoba", [None, None], options={"first": 1}, listed=True)
    one, two = seat_players(table, ana, bo)
    spectator = SocketClient(server, table)
    version, moves = one.version, one.view["legal"][:3]
    before = visible_state(server, table, people, moves)
    welcome = without_clock(bo.get_table(table))
    with write_locked(server.database), ThreadPoolExecutor(3) as threads:
        name = one.send("move", move=moves[0], version=version)
        time.sleep(0.5)  # the server has accepted the move and waits for the store
        waiting = [
            threads.submit(bo.get_table, table),
            threads.submit(bo.get_table, table, since=version, wait=3),
            threads.submit(connect_again, server, table, bo),
        ]
        for _ in range(3):
            assert visible_state(server, table, people, moves) == before
            time.sleep(0.3)
        assert two.do("ping") == version
        assert two.refused("hint")["code"] == "turn", "it is still Ana's turn"
        assert two.do("gesture", sign="wave") == version
        one.until(lambda: one.answers.get(name))
        assert one.answers[name][0]["refused"]["code"] == "store"
        assert without_clock(waiting[0].result()) == welcome
        assert without_clock(waiting[1].result())["version"] == version
        assert waiting[2].result() == (version, welcome["view"])
        assert visible_state(server, table, people, moves) == before
    for client in (one, two, spectator):
        assert client.do("ping") == version
        assert "moved" not in client.kinds
    done = one.do("move", id=name, move=moves[0], version=version)
    for client in (one, two, spectator):
        client.reach(done)
        assert client.kinds.count("moved") == 1
    assert visible_state(server, table, people, moves) != before
    assert server.stop() == 0


def test_no_request_shows_a_bots_move_before_it_is_stored(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, bot_delay=1.5)
    ana = server.new_player("Ana")
    table = ana.open("shokoba", [None, "easy"], options={"first": 1}, listed=True)
    (one,) = seat_players(table, ana)
    one.play(one.view["legal"][0])
    one.until(lambda: one.kinds.count("moved") == 2)  # the bot's process has started
    one.play(one.view["legal"][0])
    with write_locked(server.database):
        before = visible_state(server, table, [ana], ["S1"])
        assert before[0]["to_act"] == 1
        for _ in range(12):
            assert visible_state(server, table, [ana], ["S1"]) == before
            time.sleep(0.5)
    one.until(lambda: one.kinds.count("moved") == 4)
    assert one.last("moved")["bot"] == "easy"
    assert server.stop() == 0


# Decisions


def memory(table: Table) -> Any:
    """The state of a table that a decision could change."""
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
    harness = TableHarness(name, [None] * players, clock={"per": "move", "seconds": 5})
    harness.sit(*(f"player{seat}" for seat in range(players)))
    for _ in range(12):
        if harness.table.to_act is None:
            break
        before = memory(harness.table)
        requester = Requester(
            f"player{harness.table.to_act}", "", frozenset(), harness.table.version
        )
        request = messages.Play("id", harness.table.current_match.legal()[0], harness.table.version)
        (decided,) = decide(harness.table, requester, request)
        assert isinstance(decided, events.Moved)
        assert on_timeout(harness.table, harness.now + 10**9) != []
        follow_up(harness.table)
        assert memory(harness.table) == before
        harness.play()
        assert memory(harness.table) != before


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
def test_after_a_fault_of_the_store_only_newer_events_are_read(keeps: bool) -> None:
    async def run() -> None:
        store = FaultyStore(keeps=keeps)
        service = TableService(store, BotPool(1), PubSub(), Metrics(), bot_delay=0)  # type: ignore[arg-type]
        opened = TableHarness("shokoba", [None, None], options={"first": 1}).table.opened
        session = await service.open("table", opened)
        await sit_down(service, session, "ana", "bo")
        table = session.table
        assert table.stage == "playing"
        before, version = memory(table), table.version
        store.fails = True
        move = messages.Play("move", table.current_match.legal()[0], version)
        ana = service.requester(session, "ana", "ana")
        asked = asyncio.create_task(service.handle(session, ana, move))
        await store.hangs.wait()
        assert memory(session.table) == before
        store.release.set()
        done = await asked
        assert session.table is table, "the log was not replayed"
        assert store.read_after == [version], "only newer events were read"
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


def test_reading_a_table_does_not_wait_for_a_move_that_hangs() -> None:
    async def run() -> None:
        store = FaultyStore(keeps=False)
        service = TableService(store, BotPool(1), PubSub(), Metrics(), bot_delay=0)  # type: ignore[arg-type]
        opened = TableHarness("shokoba", [None, None], options={"first": 1}).table.opened
        session = await service.open("table", opened)
        await sit_down(service, session, "ana", "bo")
        version = session.table.version
        store.fails = True
        move = messages.Play("move", session.table.current_match.legal()[0], version)
        ana = service.requester(session, "ana", "ana")
        asked = asyncio.create_task(service.handle(session, ana, move))
        await store.hangs.wait()
        for since in (None, 0, version):
            looking = asyncio.create_task(service.look(session, "bo", since))
            await asyncio.sleep(0)
            assert looking.done(), "it waits for the move"
            assert json.loads(looking.result())["welcome"]["version"] == version
        newer = asyncio.create_task(service.look(session, "bo", version + 1))
        await asyncio.sleep(0)
        assert not newer.done(), "somebody has seen a newer version: the store is read for it"
        store.release.set()
        await asyncio.gather(asked, newer)
        await service.stop()

    asyncio.run(run())


@pytest.mark.parametrize("keeps", [False, True])
@pytest.mark.parametrize("first", ["hint", "move"])
def test_a_hint_is_for_the_stored_position(
    keeps: bool, first: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hint that is asked or computed while a move is being stored is for the position before, or
    it is dropped; and it names no card that only the unstored position shows.
    """
    monkeypatch.setattr(hints, "HINT_LEVEL", "easy")  # the fastest

    async def run() -> None:
        store = FaultyStore(keeps=keeps)
        service = TableService(store, BotPool(1), PubSub(), Metrics(), bot_delay=0)  # type: ignore[arg-type]
        opened = TableHarness("shokoba", [None, None], options={"first": 1}).table.opened
        session = await service.open("table", opened)
        await sit_down(service, session, "ana", "bo")
        table = session.table
        legal, version = set(table.current_match.legal()), table.version
        ana = service.requester(session, "ana", "ana")
        store.fails = True
        move = messages.Play("move", sorted(legal)[0], version)
        hint = messages.Hint("hint", version=version)
        requests: list[messages.TableRequest] = [hint, move] if first == "hint" else [move, hint]
        asked = [asyncio.create_task(service.handle(session, ana, one)) for one in requests]
        await store.hangs.wait()
        await asyncio.sleep(0.5)  # the bot answers, or still thinks
        assert [type(entry.event).__name__ for entry in table.log].count("Hinted") == 0
        store.release.set()
        replies = {reply.id: reply for reply in await asyncio.gather(*asked)}
        hinted = [entry.event for entry in store.log if isinstance(entry.event, events.Hinted)]
        refused = replies["hint"].refused
        if keeps:
            assert len(table.current_match.moves) == 1
            assert refused is not None and refused.code in ("stale", "turn") and not hinted
        else:
            assert refused is None
            (event,) = hinted
            assert event.seat == 0 and event.move in legal
        await service.stop()

    asyncio.run(run())
