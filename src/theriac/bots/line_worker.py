"""A program that reads and writes lines, each a JSON object, as a supervised worker."""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from theriac.bots.protocol import MAX_LINE_BYTES, Message, read_line, write_line
from theriac.bots.supervisor import WorkerEnded, WorkerTimeout, kill_tree
from theriac.faults import Fault, quote

#: Seconds to wait for the exit status of a program that has closed its output, and for threads.
_EXIT_TIMEOUT = 1.0
#: Unread lines that are kept. Even one that nobody asked for is against the protocol.
_MAX_UNREAD_LINES = 4


class LineWorker:
    """A running program; `log` is a file that its standard error is appended to.

    Each stream has a thread, so that a program that neither reads nor writes blocks no caller.
    """

    def __init__(self, command: list[str], log: str = "") -> None:
        self._lines: queue.Queue[bytes | None] = queue.Queue(_MAX_UNREAD_LINES)
        self._to_send: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._last_error_line = ""
        self._stopped = False
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(  # noqa: S603
                command, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
            )
        except (OSError, ValueError) as error:
            raise Fault(f"cannot be started: {error}") from None
        stdin, stdout, stderr = self._process.stdin, self._process.stdout, self._process.stderr
        assert stdin is not None
        assert stdout is not None
        assert stderr is not None
        self._threads = [
            _start_thread(self._write, stdin),
            _start_thread(self._read, stdout),
            _start_thread(self._copy_errors, stderr, log),
        ]

    @property
    def pid(self) -> int:
        """The process id of the program."""
        return self._process.pid

    def send(self, message: Message) -> None:
        """Send a message; it is written by another thread."""
        self._to_send.put(write_line(message))

    def check_silent(self) -> None:
        """Raise `Fault` if the program has sent a line that nobody asked for, or has ended."""
        if not self._lines.empty():
            line = self._lines.get()
            raise Fault(f"said {_shorten(line)} without being asked") if line else self._ended()

    def receive(self, timeout: float) -> Message:
        """The next message; raises `WorkerTimeout`, `WorkerEnded`, or `Fault` for other text."""
        try:
            line = self._lines.get(timeout=timeout)
        except queue.Empty:
            raise WorkerTimeout(f"gave no answer within {timeout:g} seconds") from None
        if line is None:
            raise self._ended()
        try:
            return read_line(line)
        except Fault as fault:
            raise Fault(f"answered {fault}") from None

    def stop(self, grace: float) -> None:
        """End its input, wait this many seconds for it to exit, then kill what it has started."""
        if self._stopped:
            return
        self._stopped = True
        self._to_send.put(None)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(grace)
        kill_tree(self.pid)
        self._process.wait()
        for thread in self._threads:
            thread.join(_EXIT_TIMEOUT)

    def _ended(self) -> WorkerEnded:
        """How the program ended, with the last line of its standard error."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_EXIT_TIMEOUT)
        self._threads[-1].join(_EXIT_TIMEOUT)
        status = self._process.poll()
        how = "closed its output" if status is None else f"ended with status {status}"
        return WorkerEnded(f"{how}: {self._last_error_line}" if self._last_error_line else how)

    # Each of these runs in its own thread, and closes its stream.

    def _write(self, stream: IO[bytes]) -> None:
        with contextlib.suppress(OSError), stream:
            while line := self._to_send.get():
                stream.write(line)
                stream.flush()

    def _read(self, stream: IO[bytes]) -> None:
        with stream, contextlib.suppress(queue.Full):
            while line := stream.readline(MAX_LINE_BYTES + 1):
                self._lines.put_nowait(line)
            self._lines.put_nowait(None)

    def _copy_errors(self, stream: IO[bytes], log: str) -> None:
        with contextlib.suppress(OSError), stream, Path(log or os.devnull).open("ab", 0) as file:
            while line := stream.readline(MAX_LINE_BYTES):
                self._last_error_line = _shorten(line) if line.strip() else self._last_error_line
                file.write(line)


def _start_thread(work: Callable[..., None], *arguments: Any) -> threading.Thread:
    thread = threading.Thread(target=work, args=arguments, daemon=True)
    thread.start()
    return thread


def _shorten(line: bytes) -> str:
    return quote(line.decode(errors="replace").strip(), 200)
