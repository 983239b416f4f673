"""Which seats have somebody at the table now: here, and in the other processes."""

from __future__ import annotations

import time
from collections import Counter

#: How long the word of another process holds, in seconds.
HOLDS = 45.0


class Presence:
    """Counts the connections of each seat, as far as this process knows."""

    def __init__(self) -> None:
        self._here: dict[str, Counter[int]] = {}
        self._elsewhere: dict[str, dict[str, tuple[float, frozenset[int]]]] = {}

    def change(self, room: str, seat: int, change: int) -> bool:
        """A connection came or went: is the seat there now and was not, or the other way?"""
        seats = self._here.setdefault(room, Counter())
        before = seats[seat] > 0
        seats[seat] += change
        if seats[seat] <= 0:
            del seats[seat]
        if not seats:
            del self._here[room]
        return before != (self._here.get(room, Counter())[seat] > 0)

    def hear(self, process: str, room: str, seats: frozenset[int]) -> None:
        """Another process says which seats it has there."""
        self._elsewhere.setdefault(room, {})[process] = (time.monotonic(), seats)

    def own(self, room: str) -> frozenset[int]:
        """The seats that are connected to this process."""
        return frozenset(self._here.get(room, ()))

    def rooms(self) -> list[str]:
        """The rooms where this process has somebody."""
        return list(self._here)

    def of(self, room: str) -> frozenset[int]:
        """The seats that are connected anywhere."""
        limit = time.monotonic() - HOLDS
        told = self._elsewhere.get(room, {})
        fresh = {name: said for name, said in told.items() if said[0] > limit}
        if fresh:
            self._elsewhere[room] = fresh
        else:
            self._elsewhere.pop(room, None)
        return self.own(room).union(*(seats for _, seats in fresh.values()))
