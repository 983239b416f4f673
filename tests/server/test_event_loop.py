"""The event loop stays free: batched writes, sliced replays, garbage collection; its lag."""

from __future__ import annotations

import asyncio
import gc
import re
import time
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError

from tests.server.table_harness import START, TableHarness
from theriac.server.limits import DEFAULT_LIMITS
from theriac.server.running import gc_tuning
from theriac.server.running.metrics import LAG_INTERVAL_S, LoopLag, Metrics
from theriac.server.store import events, migrate, schema, writer
from theriac.server.store.database import database_url
from theriac.server.store.events import LogEntry
from theriac.server.store.store import Store
from theriac.server.store.transactions import ThreadTransactions
from theriac.server.tables import loaded, views
from theriac.server.tables.downtime import Downtime
from theriac.server.tables.loaded import LoadedTables, replay_log
from theriac.server.tables.rule_loader import RuleLoader
from theriac.server.tables.session import TableSession
from theriac.server.tables.table import Table

TABLE_ROW = {"room": "r", "game": "poison", "listed": False, "stage": "playing", "changed": 1}


async def opened(folder: Path) -> Store:
    """A store with one table that has no log yet."""
    url = database_url(str(folder / "store.sqlite"))
    await migrate.upgrade(url)
    store = Store(url)
    await transactions_of(store).run([insert(schema.rooms).values(**TABLE_ROW)], [])
    return store


def opened_again(folder: Path) -> Store:
    return Store(database_url(str(folder / "store.sqlite")))


def transactions_of(store: Store) -> ThreadTransactions:
    transactions = store.writer.transactions
    assert isinstance(transactions, ThreadTransactions)
    return transactions


def row(number: int) -> dict[str, Any]:
    return {"room": "r", "number": number, "at": 1, "mark": None, "event": '{"kind":"closed"}'}


# Writing


def test_a_transaction_is_atomic_and_the_next_one_works_after_a_fault(tmp_path: Path) -> None:
    async def run() -> tuple[list[int], str]:
        store = await opened(tmp_path)
        transactions = transactions_of(store)
        await transactions.run([], [row(1)])
        with pytest.raises(IntegrityError):
            statement = schema.rooms.update().values(stage="over")
            await transactions.run([statement], [row(2), row(1), row(3)])
        await transactions.run([], [row(2)])
        numbers = [entry.number for entry in await store.read_log("r")]
        async with store.engine.connect() as connection:
            stage = (await connection.execute(select(schema.rooms.c.stage))).scalar_one()
        await store.close()
        return numbers, stage

    assert asyncio.run(run()) == ([1, 2], "playing")


def test_concurrent_writes_share_a_transaction(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches = []

    async def run() -> None:
        store = await opened(tmp_path)
        transactions = transactions_of(store)

        async def count(statements: Any, rows: Any) -> None:
            batches.append(len(rows))
            await ThreadTransactions.run(transactions, statements, rows)

        monkeypatch.setattr(transactions, "run", count)
        entries = [LogEntry(number, 1, events.Closed()) for number in range(1, 41)]
        await asyncio.gather(*(store.append("r", [entry]) for entry in entries))
        assert await store.read_log("r") == entries
        await store.close()

    asyncio.run(run())
    assert len(batches) <= 2 and sum(batches) == 40


def test_log_rows_alone_are_all_written_or_none(tmp_path: Path) -> None:
    async def run() -> list[int]:
        store = await opened(tmp_path)
        transactions = transactions_of(store)
        await transactions.run([], [row(1)])
        with pytest.raises(IntegrityError):
            await transactions.run([], [row(2), row(1), row(3)])
        await transactions.run([], [row(4)])
        await store.close()
        reopened = opened_again(tmp_path)
        numbers = [entry.number for entry in await reopened.read_log("r")]
        await reopened.close()
        return numbers

    assert asyncio.run(run()) == [1, 4]


def test_transactions_are_spaced_by_the_batch_interval(tmp_path: Path) -> None:
    async def run() -> float:
        store = await opened(tmp_path)
        began = time.monotonic()
        for number in range(1, 7):
            await store.append("r", [LogEntry(number, 1, events.Closed())])
        took = time.monotonic() - began
        await store.close()
        return took

    assert asyncio.run(run()) > 4.9 * writer.BATCH_INTERVAL_S


def test_waking_many_writers_yields_to_other_tasks() -> None:
    async def run() -> list[int]:
        loop = asyncio.get_running_loop()
        many = range(3 * writer.WAKE_PER_TURN + 1)
        batch = [writer.PendingWrite("r", [], [], loop.create_future()) for _ in many]
        writer.wake_in_turns(batch)
        seen = []
        while not batch[-1].done.done():
            seen.append(sum(append.done.done() for append in batch))
            await asyncio.sleep(0)
        return seen

    assert asyncio.run(run()) == [n * writer.WAKE_PER_TURN for n in (1, 2, 3)]


def test_replaying_a_log_yields_to_other_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    harness = TableHarness("poison", [None, "easy", "easy"])
    harness.sit("ana")
    for _ in range(20):
        harness.play()
    turns = 0

    async def run() -> int:
        nonlocal turns

        async def count() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        counting = asyncio.create_task(count())
        made = await replay_log("table", harness.table.log, Downtime(), "plain")
        counting.cancel()
        assert made.current_match.moves == harness.table.current_match.moves
        return turns

    monkeypatch.setattr(loaded, "REPLAY_SLICE_S", 1000.0)
    assert asyncio.run(run()) == 0
    monkeypatch.setattr(loaded, "REPLAY_SLICE_S", 0.0)
    assert asyncio.run(run()) >= 20
    assert harness.now == START


def test_loading_a_table_with_a_delay_leaves_nothing_to_do_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first request after a restart applied the whole log again, and the server stood still."""
    harness = TableHarness("poison", [None, "easy", "easy"], delay=30)
    harness.sit("ana")
    for _ in range(20):
        harness.play()
    log = harness.table.log

    class LongLog(Store):
        async def read_log(self, *place: Any) -> list[LogEntry]:
            return log

    async def on_load(session: TableSession) -> None:
        pass

    async def run() -> None:
        store = LongLog(database_url(str(tmp_path / "store.sqlite")))
        tables = LoadedTables(store, DEFAULT_LIMITS, Downtime(), RuleLoader(), on_load)
        finding = asyncio.create_task(tables.find("table"))
        turns = 0
        while not finding.done():
            turns += 1
            await asyncio.sleep(0)
        session = finding.result()
        assert session is not None and session.delayed is not None
        assert session.delayed.table.version == len(log)
        assert turns >= 2 * len(log)
        await store.close()

    monkeypatch.setattr(loaded, "REPLAY_SLICE_S", 0.0)
    asyncio.run(run())


def test_what_no_late_spectator_gets_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    harness = TableHarness("poison", [None, "easy", "easy"], delay=30)
    harness.sit("ana")
    made: list[LogEntry] = []
    updates_for = views.updates_for

    def watched(table: Table, entry: LogEntry, *more: Any) -> Any:
        made.append(entry)
        return updates_for(table, entry, *more)

    async def run() -> None:
        session = TableSession(harness.table)
        session.send_delayed()
        assert session.delayed is not None
        assert session.delayed.table.version == harness.table.version
        session.cancel_timers()

    monkeypatch.setattr(views, "updates_for", watched)
    asyncio.run(run())
    assert made == []


# Garbage collection


class Cycle:
    """An object that refers to itself."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def _restore_gc() -> Iterator[None]:
    before = gc.get_threshold()
    gc.unfreeze()  # what conftest.py has frozen
    yield
    gc.set_threshold(*before)
    gc.freeze()


@pytest.mark.usefixtures("_restore_gc")
def test_objects_of_the_start_are_frozen_and_the_rest_is_collected_when_idle() -> None:
    gc.collect()
    gc_tuning.freeze_and_tune()
    assert gc.get_freeze_count() > 10_000
    assert gc.get_threshold()[2] == gc_tuning.OLD_THRESHOLD
    cycle = Cycle()
    gc.collect(1)  # it is in the oldest generation now
    reference = weakref.ref(cycle)
    del cycle
    gc.collect(1)
    assert reference() is not None
    gc_tuning.collect_if_idle()
    assert reference() is None


# Lag


def loop_metrics(metrics: Metrics) -> dict[str, float]:
    """The metrics of the loop; reading them resets the longest lag."""
    found = re.findall(r"^theriac_loop_(\w+) (\S+)", metrics.scrape().decode(), re.MULTILINE)
    return {name: float(number) for name, number in found}


def test_the_longest_lag_is_reported_once() -> None:
    async def run() -> None:
        metrics = Metrics()
        lag = LoopLag(metrics)
        await asyncio.sleep(2 * LAG_INTERVAL_S)
        loop_metrics(metrics)
        began = time.thread_time()
        while time.thread_time() - began < 0.1:
            pass
        await asyncio.sleep(2 * LAG_INTERVAL_S)
        while_blocked = loop_metrics(metrics)
        assert while_blocked["longest_lag_seconds"] > 0.08
        assert while_blocked["longest_work_seconds"] > 0.08
        after_reset = loop_metrics(metrics)
        assert after_reset["longest_lag_seconds"] == after_reset["longest_work_seconds"] == 0
        lag.stop()
        await asyncio.sleep(3 * LAG_INTERVAL_S)
        assert loop_metrics(metrics)["lag_seconds_count"] == after_reset["lag_seconds_count"]

    asyncio.run(run())
