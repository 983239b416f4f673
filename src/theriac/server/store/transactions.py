"""Transactions: writes a batch of statements and log rows, all of it or nothing.

SQLite is written in a thread of its own over one open connection. Through aiosqlite, each step of a
transaction crosses from thread to thread and back, which costs more than the writing.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from sqlalchemy import Connection, Engine, insert
from sqlalchemy.ext.asyncio import AsyncEngine

from theriac.server.store import schema

_INSERT_LOG_ROWS = insert(schema.log)


class Transactions(ABC):
    """Runs one transaction after another."""

    @abstractmethod
    async def run(self, statements: Sequence[Any], log_rows: Sequence[dict[str, Any]]) -> None:
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
        self._thread = ThreadPoolExecutor(1, "sqlite-writer")
        self._connection: Connection | None = None

    async def run(self, statements: Sequence[Any], log_rows: Sequence[dict[str, Any]]) -> None:
        """Execute statements and add rows to the log, in one transaction."""
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._thread, self._run, statements, log_rows)

    def _run(self, statements: Sequence[Any], log_rows: Sequence[dict[str, Any]]) -> None:
        if self._connection is None:
            self._connection = self._engine.connect()
        try:
            with self._connection.begin():
                for statement in statements:
                    self._connection.execute(statement)
                if log_rows:
                    self._connection.execute(_INSERT_LOG_ROWS, log_rows)
        except BaseException:
            self._disconnect()  # the connection may be unusable now
            raise

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    async def close(self) -> None:
        """Close the connection and end the thread."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._disconnect)
        self._thread.shutdown()
        self._engine.dispose()
