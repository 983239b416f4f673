"""A full disk: a request that cannot be stored is refused and changes nothing, nothing is damaged,
and when there is space again everything continues by itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Protocol

import httpx
import pytest

from tests.faults.random_players import RandomPlayers, create_player, table_requests
from tests.faults.server import Server
from tests.faults.store_check import check_all, read_store
from tests.faults.waiting import until, until_health


class Disk(Protocol):
    """A disk that can be filled."""

    folder: Path

    def fill(self, server: Server) -> None:
        """Leave no space."""

    def clear(self, server: Server) -> None:
        """Free the space."""


class FileSizeLimit:
    """A server whose files may not grow, as with `ulimit -f` but while it runs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def fill(self, server: Server) -> None:
        server.limit_file_size((self.folder / "tables.sqlite-wal").stat().st_size)

    def clear(self, server: Server) -> None:
        server.limit_file_size(None)


class TinyDisk:
    """A disk of two megabytes in memory; only root can mount one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._filler = folder / "filler"

    def fill(self, server: Server) -> None:
        with contextlib.suppress(OSError), self._filler.open("wb", buffering=0) as filler:
            while True:
                filler.write(bytes(512))

    def clear(self, server: Server) -> None:
        self._filler.unlink()


@pytest.fixture(params=["limit", "tiny"])
def disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Disk]:
    """Both ways to run out of disk space."""
    if request.param == "limit":
        yield FileSizeLimit(tmp_path)
        return
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(tmp_path)]
    done = subprocess.run(mount, check=False, capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"no disk can be mounted ({done.stderr.strip()}); the size limit is tested")
    try:
        yield TinyDisk(tmp_path)
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)


async def create_players_until_refused(server: Server) -> httpx.Response:
    """Create players until no more can be stored; the response to the last one."""
    while True:
        try:
            await create_player(server, "New player")
        except httpx.HTTPStatusError as refused:
            return refused.response


async def fill_and_clear(disk: Disk, logs: Path) -> None:
    random = Random()
    database = str(disk.folder / "tables.sqlite")
    server = Server(logs, database)
    await server.start()
    players = RandomPlayers(random, lambda: server.address)

    def refusals() -> list[dict[str, Any]]:
        return [refused for client in players.clients for refused in client.not_stored]

    try:
        await players.open_tables(server, table_requests(3, random))
        async with players.playing():
            await until(lambda: players.acknowledged_count > 20, "twenty replies")
            await until_health(server, 200)
            disk.fill(server)
            await until(lambda: len(refusals()) > 0, "a refusal")
            health = await until_health(server, 503)
            assert health["status"] == "bad"
            assert "nothing was done" in health["store"]
            refused = await create_players_until_refused(server)
            assert refused.status_code == 503
            assert "nothing was done" in refused.json()["why"]

            before = await read_store(database)
            count = len(refusals())
            await until(lambda: len(refusals()) > count + 5, "more refusals")
            assert await read_store(database) == before

            disk.clear(server)
            await until_health(server, 200)
            acknowledged = players.acknowledged_count
            await until(
                lambda: players.acknowledged_count > acknowledged + 20, "twenty more replies"
            )
    finally:
        await server.kill()
    check_all(players.tables, await read_store(database))
    assert all("nothing was done" in refused["why"] for refused in refusals())
    assert server.logged_errors() == []
    with contextlib.closing(sqlite3.connect(database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_a_full_disk_refuses_requests_and_play_continues_when_there_is_space(
    disk: Disk, tmp_path_factory: pytest.TempPathFactory
) -> None:
    asyncio.run(fill_and_clear(disk, tmp_path_factory.mktemp("logs")))
