"""A store that goes away, or takes only some of what is to be written: what follows by itself is
made up for when it is back, and nothing is done twice.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tests.faults.client import Client
from tests.faults.crowd import Crowd, admit, wishes
from tests.faults.ledger import check_all, read_store
from tests.faults.network import StoreLine
from tests.faults.services import PostgreSQL
from tests.faults.serving import Server, serving
from tests.faults.waiting import until, until_health

HINDER = """
CREATE FUNCTION hinder() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = 'disk_full'; END $$;
CREATE TRIGGER hinder BEFORE INSERT ON log FOR EACH ROW
WHEN (NEW.event LIKE '%{part}%') EXECUTE FUNCTION hinder()
"""
RELEASE = "DROP TRIGGER hinder ON log; DROP FUNCTION hinder()"


@contextlib.asynccontextmanager
async def sitting(server: Server, many: int, **wish: Any) -> AsyncIterator[list[Client]]:
    """People at a table, who take the seats 0, 1, … of it; nobody else does anything."""
    keys = [await admit(server, f"Person {n}") for n in range(max(1, many))]
    table = (await server.ask("POST", "/api/tables", keys[0], json=wish))["table"]
    clients = [Client(table, key, lambda: server.address, Random()) for key in keys]
    lines = [asyncio.create_task(client.run()) for client in clients]
    try:
        for seat, client in enumerate(clients[:many]):
            await until(lambda client=client: not client.busy, "a welcome")  # type: ignore[misc]
            await client.ask(do="sit", seat=seat, nonce=f"nonce {seat}")
        await until(lambda: not any(client.busy for client in clients), "seats")
        yield clients
    finally:
        for line in lines:
            line.cancel()
        await asyncio.gather(*lines, return_exceptions=True)


def kinds(client: Client) -> list[str]:
    """The events that a client has heard of."""
    return [client.heard[version]["event"]["kind"] for version in sorted(client.heard)]


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
            async with sitting(server, people, **wish) as clients:
                if kind == "moved":
                    await play_until_a_bot_is_to_act(clients[0])
                await until(warned, f"{kind} cannot be written", 60)
                assert kind not in kinds(clients[0]) or kind == "moved"
                before = [k for k in kinds(clients[0]) if k == kind]
                postgres.run(database, RELEASE)
                await until(lambda: kinds(clients[0]).count(kind) > len(before), f"{kind} happens")

    asyncio.run(run())


async def play_until_a_bot_is_to_act(client: Client) -> None:
    """Make moves until it is another's turn."""
    while client.view is None or client.view["to_act"] == client.seat:
        if client.view is not None and not client.busy:
            move = client.view["legal"][0]
            await client.ask(do="move", move=move, version=client.version)
        await asyncio.sleep(0.05)


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
            sitting(server, 1, **seats) as (client,),
        ):
            for number in range(5):
                line.cut_at_next_commit()
                name = await client.ask(do="say", text=f"word {number}")
                await until(lambda name=name: name in client.done, "an answer")  # type: ignore[misc]
        rows = (await read_store(database)).logs[client.table]
        assert client.put_off == []
        assert [row.event["text"] for row in rows if row.event["kind"] == "said"] == [
            f"word {number}" for number in range(5)
        ]

    asyncio.run(run())
    assert line.cuts == 5


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
                await until(lambda: crowd.answers > answers + 20, "twenty more answers", 60)
                await until_health(server, 200)
        check_all(crowd.parties, await read_store(database))

    asyncio.run(run())
