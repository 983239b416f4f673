"""Presence: which seats are connected, to this process and to the others."""

from __future__ import annotations

import time
from collections.abc import Mapping

#: How long another process's report is valid, in seconds.
REPORT_VALID_S = 15.0
#: How long a player without a socket counts as present after a request, in seconds.
HTTP_PRESENT_S = 30.0

Seats = frozenset[int]
_NO_SEATS: Seats = frozenset()


class Presence:
    """The connected seats of every table, as far as this process knows."""

    def __init__(self) -> None:
        self._sockets: dict[str, Seats] = {}
        self._last_request: dict[str, dict[int, float]] = {}
        #: What the other processes reported: when, and the seats of each table.
        self._reported_at: dict[str, float] = {}
        self._reports: dict[str, dict[str, Seats]] = {}

    def set_connected(self, table: str, seats: Seats) -> bool:
        """Set the seats with a socket in this process. Returns whether that is a change."""
        before = self._sockets.get(table, _NO_SEATS)
        if seats:
            self._sockets[table] = seats
        else:
            self._sockets.pop(table, None)
        return seats != before

    def touch(self, table: str, seat: int) -> None:
        """A seat without a socket made a request."""
        self._last_request.setdefault(table, {})[seat] = time.monotonic()

    def report(self, process: str, table: str, seats: Seats) -> None:
        """Another process reports its seats at one table."""
        self._reported_at[process] = time.monotonic()
        self._reports.setdefault(process, {})[table] = seats

    def report_all(self, process: str, tables: Mapping[str, Seats]) -> None:
        """Another process reports its seats at all of its tables."""
        self._reported_at[process] = time.monotonic()
        self._reports[process] = dict(tables)

    def local(self, table: str) -> Seats:
        """The seats that are connected to this process, or made a request recently."""
        limit = time.monotonic() - HTTP_PRESENT_S
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
        limit = time.monotonic() - REPORT_VALID_S
        for process in [name for name, at in self._reported_at.items() if at < limit]:
            del self._reported_at[process], self._reports[process]
        reported = (report.get(table, _NO_SEATS) for report in self._reports.values())
        return self.local(table).union(*reported)
