"""The socket of a client: one table, from hello to goodbye."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import deque
from typing import Any
from urllib.parse import urlsplit

import msgspec
from litestar import WebSocket, websocket
from litestar.datastructures import State
from litestar.exceptions import WebSocketDisconnect

from theriac.server.auth import Person, Persons
from theriac.server.rate_limit import Bucket
from theriac.server.store.store import StoreFault
from theriac.server.tables import messages
from theriac.server.tables.messages import Refusal, Reply, writer
from theriac.server.tables.service import Host
from theriac.server.tables.session import Client, Live

log = logging.getLogger(__name__)

#: The longest message of a client, in bytes; uvicorn is told the same.
MOST_BYTES = 4096
#: Requests a second for long, and at once.
RATE, BURST = 10.0, 40.0
#: How many messages may wait for a client that does not read.
MOST_WAITING = 200
#: How long a client may take to say who it is, in seconds.
HELLO_SECONDS = 10.0

#: How a message cannot be read; RecursionError is of one that is nested too deeply.
_UNREADABLE = (msgspec.DecodeError, UnicodeError, RecursionError)

# Why a socket is closed, by its code.
_NO_TABLE = 4404
_NO_HELLO = 4408
_TOO_MUCH = 4429
_TOO_SLOW = 4430
_NO_STORE = 4503


class Sender:
    """Sends what is given to it in order; nobody waits for a slow reader."""

    def __init__(self, socket: WebSocket[Any, Any, Any]) -> None:
        self._socket = socket
        self._waiting: deque[bytes] = deque()
        self._task: asyncio.Task[None] | None = None
        self.closed = False

    def send(self, message: bytes) -> None:
        """Send, now or as soon as what was given before is sent."""
        if self.closed:
            return
        self._waiting.append(message)
        if len(self._waiting) > MOST_WAITING:
            self.closed = True
            self._waiting.clear()
        if self._task is None:
            self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        try:
            while self._waiting:
                text = self._waiting.popleft().decode()
                await self._socket.send({"type": "websocket.send", "text": text, "bytes": None})
            if self.closed:
                await self._socket.close(_TOO_SLOW, "you do not read what is sent")
        except (WebSocketDisconnect, RuntimeError, OSError):
            self.closed = True  # it has gone; the reader hears of it too
        finally:
            self._task = None

    async def finish(self) -> None:
        """Wait until all is sent."""
        if self._task is not None:
            await asyncio.wait([self._task])


def same_origin(socket: WebSocket[Any, Any, Any], allowed: frozenset[str]) -> bool:
    """Does the socket come from a page of this server, or from no page at all?"""
    origin = socket.headers.get("origin")
    if origin is None or origin in allowed:
        return True
    return urlsplit(origin).netloc == socket.headers.get("host")


@websocket("/api/tables/{name:str}/socket")
async def table_socket(socket: WebSocket[Any, Any, Any], name: str, state: State) -> None:
    """Hear of a table, and take part. The first message says who one is."""
    host: Host = state.host
    if not same_origin(socket, state.origins):
        await socket.close()  # before it was accepted: the answer is 403
        return
    await socket.accept()
    try:
        live = await host.find(name)
        if live is None:
            await socket.close(_NO_TABLE, "there is no such table")
            return
        with contextlib.suppress(WebSocketDisconnect):
            await _Visit(socket, host, live, state.persons).run()
    except StoreFault as fault:
        log.warning("%s", fault, extra={"table": name})
        await socket.close(_NO_STORE, "come back in a moment")


class _Visit:
    """One client at one table."""

    def __init__(
        self, socket: WebSocket[Any, Any, Any], host: Host, live: Live, persons: Persons
    ) -> None:
        self._socket = socket
        self._host = host
        self._live = live
        self._persons = persons
        self._sender = Sender(socket)
        self._bucket = Bucket(RATE, BURST)
        self._person: Person | None = None

    async def run(self) -> None:
        """From hello to goodbye."""
        try:
            hello = await asyncio.wait_for(self._read(), HELLO_SECONDS)
        except TimeoutError:
            await self._socket.close(_NO_HELLO, "say hello first")
            return
        if not isinstance(hello, messages.Hello):
            await self._socket.close(_NO_HELLO, "the first message must be a hello")
            return
        if hello.key is not None:
            self._person = await self._persons.find(hello.key)
            if self._person is None:
                self._refuse(hello.id, "denied", "this key is not known here")
                await self._sender.finish()
                await self._socket.close(_NO_HELLO, "this key is not known here")
                return
        client = Client(self._person and self._person.player, self._sender.send)
        self._host.metrics.sockets.inc()
        try:
            self._sender.send(await self._host.join(self._live, client, hello.since))
            self._acknowledge(hello.id)
            await self._listen()
        finally:
            self._host.metrics.sockets.dec()
            self._host.leave(self._live, client)

    async def _listen(self) -> None:
        while not self._sender.closed:
            request = await self._read()
            if request is None:
                continue
            if isinstance(request, messages.Ping):
                self._acknowledge(request.id)
            elif isinstance(request, messages.Hello):
                self._refuse(request.id, "denied", "you have said hello")
            elif isinstance(request, messages.Hint):
                self._host.begin(self._handle(request))  # a bot thinks: the line goes on
            else:
                await self._handle(request)

    async def _handle(self, request: Any) -> None:
        started = time.perf_counter()
        if self._person is None:
            self._refuse(request.id, "denied", "you only watch: get a key to take part")
            return
        asker = self._host.asker(self._live, self._person.player, self._person.name)
        done = await self._host.handle(self._live, asker, request)
        self._answer(done)
        self._host.metrics.request_seconds.observe(time.perf_counter() - started)

    async def _read(self) -> Any:
        """The next message; None for one that is answered already. Raises `WebSocketDisconnect`."""
        text = await self._socket.receive_data(mode="text")
        if not self._bucket.take():
            await self._socket.close(_TOO_MUCH, "too many messages: wait a moment")
            raise WebSocketDisconnect(detail="too many messages")
        if not text:  # so Litestar tells of bytes, too
            self._refuse(None, "unreadable", "this message is empty or of bytes: send JSON as text")
            return None
        try:
            return messages.reader.decode(text)
        except _UNREADABLE as error:
            self._refuse(_id_of(text), "unreadable", f"this message cannot be read: {error}")
            return None

    def _acknowledge(self, name: str) -> None:
        """Answer what has only to be answered, with the version that this client may know."""
        player = self._person and self._person.player
        self._answer(Reply(name, self._live.seen_by(player).version))

    def _refuse(self, name: str | None, code: messages.RefusalCode, why: str) -> None:
        self._answer(Reply(name, refused=Refusal(code, why)))

    def _answer(self, done: Reply) -> None:
        if done.refused:
            self._host.metrics.refused.labels(done.refused.code).inc()
        self._sender.send(writer.encode(done))


class _Named(msgspec.Struct):
    """As much of a message as is needed to answer it."""

    id: messages.Id | None = None


_named = msgspec.json.Decoder(_Named)


def _id_of(text: str) -> str | None:
    """The id of a message that cannot be read, if there is one."""
    try:
        return _named.decode(text).id
    except _UNREADABLE:
        return None
