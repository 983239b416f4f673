"""Two servers on one PostgreSQL without Redis: LISTEN and NOTIFY keep them in step."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.faults.client import Client
from tests.faults.idle_table import seated_clients
from tests.faults.server import Server, serving
from tests.faults.services import PostgreSQL
from tests.faults.test_processes import PAIR, play_one
from tests.faults.waiting import until
from theriac.server.store.database import database_url
from theriac.server.tables.pubsub import ProcessMessage
from theriac.server.tables.pubsub_postgres import MAX_PART_CHARACTERS, PartReader, parts_of
from theriac.server.tables.pubsub_postgres import PostgresPubSub as PubSub


@contextlib.asynccontextmanager
async def two_servers(folder: Path, database: str) -> AsyncIterator[tuple[Server, Server]]:
    """Two servers on a database, with nothing else between them."""
    async with serving(folder / "a", database) as a, serving(folder / "b", database) as b:
        yield a, b


async def play_and_see(clients: list[Client]) -> None:
    """Make a move, and wait until both clients have it."""
    await play_one(clients)
    version = max(client.version for client in clients)
    await until(lambda: all(client.version >= version for client in clients), "both have it")


def test_two_servers_keep_in_step_and_recover_with_postgresql(
    postgres: PostgreSQL, tmp_path: Path
) -> None:
    database = postgres.new_database()

    async def run() -> None:
        async with (
            two_servers(tmp_path, database) as (a, b),
            seated_clients(a, [a, b], **PAIR) as clients,
        ):
            await until(lambda: all(p.view is not None for p in clients), "the game begins")
            await until(lambda: all(set(p.present) == {0, 1} for p in clients), "both are present")
            took = []
            for _ in range(6):
                started = time.monotonic()
                await play_and_see(clients)
                took.append(time.monotonic() - started)
            # Without a message, a server looks at the store every five seconds.
            assert min(took) < 1, took
            terminate = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            postgres.run(
                database, terminate + "WHERE query LIKE '%pg_notify%' AND pid <> pg_backend_pid()"
            )
            await play_and_see(clients)

    asyncio.run(run())


def test_messages_of_every_size_arrive_in_order_and_only_at_the_others(
    postgres: PostgreSQL,
) -> None:
    url = database_url(postgres.new_database())
    seats = {f"table é{number}": [0, 1, 2] for number in range(2_000)}
    sent = [ProcessMessage("t", version=1)] * 2 + [ProcessMessage(everybody=seats)]
    sent += [ProcessMessage("t", version=2)]

    async def run() -> tuple[list[ProcessMessage], list[ProcessMessage]]:
        boxes: tuple[list[ProcessMessage], list[ProcessMessage]] = ([], [])
        pubsubs = [PubSub(url, "a"), PubSub(url, "b")]
        for pubsub, box in zip(pubsubs, boxes, strict=True):

            async def keep(message: ProcessMessage, box: list[ProcessMessage] = box) -> None:
                box.append(message)

            await pubsub.start(keep)
        # Until both listen, messages get lost.
        while not boxes[1]:
            await pubsubs[0].publish(ProcessMessage("first"))
            await asyncio.sleep(0.1)
        await asyncio.sleep(0.2)
        boxes[1].clear()
        for message in sent:
            await pubsubs[0].publish(message)
        await until(lambda: len(boxes[1]) == len(sent), "all messages")
        for pubsub in pubsubs:
            await pubsub.stop()
        return boxes

    own, others = asyncio.run(run())
    assert own == []
    assert [(m.table, m.version, m.everybody) for m in others] == [
        (m.table, m.version, m.everybody) for m in sent
    ]


@pytest.mark.parametrize("length", [1, MAX_PART_CHARACTERS, MAX_PART_CHARACTERS + 1, 10_000])
def test_parts_of_two_senders_do_not_mix(length: int) -> None:
    reader = PartReader()
    texts = ["x" * length, "é" * length]
    parts = [list(parts_of(7, text)) for text in texts]
    assert all(len(part.encode()) < 8_000 for each in parts for part in each)
    pairs = zip(*parts, strict=True)
    whole = [reader.add(sender, part) for pair in pairs for sender, part in enumerate(pair)]
    assert whole[-2:] == texts and set(whole[:-2]) <= {None}
