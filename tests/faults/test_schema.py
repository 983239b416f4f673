"""The migrations make the schema that the server expects, on PostgreSQL too."""

from __future__ import annotations

import asyncio
from typing import Any

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, UniqueConstraint, inspect

from tests.faults.services import PostgreSQL
from theriac.server.store import schema
from theriac.server.store.database import connect, database_url
from theriac.server.store.migrate import NEWEST_REVISION, upgrade


def inspect_schema(connection: Connection) -> dict[str, Any]:
    """What Alembic and SQLAlchemy find in a migrated store."""
    options = {"compare_type": True, "compare_server_default": True}
    seen = inspect(connection)
    return {
        "differences": compare_metadata(
            MigrationContext.configure(connection, opts=options), schema.metadata
        ),
        "tables": set(seen.get_table_names()),
        "keys": {name: seen.get_pk_constraint(name)["constrained_columns"] for name in TABLES},
        "unique": {
            name: {constraint["name"] for constraint in seen.get_unique_constraints(name)}
            for name in TABLES
        },
        "revision": MigrationContext.configure(connection).get_current_revision(),
    }


TABLES = schema.metadata.tables


def test_migrations_on_postgresql_make_the_tables_of_the_schema(postgres: PostgreSQL) -> None:
    url = database_url(postgres.new_database())

    async def run() -> dict[str, Any]:
        await upgrade(url)
        await upgrade(url)  # the second time changes nothing
        engine = connect(url)
        async with engine.connect() as connection:
            seen = await connection.run_sync(inspect_schema)
        await engine.dispose()
        return seen

    seen = asyncio.run(run())
    assert seen["differences"] == []
    assert seen["tables"] == {*TABLES, "alembic_version"}
    assert seen["keys"] == {
        name: [column.name for column in table.primary_key] for name, table in TABLES.items()
    }
    assert seen["unique"] == {
        name: {c.name for c in table.constraints if isinstance(c, UniqueConstraint)}
        for name, table in TABLES.items()
    }
    assert seen["revision"] == NEWEST_REVISION
