"""Bringing a store to the newest form, with Alembic."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, inspect, text
from sqlalchemy.engine import URL

from theriac.server.store import connect

SCRIPTS = Path(__file__).with_name("migrations")
#: The newest of the migrations: a store that is there already needs nothing.
NEWEST = "0001"


async def upgrade(url: URL, to: str = "head") -> None:
    """Bring a store to the newest form; one that is there already is left alone."""
    if url.get_backend_name() == "sqlite" and url.database:
        Path(url.database).parent.mkdir(parents=True, exist_ok=True)
    engine = connect(url)
    try:
        async with engine.connect() as connection:
            if to == "head" and await connection.run_sync(_is_newest):
                return
        await asyncio.to_thread(_run, url, to)
    finally:
        await engine.dispose()


def _is_newest(connection: Connection) -> bool:
    if not inspect(connection).has_table("alembic_version"):
        return False
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar() == NEWEST


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
