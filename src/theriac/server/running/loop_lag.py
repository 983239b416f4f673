"""How late the event loop is: whoever has to wait for it, waits as long."""

from __future__ import annotations

import asyncio
import time

from theriac.server.running.metrics import Metrics

#: How often it is looked at, in seconds. What blocks the loop is seen but for so much of it.
EVERY = 0.01


class Lag:
    """Notes how late a timer rings, again and again."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._loop = asyncio.get_running_loop()
        self._longest = self._work = 0.0
        self._used = time.thread_time()
        self._due = self._loop.time() + EVERY
        self._timer = self._loop.call_at(self._due, self._ring)
        metrics.longest_lag.set_function(self._take_longest)
        metrics.longest_work.set_function(self._take_work)

    def _ring(self) -> None:
        now, used = self._loop.time(), time.thread_time()
        late = now - self._due
        self._metrics.lag_seconds.observe(late)
        self._longest = max(self._longest, late)
        self._work = max(self._work, min(late, used - self._used))
        self._used = used
        self._due = now + EVERY
        self._timer = self._loop.call_at(self._due, self._ring)

    def _take_longest(self) -> float:
        longest, self._longest = self._longest, 0.0
        return longest

    def _take_work(self) -> float:
        work, self._work = self._work, 0.0
        return work

    def stop(self) -> None:
        """Look no more."""
        self._timer.cancel()
