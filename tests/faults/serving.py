"""A real `theriac serve`, which can be killed at any moment and started again."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import resource
import signal
import ssl
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import psutil

#: There is none here, and loading certificates takes longer than a request.
_NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
#: How long a server may take to start or to stop, in seconds: this machine may be busy.
LONGEST = 120.0


class Server:
    """One process on a store. Each start takes another port; `address` is None in between."""

    def __init__(self, folder: Path, database: str, *more: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.address: str | None = None
        self.database = database
        self.starts = 0
        self._log = folder / "log.jsonl"
        self._command = [sys.executable, "-m", "theriac", "serve", "--port", "0"]
        self._command += ["--bot-delay", "0", "--bot-workers", "1", "--database", database, *more]
        self._process: Process | None = None

    async def start(self) -> None:
        """Start, and wait until it serves."""
        await self.begin()
        assert self._process is not None
        assert self._process.stdout is not None
        line = await asyncio.wait_for(self._process.stdout.readline(), LONGEST)
        said = line.decode()
        assert said.startswith("Serving on http://"), f"it does not start: {said}{self.log_tail()}"
        self.address = said.strip().removeprefix("Serving on http://")

    async def begin(self) -> None:
        """Start, and wait for nothing."""
        self.starts += 1
        # Interpreted rules are the same rules, and a server that loads no compiled ones starts
        # sooner and can be killed more often.
        environment = {**os.environ, "THERIAC_JIT": "0"}
        with self._log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *self._command, stdin=DEVNULL, stdout=PIPE, stderr=log, env=environment
            )

    async def kill(self) -> None:
        """End it between two instructions."""
        await self._end(signal.SIGKILL)

    async def stop(self) -> int:
        """Ask it to stop; its exit status."""
        return await self._end(signal.SIGTERM)

    async def _end(self, how: signal.Signals) -> int:
        assert self._process is not None
        self.address = None
        if self._process.returncode is None:
            self._process.send_signal(how)
        status = await asyncio.wait_for(self._process.wait(), LONGEST)
        self._process = None
        return status

    @property
    def running(self) -> bool:
        """Is there a process?"""
        return self._process is not None

    def children(self) -> list[int]:
        """The processes that it has started, and theirs."""
        assert self._process is not None
        return _children(self._process.pid)

    def allow_files_of(self, size: int | None) -> None:
        """Let no file of the server grow beyond a size; None: any."""
        assert self._process is not None
        most = resource.prlimit(self._process.pid, resource.RLIMIT_FSIZE)[1]
        soft = most if size is None else size
        resource.prlimit(self._process.pid, resource.RLIMIT_FSIZE, (soft, most))

    def log_tail(self) -> str:
        """The end of what it wrote down."""
        return self._log.read_text()[-3000:]

    def mistakes(self) -> list[str]:
        """What it wrote down as errors: there must be none, whatever happens."""
        lines = self._log.read_text().splitlines()
        errors = [line for line in lines if '"level":"error"' in line or '"critical"' in line]
        return errors + [trace for trace in _traces(lines) if not _orphaned(trace)]

    async def ask(self, method: str, path: str, key: str | None = None, **more: Any) -> Any:
        """What it answers over HTTP; raises `httpx.HTTPError`."""
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        base = f"http://{self.address}"
        async with httpx.AsyncClient(base_url=base, timeout=LONGEST, verify=_NO_TLS) as http:
            answer = await http.request(method, path, headers=headers, **more)
            answer.raise_for_status()
            return answer.json()


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


def _traces(lines: list[str]) -> list[str]:
    """What was printed of exceptions that nobody caught: not in lines of JSON."""
    groups = itertools.groupby(lines, lambda line: line.startswith("{"))
    printed = ["\n".join(group) for is_json, group in groups if not is_json]
    return [text for text in printed if "Traceback" in text]


def _orphaned(trace: str) -> bool:
    """Is it of a process for bots whose server was killed while it was starting it? Python itself
    complains then: it was to be told what to do, and is not.
    """
    return "multiprocessing/spawn.py" in trace and "EOFError: Ran out of input" in trace


def _children(pid: int) -> list[int]:
    """Of all its threads: the supervisor starts workers from threads of their own."""
    return [child.pid for child in psutil.Process(pid).children(recursive=True)]


def alive(pid: int) -> bool:
    """Is there a process of this number that does more than wait to be buried?"""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
