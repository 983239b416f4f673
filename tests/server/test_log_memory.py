"""The logs of all tables in memory have one limit, and nobody is starved by it."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import random
import tracemalloc
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from tests.server.server_process import RESPONSE_TIMEOUT_S, ServerProcess
from tests.server.socket_client import SocketClient, open_socket
from tests.server.table_harness import TableHarness, sit_down
from tests.server.test_memory import TABLE_BYTES
from theriac.faults import Fault
from theriac.game import all_games
from theriac.server.bots.bot_pool import BotPool
from theriac.server.limits import DEFAULT_LIMITS, Limits, parse_limits
from theriac.server.running.metrics import Metrics
from theriac.server.store.events import LogEntry, decode_event, encode_event
from theriac.server.store.writer import VersionTaken
from theriac.server.tables import loaded, messages
from theriac.server.tables.downtime import Downtime
from theriac.server.tables.log_memory import MemoryFull
from theriac.server.tables.pubsub import PubSub
from theriac.server.tables.service import TableService
from theriac.server.tables.session import Client, TableSession
from theriac.server.tables.table import Table

#: Small limits, in bytes. What people say in tests takes 750 bytes.
SMALL = Limits(all_log_bytes=400_000, log_bytes=100_000, short_log_bytes=10_000)
WORDS = "x" * 300
#: What a log may have beyond its limit: the last thing that was said, and what it began with.
MORE = 2_000


class Logs:
    """The logs of many tables."""

    def __init__(self) -> None:
        self.logs: dict[str, list[LogEntry]] = {}

    async def append(
        self, table: str, entries: Sequence[LogEntry], updates: Sequence[Any] = ()
    ) -> None:
        log = self.logs.setdefault(table, [])
        if entries[0].number != len(log) + 1:
            raise VersionTaken
        log += entries

    async def read_log(self, table: str, after: int = 0) -> list[LogEntry]:
        return self.logs.get(table, [])[after:]


def with_service(
    test: Callable[[TableService], Awaitable[None]], limits: Limits = SMALL, **more: Any
) -> None:
    """Run a test with the tables of a process."""

    async def run() -> None:
        service = TableService(Logs(), BotPool(1), PubSub(), Metrics(), bot_delay=0, limits=limits)  # type: ignore[arg-type]
        try:
            await test(service)
        finally:
            await service.stop()

    asyncio.run(run())


async def open_table(service: TableService, name: str, **more: Any) -> TableSession:
    opened = TableHarness("shokoba", [None, None], **more).table.opened
    return await service.open(name, opened)


async def talk(service: TableService, session: TableSession, times: int) -> str | None:
    """Say something several times; why that is refused, if it is."""
    for _ in range(times):
        requester = service.requester(session, "ana", "Ana")
        said = messages.Say(f"s{random.random()}", WORDS)
        reply = await service.handle(session, requester, said)
        if reply.refused:
            return reply.refused.why
    return None


def come_in(session: TableSession, player: str | None = None) -> list[bytes]:
    """Add a client; what it gets."""
    got: list[bytes] = []
    session.add(Client(player, got.append, lambda code, why: None))
    return got


def in_memory(service: TableService) -> int:
    """The bytes of all logs in memory, counted one by one."""
    return sum(session.table.log_bytes for session in service.tables)


def test_all_logs_together_have_a_limit_and_short_ones_their_own_part() -> None:
    async def test(service: TableService) -> None:
        for number in range(12):
            session = await open_table(service, f"long{number}")
            come_in(session)
            why = await talk(service, session, 150)
            assert why is not None, "the log of a table has a limit"
        assert why == (
            "the memory of this server is nearly full, and the log of this table is long: "
            "open another table"
        )
        assert in_memory(service) <= SMALL.all_log_bytes // 2 + 12 * (SMALL.short_log_bytes + MORE)
        short = await open_table(service, "short")
        come_in(short)
        assert await talk(service, short, 5) is None
        assert service.tables.memory.bytes == in_memory(service)
        for number in range(30):
            try:
                session = await open_table(service, f"more{number}")
            except MemoryFull:
                break
            come_in(session)
            await talk(service, session, 150)
        else:
            pytest.fail("there is no end")
        assert in_memory(service) <= SMALL.all_log_bytes + MORE
        assert await talk(service, short, 1) == (
            "the memory of this server is full: try again in a moment"
        )

    with_service(test)


def test_people_without_a_seat_fill_only_half_of_a_log() -> None:
    """With twenty keys, a stranger filled the log of a table in seconds: no other game began."""

    async def test(service: TableService) -> None:
        session = await open_table(service, "table")
        why = await talk(service, session, 150)
        assert why == "half of this table's log is full: only its players can talk now"
        assert session.table.log_bytes <= SMALL.log_bytes // 2 + MORE
        await sit_down(service, session, "ana", "bo")
        assert await talk(service, session, 1) is None

    with_service(test)


def test_strangers_talk_no_more_than_a_table_takes_and_do_not_silence_the_players() -> None:
    """20 keys and 180 sockets of one address: the server sent 29,000 messages in a second."""

    async def test(service: TableService) -> None:
        session = await open_table(service, "table")
        await sit_down(service, session, "ana", "bo")
        asked = [("eve", messages.Typing("t"))] * 4 + [("ana", messages.Say("s", "hello"))]
        replies = [
            await service.handle(session, service.requester(session, who, who), request)
            for who, request in asked
        ]
        codes = [reply.refused and reply.refused.code for reply in replies]
        assert codes == [None, None, None, "rate", None]

    with_service(test, Limits(talk_rate=0.001, talk_burst=3))


def test_a_game_in_play_can_be_finished_when_the_memory_is_full() -> None:
    async def test(service: TableService) -> None:
        session = await open_table(service, "table", options={"first": 1})
        await sit_down(service, session, "ana", "bo")
        service.tables.memory.bytes = SMALL.all_log_bytes + 1
        assert await talk(service, session, 1) is not None
        requester = service.requester(session, "ana", "Ana")
        move = messages.Play("m", session.table.current_match.legal()[0], session.table.version)
        assert (await service.handle(session, requester, move)).refused is None

    with_service(test)


def test_tables_that_nobody_uses_make_room_for_others() -> None:
    async def test(service: TableService) -> None:
        for number in range(12):
            session = await open_table(service, f"t{number}")
            assert await talk(service, session, 60) is None
            assert in_memory(service) <= SMALL.all_log_bytes // 2 + 70_000
        assert service.tables.get("t0") is None and service.tables.get("t11") is not None
        first = await service.tables.find("t0")
        assert first is not None and first.table.version == 61
        assert in_memory(service) <= SMALL.all_log_bytes // 2
        assert service.tables.memory.bytes == in_memory(service)

    with_service(test)


def test_tables_in_use_stay_and_leave_room_for_short_ones() -> None:
    async def test(service: TableService) -> None:
        for name, words in (("long", 80), ("short", 5)):
            await talk(service, await open_table(service, name), words)
        in_use = []
        for number in range(3):
            session = await open_table(service, f"in use {number}")
            in_use.append(session)
            come_in(session)
            await talk(service, session, 80)
        assert {session.table.name for session in service.tables} >= {"in use 0", "in use 2"}
        for session in service.tables:
            if session not in in_use:
                service.tables.forget(session.table.name)
        with pytest.raises(MemoryFull, match="tables in use have filled the memory"):
            await service.tables.find("long")
        assert await service.tables.find("short") is not None
        for client in list(in_use[0].clients):
            in_use[0].remove(client)
        assert await service.tables.find("long") is not None
        assert service.tables.get("in use 0") is None

    with_service(test)


def test_a_long_poll_uses_a_table() -> None:
    async def test(service: TableService) -> None:
        session = await open_table(service, "polled")
        await talk(service, session, 60)
        poll = asyncio.create_task(service.wait_for_news(session, None, session.table.version, 9))
        await asyncio.sleep(0)
        for number in range(4):
            await talk(service, await open_table(service, f"t{number}"), 60)
        assert service.tables.get("polled") is session
        await talk(service, session, 1)
        await poll
        await talk(service, await open_table(service, "last"), 60)
        service.tables.unload_idle()
        assert service.tables.get("polled") is None

    with_service(test)


def test_tables_have_a_number_and_those_that_nobody_uses_give_way() -> None:
    async def test(service: TableService) -> None:
        clock = {"per": "move", "seconds": 3600}
        session = await open_table(service, "clock", clock=clock)
        await sit_down(service, session, "ana", "bo")
        assert session.timer is not None
        for name in ("a", "b", "c"):
            await open_table(service, name)
        assert {session.table.name for session in service.tables} == {"clock", "b", "c"}
        for name in ("b", "c"):
            come_in(service.tables.get(name))  # type: ignore[arg-type]
        come_in(await open_table(service, "d"))
        assert service.tables.get("clock") is None, "a table with a clock is the last to give way"
        with pytest.raises(MemoryFull):
            await open_table(service, "e")
        with pytest.raises(MemoryFull):
            await service.tables.find("clock")

    with_service(test, Limits(tables=3))


def test_what_is_written_through_a_dropped_table_reaches_the_clients_of_the_next() -> None:
    async def test(service: TableService) -> None:
        before = await open_table(service, "table")
        service.tables.forget("table")
        after = await service.tables.find("table")
        assert after is not None and after is not before
        got = come_in(after)
        assert await talk(service, before, 1) is None
        for _ in range(5):
            await asyncio.sleep(0)
        assert after.table.version == 2
        assert b'"said"' in got[-1]
        assert service.tables.memory.bytes == in_memory(service)

    with_service(test)


def test_who_leaves_a_dropped_table_is_still_present_at_the_next() -> None:
    async def test(service: TableService) -> None:
        before = await open_table(service, "table")
        await sit_down(service, before, "ana", "bo")
        old = Client("ana", lambda message: None, lambda code, why: None)
        await service.join(before, old, None)
        service.tables.forget("table")
        after = await service.tables.find("table")
        assert after is not None
        await service.join(after, Client("ana", lambda message: None, lambda code, why: None), None)
        assert service.presence.of("table") == {0}
        service.leave(before, old)
        assert service.presence.of("table") == {0}

    with_service(test)


def test_only_some_tables_are_loaded_at_once() -> None:
    at_once = most = 0

    async def test(service: TableService) -> None:
        read_log = service.store.read_log

        async def slow(table: str, after: int = 0) -> list[LogEntry]:
            nonlocal at_once, most
            if after:
                return await read_log(table, after)
            at_once += 1
            most = max(most, at_once)
            await asyncio.sleep(0.001)
            at_once -= 1
            return await read_log(table, after)

        names = [f"t{number}" for number in range(20)]
        for name in names:
            await open_table(service, name)
            service.tables.forget(name)
        service.store.read_log = slow  # type: ignore[method-assign, assignment]
        found = await asyncio.gather(*[service.tables.find(name) for name in names])
        assert all(found) and len(service.tables) == 20

    with_service(test)
    assert most == loaded.LOADS_AT_ONCE


def test_the_limit_of_all_logs_is_some_of_those_of_one() -> None:
    with pytest.raises(Fault, match="all_log_bytes: 1000 is less than four times log_bytes"):
        parse_limits(["all_log_bytes=1000"])
    assert parse_limits(["all_log_bytes=4000", "log_bytes=1000"]).all_log_bytes == 4000


# What a log takes


def long_log(harness: TableHarness, players: list[str], log_bytes: int) -> list[tuple[Any, ...]]:
    """The rows of a log with many games."""
    choose = random.Random(1).choice
    while harness.table.log_bytes < log_bytes:
        if harness.table.stage != "playing":
            for seat, player in enumerate(players):
                nonce = f"{seat} {harness.table.version}"
                harness.ask(player, messages.Ready("r", **harness.commit(seat, nonce)))
            harness.reveal()
        harness.play(choose(harness.table.current_match.legal()))
    mark = "x" * 16
    return [
        (entry.number, entry.at, encode_event(entry.event), f"{mark}:{entry.number}")
        for entry in harness.table.log
    ]


@pytest.mark.parametrize("delay", [0, 10])
@pytest.mark.parametrize("name", list(all_games()))
def test_a_log_takes_no_more_memory_than_is_counted(name: str, delay: int) -> None:
    players = [f"player{seat}" for seat in range(min(all_games()[name].players))]
    harness = TableHarness(name, [None] * len(players), delay=delay)
    harness.sit(*players)
    rows = long_log(harness, players, 200_000)
    del harness
    gc.collect()
    tracemalloc.start()
    table = Table("table", Downtime([]))
    for number, at, event, mark in rows:
        table.apply(LogEntry(number, at, decode_event(event), (mark + "-")[:-1]))
    session = TableSession(table, DEFAULT_LIMITS)
    if session.delayed is not None:
        assert len(list(session.delayed.catch_up(table, 2**60))) == len(rows) - 1
    gc.collect()
    used = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    copies = 2 if delay else 1
    assert used < session.log_bytes + copies * TABLE_BYTES < 3 * used


# A server


def server_with(folder: Path, *limits: str) -> ServerProcess:
    return ServerProcess(folder, *[part for limit in limits for part in ("--limit", limit)])


def closed_with(
    server: ServerProcess, table: str, address: str | None = None
) -> tuple[int | None, str | None]:
    """The code and the reason with which the server closes the socket of a spectator at once."""
    with open_socket(server, table, address=address) as socket:
        with contextlib.suppress(ConnectionClosed):
            socket.recv(RESPONSE_TIMEOUT_S)
        return socket.close_code, socket.close_reason


def test_a_server_says_that_its_memory_is_full(tmp_path: Path) -> None:
    server = server_with(tmp_path, "tables=2", "player_rate=1000", "player_burst=1000")
    ana = server.new_player()
    names = [ana.open("shokoba", [None, None], listed=True) for _ in range(2)]
    clients = [SocketClient(server, name, ana) for name in names]
    why = "tables in use have filled the memory of this server: come back in a moment"
    refused = ana.http.post("/api/tables", json={"game": "shokoba", "seats": [None, None]})
    assert (refused.status_code, refused.json()) == (503, {"why": why})
    clients[0].close()
    third = ana.open("shokoba", [None, None], listed=True)
    client = SocketClient(server, third, ana)
    refused = ana.http.get(f"/api/tables/{names[0]}")
    assert (refused.status_code, refused.json()) == (503, {"why": why})
    assert {row["table"] for row in ana.get("/api/tables")} == {names[1], third}
    assert closed_with(server, names[0]) == (4503, why)
    client.close()
    assert ana.get_table(names[0])["version"] == 1
    assert "theriac_tables_in_memory 2.0" in server.http.get("/metrics").text
    assert "theriac_log_bytes_in_memory 1" in server.http.get("/metrics").text


def test_an_address_loads_some_tables_at_once(tmp_path: Path) -> None:
    server = server_with(tmp_path, "load_rate=0.001", "load_burst=3")
    ana = server.new_player()
    name = ana.open("shokoba", [None, None])
    for _ in range(3):
        assert ana.http.get("/api/tables/nosuch").status_code == 404
    assert ana.http.get("/api/tables/nosuch").status_code == 429
    assert ana.http.get(f"/api/tables/{name}").status_code == 200, "it is in memory"
    for expected in (4404, 4404, 4404, 4429):
        assert closed_with(server, "nosuch", "192.0.2.1")[0] == expected
