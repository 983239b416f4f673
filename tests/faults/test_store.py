"""A store that fails, or refuses some events: automatic events happen when it is back, and no
request is applied twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tests.faults.idle_table import kinds, play_until_turn_passes, seated_clients
from tests.faults.network import StoreProxy
from tests.faults.random_players import RandomPlayers, table_requests
from tests.faults.server import Server, serving
from tests.faults.services import PostgreSQL
from tests.faults.store_check import check_all, read_store
from tests.faults.waiting import until, until_health
from theriac.server.store.database import database_url
from theriac.server.store.events import LogEntry, Opened, Said
from theriac.server.store.index import table_opened
from theriac.server.store.migrate import upgrade
from theriac.server.store.store import Store
from theriac.server.store.writer import VersionTaken

REFUSE_EVENTS = """
CREATE FUNCTION refuse_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = 'disk_full'; END $$;
CREATE TRIGGER refuse_event BEFORE INSERT ON log FOR EACH ROW
WHEN (NEW.event LIKE '%{part}%') EXECUTE FUNCTION refuse_event()
"""
ACCEPT_EVENTS = "DROP TRIGGER refuse_event ON log; DROP FUNCTION refuse_event()"


#: Automatic events: a part of the stored event, and the players and the table that lead to it.
AUTOMATIC_EVENTS: dict[str, tuple[str, int, dict[str, Any]]] = {
    "begun": ('"kind":"begun"', 3, {"game": "poison", "seats": [None, None, None]}),
    "moved": ('"bot":"easy"', 1, {"game": "poison", "seats": [None, "easy", "easy"]}),
    "offered": ('"kind":"offered"', 0, {"game": "shokoba", "seats": ["easy", "easy"]}),
    "handed": (
        '"kind":"handed"',
        2,
        {"game": "shokoba", "seats": [None, None], "clock": {"per": "move", "seconds": 5}},
    ),
}


@pytest.mark.parametrize("kind", AUTOMATIC_EVENTS)
def test_automatic_events_happen_when_the_store_accepts_them_again(
    kind: str, postgres: PostgreSQL, tmp_path: Path
) -> None:
    part, players, request = AUTOMATIC_EVENTS[kind]
    database = postgres.new_database()

    def warned() -> bool:
        return '"level":"warning"' in (tmp_path / "log.jsonl").read_text()

    async def run() -> None:
        async with serving(tmp_path, database) as server:
            postgres.run(database, REFUSE_EVENTS.format(part=part))
            async with seated_clients(server, [server] * players, **request) as clients:
                if kind == "moved":
                    await play_until_turn_passes(clients[0])
                await until(warned, f"{kind} cannot be written")
                assert kind not in kinds(clients[0]) or kind == "moved"
                before = [k for k in kinds(clients[0]) if k == kind]
                postgres.run(database, ACCEPT_EVENTS)
                await until(lambda: kinds(clients[0]).count(kind) > len(before), f"{kind} happens")

    asyncio.run(run())


def test_a_commit_whose_connection_broke_is_applied_once(
    postgres: PostgreSQL, tmp_path: Path, short_path: Path
) -> None:
    database = postgres.new_database()
    proxy = StoreProxy(short_path, postgres.folder)
    seats = {"game": "poison", "seats": [None, None, None]}

    async def run() -> None:
        through_proxy = database.replace(str(postgres.folder), str(short_path))
        async with (
            proxy.running(),
            serving(tmp_path, through_proxy) as server,
            seated_clients(server, [server], **seats) as (client,),
        ):
            for number in range(5):
                proxy.cut_at_commit_of(f"word {number}".encode())
                name = await client.ask(do="say", text=f"word {number}")
                await until(lambda name=name: name in client.acknowledged, "a reply")  # type: ignore[misc]
        rows = (await read_store(database)).logs[client.table]
        assert client.not_stored == []
        assert [row.event["text"] for row in rows if row.event["kind"] == "said"] == [
            f"word {number}" for number in range(5)
        ]

    asyncio.run(run())
    assert proxy.cuts == 5


def test_an_unknown_outcome_is_resolved_when_the_store_is_back(
    postgres: PostgreSQL, tmp_path: Path, short_path: Path
) -> None:
    database = postgres.new_database()
    proxy = StoreProxy(short_path, postgres.folder)
    seats = {"game": "poison", "seats": [None, None, None]}

    async def run() -> None:
        through_proxy = database.replace(str(postgres.folder), str(short_path))
        async with (
            proxy.running(),
            serving(tmp_path, through_proxy) as server,
            seated_clients(server, [server], **seats) as (client,),
        ):
            proxy.cut_at_commit_of(b'"kind":"said"', and_shut=True)
            said = {"do": "say", "id": "once", "text": "hello"}
            path = f"/api/tables/{client.table}"
            answer = await server.ask("POST", path, client.key, json=said)
            assert answer["refused"]["code"] == "store"
            assert "is not known" in answer["refused"]["why"]
            proxy.shut = False
            await until(lambda: "said" in kinds(client), "it was stored, so it is sent")
            again = await server.ask("POST", path, client.key, json=said)
            assert again == {"id": "once", "version": client.version}
        assert kinds(client).count("said") == 1

    asyncio.run(run())


async def close_reason(server: Server, table: str) -> tuple[int, str]:
    """Connect to a table that the server must look up; the code and reason of the close."""
    async with connect(
        f"ws://{server.address}/api/tables/{table}/socket", proxy=None
    ) as connection:
        with pytest.raises(ConnectionClosed) as closed:
            await connection.recv()
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code, closed.value.rcvd.reason


def test_play_continues_when_postgresql_fails_and_recovers(
    postgres: PostgreSQL, tmp_path: Path
) -> None:
    database = postgres.new_database()
    random = Random()

    async def run() -> None:
        async with serving(tmp_path, database) as server:
            players = RandomPlayers(random, lambda: server.address)
            await players.open_tables(server, table_requests(3, random))
            async with players.playing():
                await until(lambda: players.acknowledged_count > 20, "twenty replies")
                await asyncio.to_thread(postgres.crash)
                try:
                    await until(lambda: any(c.not_stored for c in players.clients), "a refusal")
                    await until_health(server, 503)
                    assert await close_reason(server, "unknown") == (4503, "come back in a moment")
                finally:
                    await asyncio.to_thread(postgres.start)
                answers = players.acknowledged_count
                await until(
                    lambda: players.acknowledged_count > answers + 20, "twenty more replies"
                )
                await until_health(server, 200)
        check_all(players.tables, await read_store(database))

    asyncio.run(run())


def test_two_servers_that_write_to_the_same_tables_do_not_deadlock(
    postgres: PostgreSQL,
) -> None:
    url = database_url(postgres.new_database())
    tables = [f"table {n:03}" for n in range(400)]

    async def write(store: Store, number: int, order: Sequence[str]) -> list[str]:
        """Write one event for each table at once; the tables where the other server was first."""
        entry = LogEntry(number, 0, Said("Ana", "hello"))
        results = await asyncio.gather(
            *(store.append(table, [entry]) for table in order), return_exceptions=True
        )
        return [
            table for table, result in zip(order, results, strict=True) if is_version_taken(result)
        ]

    async def run() -> None:
        await upgrade(url)
        one, two = Store(url), Store(url)
        opened = Opened("Ana", "poison", {}, [None], "")
        for table in tables:
            await one.append(table, [LogEntry(1, 0, opened)], table_opened(table, opened, 0))
        for number in range(2, 5):
            lost = await asyncio.gather(
                write(one, number, tables), write(two, number, list(reversed(tables)))
            )
            assert sorted(lost[0] + lost[1]) == tables
        await one.close()
        await two.close()

    asyncio.run(run())


def is_version_taken(result: BaseException | None) -> bool:
    """Was the version taken? There may be no other error."""
    assert result is None or isinstance(result, VersionTaken), result
    return result is not None
