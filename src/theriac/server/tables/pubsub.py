"""Word from one process to the others, through Redis, where there are several.

It says only that something has happened; what, each process reads in the store. Should word be
lost, nothing else is: the next one, or a look at the store, makes up for it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Mapping

import msgspec

from theriac.faults import Fault
from theriac.server.tables.messages import SignalMessage

log = logging.getLogger(__name__)

CHANNEL = "theriac"


class Word(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one process tells the others of a table, or (`everybody`) of all where it has seats."""

    process: str
    room: str = ""
    version: int | None = None
    passing: SignalMessage | None = None
    present: list[int] | None = None
    everybody: dict[str, list[int]] | None = None


Hear = Callable[[Word], Awaitable[None]]


class Herald:
    """For a process that is alone: there is nobody to tell."""

    async def start(self, hear: Hear) -> None:
        """Begin to listen."""

    async def stop(self) -> None:
        """Listen no more."""

    async def happened(self, room: str, version: int) -> None:
        """Tell that a table has come to a version."""

    async def passing(self, room: str, message: SignalMessage) -> None:
        """Tell what is kept nowhere."""

    async def present(self, room: str, seats: frozenset[int]) -> None:
        """Tell which seats are connected here."""

    async def everybody(self, rooms: Mapping[str, frozenset[int]]) -> None:
        """Tell which seats are connected here, at all tables."""


class RedisHerald(Herald):
    """Through a channel of Redis."""

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
        self._decoder = msgspec.json.Decoder(Word)

    async def reach(self) -> None:
        """Raises `Fault` if Redis cannot be reached."""
        from redis.exceptions import RedisError

        try:
            await self._redis.ping()
        except (RedisError, OSError) as error:
            raise Fault(f"--channels: Redis cannot be reached ({error})") from None

    async def start(self, hear: Hear) -> None:
        """Begin to listen."""
        await self._backend.on_startup()
        await self._backend.subscribe([CHANNEL])
        self._listening = asyncio.create_task(self._listen(hear))

    async def _listen(self, hear: Hear) -> None:
        from redis.exceptions import RedisError

        while True:
            try:
                async for _, data in self._backend.stream_events():
                    word = self._decoder.decode(data)
                    if word.process != self._process:
                        await hear(word)
            except (RedisError, OSError) as error:
                log.warning("Redis is away: %s", error)
                await asyncio.sleep(1.0)

    async def stop(self) -> None:
        """Listen no more."""
        if self._listening:
            self._listening.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._listening
        await self._backend.on_shutdown()
        await self._redis.aclose()

    async def _tell(self, word: Word) -> None:
        from redis.exceptions import RedisError

        try:
            await self._backend.publish(msgspec.json.encode(word), [CHANNEL])
        except (RedisError, OSError) as error:
            log.warning("Redis is away: %s", error)

    async def happened(self, room: str, version: int) -> None:
        """Tell that a table has come to a version."""
        await self._tell(Word(self._process, room, version=version))

    async def passing(self, room: str, message: SignalMessage) -> None:
        """Tell what is kept nowhere."""
        await self._tell(Word(self._process, room, passing=message))

    async def present(self, room: str, seats: frozenset[int]) -> None:
        """Tell which seats are connected here."""
        await self._tell(Word(self._process, room, present=sorted(seats)))

    async def everybody(self, rooms: Mapping[str, frozenset[int]]) -> None:
        """Tell which seats are connected here, at all tables."""
        told = {room: sorted(seats) for room, seats in rooms.items()}
        await self._tell(Word(self._process, everybody=told))
