"""Which seats have somebody at the table now: here, and in the other processes."""

from __future__ import annotations

import time
from collections import Counter

#: How long the word of another process holds, and a request of one without a socket, in seconds.
HOLDS, LINGERS = 45.0, 30.0


class Presence:
    """Counts the connections of each seat, as far as this process knows."""

    def __init__(self) -> None:
        self._here: dict[str, Counter[int]] = {}
        self._elsewhere: dict[str, dict[str, tuple[float, frozenset[int]]]] = {}
        self._asked: dict[str, dict[int, float]] = {}

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

    def touch(self, room: str, seat: int) -> None:
        """A seat without a socket has asked for something."""
        self._asked.setdefault(room, {})[seat] = time.monotonic()

    def hear(self, process: str, room: str, seats: frozenset[int]) -> None:
        """Another process says which seats it has there."""
        self._elsewhere.setdefault(room, {})[process] = (time.monotonic(), seats)

    def own(self, room: str) -> frozenset[int]:
        """The seats that are connected to this process, or were heard of lately."""
        limit = time.monotonic() - LINGERS
        lately = {seat: at for seat, at in self._asked.get(room, {}).items() if at > limit}
        if lately:
            self._asked[room] = lately
        else:
            self._asked.pop(room, None)
        return frozenset(self._here.get(room, ())) | frozenset(lately)

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
