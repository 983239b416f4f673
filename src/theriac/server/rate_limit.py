"""Rate limits: token buckets."""

from __future__ import annotations

import time
from collections.abc import Callable

from theriac.server.limits import Limits


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

    __slots__ = ("_burst", "_clock", "_rate", "_tokens", "_updated")

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
        tokens = self._tokens + (now - self._updated) * self._rate
        if tokens > self._burst:
            tokens = self._burst
        self._updated = now
        if tokens < 1:
            self._tokens = tokens
            return False
        self._tokens = tokens - 1
        return True


class RateLimiter:
    """A token bucket per key. The buckets used last are kept."""

    #: How many buckets are kept. A key that comes back after that many others has a full one again.
    MAX_BUCKETS = 50_000

    def __init__(self, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = burst
        self._buckets: dict[str, TokenBucket] = {}

    def take(self, key: str) -> bool:
        """Take a token from the bucket of a key. Returns False if there is none."""
        bucket = self._buckets.pop(key, None)
        is_new = bucket is None
        if bucket is None:
            bucket = TokenBucket(self._rate, self._burst)
        self._buckets[key] = bucket  # the last one: the first is the one unused for longest
        if is_new and len(self._buckets) > self.MAX_BUCKETS:
            del self._buckets[next(iter(self._buckets))]
        return bucket.take()


class RateLimits:
    """The rate limits of requests and of messages over sockets."""

    def __init__(self, limits: Limits) -> None:
        #: Per player; the first over HTTP and all sockets together.
        self.players = RateLimiter(limits.player_rate, limits.player_burst)
        self.exports = RateLimiter(limits.export_rate, limits.export_burst)
        #: Per address.
        self.messages = RateLimiter(limits.message_rate, limits.message_burst)
        self.creations = RateLimiter(limits.creation_rate, limits.creation_burst)
        self.reports = RateLimiter(limits.report_rate, limits.report_burst)
        self.deletions = RateLimiter(limits.deletion_rate, limits.deletion_burst)
        self.loads = RateLimiter(limits.load_rate, limits.load_burst)
        self.tutorials = RateLimiter(limits.tutorial_rate, limits.tutorial_burst)
        self.api = RateLimiter(limits.api_rate, limits.api_burst)
        self.files = RateLimiter(limits.file_rate, limits.file_burst)
