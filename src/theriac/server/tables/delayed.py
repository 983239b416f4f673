"""What the spectators of a table with a delay may see: the table as it was, and signals, later."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from typing import NamedTuple

from theriac.server.store.events import LogEntry
from theriac.server.tables.table import Table


class DelayedTable:
    """A table as it was some time ago, from the moment it was opened."""

    def __init__(self, table: Table) -> None:
        self.table = Table(table.name, table.downtime, table.speed)
        self.table.apply(table.log[0])

    def catch_up(self, table: Table, until: int) -> Iterator[LogEntry]:
        """Apply what had happened at the table by a moment, one event after another."""
        for entry in table.log[self.table.version :]:
            if entry.at > until:
                return
            self.table.apply(entry)
            yield entry

    def next_event_at(self, table: Table) -> int | None:
        """When the first event happened that this copy has not applied; None if it has all."""
        pending = table.log[self.table.version :][:1]
        return pending[0].at if pending else None


class DelayedSignal(NamedTuple):
    """A message that is not an event. `present` has the connected seats if it is about them."""

    due: float
    message: bytes
    present: frozenset[int] | None


class DelayedSignals:
    """The signals for all delayed spectators of a table: one queue and one timer."""

    def __init__(self, delay: float, most: int, send: Callable[[DelayedSignal], None]) -> None:
        self._delay = delay
        self._most = most
        self._send = send
        self._queue: deque[DelayedSignal] = deque()
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._queue)

    def add(self, message: bytes, present: frozenset[int] | None = None) -> None:
        """Send a message after the delay. Where too many wait, gestures are dropped."""
        if len(self._queue) >= self._most:
            if present is None:
                return
            self._queue.pop()
        loop = asyncio.get_running_loop()
        self._queue.append(DelayedSignal(loop.time() + self._delay, message, present))
        if self._timer is None:
            self._set_timer()

    def _set_timer(self) -> None:
        loop = asyncio.get_running_loop()
        self._timer = loop.call_at(self._queue[0].due, self._on_timer) if self._queue else None

    def _on_timer(self) -> None:
        now = asyncio.get_running_loop().time()
        while self._queue and self._queue[0].due <= now:
            self._send(self._queue.popleft())
        self._set_timer()

    def cancel(self) -> None:
        """Send nothing more."""
        self._queue.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
