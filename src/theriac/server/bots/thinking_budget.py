"""How long the bots of a table may think."""

from __future__ import annotations

import time
from collections.abc import Callable


class ThinkingBudget:
    """A number of seconds at once, and a share of the time in the long run.

    What a bot uses is known only afterwards. So a bot may think while anything is left, and one
    that used more than was left makes the next one wait until the debt is paid.

    >>> now = 0.0
    >>> budget = ThinkingBudget(share=0.5, burst_s=10, clock=lambda: now)
    >>> budget.spend(9); budget.wait_s()
    0.0
    >>> budget.spend(3); budget.wait_s()
    4.0
    >>> now = 4.0
    >>> budget.wait_s()
    0.0
    """

    def __init__(
        self, share: float, burst_s: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._share = share
        self._burst_s = burst_s
        self._clock = clock
        self._left_s = burst_s
        self._updated = clock()

    def spend(self, seconds: float) -> None:
        """A bot has thought for so long."""
        self._refill()
        self._left_s -= seconds

    def wait_s(self) -> float:
        """The seconds until a bot may think."""
        self._refill()
        return max(0.0, -self._left_s / self._share)

    def _refill(self) -> None:
        now = self._clock()
        self._left_s = min(self._burst_s, self._left_s + (now - self._updated) * self._share)
        self._updated = now
