"""The environment in which Alembic runs the migrations."""

from __future__ import annotations

import asyncio

from alembic import context
from sqlalchemy import Connection

from theriac.server.store.migrate import run_online
from theriac.server.store.schema import metadata


def _migrate(connection: Connection) -> None:
    context.configure(connection=connection, target_metadata=metadata)
    with context.begin_transaction():
        context.run_migrations()


asyncio.run(run_online(_migrate, context.config.attributes["url"]))
