"""A store that goes away, or takes only some of what is to be written: what follows by itself is
made up for when it is back, and nothing is done twice.
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

from tests.faults.crowd import Crowd, wishes
from tests.faults.ledger import check_all, read_store
from tests.faults.network import StoreLine
from tests.faults.seating import kinds, play_until_anothers_turn, sitting
from tests.faults.services import PostgreSQL
from tests.faults.serving import Server, serving
from tests.faults.waiting import until, until_health
from theriac.server.store.database import database_url
from theriac.server.store.events import LogEntry, Opened, Said
from theriac.server.store.index import table_opened
from theriac.server.store.migrate import upgrade
from theriac.server.store.store import Store
from theriac.server.store.writer import VersionTaken

HINDER = """
CREATE FUNCTION hinder() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = 'disk_full'; END $$;
CREATE TRIGGER hinder BEFORE INSERT ON log FOR EACH ROW
WHEN (NEW.event LIKE '%{part}%') EXECUTE FUNCTION hinder()
"""
RELEASE = "DROP TRIGGER hinder ON log; DROP FUNCTION hinder()"


#: What happens by itself, a part of it as it stands in the log, and the table where it happens.
BY_ITSELF: dict[str, tuple[str, int, dict[str, Any]]] = {
    "begun": ('"kind":"begun"', 3, {"game": "poison", "seats": [None, None, None]}),
    "moved": ('"bot":"easy"', 1, {"game": "poison", "seats": [None, "easy", "easy"]}),
    "offered": ('"kind":"offered"', 0, {"game": "shokoba", "seats": ["easy", "easy"]}),
    "handed": (
        '"kind":"handed"',
        2,
        {"game": "shokoba", "seats": [None, None], "clock": {"per": "move", "seconds": 5}},
    ),
}


@pytest.mark.parametrize("kind", BY_ITSELF)
def test_what_follows_by_itself_is_made_up_for(
    kind: str, postgres: PostgreSQL, tmp_path: Path
) -> None:
    part, people, wish = BY_ITSELF[kind]
    database = postgres.new_database()

    def warned() -> bool:
        return '"level":"warning"' in (tmp_path / "log.jsonl").read_text()

    async def run() -> None:
        async with serving(tmp_path, database) as server:
            postgres.run(database, HINDER.format(part=part))
            async with sitting(server, [server] * people, **wish) as clients:
                if kind == "moved":
                    await play_until_anothers_turn(clients[0])
                await until(warned, f"{kind} cannot be written")
                assert kind not in kinds(clients[0]) or kind == "moved"
                before = [k for k in kinds(clients[0]) if k == kind]
                postgres.run(database, RELEASE)
                await until(lambda: kinds(clients[0]).count(kind) > len(before), f"{kind} happens")

    asyncio.run(run())


def test_what_was_written_although_the_line_broke_is_done_once(
    postgres: PostgreSQL, tmp_path: Path, short_path: Path
) -> None:
    database = postgres.new_database()
    line = StoreLine(short_path, postgres.folder)
    seats = {"game": "poison", "seats": [None, None, None]}

    async def run() -> None:
        detour = database.replace(str(postgres.folder), str(short_path))
        async with (
            line.standing(),
            serving(tmp_path, detour) as server,
            sitting(server, [server], **seats) as (client,),
        ):
            for number in range(5):
                line.cut_at_commit_of(f"word {number}".encode())
                name = await client.ask(do="say", text=f"word {number}")
                await until(lambda name=name: name in client.done, "an answer")  # type: ignore[misc]
        rows = (await read_store(database)).logs[client.table]
        assert client.put_off == []
        assert [row.event["text"] for row in rows if row.event["kind"] == "said"] == [
            f"word {number}" for number in range(5)
        ]

    asyncio.run(run())
    assert line.cuts == 5


def test_what_may_have_been_written_is_looked_for_when_the_store_is_back(
    postgres: PostgreSQL, tmp_path: Path, short_path: Path
) -> None:
    database = postgres.new_database()
    line = StoreLine(short_path, postgres.folder)
    seats = {"game": "poison", "seats": [None, None, None]}

    async def run() -> None:
        detour = database.replace(str(postgres.folder), str(short_path))
        async with (
            line.standing(),
            serving(tmp_path, detour) as server,
            sitting(server, [server], **seats) as (client,),
        ):
            line.cut_at_commit_of(b'"kind":"said"', and_shut=True)
            said = {"do": "say", "id": "once", "text": "hello"}
            path = f"/api/tables/{client.table}"
            answer = await server.ask("POST", path, client.key, json=said)
            assert answer["refused"]["code"] == "store"
            assert "is not known" in answer["refused"]["why"]
            line.shut = False
            await until(lambda: "said" in kinds(client), "it was written, so it is told")
            again = await server.ask("POST", path, client.key, json=said)
            assert again == {"id": "once", "version": client.version}
        assert kinds(client).count("said") == 1

    asyncio.run(run())


async def knock(server: Server, table: str) -> tuple[int, str]:
    """Come to a table that the server has to look up; how it hangs up."""
    async with connect(f"ws://{server.address}/api/tables/{table}/socket", proxy=None) as line:
        with pytest.raises(ConnectionClosed) as closed:
            await line.recv()
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code, closed.value.rcvd.reason


def test_a_postgresql_that_fails_and_comes_back_is_waited_for(
    postgres: PostgreSQL, tmp_path: Path
) -> None:
    database = postgres.new_database()
    random = Random()

    async def run() -> None:
        async with serving(tmp_path, database) as server:
            crowd = Crowd(random, lambda: server.address)
            await crowd.gather(server, wishes(3, random))
            async with crowd.at_play():
                await until(lambda: crowd.answers > 20, "twenty answers")
                await asyncio.to_thread(postgres.crash)
                try:
                    await until(lambda: any(c.put_off for c in crowd.clients), "a refusal")
                    await until_health(server, 503)
                    assert await knock(server, "unheard-of") == (4503, "come back in a moment")
                finally:
                    await asyncio.to_thread(postgres.start)
                answers = crowd.answers
                await until(lambda: crowd.answers > answers + 20, "twenty more answers")
                await until_health(server, 200)
        check_all(crowd.parties, await read_store(database))

    asyncio.run(run())


def test_two_servers_that_write_for_the_same_tables_do_not_block_each_other(
    postgres: PostgreSQL,
) -> None:
    url = database_url(postgres.new_database())
    rooms = [f"room {n:03}" for n in range(400)]

    async def write(kept: Store, number: int, order: Sequence[str]) -> list[str]:
        """Write one event for each table, all at once; the tables where another was faster."""
        entry = LogEntry(number, 0, Said("Ana", "hello"))
        results = await asyncio.gather(
            *(kept.append(room, [entry]) for room in order), return_exceptions=True
        )
        return [room for room, result in zip(order, results, strict=True) if check_taken(result)]

    async def run() -> None:
        await upgrade(url)
        one, two = Store(url), Store(url)
        await one.open()
        await two.open()
        opened = Opened("Ana", "poison", {}, [None], "")
        for room in rooms:
            await one.append(room, [LogEntry(1, 0, opened)], table_opened(room, opened, 0))
        for number in range(2, 5):
            lost = await asyncio.gather(
                write(one, number, rooms), write(two, number, list(reversed(rooms)))
            )
            assert sorted(lost[0] + lost[1]) == rooms
        await one.close()
        await two.close()

    asyncio.run(run())


def check_taken(result: BaseException | None) -> bool:
    """Was another faster? Nothing else may have gone wrong."""
    assert result is None or isinstance(result, VersionTaken), result
    return result is not None
