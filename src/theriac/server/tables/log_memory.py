"""The memory of the logs of all tables that are loaded: how much it is, and who may have more."""

from __future__ import annotations

from theriac.faults import Fault
from theriac.server.limits import Limits


class MemoryFull(Fault):
    """Tables in use have filled the memory: another one cannot be loaded or opened."""

    def __init__(self) -> None:
        super().__init__(
            "tables in use have filled the memory of this server: come back in a moment"
        )


class LogMemory:
    """Counts the bytes of the logs in memory.

    The first half is for every table, the second for tables with short logs. So the tables of a few
    people with long logs leave memory for those of all others.

    >>> memory = LogMemory(Limits(all_log_bytes=800, log_bytes=200, short_log_bytes=50))
    >>> memory.has_room(200), memory.longest_log
    (True, 200)
    >>> memory.bytes = 500
    >>> memory.has_room(200), memory.has_room(50), memory.longest_log
    (False, True, 50)
    >>> memory.bytes = 801
    >>> memory.has_room(1), memory.longest_log
    (False, 0)
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._half = limits.all_log_bytes // 2
        self.bytes = 0

    def is_crowded_with(self, size: int = 0) -> bool:
        """Is the first half used up with another log of this many bytes?"""
        return self.bytes + size > self._half

    def has_room(self, size: int) -> bool:
        """Does a log of this many bytes fit?"""
        is_short = size <= self._limits.short_log_bytes
        return self.bytes + size <= (self._limits.all_log_bytes if is_short else self._half)

    @property
    def longest_log(self) -> int:
        """How long a log may be now for its table to take more than the rest of a game."""
        if not self.is_crowded_with():
            return self._limits.log_bytes
        return self._limits.short_log_bytes if self.bytes <= self._limits.all_log_bytes else 0
