"""Backups, restores and migrations are in the audit log, in SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
import itertools
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.command import call
from tests.faults.services import PostgreSQL
from tests.faults.test_migrations import FIRST, read_rows, write_rows
from theriac.faults import Fault
from theriac.server.admin.actions import Action, read_actions
from theriac.server.store import migrate
from theriac.server.store.backup import back_up, restore
from theriac.server.store.database import database_url
from theriac.server.store.store import Store

WITH_AUDIT_LOG = [revision for revision in migrate.revisions() if revision >= "0003"]


@pytest.fixture(params=["sqlite", "postgresql"])
def databases(
    request: pytest.FixtureRequest, postgres: PostgreSQL, tmp_path: Path
) -> tuple[str, str]:
    """Two databases without tables: one of this kind, one of the other."""
    both = str(tmp_path / "tables.sqlite"), postgres.new_database()
    return both if request.param == "sqlite" else (both[1], both[0])


async def audit(database: str) -> list[Action]:
    """The audit log of a store."""
    store = Store(database_url(database))
    try:
        return await read_actions(store)
    finally:
        await store.engine.dispose()


def test_a_new_store_has_an_empty_audit_log(databases: tuple[str, str]) -> None:
    async def run() -> None:
        await migrate.upgrade(database_url(databases[0]))
        assert await audit(databases[0]) == []

    asyncio.run(run())


def test_backup_and_restore_are_in_the_audit_log(
    databases: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    used, other = databases
    asyncio.run(migrate.upgrade(database_url(used)))
    asyncio.run(write_rows(used, FIRST))
    first, second = tmp_path / "first.backup", tmp_path / "second.backup"

    def command(*words: str) -> None:
        outcome = call(capsys, *words, "--by", "op")
        assert outcome.status == 0, outcome.err

    command("backup", str(first), "--database", used)
    command("backup", str(second), "--database", used)
    rows = {"players": 1, "tables": 1, "events": 2, "actions": 0}
    made = [("op", "backup", {"file": str(first), "rows": rows})]
    made += [("op", "backup", {"file": str(second), "rows": {**rows, "actions": 1}})]
    assert [(row.by, row.action, row.details) for row in asyncio.run(audit(used))] == made

    command("restore", str(second), "--database", other)
    nothing = dict.fromkeys(rows, 0)
    restored = ("op", "restore", {"file": str(second), "replaced": nothing})
    found = [(row.by, row.action, row.details) for row in asyncio.run(audit(other))]
    assert found == [made[0], restored], "the log of the backup, and the restore"

    command("restore", str(first), "--database", other, "--replace")
    restored = ("op", "restore", {"file": str(first), "replaced": {**rows, "actions": 2}})
    assert [(row.by, row.action, row.details) for row in asyncio.run(audit(other))] == [restored]
    listed = call(capsys, "admin", "--database", other, "audit", "--json")
    assert [row["action"] for row in json.loads(listed.out)] == ["restore"]


def test_a_restore_that_is_refused_is_not_in_the_audit_log(
    databases: tuple[str, str], tmp_path: Path
) -> None:
    used, file = databases[0], tmp_path / "one.backup"

    async def run() -> None:
        await migrate.upgrade(database_url(used))
        await write_rows(used, FIRST)
        await back_up(database_url(used), file, "op")
        with pytest.raises(Fault, match="or give --replace to delete them"):
            await restore(file, database_url(used), "op")
        assert [row.action for row in await audit(used)] == ["backup"]

    asyncio.run(run())


def test_a_backup_is_kept_when_the_audit_log_cannot_be_written(tmp_path: Path) -> None:
    store, file = tmp_path / "t.sqlite", tmp_path / "one.backup"
    asyncio.run(migrate.upgrade(database_url(str(store))))
    with sqlite3.connect(store) as connection:
        connection.execute(
            "CREATE TRIGGER full BEFORE INSERT ON actions BEGIN SELECT RAISE(ABORT, 'full'); END"
        )
    connection.close()
    with pytest.raises(Fault, match=r"one.backup is complete, but .* the audit log: full"):
        asyncio.run(back_up(database_url(str(store)), file, "op"))
    assert asyncio.run(migrate.revision_of(database_url(str(file)))) == migrate.NEWEST_REVISION


def test_a_backup_of_no_store_makes_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store, file = tmp_path / "none.sqlite", tmp_path / "one.backup"
    outcome = call(capsys, "backup", str(file), "--database", str(store))
    assert outcome.status == 2 and "there is no file" in outcome.err
    assert list(tmp_path.iterdir()) == []


def test_migrations_are_in_the_audit_log(databases: tuple[str, str]) -> None:
    database = databases[0]
    url = database_url(database)

    async def run() -> None:
        expected: list[tuple[str, Any]] = []
        revisions = migrate.revisions()
        await migrate.upgrade(url, revisions[0])
        for before, after in itertools.pairwise(revisions):
            await migrate.upgrade(url, after)
            if after in WITH_AUDIT_LOG:
                expected.append(("server", {"before": before, "after": after}))
        assert [(row.by, row.details) for row in await audit(database)] == expected
        newest = revisions[-1]
        for older in WITH_AUDIT_LOG[:-1]:
            await migrate.downgrade(url, older, "op")
            await migrate.upgrade(url)
            expected.append(("op", {"before": newest, "after": older}))
            expected.append(("server", {"before": older, "after": newest}))
        rows = await audit(database)
        assert [(row.by, row.details) for row in rows] == expected
        assert {row.action for row in rows} == {"migrate"}

    asyncio.run(run())


@pytest.mark.parametrize("revision", migrate.revisions())
def test_a_store_of_an_older_revision_is_backed_up_and_restored(
    revision: str, databases: tuple[str, str], tmp_path: Path
) -> None:
    used, other = databases
    file = tmp_path / "old.backup"

    async def run() -> None:
        await migrate.upgrade(database_url(used), revision)
        await write_rows(used, FIRST)
        await back_up(database_url(used), file, "op")
        assert await migrate.revision_of(database_url(used)) == revision
        await restore(file, database_url(other), "op")
        kept = {name: rows for name, rows in FIRST.items() if name != "beats"}
        assert await read_rows(other, kept) == kept
        actions = [(row.by, row.action) for row in await audit(other)]
        migrated = [("op", "migrate")] if revision != migrate.NEWEST_REVISION else []
        assert actions == [*migrated, ("op", "restore")]

    asyncio.run(run())
