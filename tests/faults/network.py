"""A bad network between clients and a server: a proxy that speaks WebSocket on both sides and
loses, delays, repeats and mixes up whole messages, in both directions, and breaks lines.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import WebSocketException

Line = ClientConnection | ServerConnection


@dataclass
class Weather:
    """How likely each thing is to happen to a message; the rest arrives as it was sent."""

    lost: float = 0.0
    late: float = 0.0
    twice: float = 0.0
    broken: float = 0.0
    #: How late at most, in seconds. What is sent meanwhile arrives before.
    latest: float = 0.4
    happened: Counter[str] = field(default_factory=Counter)

    @property
    def kinds(self) -> list[str]:
        """What will happen sooner or later."""
        return [kind for kind in ("lost", "late", "twice", "broken") if getattr(self, kind)]


class Network:
    """The proxy. It stands where `address` says, before the server that `to` names."""

    def __init__(self, to: Callable[[], str | None], weather: Weather, random: Random) -> None:
        self.address: str | None = None
        self.weather = weather
        self._to = to
        self._random = random
        self._late: set[asyncio.Task[None]] = set()

    @contextlib.asynccontextmanager
    async def standing(self) -> AsyncIterator[None]:
        """Pass messages on, in its way."""
        async with serve(self._pass, "127.0.0.1", 0, ping_interval=None, compression=None) as door:
            port = next(iter(door.sockets)).getsockname()[1]
            self.address = f"127.0.0.1:{port}"
            yield
            door.close(close_connections=True)
        for task in self._late:
            task.cancel()
        await asyncio.gather(*self._late, return_exceptions=True)

    async def _pass(self, client: ServerConnection) -> None:
        assert client.request is not None
        url = f"ws://{self._to()}{client.request.path}"
        with contextlib.suppress(OSError, WebSocketException):
            async with connect(url, ping_interval=None, compression=None, proxy=None) as server:
                ways = [
                    asyncio.create_task(self._carry(client, server)),
                    asyncio.create_task(self._carry(server, client)),
                ]
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
                for way in ways:
                    way.cancel()
                await asyncio.gather(*ways, return_exceptions=True)
                await asyncio.gather(client.close(), server.close())

    async def _carry(self, source: Line, target: Line) -> None:
        """One direction, until the line breaks."""
        weather, random = self.weather, self._random
        async for message in source:
            dice = random.random()
            if dice < weather.broken:
                weather.happened["broken"] += 1
                return
            dice -= weather.broken
            if dice < weather.lost:
                weather.happened["lost"] += 1
                continue
            dice -= weather.lost
            if dice < weather.late:
                weather.happened["late"] += 1
                self._send_later(target, message)
                continue
            dice -= weather.late
            if dice < weather.twice:
                weather.happened["twice"] += 1
                self._send_later(target, message)
            await target.send(message)

    def _send_later(self, target: Line, message: str | bytes) -> None:
        task = asyncio.create_task(self._send_late(target, message))
        self._late.add(task)
        task.add_done_callback(self._late.discard)

    async def _send_late(self, target: Line, message: str | bytes) -> None:
        await asyncio.sleep(self._random.uniform(0.0, self.weather.latest))
        with contextlib.suppress(WebSocketException):
            await target.send(message)


class StoreLine:
    """The line from a server to PostgreSQL, which can break just after a COMMIT has arrived: the
    server does not hear that it was done.
    """

    def __init__(self, folder: Path, store: Path) -> None:
        self.folder = folder
        self.cuts = 0
        self._store = store
        self.shut = False
        self._cut_after: bytes | None = None
        self._shutting = False
        self._ways: set[asyncio.Task[None]] = set()

    def cut_at_commit_of(self, written: bytes, *, and_shut: bool = False) -> None:
        """Break when a transaction ends that has written this; and let no other line through, until
        `shut` is False again.
        """
        self._cut_after = written
        self._shutting = and_shut

    @contextlib.asynccontextmanager
    async def standing(self) -> AsyncIterator[None]:
        """Pass everything on, both ways, until both sides have gone."""
        door = await asyncio.start_unix_server(self._pass, self.folder / ".s.PGSQL.5432")
        try:
            yield
        finally:
            door.close()
            await asyncio.gather(*self._ways)

    async def _pass(self, server: asyncio.StreamReader, to_server: asyncio.StreamWriter) -> None:
        if self.shut:
            to_server.close()
            return
        store, to_store = await asyncio.open_unix_connection(self._store / ".s.PGSQL.5432")
        cut = asyncio.Event()
        self._ways.add(asyncio.create_task(self._to_store(server, to_store, cut)))
        self._ways.add(asyncio.create_task(self._from_store(store, to_server, cut)))

    async def _to_store(
        self, server: asyncio.StreamReader, to_store: asyncio.StreamWriter, cut: asyncio.Event
    ) -> None:
        written = False
        while data := await _read(server):
            written = written or (self._cut_after is not None and self._cut_after in data)
            if written and b"COMMIT" in data:
                self._cut_after, self.shut = None, self._shutting
                self.cuts += 1
                cut.set()
            to_store.write(data)
        to_store.close()

    async def _from_store(
        self, store: asyncio.StreamReader, to_server: asyncio.StreamWriter, cut: asyncio.Event
    ) -> None:
        while data := await _read(store):
            if cut.is_set():  # the answer to COMMIT: it is done now
                break
            to_server.write(data)
        to_server.close()


async def _read(line: asyncio.StreamReader) -> bytes:
    """What comes next; nothing if the line is broken."""
    try:
        return await line.read(65536)
    except OSError:
        return b""
