"""A short drop of the connection is not absence: only after a grace may a bot play for a player."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.server_process import ServerProcess, open_clients
from tests.server.socket_client import SocketClient, seat_players
from tests.server.table_harness import TableHarness, sit_down
from tests.server.test_stand_ins import HERE
from theriac.faults import Fault
from theriac.server.bots.bot_pool import BotPool
from theriac.server.running.metrics import Metrics
from theriac.server.store import events
from theriac.server.store.database import database_url
from theriac.server.store.events import now_ms
from theriac.server.store.migrate import upgrade
from theriac.server.store.store import Store
from theriac.server.tables import messages, presence
from theriac.server.tables.decisions import Denied
from theriac.server.tables.presence import Presence
from theriac.server.tables.pubsub import PubSub
from theriac.server.tables.service import TableService
from theriac.server.tables.session import Client, TableSession


@pytest.fixture
def now() -> list[float]:
    """The time, in seconds: only the test moves it."""
    return [1000.0]


@pytest.fixture
def seen(now: list[float]) -> Presence:
    """The presence of a process that has just started."""
    return Presence(clock=lambda: now[0])


class Counted(OrderedDict[tuple[str, int], float]):
    """Counts the keys that somebody looks at."""

    examined = 0

    def __iter__(self) -> Iterator[tuple[str, int]]:
        for key in super().__iter__():
            Counted.examined += 1
            yield key


def test_a_move_costs_no_more_when_many_others_have_just_left(
    now: list[float], seen: Presence
) -> None:
    seen._last_seen = left = Counted()
    for number in range(100):
        seen.set_connected(f"{number}", frozenset({0}))
        seen.set_connected(f"{number}", frozenset())
    assert len(left) == 100
    Counted.examined = 0
    for _ in range(2):  # the second time as at every move
        seen.set_connected("t", frozenset({0}))
        assert Counted.examined == 1
    now[0] += 30.1
    seen.set_connected("u", frozenset({0}))
    assert len(left) == 0


def test_the_grace_is_half_a_minute_and_holds_after_a_restart(
    now: list[float], seen: Presence
) -> None:
    now[0] += 29.9
    assert seen.away("t", 2) == set(), "the process has just started"
    now[0] += 0.2
    assert seen.away("t", 2) == {0, 1}
    seen.set_connected("t", frozenset({1}))
    assert seen.away("t", 2) == {0}
    seen.set_connected("t", frozenset())
    now[0] += 29.9
    assert seen.away("t", 2) == {0}, "the connection of seat 1 dropped a moment ago"
    seen.set_connected("t", frozenset({1}))
    seen.set_connected("t", frozenset())
    now[0] += 29.9
    assert seen.away("t", 2) == {0}, "the last drop counts"
    now[0] += 0.2
    assert seen.away("t", 2) == {0, 1}


def test_requests_without_a_socket_count(now: list[float], seen: Presence) -> None:
    now[0] += 100
    seen.touch("t", 0)
    now[0] += 29.9
    assert seen.away("t", 1) == set()
    now[0] += 0.2
    assert seen.away("t", 1) == {0}


def test_seats_connected_to_other_processes_count(now: list[float], seen: Presence) -> None:
    now[0] += 100
    seen.report("other", "t", frozenset({0, 1}))
    assert seen.away("t", 2) == set()
    seen.report("other", "t", frozenset({0}))
    now[0] += 10
    seen.report_all("other", {"t": frozenset({0})})
    now[0] += 10
    seen.report_all("other", {})
    assert seen.away("t", 2) == set()
    now[0] += 10.1
    assert seen.away("t", 2) == {1}, "each drop has its own grace"
    now[0] += 20
    assert seen.away("t", 2) == {0, 1}


def test_the_seats_of_a_process_that_dies_have_the_grace(now: list[float], seen: Presence) -> None:
    now[0] += 100
    seen.report_all("other", {"t": frozenset({0})})
    now[0] += presence.REPORT_VALID_S + 0.1
    assert seen.away("t", 1) == set() and seen.of("t") == set()
    now[0] += 30.1
    assert seen.away("t", 1) == {0}


def test_a_process_without_a_report_is_noticed(now: list[float], seen: Presence) -> None:
    assert not seen.silent(set()) and seen.silent({"other"})
    seen.report_all("other", {})
    assert not seen.silent({"other"}) and seen.silent({"other", "third"})
    now[0] += presence.REPORT_VALID_S + 0.1
    assert seen.silent({"other"})


def test_seats_that_left_long_ago_cost_no_memory(now: list[float], seen: Presence) -> None:
    for number in range(1000):
        seen.set_connected(f"t{number}", frozenset({0}))
        seen.set_connected(f"t{number}", frozenset())
        now[0] += 1
    assert len(seen._last_seen) <= 31


async def opened_store(folder: Path) -> Store:
    """An empty store."""
    url = database_url(str(folder / "tables.sqlite"))
    await upgrade(url)
    return Store(url)


async def open_table(service: TableService, *players: str) -> TableSession:
    """A table in play, with these players."""
    opened = TableHarness("shokoba", [None] * len(players)).table.opened
    session = await service.open("table", opened)
    for player in players:
        await service.store.add_player(player, player, "hash", 0)
    await sit_down(service, session, *players)
    return session


def test_a_seat_is_not_given_to_a_bot_right_after_a_drop(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, absence_grace=30)
    ana, bo = server.new_players("Ana", "Bo")
    table = ana.open("shokoba", [None, None])
    one, two = seat_players(table, ana, bo)
    two.close()
    one.until(lambda: one.present == [0])
    assert one.refused("hand", seat=1) == {"code": "denied", "why": HERE.format("Bo")}
    open_clients.close()
    assert server.stop() == 0
    server.start()
    again = SocketClient(server, table, ana)
    assert again.present == []
    assert again.refused("hand", seat=1)["why"] == HERE.format("Bo"), "the server has just started"
    assert again.kinds.count("handed") == 0


def test_a_seat_is_given_to_a_bot_after_the_grace(
    tmp_path: Path, now: list[float], seen: Presence
) -> None:
    async def run() -> None:
        store = await opened_store(tmp_path)
        service = TableService(store, BotPool(1), PubSub(), Metrics(), bot_delay=0, presence=seen)
        session = await open_table(service, "ana", "bo")
        clients = [Client(player, lambda _: None, lambda *_: None) for player in ("ana", "bo")]
        for client in clients:
            await service.join(session, client, None)
        now[0] += 100
        service.leave(session, clients[1])

        async def hand(request_id: str) -> messages.Reply:
            ana = service.requester(session, "ana", "ana")
            return await service.handle(session, ana, messages.Hand(request_id, 1))

        now[0] += 29.9
        refused = (await hand("h1")).refused
        assert refused is not None and refused.why == HERE.format("bo")
        now[0] += 0.2
        assert (await hand("h2")).refused is None
        assert [seat.stand_in for seat in session.table.seats] == [None, "medium"]
        await service.join(session, clients[1], None)
        assert [seat.stand_in for seat in session.table.seats] == [None, None], "Bo is back"
        await service.stop()
        await store.close()

    asyncio.run(run())


def test_a_seat_is_not_given_to_a_bot_while_another_process_has_not_reported(
    tmp_path: Path,
) -> None:
    async def run() -> None:
        store, pubsub = await opened_store(tmp_path), PubSub()
        pubsub.alone = False
        service = TableService(
            store, BotPool(1), pubsub, Metrics(), bot_delay=0, presence=Presence(0), process="this"
        )
        session = await open_table(service, "ana", "bo")
        for process in ("this", "other"):
            await store.heartbeat(process, now_ms())

        async def hand(request_id: str) -> messages.Reply:
            ana = service.requester(session, "ana", "ana")
            return await service.handle(session, ana, messages.Hand(request_id, 1))

        refused = (await hand("h1")).refused
        assert refused is not None and refused.why.startswith("it is not known yet")
        service.presence.report_all("other", {"table": frozenset({1})})
        refused = (await hand("h2")).refused
        assert refused is not None and refused.why == HERE.format("bo")
        service.presence.report_all("other", {})
        assert (await hand("h3")).refused is None
        await service.stop()
        await store.close()

    asyncio.run(run())


# The level of the stand-in


def test_the_table_says_how_strong_stand_ins_are_and_an_opponent_does_not() -> None:
    harness = TableHarness(
        "shokoba", [None, None], stand_in="hard", clock={"per": "move", "seconds": 30}
    )
    harness.sit("ana", "bo")
    with pytest.raises(Denied, match="play for absent players here are hard: leave the level out"):
        harness.ask("ana", messages.Hand("h1", 1, "easy"))
    assert harness.ask("ana", messages.Hand("h2", 1)) == [events.Handed(1, "hard")]
    harness.ask("bo", messages.Return("back"))
    assert harness.ask("ana", messages.Hand("h3", 1, "hard")) == [events.Handed(1, "hard")]
    harness.ask("bo", messages.Return("again"))
    seat = harness.table.to_act
    assert seat is not None
    harness.wait(31)
    assert harness.time_out() == [events.Handed(seat, "hard", "time")]


def test_everybody_knows_the_level_before_sitting_down(server: ServerProcess) -> None:
    ana = server.new_player()
    table = ana.open("shokoba", [None, None], stand_in="expert")
    assert SocketClient(server, table).table_info["stand_in"] == "expert"
    usual = SocketClient(server, ana.open("shokoba", [None, None]))
    assert usual.table_info["stand_in"] == "medium"


def test_an_unknown_level_of_stand_ins_is_refused() -> None:
    with pytest.raises(Fault, match="use beginner, easy, medium, hard, expert or master"):
        TableHarness("shokoba", [None, None], stand_in="genius")
