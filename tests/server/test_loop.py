"""What keeps the event loop free: batched writes, sliced replays, garbage collection; its lag."""

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
from sqlalchemy import event, insert, select
from sqlalchemy.exc import IntegrityError

from tests.server.alone import START, Alone
from theriac.server.running import gc_tuning
from theriac.server.running.metrics import LAG_INTERVAL_S, LoopLag, Metrics
from theriac.server.store import events, migrate, schema, writer
from theriac.server.store.database import database_url
from theriac.server.store.events import LogEntry
from theriac.server.store.store import Store
from theriac.server.store.transactions import ThreadTransactions
from theriac.server.tables import table
from theriac.server.tables.downtime import Downtime
from theriac.server.tables.table import replay_log

ROOM = {"room": "r", "game": "poison", "listed": False, "stage": "playing", "changed": 1}


async def opened(folder: Path) -> Store:
    """A store with one table that has no log yet."""
    url = database_url(str(folder / "store.sqlite"))
    await migrate.upgrade(url)
    kept = Store(url)
    await kept.open()
    await transactions_of(kept).run([insert(schema.rooms).values(**ROOM)], [])
    return kept


def transactions_of(kept: Store) -> ThreadTransactions:
    transactions = kept.writer.transactions
    assert isinstance(transactions, ThreadTransactions)
    return transactions


def row(number: int) -> dict[str, Any]:
    return {"room": "r", "number": number, "at": 1, "mark": None, "event": '{"kind":"closed"}'}


# Writing


def test_a_transaction_writes_all_or_nothing_and_works_again_after_a_fault(tmp_path: Path) -> None:
    async def run() -> tuple[list[int], str]:
        kept = await opened(tmp_path)
        transactions = transactions_of(kept)
        await transactions.run([], [row(1)])
        with pytest.raises(IntegrityError):
            statement = schema.rooms.update().values(stage="over")
            await transactions.run([statement], [row(2), row(1), row(3)])
        await transactions.run([], [row(2)])
        numbers = [entry.number for entry in await kept.read_log("r")]
        async with kept.engine.connect() as connection:
            stage = (await connection.execute(select(schema.rooms.c.stage))).scalar_one()
        await kept.close()
        return numbers, stage

    assert asyncio.run(run()) == ([1, 2], "playing")


def test_what_is_written_at_the_same_time_shares_a_transaction(tmp_path: Path) -> None:
    commits = 0

    def count(_: Any) -> None:
        nonlocal commits
        commits += 1

    async def run() -> None:
        kept = await opened(tmp_path)
        event.listen(transactions_of(kept)._engine, "commit", count)
        entries = [LogEntry(number, 1, events.Closed()) for number in range(1, 41)]
        await asyncio.gather(*(kept.append("r", [entry]) for entry in entries))
        assert await kept.read_log("r") == entries
        await kept.close()

    asyncio.run(run())
    assert commits <= 2


def test_one_transaction_begins_some_time_after_the_other(tmp_path: Path) -> None:
    async def run() -> float:
        kept = await opened(tmp_path)
        began = time.monotonic()
        for number in range(1, 7):
            await kept.append("r", [LogEntry(number, 1, events.Closed())])
        took = time.monotonic() - began
        await kept.close()
        return took

    assert asyncio.run(run()) > 4.9 * writer.BATCH_INTERVAL_S


def test_others_have_their_turn_while_many_go_on() -> None:
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


def test_others_have_their_turn_while_a_room_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = Alone("poison", [None, "easy", "easy"])
    alone.sit("ana")
    for _ in range(20):
        alone.play()
    turns = 0

    async def run() -> int:
        nonlocal turns

        async def count() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        counting = asyncio.create_task(count())
        made = await replay_log("room", alone.table.log, Downtime(), "plain")
        counting.cancel()
        assert made.current_match.moves == alone.table.current_match.moves
        return turns

    monkeypatch.setattr(table, "REPLAY_SLICE_S", 1000.0)
    assert asyncio.run(run()) == 0
    monkeypatch.setattr(table, "REPLAY_SLICE_S", 0.0)
    assert asyncio.run(run()) >= 20
    assert alone.now == START


# Garbage


class Knot:
    """Something that holds on to itself."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def _as_before() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)
    gc.unfreeze()


@pytest.mark.usefixtures("_as_before")
def test_what_was_there_is_never_looked_through_and_the_rest_when_there_is_time() -> None:
    gc.collect()
    gc_tuning.freeze_and_tune()
    assert gc.get_freeze_count() > 10_000
    assert gc.get_threshold()[2] == gc_tuning.OLD_THRESHOLD
    knot = Knot()
    gc.collect(1)  # it is old now
    lost = weakref.ref(knot)
    del knot
    gc.collect(1)
    assert lost() is not None
    gc_tuning.collect_if_idle()
    assert lost() is None


# LoopLag


def told(metrics: Metrics) -> dict[str, float]:
    """All that is told of the loop; what was longest is told once."""
    found = re.findall(r"^theriac_loop_(\w+) (\S+)", metrics.scrape().decode(), re.MULTILINE)
    return {name: float(number) for name, number in found}


def test_how_long_the_loop_was_blocked_is_told_once() -> None:
    async def run() -> None:
        metrics = Metrics()
        lag = LoopLag(metrics)
        await asyncio.sleep(2 * LAG_INTERVAL_S)
        told(metrics)
        began = time.thread_time()
        while time.thread_time() - began < 0.1:
            pass
        await asyncio.sleep(2 * LAG_INTERVAL_S)
        blocked = told(metrics)
        assert blocked["longest_lag_seconds"] > 0.08
        assert blocked["longest_work_seconds"] > 0.08
        again = told(metrics)
        assert again["longest_lag_seconds"] == again["longest_work_seconds"] == 0
        lag.stop()
        await asyncio.sleep(3 * LAG_INTERVAL_S)
        assert told(metrics)["lag_seconds_count"] == again["lag_seconds_count"]

    asyncio.run(run())
