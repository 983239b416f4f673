"""The WebSocket of one client at one table, from hello to disconnect."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from typing import Any
from urllib.parse import urlsplit

import msgspec
from litestar import WebSocket, websocket
from litestar.datastructures import State
from litestar.exceptions import WebSocketDisconnect

from theriac.server.auth import Player, Players
from theriac.server.rate_limit import TokenBucket
from theriac.server.socket.sender import Sender
from theriac.server.store.store import StoreFault
from theriac.server.tables import messages
from theriac.server.tables.messages import Refusal, Reply, encoder
from theriac.server.tables.service import TableService
from theriac.server.tables.session import Client, TableSession

log = logging.getLogger(__name__)

#: The longest message of a client, in bytes; uvicorn has the same limit.
MAX_MESSAGE_BYTES = 4096
#: Messages per second in the long run, and at once.
MESSAGE_RATE, MESSAGE_BURST = 10.0, 40.0
#: How long a client may take to send its hello, in seconds.
HELLO_TIMEOUT_S = 10.0

#: What decoding a message may raise; RecursionError for one that is nested too deeply.
_DECODE_ERRORS = (msgspec.DecodeError, UnicodeError, RecursionError)

# Close codes.
_NO_TABLE = 4404
_NO_HELLO = 4408
_TOO_MANY_MESSAGES = 4429
_NO_STORE = 4503


def is_same_origin(socket: WebSocket[Any, Any, Any], allowed: frozenset[str]) -> bool:
    """Was the socket opened by a page of this server, or by no page at all?"""
    origin = socket.headers.get("origin")
    if origin is None or origin in allowed:
        return True
    return urlsplit(origin).netloc == socket.headers.get("host")


@websocket("/api/tables/{name:str}/socket")
async def table_socket(socket: WebSocket[Any, Any, Any], name: str, state: State) -> None:
    """Watch a table and take part. The first message says who the client is."""
    service: TableService = state.service
    if not is_same_origin(socket, state.origins):
        await socket.close()  # before it was accepted: the response is 403
        return
    await socket.accept()
    try:
        session = await service.find(name)
        if session is None:
            await socket.close(_NO_TABLE, "there is no such table")
            return
        with contextlib.suppress(WebSocketDisconnect):
            await Connection(socket, service, session, state.players).run()
    except StoreFault as fault:
        log.warning("%s", fault, extra={"table": name})
        await socket.close(_NO_STORE, "come back in a moment")


class Connection:
    """One client at one table."""

    def __init__(
        self,
        socket: WebSocket[Any, Any, Any],
        service: TableService,
        session: TableSession,
        players: Players,
    ) -> None:
        self._socket = socket
        self._service = service
        self._session = session
        self._players = players
        self._sender = Sender(socket)
        self._bucket = TokenBucket(MESSAGE_RATE, MESSAGE_BURST)
        self._player: Player | None = None

    async def run(self) -> None:
        """Serve the client until it disconnects."""
        try:
            hello = await asyncio.wait_for(self._receive(), HELLO_TIMEOUT_S)
        except TimeoutError:
            await self._socket.close(_NO_HELLO, "say hello first")
            return
        if not isinstance(hello, messages.Hello):
            await self._socket.close(_NO_HELLO, "the first message must be a hello")
            return
        if hello.key is not None:
            self._player = await self._players.find(hello.key)
            if self._player is None:
                self._refuse(hello.id, "denied", "this key is not known here")
                await self._sender.flush()
                await self._socket.close(_NO_HELLO, "this key is not known here")
                return
        client = Client(self._player and self._player.id, self._sender.send)
        self._service.metrics.sockets.inc()
        try:
            self._sender.send(await self._service.join(self._session, client, hello.since))
            self._acknowledge(hello.id)
            await self._serve_requests()
        finally:
            self._service.metrics.sockets.dec()
            self._service.leave(self._session, client)

    async def _serve_requests(self) -> None:
        while not self._sender.closed:
            request = await self._receive()
            if request is None:
                continue
            if isinstance(request, messages.Ping):
                self._acknowledge(request.id)
            elif isinstance(request, messages.Hello):
                self._refuse(request.id, "denied", "you have said hello already")
            elif isinstance(request, messages.Hint):
                # A bot has to think: other requests of this client do not wait for it.
                self._service.start(self._handle(request))
            else:
                await self._handle(request)

    async def _handle(self, request: messages.TableRequest) -> None:
        started = time.perf_counter()
        if self._player is None:
            self._refuse(request.id, "denied", "you only watch: get a key to take part")
            return
        requester = self._service.requester(self._session, self._player.id, self._player.name)
        reply = await self._service.handle(self._session, requester, request)
        self._reply(reply)
        self._service.metrics.request_seconds.observe(time.perf_counter() - started)

    async def _receive(self) -> messages.AnyRequest | None:
        """The next request; None if it was refused already. Raises `WebSocketDisconnect`."""
        text = await self._socket.receive_data(mode="text")
        if not self._bucket.take():
            await self._socket.close(_TOO_MANY_MESSAGES, "too many messages: wait a moment")
            raise WebSocketDisconnect(detail="too many messages")
        if not text:  # Litestar gives an empty text for bytes, too
            self._refuse(None, "unreadable", "this message is empty or of bytes: send JSON as text")
            return None
        try:
            return messages.decoder.decode(text)
        except _DECODE_ERRORS as error:
            self._refuse(_id_of(text), "unreadable", f"this message cannot be read: {error}")
            return None

    def _acknowledge(self, request_id: str) -> None:
        """Reply with the version that this client may see."""
        player = self._player and self._player.id
        self._reply(Reply(request_id, self._session.visible_to(player).version))

    def _refuse(self, request_id: str | None, code: messages.RefusalCode, why: str) -> None:
        self._reply(Reply(request_id, refused=Refusal(code, why)))

    def _reply(self, reply: Reply) -> None:
        if reply.refused:
            self._service.metrics.refused.labels(reply.refused.code).inc()
        self._sender.send(encoder.encode(reply))


class _OnlyId(msgspec.Struct):
    """The part of a message that a refusal needs."""

    id: messages.Id | None = None


_id_decoder = msgspec.json.Decoder(_OnlyId)


def _id_of(text: str) -> str | None:
    """The id of a message that cannot be read, if it has one."""
    try:
        return _id_decoder.decode(text).id
    except _DECODE_ERRORS:
        return None
