"""What the server and the operator ask of a store is answered on PostgreSQL as on SQLite."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from theriac.server.admin import actions, addresses, erase, people, reports, retention, tables
from theriac.server.auth import Players
from theriac.server.limits import DEFAULT_LIMITS
from theriac.server.store import events
from theriac.server.store.database import database_url
from theriac.server.store.events import LogEntry, now_ms
from theriac.server.store.index import index_updates, table_opened
from theriac.server.store.migrate import upgrade
from theriac.server.store.store import ReviewRow, Store
from theriac.server.tables.downtime import Downtime
from theriac.server.tables.loaded import LoadedTables
from theriac.server.tables.rule_loader import RuleLoader

SECRET = "00" * 32
#: PostgreSQL has no such character in a text.
NUL = "a\0b"


async def open_table(store: Store, name: str, player: str, delay: int) -> None:
    """A listed table where the player has a seat."""
    opened = events.Opened(
        player, "poison", {"players": 3}, [None] * 3, SECRET, listed=True, delay=delay
    )
    sat = LogEntry(2, now_ms(), events.Sat(player, "Ana", 0), f"{player}:a")
    await store.append(name, [LogEntry(1, now_ms(), opened)], table_opened(name, opened, now_ms()))
    await store.append(name, [sat], index_updates(name, sat, [None] * 3))


async def answers(store: Store) -> dict[str, Any]:
    """What a store with a person and three tables answers."""
    players = Players(store)
    ana, key = await players.add("Ana")
    for name, delay in (("one", 0), ("two", 3600), ("three", 0)):
        await open_table(store, name, ana.id, delay)
    await tables.close_table(store, "op", "two")
    await tables.close_table(store, "op", "three")
    now = now_ms()
    await store.put_review("one", 1, now, ReviewRow(1, None, b"review"))
    await store.heartbeat("process", now)
    await store.add_downtime(now - 5, now)
    await reports.add_report(store, ana.id, "one", None, "rude", {})
    await people.mute(store, "op", ana.id, 1)
    await addresses.ban_address(store, "op", "203.0.113.7", 1)
    await addresses.delete_ended_bans(store)
    loaded = LoadedTables(store, DEFAULT_LIMITS, Downtime(), RuleLoader(), asyncio.sleep)  # type: ignore[arg-type]
    keep = retention.Retention(1, 1, 1)
    found = {
        "lobby": set(await store.listed_tables(now)),
        "next page": await store.listed_tables(now, 50),
        "seats": set(await store.tables_of(ana.id)),
        "games": await store.games_of(ana.id, 0, "poison"),
        "unfinished": await store.unfinished_tables(now - 1000),
        "open": await store.count_open_tables(ana.id, now - 60_000),
        "ahead": await store.tables_ahead_of({"one": 1, "two": 9}),
        "deal": await store.tables_with_deal(SECRET),
        "review": (await store.find_review("one", 1) or ReviewRow(0, None, None)).review,
        "running": await store.running_processes(now - 1000),
        "downtime": len(await store.downtime()),
        "log": [entry.number for entry in await store.read_log("one", 0, now)],
        "people": [person.name for person in await people.list_people(store, "Ana")],
        "tables": len(await tables.list_tables(store, "closed")),
        "reports": [report.why for report in await reports.list_reports(store)],
        "bans": len(await addresses.list_address_bans(store)),
        "actions": [row.action for row in await actions.read_actions(store, limit=50)][:2],
        "prune": await retention.prune(store, "op", keep, dry_run=True),
        "key": await players.find(str(key)) == ana,
        "strange key": await players.find(f"{NUL}.secret"),
        "strange table": await loaded.find(NUL),
    }
    exported = await erase.export_person(store, "op", ana.id)
    found["exported"] = len(exported["events"])
    found["erased"] = await erase.delete_person(store, "op", ana.id)
    return found


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_store_answers_every_question(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if kind == "sqlite":
        database = str(tmp_path / "tables.sqlite")
    else:
        database = request.getfixturevalue("postgres").new_database()
    url = database_url(database)

    async def run() -> dict[str, Any]:
        await upgrade(url)
        store = Store(url)
        try:
            return await answers(store)
        finally:
            await store.close()

    assert asyncio.run(run()) == {
        "lobby": {"one", "two"},
        "next page": [],
        "seats": {"one"},
        "games": [],
        "unfinished": [],
        "open": 1,
        "ahead": ["one"],
        "deal": [],
        "review": b"review",
        "running": {"process"},
        "downtime": 1,
        "log": [1, 2],
        "people": ["Ana"],
        "tables": 2,
        "reports": ["rude"],
        "bans": 1,
        "actions": ["close table", "close table"],
        "prune": retention.Pruned(0, 0, 0),
        "key": True,
        "strange key": None,
        "strange table": None,
        "exported": 6,
        "erased": 3,
    }
