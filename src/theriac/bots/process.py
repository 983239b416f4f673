"""A bot that is a program of its own: Theriac starts it and asks it in the line protocol."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from theriac.bots.base import Bot, Question
from theriac.bots.line_worker import LineWorker
from theriac.bots.parameters import Parameter
from theriac.bots.protocol import Message, end_message, hello_message, question_message
from theriac.bots.supervisor import Supervisor
from theriac.faults import BadBot, Fault, quote

#: Seconds that a program has to exit after its input has ended.
_EXIT_GRACE = 1.0


class ProcessBot(Bot):
    """Asks a program that speaks the line protocol: process:COMMAND, process:limit=5:COMMAND."""

    PARAMETERS: ClassVar = (
        Parameter("limit", 10.0, "seconds the program has for an answer", 0.01, 3600),
        Parameter("start", 30.0, "seconds it has for its first answer, to start up", 0.01, 3600),
        Parameter("log", "", "a file that its standard error is appended to"),
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
        self._command = _split(command)
        self._limit = limit
        self._start_limit = start
        self._supervisor = Supervisor(partial(LineWorker, self._command, _check_log(log)))
        #: The greeting that the program has answered last; None before the first of a game.
        self._greeted: Message | None = None

    def answer(self, question: Question) -> int:
        """The program's move. If it fails, it is killed, and the next question starts it again."""
        try:
            return self._ask(question)
        except Fault as fault:
            self._stop(0)
            raise BadBot(self.name, str(fault)) from None

    def end(self, view: Mapping[str, Any]) -> None:
        """Send the end of the game; the next question starts with a greeting."""
        if self._supervisor.running and self._greeted:
            self._supervisor.worker.send(end_message(view))
        self._greeted = None

    def close(self) -> None:
        """End the input of the program. If it does not exit, it is killed."""
        self._stop(_EXIT_GRACE)

    def _ask(self, question: Question) -> int:
        hello = hello_message(question, self.seed, self._limit)
        if hello != self._greeted:
            self._greet(hello)
        message = question_message(question, self._limit)
        answer = self._request(message, self._limit)
        if answer.get("move") not in message["view"]["legal"]:
            raise Fault(f"answered {_show(answer, 'move')}, which is not a legal move")
        return question.settings.text.read(answer["move"])

    def _greet(self, hello: Message) -> None:
        """Greet the program; it is started if it does not run."""
        starting = not self._supervisor.running
        limit = max(self._limit, self._start_limit) if starting else self._limit
        answer = self._request(hello, limit)
        if not isinstance(answer.get("name"), str):
            raise Fault(f"answered the greeting with {_show(answer, 'name')}, which is not a name")
        self._greeted = hello

    def _request(self, message: Message, timeout: float) -> Message:
        self._supervisor.worker.check_silent()
        answer: Message = self._supervisor.request(message, timeout)
        if "error" in answer:
            raise Fault(f"gave up: {quote(answer['error'], 300)}")
        return answer

    def _stop(self, grace: float) -> None:
        self._supervisor.stop(grace)
        self._greeted = None


def _split(command: str) -> list[str]:
    """The words of a command; raises `Fault` if it cannot be started."""
    try:
        words = shlex.split(command, posix=os.name != "nt")
    except ValueError as error:
        raise Fault(f"bot process: {quote(command)}: {str(error).lower()}") from None
    if not words:
        raise Fault("bot process: no program is named: write process:python mybot.py")
    if shutil.which(words[0]) is None:
        raise Fault(f"bot process: no program is called {quote(words[0])}")
    return words


def _check_log(log: str) -> str:
    """Check that the log can be written; raises `Fault`."""
    try:
        if log:
            Path(log).open("ab").close()
    except OSError as error:
        raise Fault(f"bot process: {quote(log)} cannot be written: {error.strerror}") from None
    return log


def _show(answer: Message, key: str) -> str:
    return quote(answer[key]) if key in answer else quote(answer)
