"""Sends messages over a socket, in order and without making anybody wait for a slow client."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any, cast

from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect

from theriac.server.limits import Limits
from theriac.server.socket.close_codes import CloseCode

#: How long a client that does not read has to read why it is cut off before its connection is
#: aborted, in seconds.
ABORT_AFTER_S = 3.0
#: The key in the ASGI scope of a function that aborts the connection.
ABORT_KEY = "theriac.abort"


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
    """The queue of messages to one client. A client that lets it grow is cut off."""

    def __init__(self, socket: WebSocket[Any, Any, Any], queued: QueuedBytes) -> None:
        self._socket = socket
        self._queued = queued
        self._queue: deque[bytes] = deque()
        self._queue_bytes = 0
        self._task: asyncio.Task[None] | None = None
        self._too_slow = False
        self.closed = False

    def send(self, message: bytes) -> None:
        """Queue a message, and return at once."""
        if self.closed:
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
        abort = cast(Callable[[], None] | None, self._socket.scope.get(ABORT_KEY))
        if abort is not None:
            asyncio.get_running_loop().call_later(ABORT_AFTER_S, abort)

    async def _run(self) -> None:
        try:
            while self._queue:
                message = self._queue.popleft()
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

    def close(self) -> None:
        """Send nothing more."""
        self.closed = True
        self._clear()
