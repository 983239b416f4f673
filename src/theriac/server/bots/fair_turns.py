"""Turns for work that takes long and that anybody may ask for: who has used least time is next."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from theriac.server.bots.fair_queue import FairQueue, Urgency, Waiting


class FairTurns:
    """Lets a few things happen at once. Those who wait take turns, by the time each has used."""

    def __init__(self, at_once: int, expected_s: float) -> None:
        self._queue = FairQueue[asyncio.Future[None]]()
        self._free = at_once
        #: How many seconds a turn is expected to take.
        self._expected_s = expected_s

    @asynccontextmanager
    async def turn(self, person: str) -> AsyncIterator[None]:
        """Wait for a turn; it lasts as long as the context."""
        begins: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        waiting = self._queue.put(begins, person, Urgency.PLAYED, self._expected_s)
        self._begin_next()
        try:
            await begins
        except asyncio.CancelledError:
            self._queue.remove(waiting)
            if not begins.cancelled():  # the turn had just begun
                self._end(waiting, 0.0)
            raise
        began = time.monotonic()
        try:
            yield
        finally:
            self._end(waiting, time.monotonic() - began)

    def _begin_next(self) -> None:
        while self._free and (waiting := self._queue.get()) is not None:
            if not waiting.item.cancelled():
                self._free -= 1
                waiting.item.set_result(None)

    def _end(self, waiting: Waiting[asyncio.Future[None]], seconds: float) -> None:
        self._free += 1
        self._queue.charge(waiting, seconds)
        self._begin_next()
