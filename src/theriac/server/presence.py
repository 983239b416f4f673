"""Which seats have somebody at the table now: here, and in the other processes."""

from __future__ import annotations

import time

#: How long the word of another process holds, and a request of one without a socket, in seconds.
HOLDS, LINGERS = 45.0, 30.0


class Presence:
    """Which seats are connected, as far as this process knows."""

    def __init__(self) -> None:
        self._here: dict[str, frozenset[int]] = {}
        self._elsewhere: dict[str, dict[str, tuple[float, frozenset[int]]]] = {}
        self._asked: dict[str, dict[int, float]] = {}

    def see(self, room: str, seats: frozenset[int]) -> bool:
        """These seats are connected here: is it news?"""
        before = self._here.get(room, frozenset())
        if seats:
            self._here[room] = seats
        else:
            self._here.pop(room, None)
        return seats != before

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
        return self._here.get(room, frozenset()) | frozenset(lately)

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
