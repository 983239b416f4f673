"""A disk that is full: what cannot be written down is refused and has not happened, nothing is
damaged, and when there is room again everything goes on by itself.
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

from tests.faults.crowd import Crowd, admit, wishes
from tests.faults.ledger import check_all, read_store
from tests.faults.serving import Server
from tests.faults.waiting import until, until_health


class Disk(Protocol):
    """A disk that can be filled."""

    folder: Path

    def fill(self, server: Server) -> None:
        """Leave no room."""

    def clear(self, server: Server) -> None:
        """Make room."""


class Limit:
    """Any disk, and a server whose files may not grow: what `ulimit -f` does, while it runs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def fill(self, server: Server) -> None:
        server.allow_files_of((self.folder / "tables.sqlite-wal").stat().st_size)

    def clear(self, server: Server) -> None:
        server.allow_files_of(None)


class Tiny:
    """A disk of two megabytes in memory: only root can mount one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._rubbish = folder / "rubbish"

    def fill(self, server: Server) -> None:
        with contextlib.suppress(OSError), self._rubbish.open("wb", buffering=0) as rubbish:
            while True:
                rubbish.write(bytes(512))

    def clear(self, server: Server) -> None:
        self._rubbish.unlink()


@pytest.fixture(params=["limit", "tiny"])
def disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Disk]:
    """Both ways to run out of room."""
    if request.param == "limit":
        yield Limit(tmp_path)
        return
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(tmp_path)]
    done = subprocess.run(mount, check=False, capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"no disk can be mounted here ({done.stderr.strip()}); limits are tested")
    try:
        yield Tiny(tmp_path)
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)


async def send_away(server: Server) -> httpx.Response:
    """Let newcomers come until there is really no room for one more; what that one is told."""
    while True:
        try:
            await admit(server, "Newcomer")
        except httpx.HTTPStatusError as refused:
            return refused.response


async def fill_and_clear(disk: Disk, logs: Path) -> None:
    random = Random()
    database = str(disk.folder / "tables.sqlite")
    server = Server(logs, database)
    await server.start()
    crowd = Crowd(random, lambda: server.address)

    def refusals() -> list[dict[str, Any]]:
        return [refused for client in crowd.clients for refused in client.put_off]

    try:
        await crowd.gather(server, wishes(3, random))
        async with crowd.at_play():
            await until(lambda: crowd.answers > 20, "twenty answers")
            await until_health(server, 200)
            disk.fill(server)
            await until(lambda: len(refusals()) > 0, "a refusal")
            said = await until_health(server, 503)
            assert said["status"] == "bad"
            assert "nothing was done" in said["store"]
            refused = await send_away(server)
            assert refused.status_code == 503
            assert "nothing was done" in refused.json()["why"]

            before = await read_store(database)
            many = len(refusals())
            await until(lambda: len(refusals()) > many + 5, "more refusals")
            assert await read_store(database) == before

            disk.clear(server)
            await until_health(server, 200)
            answers = crowd.answers
            await until(lambda: crowd.answers > answers + 20, "twenty more answers")
    finally:
        await server.kill()
    check_all(crowd.parties, await read_store(database))
    assert all("nothing was done" in refused["why"] for refused in refusals())
    assert server.mistakes() == []
    with contextlib.closing(sqlite3.connect(database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_a_full_disk_refuses_and_everything_goes_on_when_there_is_room(
    disk: Disk, tmp_path_factory: pytest.TempPathFactory
) -> None:
    asyncio.run(fill_and_clear(disk, tmp_path_factory.mktemp("logs")))
