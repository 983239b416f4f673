"""Rate limits: token buckets."""

from __future__ import annotations

import time
from collections.abc import Callable


class TokenBucket:
    """Allows `burst` requests at once, and `rate` per second in the long run.

    >>> now = 0.0
    >>> bucket = TokenBucket(rate=1, burst=2, clock=lambda: now)
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
        self._tokens = burst
        self._updated = clock()

    def take(self) -> bool:
        """Take a token. Returns False if there is none."""
        now = self._clock()
        self._tokens = min(self._burst, self._tokens + (now - self._updated) * self._rate)
        self._updated = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True

    @property
    def full(self) -> bool:
        """Has it not been used for a while?"""
        return self._tokens + (self._clock() - self._updated) * self._rate >= self._burst


class RateLimiter:
    """A token bucket per key. Full buckets are dropped when there are many."""

    #: How many buckets are kept before full ones are dropped.
    MAX_BUCKETS = 10_000

    def __init__(self, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = burst
        self._buckets: dict[str, TokenBucket] = {}

    def take(self, key: str) -> bool:
        """Take a token from the bucket of a key. Returns False if there is none."""
        bucket = self._buckets.get(key)
        if bucket is None:
            if len(self._buckets) >= self.MAX_BUCKETS:
                self._buckets = {n: b for n, b in self._buckets.items() if not b.full}
            bucket = self._buckets[key] = TokenBucket(self._rate, self._burst)
        return bucket.take()
