"""Slots: how many connections or sockets an address, a player or the server may have open."""

from __future__ import annotations

from collections import Counter


class Slots:
    """A number of slots per key.

    >>> slots = Slots(1)
    >>> slots.take("ana"), slots.take("ana"), slots.take("bo")
    (True, False, True)
    >>> slots.taken("ana"), slots.taken("cy")
    (1, 0)
    >>> slots.give_back("ana")
    >>> slots.take("ana")
    True
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._taken: Counter[str] = Counter()

    def take(self, key: str) -> bool:
        """Take a slot. Returns False if there is none."""
        if self._taken[key] >= self._most:
            return False
        self._taken[key] += 1
        return True

    def taken(self, key: str) -> int:
        """How many slots a key has taken."""
        return self._taken.get(key, 0)

    def give_back(self, key: str) -> None:
        """Give a slot back."""
        self._taken[key] -= 1
        if not self._taken[key]:
            del self._taken[key]
