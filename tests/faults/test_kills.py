"""A server that is killed at random moments: nothing that was acknowledged is lost, and nobody was
told of anything that is not on disk.
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
from tests.faults.crowd import Crowd, admit, keep_opening, wishes
from tests.faults.ledger import check_all, read_store
from tests.faults.serving import Server, alive
from tests.faults.waiting import PATIENCE, until


async def some_answers(crowd: Crowd, most: int, seconds: float) -> None:
    """Wait until people have had so many more answers, or long enough."""
    enough = crowd.answers + most
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while crowd.answers < enough:
                await asyncio.sleep(0.001)


async def kill_again_and_again(server: Server, crowd: Crowd, times: int, random: Random) -> None:
    """Kill it soon or late after it serves, now and then before; start it each time."""
    for _ in range(times):
        await some_answers(crowd, random.randrange(20), 6.0)
        await asyncio.sleep(random.uniform(0.0, 0.05))
        await server.kill()
        if random.random() < 0.1:
            await server.begin()
            await asyncio.sleep(random.uniform(0.5, 2.0))
            await server.kill()
        await server.start()


async def play_through_kills(folder: Path, database: str, kills: int, tables: int) -> Counter[str]:
    """Many people at many tables while the server is killed; what was counted."""
    random = Random()
    server = Server(folder, database)
    await server.start()
    crowd = Crowd(random, lambda: server.address)
    try:
        await crowd.gather(server, wishes(tables, random))
        async with crowd.at_play():
            opening = asyncio.create_task(
                keep_opening(lambda: server if server.address else None, random)
            )
            await kill_again_and_again(server, crowd, kills, random)
            await until(lambda: crowd.moves > 20, "twenty moves")
            opening.cancel()
            opened = await opening
    finally:
        if server.running:
            await server.kill()
    shelf = await read_store(database)
    counts = check_all(crowd.parties, shelf)
    assert all(shelf.logs[name][0].event["kind"] == "opened" for name in opened)
    assert server.mistakes() == []
    counts["kills"], counts["tables opened meanwhile"] = server.starts - 1, len(opened)
    return counts


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_killed_at_random_moments_nothing_is_lost(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if kind == "sqlite":
        database = str(tmp_path / "tables.sqlite")
    else:
        database = request.getfixturevalue("postgres").new_database()
    kills, tables = (300, 10) if LONG else (4, 4)
    counts = asyncio.run(play_through_kills(tmp_path, database, kills, tables))
    print(f"{kind}: {dict(counts)}")
    assert counts["kills"] >= kills
    assert counts["moves"] > 20


async def _kill_while_a_bot_plays(folder: Path) -> list[int]:
    """The processes that a server had when it was killed."""
    server = Server(folder, str(folder / "tables.sqlite"))
    await server.start()
    try:
        key = await admit(server, "Ana")
        await server.ask("POST", "/api/tables", key, json={"game": "poison", "seats": ["easy"] * 3})
        await until(lambda: len(server.children()) > 0, "a bot thinks")
        children = server.children()
    finally:
        await server.kill()
    return children


def test_a_killed_server_leaves_no_process_behind(tmp_path: Path) -> None:
    left = asyncio.run(_kill_while_a_bot_plays(tmp_path))
    assert left
    ends = time.monotonic() + PATIENCE
    while any(alive(pid) for pid in left) and time.monotonic() < ends:
        time.sleep(0.05)
    assert [pid for pid in left if alive(pid)] == []
