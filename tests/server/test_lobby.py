"""The lobby has a place for everybody: a few tables of each person, a page at a time."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sqlite3
from pathlib import Path
from typing import Any

from tests.server.server_process import ServerProcess
from theriac.server.store.database import database_url
from theriac.server.store.events import Opened
from theriac.server.store.index import table_opened
from theriac.server.store.migrate import upgrade
from theriac.server.store.store import (
    FIRST_PER_NETWORK,
    LISTED_PER_PERSON,
    LOBBY_PAGE,
    Store,
)


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


def test_one_network_with_many_keys_comes_after_the_others(tmp_path: Path) -> None:
    """17 keys with three tables each filled the first page."""
    server = ServerProcess(tmp_path, "--limit", "creation_burst=100")
    ana, bo = server.new_players("Ana", "Bo")
    honest = [each.open("shokoba", [None, None], listed=True) for each in (ana, bo)]
    greedy = []
    for _ in range(17):
        key = ana.http.post(
            "/api/players", json={"name": "Eve"}, headers={"X-Forwarded-For": "192.0.2.1"}
        ).json()["key"]
        headers = {"X-Forwarded-For": "192.0.2.1", "Authorization": f"Bearer {key}"}
        body = {"game": "shokoba", "seats": [None, None], "listed": True}
        for _ in range(LISTED_PER_PERSON):
            opened = ana.http.post("/api/tables", json=body, headers=headers)
            greedy.append(opened.json()["table"])
    first, second = (
        [row["table"] for row in server.http.get(f"/api/tables?skip={skip}").json()]
        for skip in (0, LOBBY_PAGE)
    )
    assert first[:FIRST_PER_NETWORK] == greedy[: -FIRST_PER_NETWORK - 1 : -1]
    assert first[FIRST_PER_NETWORK:][:2] == honest[::-1]
    assert sorted(first + second) == sorted(honest + greedy), "nothing is hidden"
    tags = networks(server.database)
    assert len(set(tags)) == 3 and not any("192" in tag for tag in tags)
    assert ana.http.delete("/api/me").status_code == 204
    assert None in networks(server.database)
    unlisted = bo.open("shokoba", [None, None])
    assert networks(server.database, unlisted) == [None]


def networks(file: Path, table: str = "%") -> list[Any]:
    """The tags of networks in a store."""
    with contextlib.closing(sqlite3.connect(file)) as database:
        query = "SELECT network FROM rooms WHERE room LIKE ?"
        return [row[0] for row in database.execute(query, (table,))]


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
