"""Backup and restore. A backup is a SQLite file with the rows of one moment, from either database.

So a backup of SQLite can be restored to PostgreSQL, and the other way round. Servers may run while
a backup is made; none may run during a restore.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sqlite3
import tempfile
from pathlib import Path

from sqlalchemy import (
    Connection,
    MetaData,
    create_engine,
    delete,
    func,
    insert,
    select,
    text,
)
from sqlalchemy.engine import URL

from theriac.faults import Fault, quote
from theriac.server.store import schema
from theriac.server.store.audit import action_row, has_audit_log
from theriac.server.store.database import (
    DATABASE_ERRORS,
    connect,
    database_url,
    is_sqlite,
    reason_of,
)
from theriac.server.store.events import now_ms
from theriac.server.store.lock import locked
from theriac.server.store.migrate import check_revision, revision_of, upgrade

#: Rows that are copied at once.
ROWS_AT_ONCE = 2_000
#: A server whose last heartbeat is not older may still be running.
RUNNING_WITHIN_MS = 20_000
#: The process of the last heartbeat in a restored store.
RESTORED = "restored"

#: How many rows each table of the database has.
Counts = dict[str, int]


async def back_up(url: URL, file: Path, by: str) -> Counts:
    """Write a backup of a store to a new file, all or nothing; raises `Fault`."""
    if file.exists():
        raise Fault(f"{quote(str(file), 200)} exists: name a new file")
    if is_sqlite(url) and not Path(str(url.database)).exists():
        raise Fault(f"--database: there is no file {quote(url.database, 200)}: name the server's")
    part = file.with_name(file.name + ".part")
    part.unlink(missing_ok=True)
    try:
        revision = await revision_of(url)
        check_revision(revision)
        if is_sqlite(url):
            await asyncio.to_thread(_copy_sqlite, Path(str(url.database)), part)
        else:
            await upgrade(database_url(str(part)), revision or "head")
            await _copy_to_file(url, part)
        counts = await asyncio.to_thread(_check_file, part)
        _flush(part)
        part.rename(file)
    except (*DATABASE_ERRORS, sqlite3.Error) as error:
        raise Fault(f"the backup failed: {reason_of(error)}") from None
    finally:
        part.unlink(missing_ok=True)
    await _note_backup(url, file, by, counts)
    return counts


async def _note_backup(url: URL, file: Path, by: str, counts: Counts) -> None:
    """Write a backup down in the audit log of the store. The backup itself does not have the row.

    The backup is kept if this fails: a store that cannot be written needs one most.
    """
    engine = connect(url)
    try:
        async with engine.begin() as connection:
            if await connection.run_sync(has_audit_log):
                row = action_row(by, "backup", file=quote(str(file), 1000), rows=_named(counts))
                await connection.execute(row)
    except DATABASE_ERRORS as error:
        raise Fault(
            f"{quote(str(file), 200)} is complete, but it could not be written to the audit log: "
            f"{reason_of(error)}"
        ) from None
    finally:
        await engine.dispose()


async def restore(file: Path, url: URL, by: str, *, replace: bool = False) -> Counts:
    """Restore a backup, also of an older Theriac, to a store; raises `Fault`.

    A store with players or tables is only overwritten with `replace`. The audit log is that of the
    backup, with a row that says what was overwritten.
    """
    if not file.is_file():
        raise Fault(f"there is no backup {quote(str(file), 200)}")
    with locked(url), tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy.sqlite"
        try:
            await asyncio.to_thread(_copy_sqlite, file, copy)
            await asyncio.to_thread(_check_file, copy)
        except sqlite3.Error as error:
            raise Fault(f"{quote(str(file), 200)} is no backup: {error}") from None
        await upgrade(database_url(str(copy)), by=by)
        await asyncio.to_thread(_keep_last_beat, copy)
        await upgrade(url, by=by)
        replaced = await _check_target(url, replace=replace)
        try:
            await asyncio.to_thread(_note_restore, copy, file, by, replaced)
            if is_sqlite(url):
                await asyncio.to_thread(_copy_sqlite, copy, Path(str(url.database)))
            else:
                await _copy_from_file(copy, url)
        except (*DATABASE_ERRORS, sqlite3.Error) as error:
            raise Fault(f"nothing was restored: {reason_of(error)}") from None
        return await asyncio.to_thread(_check_file, copy)


def _named(counts: Counts) -> Counts:
    """Counts by the names that people use."""
    names = {"rooms": "tables", "players": "players", "log": "events", "actions": "actions"}
    return {names[table]: count for table, count in counts.items() if table in names}


def _note_restore(copy: Path, file: Path, by: str, replaced: Counts) -> None:
    """Add the restore to the audit log that will be restored."""
    engine = create_engine(f"sqlite:///{copy}")
    with engine.begin() as connection:
        connection.execute(
            action_row(by, "restore", file=quote(str(file), 1000), replaced=_named(replaced))
        )
    engine.dispose()


def _keep_last_beat(file: Path) -> None:
    """Keep when a server last ran, for the clocks; none of those servers runs on the new store."""
    with contextlib.closing(sqlite3.connect(file)) as connection, connection:
        last = connection.execute("SELECT max(at) FROM beats").fetchone()[0]
        connection.execute("DELETE FROM beats")
        if last is not None:
            connection.execute("INSERT INTO beats VALUES (?, ?)", (RESTORED, last))


async def _check_target(url: URL, *, replace: bool) -> Counts:
    """What a restore will overwrite; raises `Fault` if it must not."""
    engine = connect(url)
    try:
        async with engine.connect() as connection:
            beats = schema.beats.c
            last = select(func.max(beats.at)).where(beats.process != RESTORED)
            beat = (await connection.execute(last)).scalar()
            used = {
                table.name: (
                    await connection.execute(select(func.count()).select_from(table))
                ).scalar_one()
                for table in (schema.players, schema.rooms, schema.log, schema.actions)
            }
    finally:
        await engine.dispose()
    # On SQLite the lock says whether a server is running.
    if not is_sqlite(url) and beat is not None and now_ms() - beat < RUNNING_WITHIN_MS:
        raise Fault("a server is running on this database: stop it and wait 20 seconds")
    players, tables = used["players"], used["rooms"]
    if (players or tables) and not replace:
        raise Fault(
            f"this database has {players} players and {tables} tables: "
            "restore to an empty one, or give --replace to delete them"
        )
    return used


def _copy_sqlite(source: Path, target: Path) -> None:
    """Copy a database to another, as of one moment, in one transaction of the target."""
    with (
        contextlib.closing(_read_only(source)) as read,
        contextlib.closing(sqlite3.connect(target)) as write,
    ):
        read.backup(write)


def _read_only(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)


def _check_file(file: Path) -> Counts:
    """The number of rows in each table of a backup; raises `sqlite3.Error` if it is damaged."""
    with contextlib.closing(sqlite3.connect(file)) as connection:
        found = connection.execute("PRAGMA integrity_check").fetchone()[0]
        if found != "ok":
            raise sqlite3.DatabaseError(f"it is damaged ({found})")
        connection.execute("SELECT version_num FROM alembic_version").fetchone()
        names = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
        return {
            table.name: connection.execute(f"SELECT count(*) FROM {table.name}").fetchone()[0]  # noqa: S608
            for table in schema.metadata.sorted_tables
            if table.name in names
        }


def _flush(file: Path) -> None:
    with file.open("rb") as written:
        os.fsync(written.fileno())


async def _copy_to_file(url: URL, file: Path) -> None:
    """Copy all rows of PostgreSQL as of one moment, also from an older revision."""
    engine = connect(url)
    target = create_engine(f"sqlite:///{file}")
    tables = MetaData()  # those of the file, which has the revision of the store
    tables.reflect(target, only=lambda name, _: name != "alembic_version")
    try:
        async with engine.connect() as source:
            await source.execution_options(isolation_level="REPEATABLE READ")
            with target.begin() as write:
                for table in tables.sorted_tables:
                    rows = await source.stream(select(table))
                    async for part in rows.mappings().partitions(ROWS_AT_ONCE):
                        write.execute(insert(table), [dict(row) for row in part])
    finally:
        target.dispose()
        await engine.dispose()


async def _copy_from_file(file: Path, url: URL) -> None:
    """Replace all rows of PostgreSQL, in one transaction."""
    engine = connect(url)
    source = create_engine(f"sqlite:///{file}")
    try:
        async with engine.begin() as write:
            with source.connect() as read:
                for table in reversed(schema.metadata.sorted_tables):
                    await write.execute(delete(table))
                for table in schema.metadata.sorted_tables:
                    for part in read.execute(select(table)).mappings().partitions(ROWS_AT_ONCE):
                        await write.execute(insert(table), [dict(row) for row in part])
                await write.run_sync(_set_sequences)
    finally:
        source.dispose()
        await engine.dispose()


def _set_sequences(connection: Connection) -> None:
    """Let PostgreSQL number new rows after the restored ones."""
    for table in (schema.actions, schema.reports):
        connection.execute(
            text(
                f"SELECT setval(pg_get_serial_sequence('{table.name}', 'number'), "  # noqa: S608
                f"(SELECT coalesce(max(number), 0) + 1 FROM {table.name}), false)"
            )
        )
