"""The other end of the line protocol: one of our bots answers another program."""

from __future__ import annotations

from collections.abc import Callable
from typing import IO

from theriac.bots.base import Bot
from theriac.bots.protocol import (
    MAX_LINE_BYTES,
    Hello,
    Message,
    read_hello,
    read_line,
    read_question,
    write_line,
)
from theriac.bots.registry import bot
from theriac.faults import Fault


class Service:
    """Answers the messages of the protocol with a bot."""

    def __init__(self, spec: str) -> None:
        self._spec = spec
        self._bot: Bot = bot(spec)
        self._hello: Hello | None = None

    def answer(self, message: Message) -> Message | None:
        """The reply to a message; None for the end of a game."""
        try:
            return self._answer(message)
        except Fault as fault:
            return {"error": str(fault)}

    def _answer(self, message: Message) -> Message | None:
        if "theriac" in message:
            self._greet(read_hello(message))
            return {"name": self._spec}
        if "end" in message:
            self._hello = None
            return None
        if "view" not in message:
            raise Fault('a message without "theriac", "view" or "end": send one of them')
        if self._hello is None:
            raise Fault("a question before the greeting: send the greeting first")
        move = self._bot.answer(read_question(message, self._hello))
        return {"move": self._hello.settings.text.write(move)}

    def _greet(self, hello: Hello) -> None:
        """Prepare for a game. The bot is kept, with its buffers, while the seed stays the same."""
        if hello.seed != self._bot.seed:
            self.close()
            self._bot = bot(self._spec, hello.seed)
        self._hello = None
        self._bot.check(hello.game, hello.settings)
        self._hello = hello

    def close(self) -> None:
        """Close the bot."""
        self._bot.close()


def serve(spec: str, lines: IO[bytes], write: Callable[[bytes], None]) -> None:
    """Answer each line until the input ends."""
    service = Service(spec)
    try:
        while line := lines.readline(MAX_LINE_BYTES + 1):
            answer = _answer_line(service, line)
            if answer is not None:
                write(write_line(answer))
    finally:
        service.close()


def _answer_line(service: Service, line: bytes) -> Message | None:
    try:
        message = read_line(line)
    except Fault as fault:
        return {"error": str(fault)}
    return service.answer(message)
