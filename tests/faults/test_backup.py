"""Backups made while people play: restored, they are a prefix of the store, and games continue."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest

from tests.command import call
from tests.faults.random_players import RandomPlayers, table_requests
from tests.faults.server import serving
from tests.faults.services import PostgreSQL
from tests.faults.store_check import StoreContents, check_all, read_store, rebuild
from tests.faults.waiting import until
from theriac.faults import Fault
from theriac.server.store.backup import back_up, restore
from theriac.server.store.database import database_url


@pytest.fixture(params=["sqlite", "postgresql"])
def database(
    request: pytest.FixtureRequest, postgres: PostgreSQL, tmp_path: Path
) -> tuple[str, str]:
    """A store for a server, and an empty one of the other kind to restore to."""
    databases = str(tmp_path / "tables.sqlite"), postgres.new_database()
    return databases if request.param == "sqlite" else (databases[1], databases[0])


def is_prefix(backup: StoreContents, store: StoreContents) -> bool:
    """Is every log of the backup the beginning of that of the store?"""
    return all(store.logs[name][: len(log)] == log for name, log in backup.logs.items())


def test_a_backup_of_a_busy_server_is_restored_and_games_continue(
    database: tuple[str, str], tmp_path: Path
) -> None:
    used, empty = database
    random = Random(5)

    async def run() -> None:
        files = [tmp_path / f"{number}.backup" for number in range(2)]
        async with serving(tmp_path / "a", used) as server:
            players = RandomPlayers(random, lambda: server.address)
            await players.open_tables(server, table_requests(2, random))
            async with players.playing():
                for file in files:
                    before = players.acknowledged_count
                    await until(lambda: players.acknowledged_count > before + 5, "more replies")  # noqa: B023
                    counts = await back_up(database_url(used), file, "op")
                    assert counts["log"] > 0
        store = await read_store(used)
        check_all(players.tables, store)
        for file in files:
            await restore(file, database_url(empty), "op", replace=True)
            restored = await read_store(empty)
            assert is_prefix(restored, store) and len(restored.logs) == 2
            for name, rows in restored.logs.items():
                rebuild(name, rows)
        async with serving(tmp_path / "b", empty) as server:
            table = next(t for t in players.tables if restored.stages[t.name] == "playing")
            key = next(client.key for client in table.clients if client.key)
            answer = await server.ask("GET", f"/api/tables/{table.name}", key)
            assert answer["welcome"]["version"] >= len(restored.logs[table.name])
            said = {"do": "say", "id": "after", "text": "here we are again"}
            await server.ask("POST", f"/api/tables/{table.name}", key, json=said)

    asyncio.run(run())


def test_a_store_in_use_or_with_tables_is_not_overwritten(
    database: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    used, empty = database
    file = tmp_path / "one.backup"

    async def run() -> None:
        async with serving(tmp_path / "a", used) as server:
            await server.ask("POST", "/api/players", json={"name": "Ana"})
            await back_up(database_url(used), file, "op")
            with pytest.raises(Fault, match=r"another Theriac|a server is running"):
                await restore(file, database_url(used), "op", replace=True)
        await restore(file, database_url(empty), "op")
        with pytest.raises(Fault, match="has 1 players and 0 tables: restore to an empty one"):
            await restore(file, database_url(empty), "op")

    asyncio.run(run())
    again = call(capsys, "backup", str(file), "--database", used)
    assert again.status == 2 and "exists: name a new file" in again.err
    other = call(capsys, "backup", str(tmp_path / "two.backup"), "--database", empty)
    assert other.status == 0 and "0 tables, 1 players, 0 events" in other.out


@pytest.mark.parametrize("damage", ["text", "cut", "none"])
def test_what_is_no_backup_is_refused_and_changes_nothing(
    tmp_path: Path, damage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    store, file = tmp_path / "t.sqlite", tmp_path / "x.backup"
    asyncio.run(restore_empty(store))
    if damage == "text":
        file.write_text("no backup at all\n" * 500, encoding="utf-8")
    elif damage == "cut":
        asyncio.run(back_up(database_url(str(store)), file, "op"))
        file.write_bytes(file.read_bytes()[:5_000])
    before = store.read_bytes()
    outcome = call(capsys, "restore", str(file), "--database", str(store), "--replace")
    assert outcome.status == 2 and outcome.out == ""
    assert "is no backup" in outcome.err or "there is no backup" in outcome.err
    assert store.read_bytes() == before


async def restore_empty(store: Path) -> None:
    """Make an empty store."""
    from theriac.server.store.migrate import upgrade

    await upgrade(database_url(str(store)))
