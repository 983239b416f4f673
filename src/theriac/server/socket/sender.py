"""Sends messages over a socket, in order and without making anybody wait for a slow client."""

from __future__ import annotations

import asyncio
from typing import Any, Protocol, cast

from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect

from theriac.server.limits import Limits
from theriac.server.socket.close_codes import CloseCode

#: How long a client that does not read has to read why it is cut off before its connection is
#: aborted, in seconds.
ABORT_AFTER_S = 3.0
#: The key in the ASGI scope of the `Wire` of a socket.
WIRE_KEY = "theriac.wire"


class Wire(Protocol):
    """The connection below a socket."""

    #: Are the messages of a turn of the event loop sent together at its end? An update and the
    #: reply to the player who moved then take one system call.
    gathers: bool

    def write_text(self, text: bytes) -> bool:
        """Send a message in this turn of the event loop. Returns False if it has to wait, or the
        socket is closed.
        """

    async def receive(self) -> Any:
        """The next message of the client, or that it has disconnected: an event of ASGI."""

    def abort(self) -> None:
        """Cut the client off."""


class QueuedBytes:
    """The bytes in the queues of all sockets."""

    def __init__(self, limits: Limits) -> None:
        self.per_socket = limits.queue_bytes
        self._most = limits.all_queue_bytes
        self.total = 0

    @property
    def exceeded(self) -> bool:
        """Is more queued than the server has memory for?"""
        return self.total > self._most


class Sender:
    """Sends messages to one client. They are queued while the client does not read; a client that
    lets the queue grow is cut off.
    """

    def __init__(self, socket: WebSocket[Any, Any, Any], queued: QueuedBytes) -> None:
        self._socket = socket
        self.wire = cast(Wire, socket.scope[WIRE_KEY])  # type: ignore[literal-required]
        self._queued = queued
        #: A list: a deque takes 760 bytes even when it is empty, and most sockets are idle.
        self._queue: list[bytes] = []
        self._queue_bytes = 0
        self._task: asyncio.Task[None] | None = None
        self._too_slow = False
        self.closed = False

    def send(self, message: bytes) -> None:
        """Send or queue a message, and return at once."""
        if self.closed or (self._task is None and self.wire.write_text(message)):
            return
        # A message to an empty queue is accepted whatever its length: a welcome may be long.
        if self._queue and self._is_full:
            self._cut_off()
            return
        self._queue.append(message)
        self._count(len(message))
        if self._task is None:
            self._task = asyncio.create_task(self._run())

    @property
    def _is_full(self) -> bool:
        return self._queue_bytes > self._queued.per_socket or self._queued.exceeded

    def _count(self, number_of_bytes: int) -> None:
        self._queue_bytes += number_of_bytes
        self._queued.total += number_of_bytes

    def _clear(self) -> None:
        self._queue.clear()
        self._count(-self._queue_bytes)

    def _cut_off(self) -> None:
        """Say why, if the client begins to read at once; then abort the connection."""
        self._too_slow = True
        self.close()
        asyncio.get_running_loop().call_later(ABORT_AFTER_S, self.wire.abort)

    async def _run(self) -> None:
        try:
            while self._queue:
                message = self._queue.pop(0)
                self._count(-len(message))
                text = message.decode()
                await self._socket.send({"type": "websocket.send", "text": text, "bytes": None})
            if self._too_slow:
                await self._socket.close(CloseCode.TOO_SLOW, "you do not read what is sent")
        except (WebSocketDisconnect, RuntimeError, OSError):
            self.close()  # the client has disconnected; the reader notices too
        finally:
            self._task = None

    async def flush(self) -> None:
        """Wait until the queue is sent."""
        if self._task is not None:
            await asyncio.wait([self._task])

    def abort(self) -> None:
        """Cut the client off."""
        self.close()
        self.wire.abort()

    def close(self) -> None:
        """Send nothing more."""
        self.closed = True
        self._clear()
