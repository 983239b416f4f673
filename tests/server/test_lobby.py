"""The lobby has a place for everybody: a few tables of each person, a page at a time."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from pathlib import Path
from typing import Any

from tests.server.server_process import ServerProcess
from theriac.server.store.database import database_url
from theriac.server.store.events import Opened
from theriac.server.store.index import table_opened
from theriac.server.store.migrate import upgrade
from theriac.server.store.store import LISTED_PER_PERSON, LOBBY_PAGE, Store


def opened(by: str, **fields: Any) -> Opened:
    """A listed table."""
    return Opened(by, "shokoba", {"players": 2}, [None, None], "00", listed=True, **fields)


def pages(folder: Path, tables: list[tuple[str, Opened, int]], now: int) -> list[list[str]]:
    """The first pages of the lobby with these tables: name, first event, when it changed."""

    async def run() -> list[list[str]]:
        url = database_url(str(folder / "tables.sqlite"))
        await upgrade(url)
        store = Store(url)
        for name, event, changed in tables:
            await store.write(*table_opened(name, event, changed))
        found = [await store.listed_tables(now, skip) for skip in range(0, 200, LOBBY_PAGE)]
        await store.close()
        return found

    return asyncio.run(run())


def test_one_person_cannot_push_the_others_out(tmp_path: Path) -> None:
    tables = [("bo", opened("bo"), 1)]
    tables += [(f"ana{n:03}", opened("ana"), 1000 + n) for n in range(120)]
    first, *others = pages(tmp_path, tables, 2000)
    assert first == ["ana119", "ana118", "ana117", "bo"] and LISTED_PER_PERSON == 3
    assert others == [[], [], []]


def test_every_table_is_on_one_page(tmp_path: Path) -> None:
    tables = [(f"t{n:03}", opened(f"p{n}"), 1000 + n) for n in range(120)]
    found = pages(tmp_path, tables, 2000)
    assert [len(page) for page in found] == [50, 50, 20, 0]
    assert [name for page in found for name in page] == [f"t{n:03}" for n in reversed(range(120))]


def test_the_route_takes_the_number_to_skip(server: ServerProcess) -> None:
    ana = server.new_player()
    name = ana.open("shokoba", [None, None], listed=True)
    rows = [row["table"] for row in server.http.get("/api/tables").json()]
    assert rows[0] == name
    assert name not in [row["table"] for row in server.http.get("/api/tables?skip=1").json()]
    assert server.http.get("/api/tables?skip=-1").status_code == 400


def test_a_store_of_the_version_before_gets_the_openers(tmp_path: Path) -> None:
    file = tmp_path / "tables.sqlite"
    url = database_url(str(file))
    asyncio.run(upgrade(url, "0001"))
    with sqlite3.connect(file) as database:
        for table, more in (("a", {}), ("b", {"delay": 60})):
            event = json.dumps({"kind": "opened", "by": f"by {table}", "game": "shokoba", **more})
            database.execute("INSERT INTO rooms VALUES (?, 'shokoba', 1, 'gathering', 5)", (table,))
            database.execute("INSERT INTO log VALUES (?, 1, 5, NULL, ?)", (table, event))
    database.close()
    asyncio.run(upgrade(url))
    with sqlite3.connect(file) as database:
        rows = database.execute("SELECT room, opener, delay FROM rooms ORDER BY room").fetchall()
    database.close()
    assert rows == [("a", "by a", 0), ("b", "by b", 60)]
