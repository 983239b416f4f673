"""The WebSocket of one client at one table, from hello to disconnect."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from typing import Any

import msgspec
from litestar import WebSocket, websocket
from litestar.datastructures import State
from litestar.exceptions import WebSocketDisconnect

from theriac.server.addresses import address_of, host_of
from theriac.server.auth import Banned, Player, Players
from theriac.server.limits import Limits
from theriac.server.rate_limit import RateLimits, TokenBucket
from theriac.server.slots import Slots
from theriac.server.socket.close_codes import COME_BACK, CloseCode
from theriac.server.socket.gate import RETRY_AFTER_S
from theriac.server.socket.sender import QueuedBytes, Sender
from theriac.server.store.store import StoreFault
from theriac.server.tables import messages
from theriac.server.tables.decisions import Requester
from theriac.server.tables.loaded import Unreadable
from theriac.server.tables.log_memory import MemoryFull
from theriac.server.tables.messages import Refusal, Reply, encoder
from theriac.server.tables.service import TableService
from theriac.server.tables.session import Client, TableSession

log = logging.getLogger(__name__)

#: The longest message of a client, in bytes; uvicorn has the same limit.
MAX_MESSAGE_BYTES = 4096

#: How long a client that is sent away has to read what is queued for it, in seconds.
FLUSH_TIMEOUT_S = 3.0

#: What decoding a message may raise; RecursionError for one that is nested too deeply.
_DECODE_ERRORS = (msgspec.DecodeError, UnicodeError, RecursionError)


def is_same_origin(socket: WebSocket[Any, Any, Any], allowed: frozenset[str]) -> bool:
    """Was the socket opened by a page of this server, or by no page at all?"""
    origin = socket.headers.get("origin")
    if origin is None or origin in allowed:
        return True
    return host_of(origin) == socket.headers.get("host")


@websocket("/api/tables/{name:str}/socket")
async def table_socket(socket: WebSocket[Any, Any, Any], name: str, state: State) -> None:
    """Watch a table and take part. The first message says who the client is."""
    if not is_same_origin(socket, state.origins):
        await socket.close()  # before it was accepted: the response is 403
        return
    sockets: Sockets = state.sockets
    address = address_of(socket.scope)
    if not sockets.by_address.take(address):
        await _refuse_handshake(socket)
        return
    try:
        await socket.accept()
        await _serve(socket, address, name, state)
    finally:
        sockets.by_address.give_back(address)
        # Litestar's wrappers refer back to the socket: without them its memory is freed at once.
        socket.receive = socket.send = _disconnected


async def _disconnected(message: object = None) -> Any:
    """Takes the place of the functions of a closed socket."""
    raise WebSocketDisconnect(detail="the socket is closed")


async def _serve(socket: WebSocket[Any, Any, Any], address: str, name: str, state: State) -> None:
    service: TableService = state.service
    if service.tables.get(name) is None and not state.rates.loads.take(address):
        await socket.close(CloseCode.TOO_MANY, "too many tables loaded: wait a moment")
        return
    try:
        session = await service.tables.find(name, address)
        if session is None:
            await socket.close(CloseCode.NO_TABLE, "there is no such table")
            return
        with contextlib.suppress(WebSocketDisconnect):
            await Connection(socket, address, service, session, state).run()
    except (MemoryFull, Unreadable) as fault:
        await socket.close(CloseCode.UNAVAILABLE, str(fault))
    except StoreFault as fault:
        log.warning("%s", fault, extra={"table": name})
        await socket.close(CloseCode.UNAVAILABLE, "come back in a moment")


async def _refuse_handshake(socket: WebSocket[Any, Any, Any]) -> None:
    """Answer 429 instead of opening a socket."""
    body = encoder.encode({"why": "too many sockets from your address: close some"})
    headers = [(b"content-type", b"application/json"), (b"retry-after", b"%d" % RETRY_AFTER_S)]
    await socket.send({"type": "websocket.http.response.start", "status": 429, "headers": headers})
    await socket.send({"type": "websocket.http.response.body", "body": body, "more_body": False})


class Sockets:
    """The open sockets: how many an address and a player have, and what is queued for them."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.by_address = Slots(limits.sockets_per_address)
        self.by_player = Slots(limits.sockets_per_player)
        self.queued = QueuedBytes(limits)


class Connection:
    """One client at one table."""

    def __init__(
        self,
        socket: WebSocket[Any, Any, Any],
        address: str,
        service: TableService,
        session: TableSession,
        state: State,
    ) -> None:
        self._socket = socket
        self._address = address
        self._service = service
        self._session = session
        self._players: Players = state.players
        self._sockets: Sockets = state.sockets
        self._rates: RateLimits = state.rates
        self._limits = limits = self._sockets.limits
        self._sender = Sender(socket, self._sockets.queued)
        #: For a client without a key; all sockets of a player share a bucket.
        self._bucket = TokenBucket(limits.player_rate, limits.player_burst)
        self._player: Player | None = None
        #: Is it being closed? Then no request is carried out any more.
        self._closing = False

    async def run(self) -> None:
        """Serve the client until it disconnects."""
        try:
            await self._run()
        finally:
            self._sender.close()

    async def _run(self) -> None:
        try:
            hello = await asyncio.wait_for(self._receive(), self._limits.hello_timeout_s)
        except TimeoutError:
            await self._socket.close(CloseCode.NO_HELLO, "say hello first")
            return
        if not isinstance(hello, messages.Hello):
            await self._socket.close(CloseCode.NO_HELLO, "the first message must be a hello")
            return
        if hello.key is not None:
            self._player, why = await self._identify(hello.key)
            if self._player is None:
                self._refuse(hello.id, "denied", why)
                await self._sender.flush()
                await self._socket.close(CloseCode.UNKNOWN_KEY, why)
                return
        if self._player is None:
            await self._take_part(hello)
            return
        if not self._sockets.by_player.take(self._player.id):
            await self._socket.close(CloseCode.TOO_MANY, "you have too many sockets: close some")
            return
        try:
            await self._take_part(hello)
        finally:
            self._sockets.by_player.give_back(self._player.id)

    async def _take_part(self, hello: messages.Hello) -> None:
        # Since the socket was opened, the table may have been loaded again, or deleted.
        session = await self._service.tables.find(self._session.table.name, self._address)
        if session is None:
            await self._socket.close(CloseCode.NO_TABLE, "there is no such table")
            return
        self._session = session
        player = self._player and self._player.id
        client = Client(player, self._sender.send, self._disconnect)
        self._service.metrics.sockets.inc()
        try:
            self._sender.send(await self._service.join(self._session, client, hello.since))
            self._acknowledge(hello.id)
            if not await self._is_still_welcome(hello):
                return
            # In a task of its own: a message then wakes this loop alone, and not first each of the
            # fifteen coroutines of the framework that it runs in.
            await asyncio.create_task(self._serve_requests())
        finally:
            self._service.metrics.sockets.dec()
            self._service.leave(self._session, client)

    async def _is_still_welcome(self, hello: messages.Hello) -> bool:
        """Close the socket of a client that was banned while it waited to join: until then nobody
        knew of it. The same for one that waited for a table that was loaded again meanwhile.
        """
        if hello.key is not None:
            player, why = await self._identify(hello.key)
            if player is None:
                await self._close(CloseCode.REFUSED, why)
                return False
        if self._service.tables.get(self._session.table.name) is not self._session:
            await self._close(COME_BACK, "come back")
            return False
        return True

    async def _identify(self, key: str) -> tuple[Player | None, str]:
        """The player with a key, or why there is none."""
        try:
            return await self._players.find(key), "this key is not known here"
        except Banned as fault:
            return None, str(fault)

    def _disconnect(self, code: int, reason: str) -> None:
        """Close the socket after what is queued, and take no more requests."""
        self._closing = True
        self._service.start(self._close(code, reason))

    async def _close(self, code: int, reason: str) -> None:
        try:
            async with asyncio.timeout(FLUSH_TIMEOUT_S):
                await self._sender.flush()
                self._sender.closed = True
                with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
                    await self._socket.close(code, reason)
        except TimeoutError:
            self._sender.abort()

    async def _serve_requests(self) -> None:
        while not self._sender.closed:
            request = await self._receive()
            if self._closing:
                return
            if request is None:
                continue
            if isinstance(request, messages.Play):
                await self._handle(request)
            elif isinstance(request, messages.Ping):
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
        if isinstance(request, messages.Play):
            requester = Requester(self._player.id, self._player.name)
        else:
            requester = await self._requester(self._player, request)
        self._sender.wire.gathers = True
        reply = await self._service.handle(self._session, requester, request)
        self._reply(reply)
        self._sender.wire.gathers = False
        self._service.metrics.request_seconds.observe(time.perf_counter() - started)

    async def _requester(self, player: Player, request: messages.TableRequest) -> Requester:
        """The player, with what requests other than moves depend on."""
        talks = isinstance(request, messages.Talk)
        muted = talks and await self._players.is_muted(player.id)
        return self._service.requester(self._session, player.id, player.name, muted=muted)

    async def _receive(self) -> messages.AnyRequest | None:
        """The next request; None if it was refused already. Raises `WebSocketDisconnect`."""
        # Without the layers of the framework in between.
        event = await self._sender.wire.receive()
        if event["type"] != "websocket.receive":
            raise WebSocketDisconnect(detail="the client has disconnected", code=event["code"])
        text = event.get("text")
        if not self._is_within_rates():
            await self._socket.close(CloseCode.TOO_MANY, "too many messages: wait a moment")
            raise WebSocketDisconnect(detail="too many messages")
        if not text:
            self._refuse(None, "unreadable", "this message is empty or of bytes: send JSON as text")
            return None
        try:
            return messages.decoder.decode(text)
        except _DECODE_ERRORS as error:
            self._refuse(_id_of(text), "unreadable", f"this message cannot be read: {error}")
            return None

    def _is_within_rates(self) -> bool:
        player, rates = self._player, self._rates
        own = self._bucket.take() if player is None else rates.players.take(player.id)
        return own and rates.messages.take(self._address)

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
