"""How much one may ask for: so many at once, and so many a second for long."""

from __future__ import annotations

import time
from collections.abc import Callable


class Bucket:
    """Lets `burst` requests through at once, and `rate` a second for long.

    >>> now = 0.0
    >>> bucket = Bucket(rate=1, burst=2, clock=lambda: now)
    >>> [bucket.take() for _ in range(3)]
    [True, True, False]
    >>> now = 1.0
    >>> bucket.take()
    True
    """

    def __init__(
        self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._left = burst
        self._at = clock()

    def take(self) -> bool:
        """May one more pass?"""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True

    @property
    def full(self) -> bool:
        """Has it not been used for long?"""
        return self._left + (self._clock() - self._at) * self._rate >= self._burst


class Buckets:
    """A bucket for each of many, by name; those that are full again are forgotten."""

    #: How many are kept before those that are full are forgotten.
    MANY = 10_000

    def __init__(self, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = burst
        self._buckets: dict[str, Bucket] = {}

    def take(self, name: str) -> bool:
        """May one more of that name pass?"""
        bucket = self._buckets.get(name)
        if bucket is None:
            if len(self._buckets) >= self.MANY:
                self._buckets = {n: b for n, b in self._buckets.items() if not b.full}
            bucket = self._buckets[name] = Bucket(self._rate, self._burst)
        return bucket.take()
