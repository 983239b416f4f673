"""A server that is killed at random moments: no acknowledged request is lost, and no client has
received an event that is not on disk.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from tests.faults import LONG
from tests.faults.random_players import (
    RandomPlayers,
    create_player,
    keep_opening_tables,
    table_requests,
)
from tests.faults.server import Server, alive
from tests.faults.store_check import check_all, read_store
from tests.faults.waiting import CONDITION_TIMEOUT_S, until

#: About how long a forked server takes to start, in seconds.
START_S = 0.5


async def wait_for_replies(players: RandomPlayers, count: int, seconds: float) -> None:
    """Wait until the players have received this many more replies, or for some seconds."""
    enough = players.acknowledged_count + count
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while players.acknowledged_count < enough:
                await asyncio.sleep(0.001)


async def kill_repeatedly(
    server: Server, players: RandomPlayers, times: int, random: Random
) -> None:
    """Kill the server at random times, sometimes while it starts, and restart it."""
    for _ in range(times):
        await wait_for_replies(players, random.randrange(20), 6.0)
        await asyncio.sleep(random.uniform(0.0, 0.05))
        await server.kill()
        if random.random() < 0.1:
            await server.begin()
            await asyncio.sleep(random.uniform(0.0, START_S))
            await server.kill()
        await server.start()


async def play_through_kills(folder: Path, database: str, kills: int, tables: int) -> Counter[str]:
    """Random players at many tables while the server is killed; the counts of the check."""
    random = Random()
    server = Server(folder, database)
    await server.start()
    players = RandomPlayers(random, lambda: server.address)
    try:
        await players.open_tables(server, table_requests(tables, random))
        async with players.playing():
            opening = asyncio.create_task(
                keep_opening_tables(lambda: server if server.address else None, random)
            )
            await kill_repeatedly(server, players, kills, random)
            await until(lambda: players.move_count > 20, "twenty moves")
            opening.cancel()
            opened = await opening
    finally:
        if server.running:
            await server.kill()
    contents = await read_store(database)
    counts = check_all(players.tables, contents)
    assert all(contents.logs[name][0].event["kind"] == "opened" for name in opened)
    assert server.logged_errors() == []
    counts["kills"], counts["tables opened meanwhile"] = server.starts - 1, len(opened)
    return counts


#: How often: rounds on each store, kills and tables in a round. Every round ends with all checks,
#: and the next one has new tables in the same store. The long form makes 1,000 kills in all.
ROUNDS, KILLS, TABLES = (10, 50, 10) if LONG else (1, 4, 4)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_nothing_is_lost_when_a_server_is_killed_at_random_moments(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if kind == "sqlite":
        database = str(tmp_path / "tables.sqlite")
    else:
        database = request.getfixturevalue("postgres").new_database()
    counts: Counter[str] = Counter()
    for number in range(1, ROUNDS + 1):
        folder = tmp_path / f"round {number}"
        counts += asyncio.run(play_through_kills(folder, database, KILLS, TABLES))
        print(f"{kind}, {number} of {ROUNDS} rounds: {dict(counts)}", flush=True)
    assert counts["kills"] >= ROUNDS * KILLS
    assert counts["moves"] > 20 * ROUNDS


async def _kill_while_a_bot_plays(folder: Path) -> list[int]:
    """The child processes of a server when it was killed."""
    server = Server(folder, str(folder / "tables.sqlite"))
    await server.start()
    try:
        key = await create_player(server, "Ana")
        await server.ask("POST", "/api/tables", key, json={"game": "poison", "seats": ["easy"] * 3})
        await until(lambda: len(server.children()) > 0, "a bot process starts")
        children = server.children()
    finally:
        await server.kill()
    return children


def test_a_killed_server_leaves_no_processes(tmp_path: Path) -> None:
    left = asyncio.run(_kill_while_a_bot_plays(tmp_path))
    assert left
    deadline = time.monotonic() + CONDITION_TIMEOUT_S
    while any(alive(pid) for pid in left) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert [pid for pid in left if alive(pid)] == []
