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

from tests.faults.client import Client
from tests.faults.crowd import admit
from tests.faults.services import PostgreSQL
from tests.faults.serving import Server
from tests.faults.waiting import until

HINDER = """
CREATE FUNCTION hinder() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = 'disk_full'; END $$;
CREATE TRIGGER hinder BEFORE INSERT ON log FOR EACH ROW
WHEN (NEW.event LIKE '%{part}%') EXECUTE FUNCTION hinder()
"""
RELEASE = "DROP TRIGGER hinder ON log; DROP FUNCTION hinder()"


@contextlib.asynccontextmanager
async def serving(folder: Path, database: str, *more: str) -> AsyncIterator[Server]:
    """A server that must make no mistakes."""
    server = Server(folder, database, *more)
    await server.start()
    try:
        yield server
    finally:
        if server.running:
            await server.kill()
    assert server.mistakes() == []


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
