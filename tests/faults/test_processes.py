"""Two servers on one PostgreSQL with Redis between them: people at the same table sit at different
servers and move from one to the other, a server is killed, Redis fails and comes back.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from random import Random

from tests.faults import LONG
from tests.faults.crowd import Crowd, wishes
from tests.faults.ledger import check_all, read_store
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
    assert counts["moves"] > 20
    assert counts["moves of bots"] > 0
