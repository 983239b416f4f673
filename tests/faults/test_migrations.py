"""Every migration up and down, on stores with data, in SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from tests.faults.services import PostgreSQL
from theriac.faults import Fault
from theriac.server.store import migrate
from theriac.server.store.database import database_url

#: The rows of a store of the first revision, by table.
FIRST: dict[str, list[dict[str, Any]]] = {
    "players": [{"player": "ana", "name": "Ana", "key_hash": "h", "made": 1}],
    "rooms": [{"room": "t", "game": "poison", "listed": True, "stage": "playing", "changed": 2}],
    "seats": [{"room": "t", "player": "ana"}],
    "log": [
        {"room": "t", "number": 1, "at": 2, "mark": None, "event": '{"kind":"opened","by":"ana"}'},
        {"room": "t", "number": 2, "at": 3, "mark": "ana:1", "event": '{"kind":"closed"}'},
    ],
    "beats": [{"process": "p", "at": 4}],
    "outages": [{"since": 1, "until": 2}],
}
BANNED = {"address_bans": [{"ban": "b", "network": "192.0.2.7/32", "since": 1, "until": 2}]}


async def write_rows(database: str, rows: dict[str, list[dict[str, Any]]]) -> None:
    engine = create_async_engine(database_url(database))
    async with engine.begin() as connection:
        for table, values in rows.items():
            names = ", ".join(values[0])
            marks = ", ".join(f":{name}" for name in values[0])
            await connection.execute(
                text(f"INSERT INTO {table} ({names}) VALUES ({marks})"), values
            )
    await engine.dispose()


async def read_rows(database: str, columns: dict[str, list[dict[str, Any]]]) -> Any:
    """The rows of some tables, with the columns of the first revision."""
    engine = create_async_engine(database_url(database))
    found = {}
    async with engine.connect() as connection:
        for table, values in columns.items():
            names = ", ".join(values[0])
            rows = await connection.execute(text(f"SELECT {names} FROM {table} ORDER BY 1, 2"))
            found[table] = [dict(row) | {} for row in rows.mappings().all()]
    await engine.dispose()
    return found


async def openers(database: str) -> list[Any]:
    engine = create_async_engine(database_url(database))
    async with engine.connect() as connection:
        rows = list((await connection.execute(text("SELECT opener FROM rooms"))).scalars())
    await engine.dispose()
    return rows


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_every_migration_keeps_the_data_up_and_down(
    kind: str, postgres: PostgreSQL, tmp_path: Path
) -> None:
    database = str(tmp_path / "t.sqlite") if kind == "sqlite" else postgres.new_database()
    url = database_url(database)

    async def run() -> None:
        await migrate.upgrade(url, migrate.revisions()[0])
        await write_rows(database, FIRST)
        for revision in migrate.revisions()[1:]:
            await migrate.upgrade(url, revision)
            assert await read_rows(database, FIRST) == FIRST
        assert await openers(database) == ["ana"]
        for revision in reversed(migrate.revisions()[:-1]):
            await migrate.downgrade(url, revision, "op")
            assert await migrate.revision_of(url) == revision
            assert await read_rows(database, FIRST) == FIRST
            await migrate.upgrade(url)
            assert await read_rows(database, FIRST) == FIRST
        await write_rows(database, BANNED)
        await migrate.downgrade(url, "0003", "op")
        await migrate.upgrade(url)
        assert await read_rows(database, BANNED) == {"address_bans": []}, "older ones have no bans"
        assert await read_rows(database, FIRST) == FIRST
        with pytest.raises(Fault, match="revision 77: use 0001"):
            await migrate.downgrade(url, "77", "op")

    asyncio.run(run())
