"""Presence: which seats are connected, to this process and to the others; and who is away.

A short drop of the connection is not absence: a seat is away when it has been disconnected from
every process for a while. The same holds after a restart, when nobody has reconnected yet.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping

#: How long another process's report is valid, in seconds.
REPORT_VALID_S = 15.0
#: How long a player without a socket counts as present after a request, in seconds.
HTTP_PRESENT_S = 30.0
#: How long a player must be disconnected before a bot may be asked to play for them, in seconds.
ABSENCE_GRACE_S = 30.0

Seats = frozenset[int]
_NO_SEATS: Seats = frozenset()


class Presence:
    """The connected seats of every table, as far as this process knows."""

    def __init__(
        self, grace_s: float = ABSENCE_GRACE_S, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._grace_s = grace_s
        self._clock = clock
        #: Nobody counts as away before this process could have heard of them.
        self._started = self._clock()
        #: When a seat was last connected, by table and seat, oldest first. Seats that left longer
        #: ago than the grace are dropped. A plain dict finds its oldest key slowly after deletions.
        self._last_seen: OrderedDict[tuple[str, int], float] = OrderedDict()
        self._sockets: dict[str, Seats] = {}
        self._last_request: dict[str, dict[int, float]] = {}
        #: What the other processes reported: when, and the seats of each table.
        self._reported_at: dict[str, float] = {}
        self._reports: dict[str, dict[str, Seats]] = {}

    def set_connected(self, table: str, seats: Seats) -> bool:
        """Set the seats with a socket in this process. Returns whether that is a change."""
        before = self._sockets.get(table, _NO_SEATS)
        if seats == before:
            return False
        self._left(table, before - seats)
        if seats:
            self._sockets[table] = seats
        else:
            self._sockets.pop(table, None)
        return True

    def touch(self, table: str, seat: int) -> None:
        """A seat without a socket made a request."""
        self._last_request.setdefault(table, {})[seat] = self._clock()

    def forget_old_requests(self) -> None:
        """Forget requests that nobody counts any more, of tables that nobody looks at."""
        for table in list(self._last_request):
            self.local(table)

    def report(self, process: str, table: str, seats: Seats) -> None:
        """Another process reports its seats at one table."""
        self._reported_at[process] = self._clock()
        tables = self._reports.setdefault(process, {})
        self._left(table, tables.get(table, _NO_SEATS) - seats)
        tables[table] = seats

    def report_all(self, process: str, tables: Mapping[str, Seats]) -> None:
        """Another process reports its seats at all of its tables."""
        self._reported_at[process] = self._clock()
        for table, seats in self._reports.get(process, {}).items():
            self._left(table, seats - tables.get(table, _NO_SEATS))
        self._reports[process] = dict(tables)

    def local(self, table: str) -> Seats:
        """The seats that are connected to this process, or made a request recently."""
        limit = self._clock() - HTTP_PRESENT_S
        requests = self._last_request.get(table, {})
        recent = {seat: at for seat, at in requests.items() if at > limit}
        if recent:
            self._last_request[table] = recent
        else:
            self._last_request.pop(table, None)
        return self._sockets.get(table, _NO_SEATS) | frozenset(recent)

    def all_local(self) -> dict[str, Seats]:
        """The same for every table where this process has somebody."""
        tables = {table: self.local(table) for table in {*self._sockets, *self._last_request}}
        return {table: seats for table, seats in tables.items() if seats}

    def of(self, table: str) -> Seats:
        """The seats that are connected to any process with a valid report."""
        if not self._reports and table not in self._last_request:
            return self._sockets.get(table, _NO_SEATS)  # most tables, at every request
        self._drop_old_reports()
        reported = (report.get(table, _NO_SEATS) for report in self._reports.values())
        return self.local(table).union(*reported)

    def away(self, table: str, seats: int) -> Seats:
        """The seats of a table with this many seats that have been disconnected for the grace."""
        present, limit = self.of(table), self._clock() - self._grace_s
        if len(present) == seats:
            return _NO_SEATS
        return frozenset(
            seat
            for seat in range(seats)
            if seat not in present and self._last_seen.get((table, seat), self._started) <= limit
        )

    def silent(self, processes: Collection[str]) -> bool:
        """Has one of these processes sent no report lately? Then its seats are not known here."""
        self._drop_old_reports()
        return not set(processes) <= set(self._reported_at)

    def _drop_old_reports(self) -> None:
        limit = self._clock() - REPORT_VALID_S
        for process in [name for name, at in self._reported_at.items() if at < limit]:
            del self._reported_at[process]
            for table, seats in self._reports.pop(process).items():
                self._left(table, seats)

    def _left(self, table: str, seats: Seats) -> None:
        now = self._clock()
        for seat in seats:
            self._last_seen[table, seat] = now
            self._last_seen.move_to_end((table, seat))
        while self._last_seen:
            oldest = next(iter(self._last_seen))
            if self._last_seen[oldest] > now - self._grace_s:
                return
            del self._last_seen[oldest]
