"""Pub/sub between processes that share a PostgreSQL and have no Redis: LISTEN and NOTIFY.

PostgreSQL runs the commits of all notifications one after another, so Redis carries more.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Iterator
from typing import Any

import asyncpg
import msgspec
from sqlalchemy.engine import URL

from theriac.server.running.background import BackgroundTasks
from theriac.server.store.database import DATABASE_ERRORS
from theriac.server.tables.pubsub import CHANNEL, OnMessage, ProcessMessage, PubSub

log = logging.getLogger(__name__)

#: How long to wait before connecting again after a failure, in seconds.
RECONNECT_AFTER_S = 1.0
#: How long PostgreSQL may take to accept notifications, in seconds.
NOTIFY_TIMEOUT_S = 10.0
#: The most characters in a part of a message: a notification has at most 8,000 bytes, and a
#: character up to four.
MAX_PART_CHARACTERS = 1_900
#: How many parts wait while PostgreSQL is away. Older ones are dropped: the store has the events.
MAX_WAITING = 10_000
_NOTIFY = "SELECT pg_notify($1, part) FROM unnest($2::text[]) AS part"


class PostgresPubSub(PubSub):
    """Pub/sub over a connection of its own."""

    alone = False

    def __init__(self, url: URL, process: str) -> None:
        self._url = url
        self._process = process
        self._outbox: deque[str] = deque(maxlen=MAX_WAITING)
        self._wake = asyncio.Event()
        self._parts = PartReader()
        self._sent = 0
        self._background = BackgroundTasks()
        self._task: asyncio.Task[None] | None = None

    async def start(self, on_message: OnMessage) -> None:
        """Start listening."""
        self._task = asyncio.create_task(self._run(on_message))

    async def stop(self) -> None:
        """Stop listening and disconnect."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        await self._background.stop()

    async def publish(self, message: ProcessMessage) -> None:
        """Queue a message for the other processes."""
        signed = msgspec.structs.replace(message, process=self._process)
        self._sent += 1
        self._outbox.extend(parts_of(self._sent, msgspec.json.encode(signed).decode()))
        self._wake.set()

    async def _run(self, on_message: OnMessage) -> None:
        while True:
            try:
                await self._serve(on_message)
            except DATABASE_ERRORS as error:
                log.warning("PostgreSQL's notifications fail: %s", error)
            await asyncio.sleep(RECONNECT_AFTER_S)

    async def _serve(self, on_message: OnMessage) -> None:
        """Listen, and send what is queued, until the connection fails."""

        def receive(_: Any, backend: int, __: str, part: Any) -> None:
            text = self._parts.add(backend, part)
            if text is None:
                return
            message = msgspec.json.decode(text, type=ProcessMessage)
            if message.process != self._process:
                self._background.start(_handle(on_message, message))

        connection = await asyncpg.connect(**self._connect_arguments())
        try:
            connection.add_termination_listener(lambda _: self._wake.set())
            await connection.add_listener(CHANNEL, receive)
            while not connection.is_closed():
                parts = list(self._outbox)
                self._outbox.clear()
                if parts:
                    await connection.execute(_NOTIFY, CHANNEL, parts, timeout=NOTIFY_TIMEOUT_S)
                await self._wake.wait()
                self._wake.clear()
        finally:
            connection.terminate()

    def _connect_arguments(self) -> dict[str, Any]:
        """The arguments with which the store connects, too."""
        dialect = self._url.get_dialect()()
        _, arguments = dialect.create_connect_args(self._url)
        arguments.pop("prepared_statement_cache_size", None)  # SQLAlchemy's own
        return dict(arguments)


async def _handle(on_message: OnMessage, message: ProcessMessage) -> None:
    await on_message(message)


def parts_of(number: int, text: str) -> Iterator[str]:
    """The parts of a message, each short enough for a notification.

    Each begins with the number of the message, that of the part, and whether it is the last:
    PostgreSQL drops a notification that is equal to an earlier one of its transaction.
    """
    count = -(-len(text) // MAX_PART_CHARACTERS)
    for part in range(count):
        piece = text[part * MAX_PART_CHARACTERS : (part + 1) * MAX_PART_CHARACTERS]
        yield f"{number}.{part}.{int(part + 1 == count)} {piece}"


class PartReader:
    """Puts messages together. PostgreSQL keeps the parts of one sender in order."""

    def __init__(self) -> None:
        self._unfinished: dict[int, str] = {}

    def add(self, sender: int, part: str) -> str | None:
        """The whole message, once its last part is here.

        >>> reader = PartReader()
        >>> [reader.add(1, part) for part in parts_of(1, "a message")]
        ['a message']
        """
        head, piece = part.split(" ", 1)
        _, index, is_last = head.split(".")
        text = piece if int(index) == 0 else self._unfinished.pop(sender, "") + piece
        if int(is_last):
            self._unfinished.pop(sender, None)
            return text
        self._unfinished[sender] = text
        return None
