"""The batched writer: what many tables write at about the same time is one transaction.

So they share one wait for the disk. `write` returns when the disk has what it was given.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Sequence
from functools import partial
from operator import attrgetter
from typing import Any

import msgspec
from sqlalchemy.exc import IntegrityError

from theriac.server.store.database import DATABASE_ERRORS, StoreFault, store_fault
from theriac.server.store.transactions import Transactions

log = logging.getLogger(__name__)

#: The most writes in one transaction.
MAX_BATCH = 500
#: How many of the waiting requests continue in one turn of the event loop.
WAKE_PER_TURN = 16
#: The shortest time from one transaction to the next, in seconds: a write after a pause does not
#: wait, and under load more writes share a transaction.
BATCH_INTERVAL_S = 0.005
#: How long a write may take before the store counts as failed, in seconds.
WRITE_TIMEOUT_S = 10.0


class VersionTaken(Exception):
    """Another process has already written this version of this table."""


class PendingWrite(msgspec.Struct):
    """Rows and statements to write together, and the future of the request that waits for it."""

    table: str
    rows: Sequence[dict[str, Any]]
    statements: Sequence[Any]
    done: asyncio.Future[None]
    since: float = msgspec.field(default_factory=time.monotonic)


class BatchWriter:
    """Collects writes and runs them in batches.

    Plain callbacks, no task: at medium load a batch holds two or three moves, and each step of a
    task would cost as much as a move's share of the writing.
    """

    def __init__(self, transactions: Transactions) -> None:
        self.transactions = transactions
        self._pending: list[PendingWrite] = []
        #: Is a batch being written, or about to be? When did the last one begin?
        self._busy = False
        self._began = 0.0
        self._fault: StoreFault | None = None
        self._retrying: asyncio.Task[None] | None = None

    async def close(self) -> None:
        """Write what is pending, and stop."""
        while self._pending:
            await asyncio.sleep(0.01)
        await self.transactions.close()

    def write(
        self, table: str, rows: Sequence[dict[str, Any]], statements: Sequence[Any]
    ) -> asyncio.Future[None]:
        """Write log rows of a table and statements. The future is done when the disk has them; else
        it has `VersionTaken` or `StoreFault`.
        """
        loop = asyncio.get_running_loop()
        done = loop.create_future()
        write = PendingWrite(table, rows, statements, done)
        self._pending.append(write)
        if not self._busy:
            self._busy = True
            loop.call_later(max(0.0, self._began + BATCH_INTERVAL_S - write.since), self._begin)
        return done

    def _begin(self) -> None:
        self._began = time.monotonic()
        batch = self._pending[:MAX_BATCH]
        written = asyncio.ensure_future(self._transaction(batch))
        written.add_done_callback(partial(self._on_end, batch))

    def _on_end(self, batch: Sequence[PendingWrite], written: asyncio.Future[None]) -> None:
        if written.cancelled():  # the process stops
            return
        error = written.exception()
        if isinstance(error, IntegrityError):
            self._retrying = asyncio.create_task(self._write_one_by_one(batch))
            return
        if error is None:
            self._fault = None
            wake_in_turns(batch)
        else:
            self._fail_all(batch, error)
        self._continue(batch)

    def _fail_all(self, batch: Sequence[PendingWrite], error: BaseException) -> None:
        """Every waiting request gets an answer, whatever the error."""
        if not isinstance(error, DATABASE_ERRORS):
            log.error("the store failed in an unknown way", exc_info=error)
        self._fault = store_fault(error)
        for write in batch:
            _fail(write, store_fault(error))

    def _continue(self, batch: Sequence[PendingWrite]) -> None:
        """A batch is done: begin the next one, if something waits."""
        del self._pending[: len(batch)]
        self._busy = bool(self._pending)
        if self._busy:
            wait = self._began + BATCH_INTERVAL_S - time.monotonic()
            asyncio.get_running_loop().call_later(max(0.0, wait), self._begin)

    async def _write_one_by_one(self, batch: Sequence[PendingWrite]) -> None:
        for write in batch:
            await self._write_alone(write)
        self._continue(batch)

    async def _write_alone(self, write: PendingWrite) -> None:
        """One of the batch has a version that is taken: find out which."""
        try:
            await self._transaction([write])
        except IntegrityError:
            _fail(write, VersionTaken())
        except Exception as error:  # noqa: BLE001 - else all later writes would wait for ever
            self._fail_all([write], error)
        else:
            self._fault = None
            _succeed(write)

    def _transaction(self, batch: Sequence[PendingWrite]) -> Awaitable[None]:
        # Two processes that take the same locks must take them in the same order.
        ordered = sorted(batch, key=attrgetter("table"))
        statements = [statement for write in ordered for statement in write.statements]
        rows = [row for write in ordered for row in write.rows]
        return self.transactions.run(statements, rows)

    def check(self) -> None:
        """Raise `StoreFault` if the last write failed or the oldest pending one takes too long."""
        if self._fault is not None:
            raise StoreFault(str(self._fault))
        if not self._pending:
            return
        waited = time.monotonic() - self._pending[0].since
        if waited > WRITE_TIMEOUT_S:
            raise StoreFault(f"the store has not answered for {waited:.0f} seconds")


def wake_in_turns(batch: Sequence[PendingWrite]) -> None:
    """Let the waiting requests continue, a few per turn of the event loop."""
    for write in batch[:WAKE_PER_TURN]:
        _succeed(write)
    if len(batch) > WAKE_PER_TURN:
        asyncio.get_running_loop().call_soon(wake_in_turns, batch[WAKE_PER_TURN:])


def _succeed(write: PendingWrite) -> None:
    if not write.done.done():
        write.done.set_result(None)


def _fail(write: PendingWrite, error: Exception) -> None:
    if not write.done.done():
        write.done.set_exception(error)
