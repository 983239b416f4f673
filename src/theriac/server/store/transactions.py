"""Transactions: writes a batch of statements and log rows, all of it or nothing.

SQLite is written in a thread of its own over one open connection. Through aiosqlite, each step of a
transaction crosses from thread to thread and back, which costs more than the writing.
"""

from __future__ import annotations

import asyncio
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, insert
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from theriac.server.store import schema

_INSERT_LOG_ROWS = insert(schema.log)
_COLUMNS = [column.name for column in schema.log.columns]
_INSERT_ONE_ROW = str(_INSERT_LOG_ROWS.compile(dialect=sqlite.dialect()))
_ROW = _INSERT_ONE_ROW.rpartition("VALUES ")[2]


class Job(NamedTuple):
    """Something for the thread to do, and the future of the one who waits for it."""

    work: Callable[[], None]
    done: asyncio.Future[None]


class Transactions(ABC):
    """Runs one transaction after another."""

    @abstractmethod
    def run(self, statements: Sequence[Any], log_rows: Sequence[dict[str, Any]]) -> Awaitable[None]:
        """Execute statements and add rows to the log, in one transaction."""

    @abstractmethod
    async def close(self) -> None:
        """Close what was opened."""


class AsyncTransactions(Transactions):
    """Over an asynchronous driver: PostgreSQL's."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def run(self, statements: Sequence[Any], log_rows: Sequence[dict[str, Any]]) -> None:
        """Execute statements and add rows to the log, in one transaction."""
        async with self._engine.begin() as connection:
            for statement in statements:
                await connection.execute(statement)
            if log_rows:
                await connection.execute(_INSERT_LOG_ROWS, log_rows)

    async def close(self) -> None:
        """Do nothing: the engine belongs to the store."""


class ThreadTransactions(Transactions):
    """In a thread of its own: SQLite's."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._connection: Connection | None = None
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._thread = Thread(target=self._work, name="sqlite-writer", daemon=True)
        self._thread.start()

    def run(self, statements: Sequence[Any], log_rows: Sequence[dict[str, Any]]) -> Awaitable[None]:
        """Execute statements and add rows to the log, in one transaction."""
        return self._in_thread(partial(self._run, statements, log_rows))

    def _in_thread(self, work: Callable[[], None]) -> asyncio.Future[None]:
        done = asyncio.get_running_loop().create_future()
        self._jobs.put(Job(work, done))
        return done

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            error = None
            try:
                job.work()
            except BaseException as raised:  # noqa: BLE001 - who waits gets it
                error = raised
            job.done.get_loop().call_soon_threadsafe(_finish, job.done, error)

    def _run(self, statements: Sequence[Any], log_rows: Sequence[dict[str, Any]]) -> None:
        if self._connection is None:
            self._connection = self._engine.connect()
        try:
            if statements:
                self._run_statements(self._connection, statements, log_rows)
            else:
                _add_to_log(self._connection, log_rows)
        except BaseException:
            self._disconnect()  # the connection may be unusable now
            raise

    def _run_statements(
        self,
        connection: Connection,
        statements: Sequence[Any],
        log_rows: Sequence[dict[str, Any]],
    ) -> None:
        with connection.begin():
            for statement in statements:
                connection.execute(statement)
            if log_rows:
                connection.execute(_INSERT_LOG_ROWS, log_rows)

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    async def close(self) -> None:
        """Close the connection and end the thread."""
        await self._in_thread(self._disconnect)
        self._jobs.put(None)
        self._thread.join()
        self._engine.dispose()


def _add_to_log(connection: Connection, log_rows: Sequence[dict[str, Any]]) -> None:
    """Add rows to the log, as most transactions do and nothing else.

    One statement is a transaction of its own. It costs a fraction of SQLAlchemy's, and Python's
    lock is released and taken again once, not for every row.
    """
    raw: Any = connection.connection.driver_connection
    statement = _insert_into_log(len(log_rows))
    try:
        raw.execute(statement, [row[name] for row in log_rows for name in _COLUMNS])
    except sqlite3.Error as error:
        raise DBAPIError.instance(statement, None, error, sqlite3.Error) from error


def _insert_into_log(rows: int) -> str:
    """SQLite's statement that adds this many rows, with parameters in the order of `_COLUMNS`.

    From the statement for one row: SQLAlchemy takes 16 ms to compile one for 200.
    """
    return _INSERT_ONE_ROW + f", {_ROW}" * (rows - 1)


def _finish(done: asyncio.Future[None], error: BaseException | None) -> None:
    if done.cancelled():
        return
    if error is None:
        done.set_result(None)
    else:
        done.set_exception(error)
