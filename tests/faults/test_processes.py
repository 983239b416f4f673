"""Two servers on one PostgreSQL with Redis between them: people at the same table sit at different
servers and move from one to the other, a server is killed, Redis fails and comes back.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

from tests.faults import LONG
from tests.faults.client import Client
from tests.faults.crowd import Crowd, wishes
from tests.faults.ledger import check_all, read_store, rebuild
from tests.faults.seating import kinds, sitting
from tests.faults.services import PostgreSQL, Redis
from tests.faults.serving import Server, serving
from tests.faults.test_kills import some_answers
from tests.faults.waiting import until


async def wander(crowd: Crowd, random: Random) -> None:
    """Somebody hangs up now and then, and comes back, perhaps to the other server."""
    while True:
        await asyncio.sleep(random.uniform(0.1, 0.5))
        await random.choice(crowd.clients).leave()


async def break_things(
    pair: list[Server], redis: Redis, crowd: Crowd, times: int, random: Random
) -> Counter[str]:
    """Kill one server or the other; each third time Redis instead."""
    broken: Counter[str] = Counter()
    for number in range(times):
        await some_answers(crowd, random.randrange(5, 30), 6.0)
        if number % 3 == 1:
            broken["failures of Redis"] += 1
            await asyncio.to_thread(redis.crash)
            await some_answers(crowd, random.randrange(30), 3.0)
            await asyncio.to_thread(redis.start)
        else:
            broken["kills"] += 1
            server = random.choice(pair)
            await server.kill()
            await some_answers(crowd, random.randrange(30), 3.0)
            await server.start()
    return broken


def test_two_servers_killed_and_redis_restarted_nothing_is_lost(
    postgres: PostgreSQL, redis: Redis, tmp_path: Path
) -> None:
    times, tables = (120, 8) if LONG else (4, 3)
    database = postgres.new_database()
    random = Random()

    async def run() -> Counter[str]:
        channels = ("--channels", redis.url)
        async with (
            serving(tmp_path / "a", database, *channels) as a,
            serving(tmp_path / "b", database, *channels) as b,
        ):
            crowd = Crowd(random, lambda: random.choice([a.address, b.address]))
            await crowd.gather(a, wishes(tables, random))
            async with crowd.at_play():
                await until(lambda: crowd.answers > 10, "ten answers")
                wandering = asyncio.create_task(wander(crowd, random))
                broken = await break_things([a, b], redis, crowd, times, random)
                wandering.cancel()
        return check_all(crowd.parties, await read_store(database)) + broken

    counts = asyncio.run(run())
    print(dict(counts))
    assert counts["moves of bots"] > 0


@contextlib.asynccontextmanager
async def two_servers(
    folder: Path, postgres: PostgreSQL, redis: Redis, *for_first: str
) -> AsyncIterator[tuple[Server, Server]]:
    """Two servers on a new database; something may be said to the first alone."""
    more = (postgres.new_database(), "--channels", redis.url)
    async with serving(folder / "a", *more, *for_first) as a, serving(folder / "b", *more) as b:
        yield a, b


PAIR = {"game": "shokoba", "seats": [None, None]}


def to_act(people: list[Client]) -> Client:
    """Whose turn it is."""
    view = people[0].view
    assert view is not None
    turn: int = view["to_act"]
    return people[turn]


async def play_one(people: list[Client]) -> None:
    """Let whoever is to act make the first legal move."""
    person = to_act(people)
    await until(lambda: not person.busy, "an answer")
    assert person.view is not None
    await person.ask(do="move", move=person.view["legal"][0], version=person.version)
    await until(lambda: not person.busy, "an answer")


async def meet(one: Client, two: Client) -> None:
    """Both are at the table, and it is known at each other's server."""
    await until(lambda: set(one.present) == {0, 1}, "both are present, told at a")
    await until(lambda: set(two.present) == {0, 1}, "both are present, told at b")
    refused = await two.ask(do="hand", seat=0, level="easy")
    await until(lambda: refused in two.refused, "who is at the other server is present")


async def run_out_of_time(two: Client) -> None:
    """Nobody moves, but a bot and the clock."""
    await until(lambda: kinds(two).count("handed") == 2, "both run out of time")
    version = two.version
    await until(lambda: two.version > version + 10, "bots play for everybody")


async def be_played_for(two: Client) -> None:
    """Who was at the server that was killed counts as away."""
    await until(lambda: two.present == [1], "who was at the other server is away")
    handed = await two.ask(do="hand", seat=0, level="easy")
    await until(lambda: handed in two.done, "a bot plays for who is away")


def test_when_a_server_is_killed_another_goes_on_for_it_and_who_was_there_is_away(
    postgres: PostgreSQL, redis: Redis, tmp_path: Path
) -> None:
    # The bot is to act first. At the first server, where the game begins, it takes its time: it is
    # the second that must ask it.
    timed = {"game": "shokoba", "seats": [None, None, "easy"], "options": {"first": 1}}
    clock = {"per": "move", "seconds": 5}

    async def run() -> None:
        async with (
            two_servers(tmp_path, postgres, redis, "--bot-delay", "60") as (a, b),
            sitting(a, [a, b], **PAIR) as (one, two),
        ):
            await meet(one, two)
            async with sitting(a, [b, a], **timed, clock=clock) as (waiting, _):
                await until(lambda: waiting.view is not None, "the game begins")
                await a.kill()
                await asyncio.gather(run_out_of_time(waiting), be_played_for(two))
            await a.start()
            await until(lambda: "returned" in kinds(two), "who comes back plays again")
            await until(lambda: two.present == [0, 1], "and is present")
        rows = (await read_store(b.database)).logs[waiting.table]
        rebuild(waiting.table, rows)
        handed = [row.event["seat"] for row in rows if row.event["kind"] == "handed"]
        assert sorted(handed) == [0, 1]
        moved = [row.event["seat"] for row in rows if row.event["kind"] == "moved"]
        assert moved[0] == 2

    asyncio.run(run())


def test_redis_may_fail_and_hang_without_anybody_missing_anything(
    postgres: PostgreSQL, redis: Redis, tmp_path: Path
) -> None:
    async def both_know(people: list[Client]) -> None:
        version = max(person.version for person in people)
        await until(lambda: all(p.version >= version for p in people), "both have heard of it")

    async def run() -> None:
        async with (
            two_servers(tmp_path, postgres, redis) as (a, b),
            sitting(a, [a, b], **PAIR) as people,
        ):
            await until(lambda: all(p.view is not None for p in people), "the game begins")
            redis.crash()
            try:
                await play_one(people)
                await both_know(people)
            finally:
                redis.start()
            await play_one(people)
            await both_know(people)
            redis.pause()
            try:
                await play_one(people)
                await both_know(people)
            finally:
                redis.resume()

    asyncio.run(run())
