"""The environment in which Alembic runs the migrations."""

from __future__ import annotations

import asyncio

from alembic import context
from sqlalchemy import Connection

from theriac.server.store.audit import note_migration
from theriac.server.store.migrate import run_online
from theriac.server.store.schema import metadata


def _migrate(connection: Connection) -> None:
    context.configure(connection=connection, target_metadata=metadata)
    migrations = context.get_context()
    before = migrations.get_current_revision()
    with context.begin_transaction():
        context.run_migrations()
        after = migrations.get_current_revision()
        note_migration(connection, context.config.attributes["by"], before, after)


asyncio.run(run_online(_migrate, context.config.attributes["url"]))
