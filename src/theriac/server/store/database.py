"""Connecting to SQLite or PostgreSQL, and how they fail."""

from __future__ import annotations

from typing import Any

import asyncpg
from sqlalchemy import Connection, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from theriac.faults import Fault, quote
from theriac.server.store.transactions import AsyncTransactions, ThreadTransactions, Transactions

#: SQLite waits this long for another process that holds the write lock.
_SQLITE_CONNECT = {"timeout": 10}
#: The pages that SQLite's writer keeps in memory, in kB: the last page of each log in play.
_WRITER_CACHE_KB = 16 * 1024
#: How many pages of 4 kB are written before SQLite copies them to where they belong. A page that
#: was written several times is copied once.
_CHECKPOINT_PAGES = 4000
#: How a database fails. SQLAlchemy does not translate PostgreSQL's errors for a new connection.
DATABASE_ERRORS = (SQLAlchemyError, OSError, asyncpg.PostgresError, asyncpg.InterfaceError)


class StoreFault(Fault):
    """The store failed. Nothing was written, unless the text says otherwise."""


def database_url(given: str) -> URL:
    """The URL of a database, from the path of a file or postgresql://…; raises `Fault`."""
    try:
        url = make_url(given) if "://" in given else URL.create("sqlite", database=given)
    except (SQLAlchemyError, ValueError):
        raise Fault("--database: this is no path, and no address such as postgresql://…") from None
    if "\0" in given:
        raise Fault(f"--database: {quote(given, 300)} has a character that no name may have")
    drivers = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg"}
    name = url.get_backend_name()
    if name not in drivers:
        raise Fault(f"--database: use a path or postgresql://…, not {quote(name)}://…")
    if name == "sqlite" and url.database in (None, "", ":memory:"):
        raise Fault("--database: a store without a file would be lost: give the path of one")
    return url.set(drivername=drivers[name])


def is_sqlite(url: URL) -> bool:
    """Is this a SQLite database? The other kind is PostgreSQL."""
    return url.get_backend_name() == "sqlite"


def connect(url: URL) -> AsyncEngine:
    """An engine for reading, and for writing to PostgreSQL."""
    if not is_sqlite(url):
        return create_async_engine(url, pool_size=8, max_overflow=8, pool_pre_ping=True)
    engine = create_async_engine(url, connect_args=_SQLITE_CONNECT)
    event.listen(engine.sync_engine, "connect", _set_pragmas)
    return engine


def transactions_for(url: URL, engine: AsyncEngine) -> Transactions:
    """What writes to a database."""
    if not is_sqlite(url):
        return AsyncTransactions(engine)
    own = create_engine(url.set(drivername="sqlite"), connect_args=_SQLITE_CONNECT)
    event.listen(own, "connect", _set_pragmas)
    event.listen(own, "connect", _prepare_to_write)
    event.listen(own, "begin", _begin)
    return ThreadTransactions(own)


def _set_pragmas(connection: Any, record: Any) -> None:
    """Make SQLite wait for the disk at every commit."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


def _prepare_to_write(connection: Any, record: Any) -> None:
    """Begin transactions ourselves, and keep the pages in memory that are written all the time."""
    connection.isolation_level = None
    connection.execute(f"PRAGMA cache_size=-{_WRITER_CACHE_KB}")
    connection.execute(f"PRAGMA wal_autocheckpoint={_CHECKPOINT_PAGES}")


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN")


def store_fault(error: BaseException) -> StoreFault:
    """A database error as a sentence for people."""
    reason = reason_of(error)
    if "full" in reason.lower() or "no space" in reason.lower():
        return StoreFault("the disk of the server is full: nothing was done, try again later")
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return StoreFault(
            "the server lost the connection to its store: "
            "whether this was done is not known, send it again"
        )
    return StoreFault(f"the server cannot write to its store: nothing was done ({reason})")


def reason_of(error: BaseException) -> str:
    """Why a database failed, in its own words."""
    text = str(error.orig) if isinstance(error, DBAPIError) else str(error)
    return quote(text.splitlines()[0] if text else type(error).__name__, 80)
