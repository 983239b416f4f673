"""The batched writer: what many tables write at about the same time is one transaction.

So they share one wait for the disk. `write` returns when the disk has what it was given.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

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


@dataclass
class PendingWrite:
    """Rows and statements to write together, and the future of the request that waits for it."""

    table: str
    rows: list[dict[str, Any]]
    statements: list[Any]
    done: asyncio.Future[None] = field(repr=False)
    since: float = field(default_factory=time.monotonic)


class BatchWriter:
    """Collects writes and runs them in batches."""

    def __init__(self, transactions: Transactions) -> None:
        self.transactions = transactions
        self._pending: list[PendingWrite] = []
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._fault: StoreFault | None = None

    def start(self) -> None:
        """Start writing."""
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Write what is pending, and stop."""
        if self._task:
            while self._pending:
                await asyncio.sleep(0.01)
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        await self.transactions.close()

    async def write(
        self, table: str, rows: Sequence[dict[str, Any]], statements: Sequence[Any]
    ) -> None:
        """Write log rows of a table and statements; raises `VersionTaken` or `StoreFault`."""
        done = asyncio.get_running_loop().create_future()
        self._pending.append(PendingWrite(table, list(rows), list(statements), done))
        self._wake.set()
        await done

    async def _run(self) -> None:
        began = 0.0
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._pending:
                await asyncio.sleep(began + BATCH_INTERVAL_S - time.monotonic())
                began = time.monotonic()
                batch = self._pending[:MAX_BATCH]
                await self._write_batch(batch)
                del self._pending[: len(batch)]

    async def _write_batch(self, batch: Sequence[PendingWrite]) -> None:
        try:
            await self._transaction(batch)
        except IntegrityError:
            for write in batch:
                await self._write_alone(write)
        except Exception as error:  # every waiting request gets an answer, whatever the error
            if not isinstance(error, DATABASE_ERRORS):
                log.error("the store failed in an unknown way", exc_info=error)
            self._fault = store_fault(error)
            for write in batch:
                _fail(write, store_fault(error))
        else:
            wake_in_turns(batch)

    async def _write_alone(self, write: PendingWrite) -> None:
        """One of the batch has a version that is taken: find out which."""
        try:
            await self._transaction([write])
        except IntegrityError:
            _fail(write, VersionTaken())
        except DATABASE_ERRORS as error:
            self._fault = store_fault(error)
            _fail(write, store_fault(error))
        else:
            _succeed(write)

    async def _transaction(self, batch: Sequence[PendingWrite]) -> None:
        # Two processes that take the same locks must take them in the same order.
        ordered = sorted(batch, key=lambda write: write.table)
        statements = [statement for write in ordered for statement in write.statements]
        rows = [row for write in ordered for row in write.rows]
        await self.transactions.run(statements, rows)
        self._fault = None

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
