"""Servers that are forked from a process which has imported everything already (`forker.py`).

Importing takes most of the time until a server serves, and is the same every time. A forked one is
a process of its own as any other: it opens its files, sockets and bots itself, and dies of SIGKILL.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

from tests.faults.server import Server

#: How often to check for the first line of a server's output, and for its end, in seconds.
CHECK_INTERVAL_S = 0.005


class ForkedProcess:
    """A forked server: the part of `asyncio.subprocess.Process` that `Server` uses."""

    def __init__(self, pid: int, output: Path) -> None:
        self.pid = pid
        self.stdout = self
        self.returncode: int | None = None
        self._output = output
        self._signal = 0

    @property
    def _exists(self) -> bool:
        """Does one of its threads still run? A killed one may take a while, and holds its files."""
        return Path(f"/proc/{self.pid}").exists()

    async def readline(self) -> bytes:
        """The first line of its output; what there is if it ends before."""
        while self._exists:
            if b"\n" in (said := self._output.read_bytes()):
                return said
            await asyncio.sleep(CHECK_INTERVAL_S)
        return self._output.read_bytes()

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal, unless it has ended."""
        self._signal = number
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, number)

    async def wait(self) -> int:
        """Wait until it has ended. Its parent gets the exit status, and drops it."""
        while self._exists:
            await asyncio.sleep(CHECK_INTERVAL_S)
        self.returncode = -self._signal
        return self.returncode


class Forker:
    """The process that forks servers."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None

    async def fork(self, arguments: list[str], log: Path) -> ForkedProcess:
        """A new server, which appends to a log."""
        if self._process is None:
            environment = {**os.environ, "THERIAC_JIT": "0"}
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "tests.faults.forker"),
                stdin=PIPE,
                stdout=PIPE,
                env=environment,
            )
        assert self._process.stdin is not None and self._process.stdout is not None
        output = log.with_suffix(".out")
        output.write_bytes(b"")
        order = {"arguments": arguments, "log": str(log), "output": str(output)}
        self._process.stdin.write(json.dumps(order).encode() + b"\n")
        return ForkedProcess(int(await self._process.stdout.readline()), output)

    async def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            await self._process.wait()


class ForkedServer(Server):
    """A server that starts in a fraction of the time."""

    def __init__(self, forker: Forker, folder: Path, database: str, *arguments: str) -> None:
        super().__init__(folder, database, *arguments)
        self._forker = forker

    async def begin(self) -> None:
        """Start it without waiting."""
        self.starts += 1
        # Without the interpreter, -m and the module.
        self._process = await self._forker.fork(self._command[2 + len(self.program) :], self._log)
