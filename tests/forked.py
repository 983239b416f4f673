"""Processes of `theriac` that are forked from one that has imported everything (`tests.forker`).

Importing is the same every time, and takes most of the time of a short command or of the start of a
server. A forked one is a process of its own as any other: it opens its files, sockets and bots
itself, has its own environment, can be interrupted and killed, and exits as Python exits.
"""

from __future__ import annotations

import atexit
import functools
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

ROOT = Path(__file__).parent.parent
#: The environment of the process that forks. Python and some packages read it when they start.
_AT_START = dict(os.environ)
#: What they read then. Packages such as Ray set other variables of this process, for themselves.
_READ_FIRST = ("FORCE_COLOR", "LANG", "LC_", "NO_COLOR", "NUMBA_", "PYTHON", "TERM", "TZ")
#: What a command reads later.
_READ_LATER = ("COLUMNS", "HOME", "PATH", "PYTEST_", "THERIAC_", "XDG_")


def can_fork(environment: Mapping[str, str]) -> bool:
    """Can a process with this environment be forked, or would it differ from its first line on?"""
    given = {name for name, _ in environment.items() ^ os.environ.items()}
    differ = {name for name, _ in environment.items() ^ _AT_START.items()}
    return (
        sys.platform == "linux"
        and all(name.startswith(_READ_LATER) for name in given)
        and not any(name.startswith(_READ_FIRST) for name in differ)
    )


class ForkedProcess:
    """A forked process: the part of `subprocess.Popen` that tests use."""

    def __init__(
        self,
        arguments: list[str],
        folder: Path,
        environment: Mapping[str, str],
        *,
        stdin: int | None = None,
        stderr: int | None = None,
    ) -> None:
        """Without `stdin` it has no input; without `stderr` there is a pipe."""
        self.args = arguments
        self.returncode: int | None = None
        self.stdin: BinaryIO | None = None
        self.stderr: BinaryIO | None = None
        given: list[int] = []
        if stdin == subprocess.PIPE:
            its, ours = os.pipe()
            self.stdin = os.fdopen(ours, "wb", 0)
        else:
            its = os.open(os.devnull, os.O_RDONLY)
        given.append(its)
        ours, its = os.pipe()
        self.stdout: BinaryIO = os.fdopen(ours, "rb")
        given.append(its)
        if stderr is None:
            ours, its = os.pipe()
            self.stderr = os.fdopen(ours, "rb")
            given.append(its)
        else:
            given.append(os.dup(stderr))
        self._status, its = os.pipe()
        given.append(its)
        order = {
            "arguments": arguments,
            "folder": str(folder),
            "environment": dict(environment),
        }
        self.pid = _forker().fork(json.dumps(order).encode(), given)
        for descriptor in given:
            os.close(descriptor)

    def poll(self) -> int | None:
        """Its exit status, if it has ended."""
        return self._ended(0)

    def wait(self, timeout: float | None = None) -> int:
        """Wait until it has ended; its exit status."""
        status = self._ended(timeout)
        if status is None:
            raise subprocess.TimeoutExpired(self.args, timeout or 0)
        return status

    def _ended(self, timeout: float | None) -> int | None:
        if self.returncode is None and select.select([self._status], [], [], timeout)[0]:
            self.returncode = int(os.read(self._status, 10))
            os.close(self._status)
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill it."""
        self.send_signal(signal.SIGKILL)

    def communicate(
        self, given: bytes | None = None, timeout: float | None = None
    ) -> tuple[bytes, bytes]:
        """Write its whole input, and read its whole output."""
        written = threading.Thread(target=self._write, args=[given or b""])
        said: dict[str, bytes] = {}
        reading = [
            threading.Thread(target=lambda name=name, file=file: said.update({name: file.read()}))
            for name, file in (("out", self.stdout), ("err", self.stderr))
            if file is not None
        ]
        for thread in (written, *reading):
            thread.start()
        try:
            self.wait(timeout)
        except subprocess.TimeoutExpired:
            self.kill()
            raise
        finally:
            for thread in (written, *reading):
                thread.join()
        self._close()
        return said["out"], said.get("err", b"")

    def _close(self) -> None:
        for file in (self.stdin, self.stdout, self.stderr):
            if file is not None:
                file.close()

    def _write(self, given: bytes) -> None:
        if self.stdin is not None:
            try:
                self.stdin.write(given)
                self.stdin.close()
            except BrokenPipeError:  # it has ended without reading all
                pass

    def __enter__(self) -> ForkedProcess:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Wait for it as `subprocess.Popen` does."""
        self._close()
        self.wait()


class _Orders:
    """The process that forks, and the socket to it."""

    def __init__(self) -> None:
        self._socket, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with its:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.forker", str(its.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[its.fileno()],
                cwd=ROOT,
                env=_AT_START,
            )
        self._lock = threading.Lock()
        atexit.register(self._close)

    def fork(self, order: bytes, streams: list[int]) -> int:
        """Fork; the id of the new process."""
        with self._lock:
            socket.send_fds(self._socket, [order], streams)
            answer = self._socket.recv(20)
        assert answer, "the process that forks has ended"
        return int(answer)

    def _close(self) -> None:
        self._socket.close()
        self._process.wait()


@functools.cache
def _forker() -> _Orders:
    """One for all tests of this process."""
    return _Orders()
