"""The scribe: writes what is to be kept, many things in one transaction.

For SQLite it writes in a thread of its own over one open connection. Through aiosqlite each step of
a transaction goes from thread to thread and back, which costs more than the writing.
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

_ADD_TO_LOG = insert(schema.log)


class Scribe(ABC):
    """Somebody who writes."""

    @abstractmethod
    async def write(self, notes: Sequence[Any], rows: Sequence[dict[str, Any]]) -> None:
        """Carry out statements and add rows to the log: all of it, or nothing."""

    @abstractmethod
    async def stop(self) -> None:
        """Write no more."""


class AsyncScribe(Scribe):
    """Over a driver that waits by itself: PostgreSQL's."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def write(self, notes: Sequence[Any], rows: Sequence[dict[str, Any]]) -> None:
        """In one transaction."""
        async with self._engine.begin() as connection:
            for note in notes:
                await connection.execute(note)
            if rows:
                await connection.execute(_ADD_TO_LOG, rows)

    async def stop(self) -> None:
        """Its connections are not its own."""


class ThreadScribe(Scribe):
    """In a thread of its own: SQLite's."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._thread = ThreadPoolExecutor(1, "scribe")
        self._connection: Connection | None = None

    async def write(self, notes: Sequence[Any], rows: Sequence[dict[str, Any]]) -> None:
        """In one transaction."""
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._thread, self._write, notes, rows)

    def _write(self, notes: Sequence[Any], rows: Sequence[dict[str, Any]]) -> None:
        if self._connection is None:
            self._connection = self._engine.connect()
        try:
            with self._connection.begin():
                for note in notes:
                    self._connection.execute(note)
                if rows:
                    self._connection.execute(_ADD_TO_LOG, rows)
        except BaseException:
            self._close()  # it may be of no more use
            raise

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    async def stop(self) -> None:
        """Write no more."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._close)
        self._thread.shutdown()
        self._engine.dispose()
