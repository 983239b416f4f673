"""Bringing a store to the newest form, with Alembic."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, inspect, text
from sqlalchemy.engine import URL

from theriac.faults import Fault, listed, quote
from theriac.server.store.store import FAILURES, connect, reason_of

SCRIPTS = Path(__file__).with_name("migrations")
#: The newest of the migrations: a store that is there already needs nothing.
NEWEST = "0001"


async def upgrade(url: URL, to: str = "head") -> None:
    """Bring a store to the newest form; one that is there already is left alone.

    Raises `Fault` if it cannot be reached, or is of a form that is not known here.
    """
    try:
        if url.get_backend_name() == "sqlite" and url.database:
            _try_file(Path(url.database))
        form = await _form(url)
        if form is not None and form not in forms():
            raise Fault(
                f"--database: this store is of form {quote(form)}, which a newer Theriac has made: "
                f"this one knows {listed(forms())}"
            )
        if to != "head" or form != NEWEST:
            await asyncio.to_thread(_run, url, to)
    except (*FAILURES, sqlite3.Error) as error:
        raise Fault(f"--database: it cannot be used ({reason_of(error)})") from None


def _try_file(file: Path) -> None:
    """Can it be a database? Asked without threads, of which one would outlive the answer no."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA schema_version")


async def _form(url: URL) -> str | None:
    """The form of a store; None for one that is empty."""
    engine = connect(url)
    try:
        async with engine.connect() as connection:
            return await connection.run_sync(_read_form)
    finally:
        await engine.dispose()


def _read_form(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    form: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return form


def forms() -> list[str]:
    """All forms that a store has had, the oldest first: the migrations are named after them."""
    return sorted(path.name.partition("_")[0] for path in SCRIPTS.glob("versions/[0-9]*.py"))


def _run(url: URL, to: str) -> None:
    # Alembic takes long to load and is needed only for a store of another form.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(SCRIPTS))
    config.attributes["url"] = url
    command.upgrade(config, to)


async def run_online(run: Any, url: URL) -> None:
    """Run migrations over a connection of their own."""
    engine = connect(url)
    async with engine.begin() as connection:
        await connection.run_sync(run)
    await engine.dispose()
