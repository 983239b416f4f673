"""uvicorn's protocols with limits: on the size and the time of a request, and on what is unread."""

from __future__ import annotations

import asyncio
import http
import math
import re
import time
from struct import Struct
from typing import Any

import msgspec
import uvicorn
from uvicorn._types import ASGIReceiveEvent, ASGISendEvent
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import State
from websockets.speedups import apply_mask

from theriac.server.socket.gate import (
    MAX_REFUSED,
    REFUSED_WAIT_S,
    RETRY_AFTER_S,
    Gate,
    NotLetIn,
    Progress,
)
from theriac.server.socket.sender import WIRE_KEY

#: The fragments of a message, the messages that wait to be handled, and the pings and pongs in a
#: second. No client of ours comes near.
MAX_FRAGMENTS, MAX_WAITING, MAX_PINGS = 64, 200, 50
#: Pings are sent this often, in seconds: a timer of its own for each of thousands of sockets would
#: wake the sleeping process hundreds of times a second.
PINGS_EVERY_S = 0.1
#: The bytes that a client may still send after the server has closed the socket. uvicorn would read
#: on for ten seconds.
MAX_AFTER_CLOSE = 1 << 16
#: The bytes of a request beside its body: its head, what chunks add, and trailers.
MAX_BESIDE_BODY = 1 << 19
#: Above this many waiting messages, a socket is not read. uvicorn stops reading at the first one,
#: which costs a system call for each message.
UNREAD_ABOVE = 8

#: The first two bytes of a short frame of a client, and how many bytes are before its text.
_FINAL_TEXT, _MASKED, _MASKED_HEAD_BYTES = 0x81, 0x80, 6
#: The head of a frame, by how many bytes say the length of its text.
_SHORT_HEAD, _MEDIUM_HEAD, _LONG_HEAD = (Struct(form).pack for form in (">BB", ">BBH", ">BBQ"))

#: Scripts, styles and fonts of the page. A browser shows none of them as a document, and its policy
#: is that of the document that loads them: there the headers for documents would be dead weight,
#: half a kilobyte on each.
_ASSET = re.compile(rb"/assets/[^/?]+\.(?:js|css|woff2)(?:\?|$)")
_DOCUMENT_HEADERS = frozenset(
    {b"content-security-policy", b"cross-origin-opener-policy", b"permissions-policy"}
)

_BAD_HANDSHAKE = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
_TOO_LONG = NotLetIn(431, "the head of this request is too long")
_TOO_MUCH = NotLetIn(431, "this request has too much beside its body")
_TOO_LATE = NotLetIn(408, "this request took too long to arrive")


def text_frame(text: bytes) -> bytes:
    r"""A WebSocket message of a server: one unmasked frame of text (RFC 6455, section 5.2).

    >>> text_frame(b"Hello")
    b'\x81\x05Hello'
    """
    size = len(text)
    if size < 126:
        return _SHORT_HEAD(_FINAL_TEXT, size) + text
    if size < 1 << 16:
        return _MEDIUM_HEAD(_FINAL_TEXT, 126, size) + text
    return _LONG_HEAD(_FINAL_TEXT, 127, size) + text


class GuardedConfig(uvicorn.Config):
    """A configuration of uvicorn with a gate."""

    def __init__(self, app: Any, gate: Gate, **more: Any) -> None:
        super().__init__(app, http=GuardedHttp, ws=GuardedWebSocket, **more)
        self.gate = gate


class GuardedHttp(HttpToolsProtocol):
    """HTTP, with limits."""

    config: GuardedConfig

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self._gate = self.config.gate
        self._limits = self._gate.limits
        self._refusal: NotLetIn | None = None
        self._progress = Progress()
        #: When a request began that is not complete.
        self._began: float | None = None
        #: The bytes of the head of a request that is not complete; None while there is none. The
        #: guard refuses a head that is too long and complete.
        self._head_bytes: int | None = 0
        #: The bytes of a request that is not complete, without those of its body.
        self._beside_body = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client has connected."""
        super().connection_made(transport)
        self._gate.watched.add(self)
        self._began = time.monotonic()
        self._refusal = self._gate.enter(transport, self.client[0] if self.client else "")
        if self._refusal is None:
            return
        if len(self._gate.refused) >= MAX_REFUSED:
            transport.abort()
        self._gate.refused.add(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is closed."""
        self._gate.watched.discard(self)
        self._gate.leave(self.transport)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """The client has sent something."""
        if self.transport.is_closing():
            return
        if self._refusal is not None:
            self._refuse(self._refusal)
            return
        if self._head_bytes is not None:
            self._head_bytes += len(data)
        self._beside_body += len(data)
        super().data_received(data)
        if self._head_bytes is not None and self._head_bytes > self._limits.head_bytes:
            self._refuse(_TOO_LONG)
        elif self._beside_body > MAX_BESIDE_BODY:
            self._refuse(_TOO_MUCH)

    def handle_websocket_upgrade(self) -> None:
        """A WebSocket takes the connection over."""
        earlier: RequestResponseCycle | None = self.cycle
        if earlier is not None and not earlier.response_complete:
            # Its response would be written into the socket, even after the end of that.
            self.transport.close()
            return
        self._gate.watched.discard(self)
        super().handle_websocket_upgrade()
        self.parser = None  # type: ignore[assignment]  # it refers back to this

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._began = time.monotonic()

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header; or a trailer, after the body. uvicorn would keep those, too, however many come
        and after the guard has seen the headers.
        """
        if self._head_bytes is not None:
            super().on_header(name, value)

    def on_body(self, body: bytes) -> None:
        """A part of the body."""
        self._beside_body -= len(body)
        super().on_body(body)

    def on_headers_complete(self) -> None:
        """The head of a request is complete."""
        self._head_bytes = None
        super().on_headers_complete()
        if _ASSET.match(self.url) and not self.parser.should_upgrade():  # an upgrade has no cycle
            usual = self.cycle.default_headers
            self.cycle.default_headers = [one for one in usual if one[0] not in _DOCUMENT_HEADERS]

    def on_message_complete(self) -> None:
        """A request is complete."""
        super().on_message_complete()
        self._began, self._head_bytes, self._beside_body = None, 0, 0

    def resume_writing(self) -> None:
        """The client has read most of what was sent."""
        super().resume_writing()
        self._progress.resume()

    def check(self, now: float) -> None:
        """Cut the client off if it is too slow."""
        unread = self.transport.get_write_buffer_size()
        if self._progress.stalled_s(unread, now) > self._limits.stalled_timeout_s:
            self.transport.abort()
            return
        if self._began is None or self.flow.read_paused or self.transport.is_closing():
            return
        waited = now - self._began
        if self._refusal is not None and waited > REFUSED_WAIT_S:
            self.transport.abort()
        elif waited > self._limits.request_timeout_s:
            self._refuse(_TOO_LATE)

    def _refuse(self, refusal: NotLetIn) -> None:
        """Send a response without asking the application, and close."""
        body = msgspec.json.encode({"why": refusal.why})
        headers = [
            *self.server_state.default_headers,
            (b"content-type", b"application/json"),
            (b"content-length", b"%d" % len(body)),
            (b"retry-after", b"%d" % RETRY_AFTER_S),
            (b"connection", b"close"),
        ]
        phrase = http.HTTPStatus(refusal.status).phrase
        lines = [f"HTTP/1.1 {refusal.status} {phrase}".encode()]
        lines += [name + b": " + value for name, value in headers]
        self.transport.write(b"\r\n".join([*lines, b"", body]))
        self.transport.close()


class MessageQueue:
    """What uvicorn needs of an `asyncio.Queue`, for a single reader, in fewer objects and calls."""

    __slots__ = ("_reader", "waiting")

    def __init__(self) -> None:
        #: The messages that wait, oldest first. A list: a deque takes 760 bytes even when it is
        #: empty, and most sockets are idle.
        self.waiting: list[ASGIReceiveEvent] = []
        self._reader: asyncio.Future[None] | None = None

    def put_nowait(self, message: ASGIReceiveEvent) -> None:
        """Add a message, and wake the reader."""
        self.waiting.append(message)
        if self._reader is not None:
            if not self._reader.done():
                self._reader.set_result(None)
            self._reader = None

    def arrival(self) -> asyncio.Future[None]:
        """Is done when a message arrives."""
        self._reader = asyncio.get_running_loop().create_future()
        return self._reader


class GuardedWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket, with limits."""

    config: GuardedConfig
    queue: MessageQueue  # type: ignore[assignment]

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self._gate = self.config.gate
        self._limits = self._gate.limits
        self._progress = Progress()
        self._pings = 0
        self._pings_since = 0.0
        self._after_close = 0
        #: Has the client sent something since the last time a ping was due?
        self._heard = False
        self.queue = MessageQueue()
        self.gathers = False
        #: Is something unread?
        self._paused = False
        #: The gathered frames of this turn of the event loop.
        self._unsent: list[bytes] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The client has asked for a WebSocket."""
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(0)  # `pause_writing` as soon as something is unread

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is closed."""
        self._gate.watched.discard(self)
        self._gate.leave(self.transport)
        super().connection_lost(exc)
        self.conn.parser.close()  # a generator that refers back to `conn`

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        """The application has finished: break the reference cycle through the scope, so that the
        memory of the socket is freed without a garbage collection.
        """
        super().on_task_complete(task)
        self.scope.clear()  # type: ignore[attr-defined]

    def handle_connect(self, event: Request) -> None:
        """The request to open a socket: what answers it can write to this protocol."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            self.scope[WIRE_KEY] = self  # type: ignore[literal-required]

    def write_text(self, text: bytes) -> bool:
        """Send a message in this turn of the event loop. Returns False if it has to wait, or the
        socket is closed.

        It takes a fraction of the time of `send`, through all layers of ASGI.
        """
        if self.close_sent or self._paused or self.transport.is_closing():
            return False
        if not self.gathers and not self._unsent:
            self.transport.write(text_frame(text))
            return True
        if not self._unsent:
            self.loop.call_soon(self._send_unsent)
        self._unsent.append(text_frame(text))
        return True

    def _send_unsent(self) -> None:
        if self._unsent and not self.transport.is_closing():
            self.transport.write(b"".join(self._unsent))
        self._unsent.clear()

    def abort(self) -> None:
        """Cut the client off."""
        self.transport.abort()

    def shutdown(self) -> None:
        """The server stops."""
        self._send_unsent()
        super().shutdown()

    async def send(self, message: ASGISendEvent) -> None:
        """Send a message of the application."""
        self._send_unsent()
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True  # refused; uvicorn would log that it is not complete
        elif message["type"] == "websocket.accept":
            del self.request, self.response  # nobody reads them again, and they are large

    def data_received(self, data: bytes) -> None:
        """The client has sent something."""
        self._heard = True
        if self.transport.is_closing() or self._take_short_text(data):
            return
        if self.close_sent:
            self._after_close += len(data)
            if self._after_close > MAX_AFTER_CLOSE:
                self.transport.abort()
                return
        super().data_received(data)
        if not self.handshake_initiated:  # the library could not read the request, and says nothing
            self.transport.write(_BAD_HANDSHAKE)
            self.transport.close()
            return
        if self.transport.get_write_buffer_size() > self._limits.queue_bytes:
            self.transport.abort()  # it lets us answer pings, and does not read

    def _take_short_text(self, data: bytes) -> bool:
        """Take a message that is one short frame of text, and nothing else. Almost all are, and the
        parser takes most of the time until a message is read.
        """
        size = len(data) - _MASKED_HEAD_BYTES
        if not 0 <= size < 126 or data[0] != _FINAL_TEXT or data[1] != _MASKED | size:
            return False
        if self.conn.state is not State.OPEN or self.frames or not self._is_between_frames():
            return False
        if self.close_sent or self.read_paused or len(self.queue.waiting) >= UNREAD_ABOVE:
            return False
        try:
            text = apply_mask(data[_MASKED_HEAD_BYTES:], data[2:_MASKED_HEAD_BYTES]).decode()
        except UnicodeDecodeError:
            return False
        self.queue.put_nowait({"type": "websocket.receive", "text": text})
        return True

    def _is_between_frames(self) -> bool:
        """Does the parser wait for the first byte of a frame? It then asks whether there is one."""
        waiting: Any = self.conn.parser
        while waiting.gi_yieldfrom is not None:
            waiting = waiting.gi_yieldfrom
        return bool(waiting.__name__ == "at_eof")

    def handle_cont(self, event: Frame) -> None:
        """A fragment of a message."""
        if len(self.frames) >= MAX_FRAGMENTS:
            self.transport.abort()
            return
        super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        """A message is complete."""
        waiting = len(self.queue.waiting)
        if waiting >= MAX_WAITING:
            self.transport.abort()
            return
        if waiting >= UNREAD_ABOVE or self.read_paused:
            super().send_receive_event_to_app()
            return
        self.read_paused = True  # so that uvicorn does not pause it
        super().send_receive_event_to_app()
        self.read_paused = False

    async def receive(self) -> ASGIReceiveEvent:
        """The next message for the application."""
        waiting = self.queue.waiting
        while not waiting:
            await self.queue.arrival()
        message = waiting.pop(0)
        if self.read_paused and not waiting:
            self.read_paused = False
            self.transport.resume_reading()
        return message

    def handle_ping(self) -> None:
        """A ping: answer it, unless there are too many."""
        if self._is_within_pings():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """A pong, which nobody may have asked for: those count, too."""
        self._heard = False  # or every other ping would be left out
        if self._is_within_pings():
            super().handle_pong(event)

    def schedule_ping(self) -> None:
        """Send a ping later, together with those of other sockets."""
        assert self.ping_interval is not None
        ticks = math.ceil((self.loop.time() + self.ping_interval) / PINGS_EVERY_S)
        self.ping_timer = self.loop.call_at(ticks * PINGS_EVERY_S, self.send_keepalive_ping)

    def send_keepalive_ping(self) -> None:
        """A ping is due. A client that has sent something since the last time is there."""
        if self._heard:
            self._heard = False
            self.schedule_ping()
        else:
            super().send_keepalive_ping()

    def _is_within_pings(self) -> bool:
        """Count a ping or a pong; cut the client off if there are too many in a second."""
        now = time.monotonic()
        if now > self._pings_since + 1:
            self._pings, self._pings_since = 0, now
        self._pings += 1
        if self._pings > MAX_PINGS:
            self.transport.abort()
        return self._pings <= MAX_PINGS

    def resume_writing(self) -> None:
        """The client has read most of what was sent."""
        super().resume_writing()
        self._paused = False
        self._gate.watched.discard(self)
        self._progress.resume()

    def pause_writing(self) -> None:
        """The client has not read everything."""
        super().pause_writing()
        self._paused = True
        self._gate.watched.add(self)

    def check(self, now: float) -> None:
        """Cut the client off if it does not read."""
        unread = self.transport.get_write_buffer_size()
        if self._progress.stalled_s(unread, now) > self._limits.stalled_timeout_s:
            self.transport.abort()
