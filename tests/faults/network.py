"""A bad network between clients and a server: a WebSocket proxy that loses, delays, repeats and
reorders messages in both directions, and breaks connections.
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

Connection = ClientConnection | ServerConnection


@dataclass
class NetworkFaults:
    """The probability of each fault of a message; other messages arrive as they were sent."""

    lost: float = 0.0
    delayed: float = 0.0
    repeated: float = 0.0
    broken: float = 0.0
    #: The longest delay. Messages sent in the meantime arrive before.
    max_delay_s: float = 0.4
    counts: Counter[str] = field(default_factory=Counter)

    @property
    def kinds(self) -> list[str]:
        """The kinds of faults that can occur."""
        return [kind for kind in ("lost", "delayed", "repeated", "broken") if getattr(self, kind)]


class FaultyProxy:
    """A proxy at `address`, in front of the server whose address `to` returns."""

    def __init__(self, to: Callable[[], str | None], faults: NetworkFaults, random: Random) -> None:
        self.address: str | None = None
        self.faults = faults
        self._to = to
        self._random = random
        self._delayed: set[asyncio.Task[None]] = set()

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Forward messages, with faults."""
        async with serve(
            self._connect, "127.0.0.1", 0, ping_interval=None, compression=None
        ) as listener:
            port = next(iter(listener.sockets)).getsockname()[1]
            self.address = f"127.0.0.1:{port}"
            yield
            listener.close(close_connections=True)
        for task in self._delayed:
            task.cancel()
        await asyncio.gather(*self._delayed, return_exceptions=True)

    async def _connect(self, client: ServerConnection) -> None:
        assert client.request is not None
        url = f"ws://{self._to()}{client.request.path}"
        with contextlib.suppress(OSError, WebSocketException):
            async with connect(url, ping_interval=None, compression=None, proxy=None) as server:
                directions = [
                    asyncio.create_task(self._forward(client, server)),
                    asyncio.create_task(self._forward(server, client)),
                ]
                await asyncio.wait(directions, return_when=asyncio.FIRST_COMPLETED)
                for direction in directions:
                    direction.cancel()
                await asyncio.gather(*directions, return_exceptions=True)
                await asyncio.gather(client.close(), server.close())

    async def _forward(self, source: Connection, target: Connection) -> None:
        """Forward messages in one direction until the connection breaks."""
        faults, random = self.faults, self._random
        async for message in source:
            chance = random.random()
            if chance < faults.broken:
                faults.counts["broken"] += 1
                return
            chance -= faults.broken
            if chance < faults.lost:
                faults.counts["lost"] += 1
                continue
            chance -= faults.lost
            if chance < faults.delayed:
                faults.counts["delayed"] += 1
                self._send_later(target, message)
                continue
            chance -= faults.delayed
            if chance < faults.repeated:
                faults.counts["repeated"] += 1
                self._send_later(target, message)
            await target.send(message)

    def _send_later(self, target: Connection, message: str | bytes) -> None:
        task = asyncio.create_task(self._send_delayed(target, message))
        self._delayed.add(task)
        task.add_done_callback(self._delayed.discard)

    async def _send_delayed(self, target: Connection, message: str | bytes) -> None:
        await asyncio.sleep(self._random.uniform(0.0, self.faults.max_delay_s))
        with contextlib.suppress(WebSocketException):
            await target.send(message)


class StoreProxy:
    """A proxy from a server to PostgreSQL that can break the connection just after a COMMIT: the
    server does not learn that it was committed.
    """

    def __init__(self, folder: Path, store: Path) -> None:
        self.folder = folder
        self.cuts = 0
        self._store = store
        self.shut = False
        self._cut_after: bytes | None = None
        self._shutting = False
        self._directions: set[asyncio.Task[None]] = set()

    def cut_at_commit_of(self, written: bytes, *, and_shut: bool = False) -> None:
        """Break the connection at the end of a transaction that has written this. With `and_shut`,
        refuse new connections until `shut` is False again.
        """
        self._cut_after = written
        self._shutting = and_shut

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Forward everything in both directions until both sides have closed."""
        listener = await asyncio.start_unix_server(self._connect, self.folder / ".s.PGSQL.5432")
        try:
            yield
        finally:
            listener.close()
            await asyncio.gather(*self._directions)

    async def _connect(self, server: asyncio.StreamReader, to_server: asyncio.StreamWriter) -> None:
        if self.shut:
            to_server.close()
            return
        store, to_store = await asyncio.open_unix_connection(self._store / ".s.PGSQL.5432")
        cut = asyncio.Event()
        self._directions.add(asyncio.create_task(self._to_store(server, to_store, cut)))
        self._directions.add(asyncio.create_task(self._from_store(store, to_server, cut)))

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
            if cut.is_set():  # the reply to COMMIT: it has been committed
                break
            to_server.write(data)
        to_server.close()


async def _read(connection: asyncio.StreamReader) -> bytes:
    """The next bytes; none if the connection is broken."""
    try:
        return await connection.read(65536)
    except OSError:
        return b""
