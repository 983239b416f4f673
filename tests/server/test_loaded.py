"""Tables are loaded once, in turns, and one that cannot be read stops no other."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from tests.command import call
from tests.server.server_process import RESPONSE_TIMEOUT_S, ServerProcess
from tests.server.table_harness import TableHarness
from tests.server.test_log_memory import Logs, closed_with, open_table, with_service
from theriac.server import app
from theriac.server.running import background
from theriac.server.running.background import keep_running
from theriac.server.store.events import LogEntry, Opened
from theriac.server.tables.loaded import LOADS_AT_ONCE, Unreadable
from theriac.server.tables.service import TableService


class SlowLogs(Logs):
    """Answers when it may, and counts the questions."""

    def __init__(self) -> None:
        super().__init__()
        self.may_answer = asyncio.Event()
        self.asked: list[str] = []

    async def read_log(self, table: str, after: int = 0) -> list[LogEntry]:
        if after == 0:
            self.asked.append(table)
            await self.may_answer.wait()
        return await super().read_log(table, after)

    async def unfinished_tables(self, since: int) -> list[str]:
        return list(self.logs)


def opened(game: str = "shokoba") -> Opened:
    event = TableHarness("shokoba", [None, None]).table.opened
    return msgspec.structs.replace(event, game=game)


def stored(service: TableService, *names: str, game: str = "shokoba") -> SlowLogs:
    """A store that has these tables, behind the tables of a process."""
    logs = SlowLogs()
    logs.logs = {name: [LogEntry(1, 1, opened(game))] for name in names}
    service.store = service.tables._store = service._committer._store = logs  # type: ignore[assignment]
    return logs


def test_a_table_that_is_found_while_it_is_opened_is_in_memory_once() -> None:
    """It is in the lobby as soon as the store has it, and the rules may be loading still."""

    async def test(service: TableService) -> None:
        load_rules = asyncio.Event()

        async def wait_for(game: str) -> Any:
            await load_rules.wait()

        service.rule_loader.wait_for = wait_for  # type: ignore[assignment, method-assign]
        opening = asyncio.create_task(open_table(service, "table"))
        await asyncio.sleep(0)
        finding = asyncio.create_task(service.tables.find("table"))
        await asyncio.sleep(0)
        load_rules.set()
        assert await opening is await finding is service.tables.get("table")
        assert service.tables.memory.bytes == (await opening).log_bytes

    with_service(test)


def test_a_table_is_loaded_once_though_who_asked_first_has_gone() -> None:
    async def test(service: TableService) -> None:
        logs = stored(service, "table")
        first = asyncio.create_task(service.tables.find("table"))
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.sleep(0)
        second = asyncio.create_task(service.tables.find("table"))
        await asyncio.sleep(0)
        logs.may_answer.set()
        assert await second is not None
        assert logs.asked == ["table"]

    with_service(test)


def test_addresses_take_turns_to_load_tables() -> None:
    async def test(service: TableService) -> None:
        many = [f"many {number}" for number in range(20)]
        logs = stored(service, *many, "one")
        loads = [asyncio.create_task(service.tables.find(name, "greedy")) for name in many]
        await asyncio.sleep(0)
        one = asyncio.create_task(service.tables.find("one", "other"))
        await asyncio.sleep(0)
        assert logs.asked == many[:LOADS_AT_ONCE]
        logs.may_answer.set()
        assert await one is not None
        assert logs.asked.index("one") <= LOADS_AT_ONCE + 1, "it does not wait for the others"
        await asyncio.gather(*loads)

    with_service(test)


def test_a_table_that_cannot_be_read_stops_no_other(caplog: pytest.LogCaptureFixture) -> None:
    """The loop that looks after the tables ended for ever."""

    async def test(service: TableService) -> None:
        logs = stored(service, "a bad one", game="chess")
        logs.logs["good"] = [LogEntry(1, 1, opened())]
        logs.may_answer.set()
        with pytest.raises(Unreadable):
            await service.tables.find("a bad one")
        tending = asyncio.create_task(app._tend_tables(service))
        async with asyncio.timeout(5):
            while service.tables.get("good") is None:
                await asyncio.sleep(0.01)
        assert not tending.done()
        tending.cancel()

    with_service(test)
    assert "no game is called chess" in caplog.text


def test_a_background_loop_begins_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(background, "RESTART_AFTER_S", 0)
    begun: list[int] = []

    async def loop() -> None:
        begun.append(1)
        if len(begun) < 3:
            raise ZeroDivisionError("a mistake")
        await asyncio.sleep(9)

    async def run() -> None:
        task = asyncio.create_task(keep_running(loop))
        while len(begun) < 3:
            await asyncio.sleep(0)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task

    asyncio.run(run())
    assert caplog.text.count("it begins again") == 2


def forget_game(database: Path, table: str) -> None:
    """As if the package of a table's game had been uninstalled."""
    with sqlite3.connect(database) as store:
        like = ('%"kind":"opened"%', table)
        store.execute(
            """UPDATE log SET event = replace(event, '"shokoba"', '"chess"')
               WHERE event LIKE ? AND room = ?""",
            like,
        )
    store.close()


def test_the_lobby_is_there_although_a_game_is_not_installed_any_more(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path)
    ana = server.new_player()
    good, bad = [ana.open("shokoba", [None, None], listed=True) for _ in range(2)]
    server.kill()
    forget_game(server.database, bad)
    server.start()
    lobby = server.http.get("/api/tables")
    assert (lobby.status_code, [row["table"] for row in lobby.json()]) == (200, [good])
    refused = server.http.get(f"/api/tables/{bad}")
    why = "this server cannot read this table: tell its operator"
    assert (refused.status_code, refused.json()) == (503, {"why": why})
    assert closed_with(server, bad) == (4503, why)
    assert "no game is called chess" in server.log_text()


def test_a_request_that_waits_for_news_hears_that_its_table_was_deleted(
    server: ServerProcess, capsys: pytest.CaptureFixture[str]
) -> None:
    ana = server.new_player()
    table = ana.open("shokoba", [None, None])
    answers: list[httpx.Response] = []

    def wait_for_news() -> None:
        answers.append(httpx.get(f"http://{server.host}/api/tables/{table}?since=1&wait=20"))

    waiting = threading.Thread(target=wait_for_news)
    waiting.start()
    time.sleep(0.3)
    began = time.monotonic()
    call(capsys, "admin", "--database", str(server.database), "delete-table", table)
    waiting.join(RESPONSE_TIMEOUT_S)
    assert answers[0].status_code == 404 and time.monotonic() - began < 15
