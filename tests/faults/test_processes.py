"""Two servers on one PostgreSQL with Redis between them: the players of a table use different
servers and switch between them, a server is killed, Redis fails and comes back.
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
from tests.faults.idle_table import kinds, seated_clients
from tests.faults.random_players import RandomPlayers, table_requests
from tests.faults.server import Server, serving
from tests.faults.services import PostgreSQL, Redis
from tests.faults.store_check import check_all, read_store, rebuild
from tests.faults.test_kills import wait_for_replies
from tests.faults.waiting import until


async def keep_disconnecting(players: RandomPlayers, random: Random) -> None:
    """Disconnect a random client at intervals; it reconnects, perhaps to the other server."""
    while True:
        await asyncio.sleep(random.uniform(0.1, 0.5))
        await random.choice(players.clients).disconnect()


async def cause_faults(
    pair: list[Server], redis: Redis, players: RandomPlayers, times: int, random: Random
) -> Counter[str]:
    """Kill one server or the other, and every third time Redis instead."""
    faults: Counter[str] = Counter()
    for number in range(times):
        await wait_for_replies(players, random.randrange(5, 30), 6.0)
        if number % 3 == 1:
            faults["failures of Redis"] += 1
            await asyncio.to_thread(redis.crash)
            await wait_for_replies(players, random.randrange(30), 3.0)
            await asyncio.to_thread(redis.start)
        else:
            faults["kills"] += 1
            server = random.choice(pair)
            await server.kill()
            await wait_for_replies(players, random.randrange(30), 3.0)
            await server.start()
    return faults


def test_nothing_is_lost_when_two_servers_are_killed_and_redis_restarts(
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
            players = RandomPlayers(random, lambda: random.choice([a.address, b.address]))
            await players.open_tables(a, table_requests(tables, random))
            async with players.playing():
                await until(lambda: players.acknowledged_count > 10, "ten replies")
                disconnecting = asyncio.create_task(keep_disconnecting(players, random))
                faults = await cause_faults([a, b], redis, players, times, random)
                disconnecting.cancel()
        return check_all(players.tables, await read_store(database)) + faults

    counts = asyncio.run(run())
    print(dict(counts))
    assert counts["moves of bots"] > 0


@contextlib.asynccontextmanager
async def two_servers(
    folder: Path, postgres: PostgreSQL, redis: Redis, *for_first: str
) -> AsyncIterator[tuple[Server, Server]]:
    """Two servers on a new database; `for_first` are more arguments for the first."""
    arguments = (postgres.new_database(), "--channels", redis.url, "--absence-grace", "0")
    async with (
        serving(folder / "a", *arguments, *for_first) as a,
        serving(folder / "b", *arguments) as b,
    ):
        yield a, b


PAIR = {"game": "shokoba", "seats": [None, None]}


def to_act(clients: list[Client]) -> Client:
    """The client whose turn it is."""
    view = clients[0].view
    assert view is not None
    turn: int = view["to_act"]
    return clients[turn]


async def play_one(clients: list[Client]) -> None:
    """Make the first legal move for the client to act."""
    client = to_act(clients)
    await until(lambda: not client.busy, "a reply")
    assert client.view is not None
    await client.ask(do="move", move=client.view["legal"][0], version=client.version)
    await until(lambda: not client.busy, "a reply")


async def wait_for_both(one: Client, two: Client) -> None:
    """Wait until both are present, as seen from both servers."""
    await until(lambda: set(one.present) == {0, 1}, "both are present at a")
    await until(lambda: set(two.present) == {0, 1}, "both are present at b")
    refused = await two.ask(do="hand", seat=0)
    await until(lambda: refused in two.refused, "a player on the other server is present")


async def expect_timeouts(two: Client) -> None:
    """Wait until both players run out of time and bots play for them."""
    await until(lambda: kinds(two).count("handed") == 2, "both run out of time")
    version = two.version
    await until(lambda: two.version > version + 10, "bots play for both")


async def hand_absent_seat(two: Client) -> None:
    """Hand the seat of a player on the killed server, who counts as absent, to a bot."""
    await until(lambda: two.present == [1], "the player on the killed server is absent")
    for _ in range(30):
        handed = await two.ask(do="hand", seat=0)
        await until(lambda: not two.busy, "a reply")
        if handed in two.acknowledged:
            return
        await asyncio.sleep(1)  # until the killed server's last heartbeat is old
    raise AssertionError("no bot plays for the absent player")


def test_another_server_takes_over_from_a_killed_one_and_its_players_are_absent(
    postgres: PostgreSQL, redis: Redis, tmp_path: Path
) -> None:
    # The bot is to act first. The first server, where the game begins, would wait a minute before
    # it asks the bot, so the second must do it.
    timed = {"game": "shokoba", "seats": [None, None, "easy"], "options": {"first": 1}}
    clock = {"per": "move", "seconds": 5}

    async def run() -> None:
        async with (
            two_servers(tmp_path, postgres, redis, "--bot-delay", "60") as (
                a,
                b,
            ),
            seated_clients(a, [a, b], **PAIR) as (one, two),
        ):
            await wait_for_both(one, two)
            async with seated_clients(a, [b, a], **timed, clock=clock) as (waiting, _):
                await until(lambda: waiting.view is not None, "the game begins")
                await a.kill()
                await asyncio.gather(expect_timeouts(waiting), hand_absent_seat(two))
            await a.start()
            await until(lambda: "returned" in kinds(two), "a player who reconnects plays again")
            await until(lambda: two.present == [0, 1], "and is present")
        rows = (await read_store(b.database)).logs[waiting.table]
        rebuild(waiting.table, rows)
        handed = [row.event["seat"] for row in rows if row.event["kind"] == "handed"]
        assert sorted(handed) == [0, 1]
        moved = [row.event["seat"] for row in rows if row.event["kind"] == "moved"]
        assert moved[0] == 2

    asyncio.run(run())


def test_no_client_misses_an_event_when_redis_fails_or_hangs(
    postgres: PostgreSQL, redis: Redis, tmp_path: Path
) -> None:
    async def wait_for_same_version(clients: list[Client]) -> None:
        version = max(client.version for client in clients)
        await until(lambda: all(p.version >= version for p in clients), "both have the event")

    async def run() -> None:
        async with (
            two_servers(tmp_path, postgres, redis) as (a, b),
            seated_clients(a, [a, b], **PAIR) as clients,
        ):
            await until(lambda: all(p.view is not None for p in clients), "the game begins")
            redis.crash()
            try:
                await play_one(clients)
                await wait_for_same_version(clients)
            finally:
                redis.start()
            await play_one(clients)
            await wait_for_same_version(clients)
            redis.pause()
            try:
                await play_one(clients)
                await wait_for_same_version(clients)
            finally:
                redis.resume()

    asyncio.run(run())
