"""A real `theriac serve` that can be killed at any moment and started again."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import resource
import signal
import ssl
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Protocol

import httpx
import psutil

from tests.forked import ForkedProcess, can_fork

#: These tests use no TLS, and loading certificates takes longer than a request.
_NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
#: How long a server may take to start, to stop or to respond: the machine may be busy.
START_TIMEOUT_S = STOP_TIMEOUT_S = RESPONSE_TIMEOUT_S = 120.0


class Output(Protocol):
    """The standard output of a server."""

    async def readline(self) -> bytes:
        """The next line."""


class Process(Protocol):
    """A server process: one of `asyncio.subprocess`, or a forked one."""

    @property
    def pid(self) -> int:
        """Its id."""

    @property
    def returncode(self) -> int | None:
        """Its exit status; None while it runs."""

    @property
    def stdout(self) -> Output | None:
        """What it prints."""

    def send_signal(self, number: signal.Signals, /) -> None:
        """Send it a signal."""

    async def wait(self) -> int:
        """Wait until it has ended; its exit status."""


class _Forked:
    """A forked server."""

    def __init__(self, process: ForkedProcess) -> None:
        self._process = process
        self.pid = process.pid
        self.stdout = self

    @property
    def returncode(self) -> int | None:
        return self._process.poll()

    async def readline(self) -> bytes:
        return await asyncio.to_thread(self._process.stdout.readline)

    def send_signal(self, number: signal.Signals, /) -> None:
        self._process.send_signal(number)

    async def wait(self) -> int:
        status = await asyncio.to_thread(self._process.wait)
        self._process.stdout.close()
        return status


class Server:
    """A server process on a store. Each start takes another port; `address` is None in between."""

    #: The module that is run, and its first arguments.
    program: tuple[str, ...] = ("theriac",)

    def __init__(self, folder: Path, database: str, *arguments: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.address: str | None = None
        self.database = database
        self.starts = 0
        self._log = folder / "log.jsonl"
        self._command = [sys.executable, "-m", *self.program, "serve", "--port", "0"]
        # All clients come from this machine, and connect again as often as they can.
        for limit in ("connection_rate", "connection_burst", "message_rate", "message_burst"):
            self._command += ["--limit", f"{limit}=1000000"]
        self._command += [
            "--bot-delay",
            "0",
            "--bot-workers",
            "1",
            "--database",
            database,
            *arguments,
        ]
        self._process: Process | None = None

    async def start(self) -> None:
        """Start it, and wait until it serves."""
        await self.begin()
        assert self._process is not None
        assert self._process.stdout is not None
        line = await asyncio.wait_for(self._process.stdout.readline(), START_TIMEOUT_S)
        first_line = line.decode()
        assert first_line.startswith("Serving on http://"), (
            f"it does not start: {first_line}{self.log_tail()}"
        )
        self.address = first_line.strip().removeprefix("Serving on http://")

    async def begin(self) -> None:
        """Start it without waiting."""
        self.starts += 1
        # Interpreted rules give the same results, and a server that loads no compiled ones starts
        # sooner and so can be killed more often.
        environment = {**os.environ, "THERIAC_JIT": "0"}
        with self._log.open("ab") as log:
            if self.program == ("theriac",) and can_fork(environment):
                arguments = self._command[3:]  # without the interpreter, -m and the module
                forked = ForkedProcess(arguments, Path.cwd(), environment, stderr=log.fileno())
                self._process = _Forked(forked)
            else:
                self._process = await asyncio.create_subprocess_exec(
                    *self._command, stdin=DEVNULL, stdout=PIPE, stderr=log, env=environment
                )

    async def kill(self) -> None:
        """Kill it with SIGKILL."""
        await self._end(signal.SIGKILL)

    async def stop(self) -> int:
        """Ask it to stop; its exit status."""
        return await self._end(signal.SIGTERM)

    async def _end(self, how: signal.Signals) -> int:
        assert self._process is not None
        self.address = None
        if self._process.returncode is None:
            self._process.send_signal(how)
        status = await asyncio.wait_for(self._process.wait(), STOP_TIMEOUT_S)
        self._process = None
        return status

    @property
    def memory(self) -> int:
        """Its resident memory, without that of its bots, in bytes."""
        assert self._process is not None
        return int(psutil.Process(self._process.pid).memory_info().rss)

    @property
    def running(self) -> bool:
        """Has it been started and not ended?"""
        return self._process is not None

    def children(self) -> list[int]:
        """The processes that it has started, and their children."""
        assert self._process is not None
        return _children(self._process.pid)

    def limit_file_size(self, size: int | None) -> None:
        """Let no file of the server grow beyond a size; None: no limit."""
        assert self._process is not None
        most = resource.prlimit(self._process.pid, resource.RLIMIT_FSIZE)[1]
        soft = most if size is None else size
        resource.prlimit(self._process.pid, resource.RLIMIT_FSIZE, (soft, most))

    def log_tail(self) -> str:
        """The end of its log."""
        return self._log.read_text()[-3000:]

    def logged_errors(self) -> list[str]:
        """The errors in its log; there must be none, whatever happens."""
        lines = self._log.read_text().splitlines()
        errors = [line for line in lines if '"level":"error"' in line or '"critical"' in line]
        return errors + [trace for trace in _traces(lines) if not _orphaned(trace)]

    async def ask(self, method: str, path: str, key: str | None = None, **more: Any) -> Any:
        """Send an HTTP request; the response. Raises `httpx.HTTPError`."""
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        base = f"http://{self.address}"
        async with httpx.AsyncClient(
            base_url=base, timeout=RESPONSE_TIMEOUT_S, verify=_NO_TLS
        ) as http:
            answer = await http.request(method, path, headers=headers, **more)
            answer.raise_for_status()
            return answer.json()


@contextlib.asynccontextmanager
async def serving(folder: Path, database: str, *arguments: str) -> AsyncIterator[Server]:
    """A server that must log no errors."""
    server = Server(folder, database, *arguments)
    await server.start()
    try:
        yield server
    finally:
        if server.running:
            await server.kill()
    assert server.logged_errors() == []


def _traces(lines: list[str]) -> list[str]:
    """The tracebacks of uncaught exceptions, which are not lines of JSON."""
    groups = itertools.groupby(lines, lambda line: line.startswith("{"))
    printed = ["\n".join(group) for is_json, group in groups if not is_json]
    return [text for text in printed if "Traceback" in text]


def _orphaned(trace: str) -> bool:
    """Is it from a bot process whose server was killed while starting it? Python itself prints that
    the pipe to the parent is closed.
    """
    return "multiprocessing/spawn.py" in trace and "EOFError: Ran out of input" in trace


def _children(pid: int) -> list[int]:
    """Of all threads: the supervisor starts workers from threads of their own."""
    return [child.pid for child in psutil.Process(pid).children(recursive=True)]


def alive(pid: int) -> bool:
    """Is there a process with this id that is not a zombie?"""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
