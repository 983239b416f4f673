"""When no server was running: no clock runs then."""

from __future__ import annotations

from collections.abc import Iterable


class Outages:
    """Times from when until when no server was running, in milliseconds."""

    def __init__(self, times: Iterable[tuple[int, int]] = ()) -> None:
        self._times = sorted(times)

    def add(self, first: int, last: int) -> None:
        """Remember another."""
        self._times = sorted([*self._times, (first, last)])

    def running(self, first: int, last: int) -> int:
        """How much of the time between two moments a server was running.

        >>> Outages([(10, 20), (50, 60)]).running(15, 100)
        70
        """
        down = sum(max(0, min(last, until) - max(first, since)) for since, until in self._times)
        return max(0, last - first - down)
