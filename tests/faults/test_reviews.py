"""Reviews in SQLite and PostgreSQL, and in two servers that share a store."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import insert, update

from tests.faults.services import PostgreSQL
from tests.server.test_reviews import LAST, OPTIONS, reviews_of
from theriac.review import METHOD
from theriac.server.admin.tables import delete_table
from theriac.server.bots.reviews import Asker, GameKey, Progress, Reviews
from theriac.server.limits import Limits
from theriac.server.store import events, migrate, schema
from theriac.server.store.database import database_url
from theriac.server.store.events import DealOf, KnownDeal, LogEntry, now_ms
from theriac.server.store.index import FinishedGame, game_finished, table_opened
from theriac.server.store.store import ReviewRow, Store

SEED = "ab" * 32


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, postgres: PostgreSQL, tmp_path: Path) -> str:
    """A database without tables."""
    return str(tmp_path / "t.sqlite") if request.param == "sqlite" else postgres.new_database()


async def open_store(database: str) -> Store:
    """A store with a table `t` with a finished game, and one where two people have its deal."""
    url = database_url(database)
    await migrate.upgrade(url)
    store = Store(url)
    await store.add_player("ana", "Ana", "hash", 1)
    opened = events.Opened("ana", "poison", {"players": 3, **OPTIONS}, [None] * 3, "00" * 32)
    known = KnownDeal(DealOf("t", 1), SEED)
    again = events.Opened("ana", "poison", {}, [None, "easy"], "00" * 32, known_deal=known)
    await store.add_player("bo", "Bo", "hash2", 1)
    for name, event in (("t", opened), ("again", again)):
        await store.append(name, [LogEntry(1, 5, event)], table_opened(name, event, 5))
    game = FinishedGame(1, "poison", [None, "easy"], ["ana", None], [1, 2], [0])
    await store.write(*game_finished("t", 1000, game))
    for person in ("ana", "bo"):
        await store.write(insert(schema.seats).values(room="again", player=person))
    return store


def test_a_review_is_begun_kept_listed_and_deleted(database: str) -> None:
    async def run() -> None:
        store = await open_store(database)

        async def listed() -> int | None:
            return (await store.games_of("ana"))[0].review_method

        begun, done = ReviewRow(1, "a", None), ReviewRow(1, None, bytes(range(256)))
        await store.put_review("t", 1, 7, begun)
        assert await store.find_review("t", 1) == begun and await listed() is None
        await store.forget_review("t", 1, "b")
        assert await store.find_review("t", 1) == begun, "another process has begun it"
        await store.forget_review("t", 1, "a")
        assert await store.find_review("t", 1) is None
        await store.put_review("t", 1, 7, begun)
        await store.put_review("t", 1, 8, done)
        assert await store.find_review("t", 1) == done and await listed() == 1
        await store.put_review("nosuch", 1, 8, done)
        assert await store.find_review("nosuch", 1) is None
        for table in ("t", "again"):
            await delete_table(store, "op", table)
        assert await store.find_review("t", 1) is None
        await store.close()

    asyncio.run(run())


def test_the_tables_in_play_with_a_known_deal_are_found(database: str) -> None:
    async def run() -> None:
        store = await open_store(database)
        assert await store.tables_with_deal(SEED) == []
        await store.write(set_stage("again", "playing"))
        assert await store.tables_with_deal(SEED) == ["again"]
        assert await store.tables_with_deal("cd" * 32) == []
        # An older store gets them from its logs.
        await migrate.downgrade(store.engine.url, "0006", "op")
        await migrate.upgrade(store.engine.url)
        assert await store.tables_with_deal(SEED) == ["again"]
        await store.write(set_stage("again", "over"))
        assert await store.tables_with_deal(SEED) == []
        await store.close()

    asyncio.run(run())


def set_stage(table: str, stage: str) -> object:
    """The statement that brings a table to a stage."""
    return update(schema.rooms).where(schema.rooms.c.room == table).values(stage=stage)


def test_another_process_waits_for_a_review_until_the_first_is_gone(postgres: PostgreSQL) -> None:
    database = postgres.new_database()
    game, ana = GameKey("t", 1), Asker("ana", "home")

    async def run() -> None:
        store = await open_store(database)
        first, pool = reviews_of(store)
        second = Reviews(store, pool, Limits(), "second", alone=False)
        await store.heartbeat("process", now_ms())
        await first.ask(game, {}, ana)
        while await store.find_review(*game) is None:
            await asyncio.sleep(0.01)
        assert await second.ask(game, {}, ana) == Progress(), "it begins no other"
        assert len(pool) == 1
        looking = asyncio.create_task(second.look(game, 0, 60))
        await asyncio.sleep(0.1)
        first._jobs[game].note(LAST)
        found = await looking
        assert found and found.done and bytes(found.review) == LAST.review
        # A process without a heartbeat will not finish what it has begun.
        while game in first._jobs:
            await asyncio.sleep(0.01)
        await store.put_review(*game, now_ms(), ReviewRow(METHOD, "killed", None))
        assert await second.look(game, 0, 60) is None
        assert (await second.ask(game, {}, ana)).waiting == 2
        await first.stop()
        await second.stop()
        await store.close()

    asyncio.run(run())
