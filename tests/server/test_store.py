"""The store: schema and migrations, one event per number in a log, encoding of events."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import msgspec
import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

from tests.server.table_harness import SECRET
from theriac.faults import Fault
from theriac.server.auth import Players
from theriac.server.store import events, migrate, schema
from theriac.server.store.database import database_url
from theriac.server.store.events import LogEntry
from theriac.server.store.index import index_updates, table_opened
from theriac.server.store.store import Store
from theriac.server.store.writer import VersionTaken

OPENED = events.Opened("p", "poison", {"players": 3}, [None, None, None], SECRET)


def scripts() -> ScriptDirectory:
    """The migrations."""
    config = Config()
    config.set_main_option("script_location", str(migrate.SCRIPTS))
    return ScriptDirectory.from_config(config)


def differences(file: Path) -> list[Any]:
    """The differences between the schema of a store and that of the code."""
    engine = create_engine(f"sqlite:///{file}")
    try:
        with engine.connect() as connection:
            context = MigrationContext.configure(connection, opts={"compare_type": True})
            found: list[Any] = compare_metadata(context, schema.metadata)
            return found
    finally:
        engine.dispose()


def test_the_migrations_lead_to_the_schema_of_the_code(tmp_path: Path) -> None:
    file = tmp_path / "store.sqlite"
    for revision in reversed(list(scripts().walk_revisions())):
        asyncio.run(migrate.upgrade(database_url(str(file)), revision.revision))
    assert differences(file) == []


def test_a_difference_of_the_schema_is_found(tmp_path: Path) -> None:
    file = tmp_path / "store.sqlite"
    asyncio.run(migrate.upgrade(database_url(str(file))))
    with sqlite3.connect(file) as store:
        store.execute("ALTER TABLE rooms ADD COLUMN more TEXT")
        store.execute("DROP INDEX seats_by_player")
    store.close()
    assert len(differences(file)) == 2


def test_the_newest_revision_is_the_last_migration() -> None:
    assert scripts().get_heads() == [migrate.NEWEST_REVISION] == migrate.revisions()[-1:]
    assert migrate.revisions() == sorted(r.revision for r in scripts().walk_revisions())


def test_a_store_that_is_up_to_date_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "er" / "store.sqlite"
    url = database_url(str(file))
    asyncio.run(migrate.upgrade(url))
    before = file.read_bytes()
    asyncio.run(migrate.upgrade(url))
    assert file.read_bytes() == before


def test_a_store_of_a_newer_theriac_is_not_touched(tmp_path: Path) -> None:
    file = tmp_path / "store.sqlite"
    url = database_url(str(file))
    asyncio.run(migrate.upgrade(url))
    with sqlite3.connect(file) as store:
        store.execute("UPDATE alembic_version SET version_num = '9999'")
    store.close()
    before = file.read_bytes()
    with pytest.raises(Fault, match="made this store, with revision 9999: this one knows 00"):
        asyncio.run(migrate.upgrade(url))
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("mysql://localhost/x", "use a path or postgresql://…, not mysql://…"),
        ("://", "no path, and no address"),
        ("postgresql://u:secret@host:port/x", "no path, and no address"),
        (":memory:", "would be lost"),
        ("sqlite://", "would be lost"),
    ],
)
def test_a_bad_database_address_is_refused(given: str, why: str) -> None:
    with pytest.raises(Fault, match=why) as refused:
        database_url(given)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("kind", ["folder", "file", "text"])
def test_a_file_that_is_not_a_store_is_refused_in_one_sentence(tmp_path: Path, kind: str) -> None:
    file = tmp_path / "thing"
    if kind == "text":
        file.write_text("this is no database at all\n" * 100, encoding="utf-8")
    elif kind == "file":
        file.write_text("", encoding="utf-8")
        file = file / "store.sqlite"
    else:
        file.mkdir()
    with pytest.raises(Fault, match="--database: it cannot be used"):
        asyncio.run(migrate.upgrade(database_url(str(file))))


async def opened_store(file: Path) -> Store:
    """A store with one table."""
    url = database_url(str(file))
    await migrate.upgrade(url)
    store = Store(url)
    await store.append("table", [LogEntry(1, 5, OPENED)], table_opened("table", OPENED, 5))
    return store


def test_of_two_writers_of_the_same_number_one_wins(tmp_path: Path) -> None:
    async def write() -> list[LogEntry]:
        store = await opened_store(tmp_path / "store.sqlite")
        entries = [LogEntry(2, at, events.Said(f"P{at}", "hi"), f"mark {at}") for at in range(20)]
        written = await asyncio.gather(
            *(store.append("table", [entry]) for entry in entries), return_exceptions=True
        )
        assert [type(result) for result in written].count(VersionTaken) == 19
        assert written.count(None) == 1
        with pytest.raises(VersionTaken):  # atomic: neither is written
            await store.append("table", [LogEntry(3, 0, OPENED), LogEntry(2, 0, OPENED)])
        log = await store.read_log("table")
        await store.close()
        return log

    log = asyncio.run(write())
    assert [entry.number for entry in log] == [1, 2]
    assert log[0] == LogEntry(1, 5, OPENED)


def test_an_event_is_read_as_it_was_written() -> None:
    every: list[events.AnyEvent] = [
        OPENED,
        events.Sat("p", "Ana", 0, "nonce ✓"),
        events.Stood(0),
        events.Readied(1, "x"),
        events.Sealed(["c0", "c1"]),
        events.Revealed(0, "nonce"),
        events.CalledOff(0, [1], SECRET),
        events.Begun(["a", "b"]),
        events.Moved(None, "timeout"),
        events.Moved(1, "R1@1", "easy"),
        events.Offered({"players": 3}, SECRET),
        events.Handed(0, "easy", "time"),
        events.Returned(0),
        events.UndoAsked(0),
        events.UndoAnswered(1, agreed=False),
        events.Undone(3),
        events.Hinted(0, "R1@1"),
        events.Said("Ana", "ünïcode\u2028"),
        events.Reacted("Ana", 3, "wow", 1),
        events.Removed(1, "operator", "easy"),
        events.Locked(locked=True),
        events.Closed(),
    ]
    assert {type(event) for event in every} == set(events.AnyEvent.__args__)
    assert [events.decode_event(events.encode_event(event)) for event in every] == every


def test_a_deal_is_in_play_only_where_several_people_play_it(tmp_path: Path) -> None:
    """One person with many such tables let each request for a review load all of them."""

    async def run() -> list[str]:
        store = await opened_store(tmp_path / "store.sqlite")
        players = Players(store)
        people = [(await players.add(name))[0].id for name in ("Ana", "Bo")]
        deal = events.KnownDeal(events.DealOf("table", 1), SECRET)
        known = msgspec.structs.replace(OPENED, known_deal=deal)
        for name, seated in (("alone", people[:1]), ("together", people)):
            await store.append(name, [LogEntry(1, 5, known)], table_opened(name, known, 5))
            sat: list[events.AnyEvent] = [
                events.Sat(person, "X", seat) for seat, person in enumerate(seated)
            ]
            for number, event in enumerate([*sat, events.Begun([], SECRET)], 2):
                entry = LogEntry(number, 5, event)
                await store.append(name, [entry], index_updates(name, entry, [None] * 3))
        found = await store.tables_with_deal(SECRET)
        await store.close()
        return found

    assert asyncio.run(run()) == ["together"]
