"""Which seats have somebody at the table now: here, and in the other processes."""

from __future__ import annotations

import time
from collections.abc import Mapping

from theriac.server.tables.session import Live

#: How long the word of another process holds, and a request of one without a socket, in seconds.
HOLDS, LINGERS = 15.0, 30.0


class Presence:
    """Which seats are connected, as far as this process knows."""

    def __init__(self) -> None:
        self._here: dict[str, frozenset[int]] = {}
        #: What each of the other processes has said: when, and of which rooms.
        self._heard: dict[str, float] = {}
        self._elsewhere: dict[str, dict[str, frozenset[int]]] = {}
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
        """Another process says which seats it has at one table."""
        self._heard[process] = time.monotonic()
        self._elsewhere.setdefault(process, {})[room] = seats

    def hear_all(self, process: str, rooms: Mapping[str, frozenset[int]]) -> None:
        """Another process says which seats it has, at all of its tables."""
        self._heard[process] = time.monotonic()
        self._elsewhere[process] = dict(rooms)

    def own(self, room: str) -> frozenset[int]:
        """The seats that are connected to this process, or were heard of lately."""
        limit = time.monotonic() - LINGERS
        lately = {seat: at for seat, at in self._asked.get(room, {}).items() if at > limit}
        if lately:
            self._asked[room] = lately
        else:
            self._asked.pop(room, None)
        return self._here.get(room, frozenset()) | frozenset(lately)

    def all_own(self) -> dict[str, frozenset[int]]:
        """The same for every room where this process has somebody."""
        rooms = {room: self.own(room) for room in {*self._here, *self._asked}}
        return {room: seats for room, seats in rooms.items() if seats}

    def of(self, room: str) -> frozenset[int]:
        """The seats that are connected anywhere, as far as other processes were heard of lately."""
        limit = time.monotonic() - HOLDS
        for process in [name for name, at in self._heard.items() if at < limit]:
            del self._heard[process], self._elsewhere[process]
        none: frozenset[int] = frozenset()
        return self.own(room).union(*(told.get(room, none) for told in self._elsewhere.values()))

    def tell(self, live: Live) -> None:
        """Tell those at a table who else is, if that has changed."""
        here = self.of(live.room.name)
        if here != live.present:
            live.tell_present(here)
