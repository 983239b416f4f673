"""Upgrading a store to the newest schema, and back, with Alembic."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, inspect, text
from sqlalchemy.engine import URL

from theriac.faults import Fault, listed, quote
from theriac.server.store.database import DATABASE_ERRORS, connect, is_sqlite, reason_of

SCRIPTS = Path(__file__).with_name("migrations")
#: The newest migration: a store at this revision needs no upgrade.
NEWEST_REVISION = "0008"
#: Who upgrades a store when a server starts, in the audit log.
BY_SERVER = "server"


async def upgrade(url: URL, to: str = "head", by: str = BY_SERVER) -> None:
    """Upgrade a store to the newest revision, if it is older. The audit log says by whom.

    Raises `Fault` if the store cannot be reached, or its revision is unknown.
    """
    try:
        if is_sqlite(url) and url.database:
            _try_file(Path(url.database))
        revision = await revision_of(url)
        check_revision(revision)
        if to != "head" or revision != NEWEST_REVISION:
            await asyncio.to_thread(_run, url, to, by)
    except (*DATABASE_ERRORS, sqlite3.Error) as error:
        raise Fault(f"--database: it cannot be used ({reason_of(error)})") from None


async def require_newest(url: URL) -> None:
    """Raise `Fault` unless there is a store with the newest schema: a server has been started."""
    if is_sqlite(url) and url.database and not Path(url.database).exists():
        raise Fault(f"--database: there is no file {quote(url.database, 200)}: name the server's")
    found = await describe(url)
    if not found.endswith("the newest"):
        raise Fault(f"--database: {found}: start the server once, it upgrades the store")


async def downgrade(url: URL, to: str, by: str) -> None:
    """Bring a store back to an older revision, for an older Theriac; raises `Fault`."""
    if to not in revisions():
        raise Fault(f"revision {quote(to)}: use {listed(revisions())}")
    await upgrade(url, by=by)
    await asyncio.to_thread(_run, url, to, by, down=True)


async def describe(url: URL) -> str:
    """What there is at the address of a store; changes nothing. Raises `Fault`."""
    file = Path(url.database) if is_sqlite(url) and url.database else None
    if file is not None and not file.exists():
        folder = next(folder for folder in file.absolute().parents if folder.exists())
        if not folder.is_dir() or not os.access(folder, os.W_OK):
            raise Fault(f"--database: no file can be made in {quote(str(folder), 200)}")
        return "a new file will be made"
    try:
        if file is not None:
            _try_file(file)
        revision = await revision_of(url)
    except (*DATABASE_ERRORS, sqlite3.Error) as error:
        raise Fault(f"--database: it cannot be used ({reason_of(error)})") from None
    check_revision(revision)
    if revision == NEWEST_REVISION:
        return f"revision {revision}, the newest"
    return f"revision {revision or 'none'}, will be upgraded to {NEWEST_REVISION}"


def check_revision(revision: str | None) -> None:
    """Raise `Fault` if a newer Theriac made the store."""
    if revision is not None and revision not in revisions():
        raise Fault(
            f"--database: a newer Theriac made this store, with revision {quote(revision)}: "
            f"this one knows {listed(revisions())}"
        )


def _try_file(file: Path) -> None:
    """Open the file without threads: after a failure aiosqlite's would live on."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA schema_version")


async def revision_of(url: URL) -> str | None:
    """The revision of a store; None for an empty one."""
    engine = connect(url)
    try:
        async with engine.connect() as connection:
            return await connection.run_sync(_read_revision)
    finally:
        await engine.dispose()


def _read_revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    query = text("SELECT version_num FROM alembic_version")
    revision: str | None = connection.execute(query).scalar()
    return revision


def revisions() -> list[str]:
    """All revisions, oldest first: the migrations are named after them."""
    return sorted(path.name.partition("_")[0] for path in SCRIPTS.glob("versions/[0-9]*.py"))


def _run(url: URL, to: str, by: str, *, down: bool = False) -> None:
    # Alembic takes long to load and is needed only for a store of another revision.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(SCRIPTS))
    config.attributes.update(url=url, by=by)
    (command.downgrade if down else command.upgrade)(config, to)


async def run_online(run: Any, url: URL) -> None:
    """Run migrations over a new connection."""
    engine = connect(url)
    async with engine.begin() as connection:
        await connection.run_sync(run)
    await engine.dispose()
