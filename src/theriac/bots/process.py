"""A bot that is a program of its own: it is started, and asked in the line protocol."""

from __future__ import annotations

import contextlib
import os
import queue
import shlex
import shutil
import signal
import subprocess
import threading
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, ClassVar

from theriac.bots.base import Bot, Question
from theriac.bots.parameters import Parameter
from theriac.bots.protocol import (
    LONGEST,
    Message,
    read_line,
    tell_end,
    tell_hello,
    tell_question,
    write_line,
)
from theriac.faults import BadBot, Fault, quote

#: Seconds that a program has to leave when it is no longer needed.
_FAREWELL = 1.0
#: Lines that are kept while nobody waits for one. One is already one too many.
_UNASKED = 4


class ProcessBot(Bot):
    """Asks a program that speaks the line protocol: process:COMMAND, process:limit=5:COMMAND."""

    PARAMETERS: ClassVar = (
        Parameter("limit", 10.0, "seconds that the program has for an answer", 0.01, 3600),
        Parameter("start", 30.0, "seconds that it has for its first, while it starts", 0.01, 3600),
        Parameter("log", "", "a file that its standard error is added to"),
    )

    def __init__(
        self,
        name: str,
        seed: int = 0,
        *,
        command: str,
        limit: float = 10.0,
        start: float = 30.0,
        log: str = "",
    ) -> None:
        super().__init__(name, seed)
        self._words = _split(command)
        self._limit = limit
        self._start = start
        self._log = _check_log(log)
        self._program: Program | None = None
        self._greeted: Message | None = None

    def answer(self, question: Question) -> int:
        """What the program answers; if it fails, it is killed and the next answer begins anew."""
        try:
            return self._ask(question)
        except Fault as fault:
            self._stop(0)
            raise BadBot(self.name, str(fault)) from None

    def end(self, view: Mapping[str, Any]) -> None:
        """Tell the program; the next question begins with a greeting."""
        if self._program and self._greeted:
            self._program.send(tell_end(view))
        self._greeted = None

    def close(self) -> None:
        """Let the program go: its input ends. If it stays, it is killed."""
        self._stop(_FAREWELL)

    def _ask(self, question: Question) -> int:
        hello = tell_hello(question, self.seed, self._limit)
        if hello != self._greeted:
            self._greet(hello)
        asked = tell_question(question, self._limit)
        answer = self._exchange(asked, self._limit)
        if answer.get("move") not in asked["view"]["legal"]:
            raise Fault(f"answered {_show(answer, 'move')}, which is not a legal move")
        return question.settings.text.read(answer["move"])

    def _greet(self, hello: Message) -> None:
        """Greet the program, which is started if it does not run."""
        limit = self._limit
        if self._program is None:
            self._program = Program(self._words, self._log)
            weakref.finalize(self, self._program.stop, 0)
            limit = max(limit, self._start)
        answer = self._exchange(hello, limit)
        if not isinstance(answer.get("name"), str):
            raise Fault(f"answered the greeting with {_show(answer, 'name')}, which is not a name")
        self._greeted = hello

    def _exchange(self, message: Message, limit: float) -> Message:
        assert self._program is not None
        answer = self._program.exchange(message, limit)
        if "error" in answer:
            raise Fault(f"gave up: {quote(answer['error'], 300)}")
        return answer

    def _stop(self, patience: float) -> None:
        if self._program is not None:
            self._program.stop(patience)
        self._program = self._greeted = None


def _split(command: str) -> list[str]:
    """The words of a command; raises `Fault` if it cannot be started."""
    try:
        words = shlex.split(command, posix=os.name != "nt")
    except ValueError as error:
        raise Fault(f"bot process: {quote(command)}: {str(error).lower()}") from None
    if not words:
        raise Fault("bot process: name a program, such as process:python mybot.py")
    if shutil.which(words[0]) is None:
        raise Fault(f"bot process: no program is called {quote(words[0])}")
    return words


def _check_log(log: str) -> str:
    """Can be written to it? Raises `Fault`."""
    try:
        if log:
            Path(log).open("ab").close()
    except OSError as error:
        raise Fault(f"bot process: {quote(log)} cannot be written: {error.strerror}") from None
    return log


def _show(answer: Message, key: str) -> str:
    return quote(answer[key]) if key in answer else quote(answer)


class Program:
    """A running program: lines go in and come out, and none is waited for without end."""

    def __init__(self, words: list[str], log: str = "") -> None:
        self._inbox: queue.Queue[bytes | None] = queue.Queue(_UNASKED)
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._last_words = ""
        self._stopped = False
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(  # noqa: S603
                words, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
            )
        except (OSError, ValueError) as error:
            raise Fault(f"cannot be started: {error}") from None
        into, out, errors = self._process.stdin, self._process.stdout, self._process.stderr
        assert into is not None
        assert out is not None
        assert errors is not None
        self._threads = [
            _begin(self._write, into),
            _begin(self._read, out),
            _begin(self._note, errors, log),
        ]

    def send(self, message: Message) -> None:
        """Send a message; nothing is waited for."""
        self._outbox.put(write_line(message))

    def exchange(self, message: Message, limit: float) -> Message:
        """Send a message and wait for the answer; raises `Fault`."""
        if not self._inbox.empty():
            line = self._inbox.get()
            raise Fault(f"said {_cut(line)} without being asked" if line else self._why_gone())
        self.send(message)
        try:
            line = self._inbox.get(timeout=limit)
        except queue.Empty:
            raise Fault(f"gave no answer within {limit:g} seconds") from None
        if line is None:
            raise Fault(self._why_gone())
        try:
            return read_line(line)
        except Fault as fault:
            raise Fault(f"answered {fault}") from None

    def stop(self, patience: float) -> None:
        """End its input; after so many seconds it is killed, with whatever it has started."""
        if self._stopped:
            return
        self._stopped = True
        self._outbox.put(None)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(patience)
        self._kill()
        self._process.wait()
        for thread in self._threads:
            thread.join(_FAREWELL)

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if os.name == "nt":
                self._process.kill()
            else:
                os.killpg(self._process.pid, signal.SIGKILL)

    def _why_gone(self) -> str:
        """How the program ended, and the last that it said of it."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_FAREWELL)
        self._threads[-1].join(_FAREWELL)
        status = self._process.poll()
        how = "closed its output" if status is None else f"ended with status {status}"
        return f"{how}: {self._last_words}" if self._last_words else how

    # Each runs in a thread of its own, and closes its stream.

    def _write(self, stream: IO[bytes]) -> None:
        with contextlib.suppress(OSError), stream:
            while line := self._outbox.get():
                stream.write(line)
                stream.flush()

    def _read(self, stream: IO[bytes]) -> None:
        with stream, contextlib.suppress(queue.Full):
            while line := stream.readline(LONGEST + 1):
                self._inbox.put_nowait(line)
            self._inbox.put_nowait(None)

    def _note(self, stream: IO[bytes], log: str) -> None:
        with contextlib.suppress(OSError), stream, Path(log or os.devnull).open("ab", 0) as notes:
            while line := stream.readline(LONGEST):
                self._last_words = _cut(line) if line.strip() else self._last_words
                notes.write(line)


def _begin(work: Any, *arguments: Any) -> threading.Thread:
    thread = threading.Thread(target=work, args=arguments, daemon=True)
    thread.start()
    return thread


def _cut(line: bytes) -> str:
    return quote(line.decode(errors="replace").strip(), 200)
