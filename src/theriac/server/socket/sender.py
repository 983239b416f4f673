"""Sends messages over a socket, in order and without making anybody wait for a slow client."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any

from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect

#: How many messages may be queued for a client that does not read.
MAX_QUEUED = 200
#: The close code for such a client.
TOO_SLOW = 4430


class Sender:
    """The queue of messages to one client."""

    def __init__(self, socket: WebSocket[Any, Any, Any]) -> None:
        self._socket = socket
        self._queue: deque[bytes] = deque()
        self._task: asyncio.Task[None] | None = None
        self.closed = False

    def send(self, message: bytes) -> None:
        """Queue a message, and return at once."""
        if self.closed:
            return
        self._queue.append(message)
        if len(self._queue) > MAX_QUEUED:
            self.closed = True
            self._queue.clear()
        if self._task is None:
            self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        try:
            while self._queue:
                text = self._queue.popleft().decode()
                await self._socket.send({"type": "websocket.send", "text": text, "bytes": None})
            if self.closed:
                await self._socket.close(TOO_SLOW, "you do not read what is sent")
        except (WebSocketDisconnect, RuntimeError, OSError):
            self.closed = True  # the client has disconnected; the reader notices too
        finally:
            self._task = None

    async def flush(self) -> None:
        """Wait until the queue is sent."""
        if self._task is not None:
            await asyncio.wait([self._task])
