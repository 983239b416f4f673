"""Downtime: the periods when no server was running. No clock runs then."""

from __future__ import annotations

from collections.abc import Iterable


class Downtime:
    """Periods without a running server, as (since, until) in milliseconds."""

    def __init__(self, periods: Iterable[tuple[int, int]] = ()) -> None:
        self._periods = sorted(periods)

    def add(self, since: int, until: int) -> None:
        """Add a period."""
        self._periods = sorted([*self._periods, (since, until)])

    def uptime_between(self, first: int, last: int) -> int:
        """The milliseconds between two moments in which a server was running.

        >>> Downtime([(10, 20), (50, 60)]).uptime_between(15, 100)
        70
        """
        down = sum(max(0, min(last, until) - max(first, since)) for since, until in self._periods)
        return max(0, last - first - down)
