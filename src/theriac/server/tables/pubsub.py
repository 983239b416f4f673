"""Pub/sub between the processes of a server, over a Redis channel.

A message only says that something happened; each process reads what happened from the store. So a
lost message loses nothing: the next one, or the regular check of the store, makes up for it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable

import msgspec

from theriac.faults import Fault
from theriac.server.tables.messages import SignalMessage

log = logging.getLogger(__name__)

CHANNEL = "theriac"
#: How long to wait before listening again after Redis failed, in seconds.
RECONNECT_REDIS_AFTER_S = 1.0


class ProcessMessage(msgspec.Struct, frozen=True, omit_defaults=True):
    """A message from one process to the others.

    It is about one `table`: its new version, a signal that is not stored, or the seats
    connected to the sender. `everybody` has the connected seats of all tables.
    """

    table: str = msgspec.field(default="", name="room")  # its key in messages of earlier versions
    version: int | None = None
    passing: SignalMessage | None = None
    present: list[int] | None = None
    everybody: dict[str, list[int]] | None = None
    process: str = ""


OnMessage = Callable[[ProcessMessage], Awaitable[None]]


class PubSub:
    """Pub/sub for a single process: there is nobody to send anything to."""

    #: Is this the only process that uses the store?
    alone = True

    async def start(self, on_message: OnMessage) -> None:
        """Start listening."""

    async def stop(self) -> None:
        """Stop listening."""

    async def publish(self, message: ProcessMessage) -> None:
        """Send a message to the other processes."""


class RedisPubSub(PubSub):
    """Pub/sub over a Redis channel."""

    alone = False

    def __init__(self, url: str, process: str) -> None:
        from litestar.channels.backends.redis import RedisChannelsPubSubBackend
        from redis.asyncio import Redis

        try:
            self._redis = Redis.from_url(url)
        except ValueError as error:
            raise Fault(f"--channels: {error}") from None
        self._backend = RedisChannelsPubSubBackend(redis=self._redis)
        self._process = process
        self._listening: asyncio.Task[None] | None = None
        self._decoder = msgspec.json.Decoder(ProcessMessage)

    async def ping(self) -> None:
        """Raise `Fault` if Redis cannot be reached."""
        from redis.exceptions import RedisError

        try:
            await self._redis.ping()
        except (RedisError, OSError) as error:
            raise Fault(f"--channels: Redis cannot be reached ({error})") from None

    async def start(self, on_message: OnMessage) -> None:
        """Subscribe, and start listening."""
        await self._backend.on_startup()
        await self._backend.subscribe([CHANNEL])
        self._listening = asyncio.create_task(self._listen(on_message))

    async def _listen(self, on_message: OnMessage) -> None:
        from redis.exceptions import RedisError

        while True:
            try:
                async for _, data in self._backend.stream_events():
                    await self._receive(data, on_message)
            except (RedisError, OSError) as error:
                log.warning("Redis cannot be reached: %s", error)
                await asyncio.sleep(RECONNECT_REDIS_AFTER_S)

    async def _receive(self, data: bytes, on_message: OnMessage) -> None:
        try:
            message = self._decoder.decode(data)
        except msgspec.DecodeError as error:  # of another version, or of another program
            log.warning("a message over Redis cannot be read: %s", error)
            return
        if message.process != self._process:
            await on_message(message)

    async def stop(self) -> None:
        """Stop listening and disconnect."""
        if self._listening:
            self._listening.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._listening
        await self._backend.on_shutdown()
        await self._redis.aclose()

    async def publish(self, message: ProcessMessage) -> None:
        """Send a message to the other processes. If Redis is away, log it and go on."""
        from redis.exceptions import RedisError

        signed = msgspec.structs.replace(message, process=self._process)
        try:
            await self._backend.publish(msgspec.json.encode(signed), [CHANNEL])
        except (RedisError, OSError) as error:
            log.warning("Redis cannot be reached: %s", error)
