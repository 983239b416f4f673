"""A table without a server: requests are decided and applied at a time that the test sets."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from theriac.server.http.bodies import NewTable
from theriac.server.http.tables import opened_event
from theriac.server.store import events
from theriac.server.store.events import LogEntry
from theriac.server.tables import messages
from theriac.server.tables.decisions import Requester, bot_move, decide, follow_up, on_timeout
from theriac.server.tables.downtime import Downtime
from theriac.server.tables.table import Table

SECRET = bytes(range(32)).hex()
#: When the tables of tests are opened, in milliseconds.
START = 1_000_000


class Alone:
    """A table without clients, and the time of day there."""

    def __init__(
        self,
        game: str,
        seats: list[str | None],
        downtime: Iterable[tuple[int, int]] = (),
        secret: str = SECRET,
        **more: Any,
    ) -> None:
        self.now = START
        self.table = Table("table", Downtime(downtime))
        new_table = msgspec.convert({"game": game, "seats": seats, **more}, NewTable)
        opened = opened_event(new_table, "opener")
        self.apply(msgspec.structs.replace(opened, secret=secret))

    def apply(self, *decided: events.AnyEvent) -> list[events.AnyEvent]:
        """Apply events now, and what follows from them."""
        applied: list[events.AnyEvent] = []
        pending = list(decided)
        while pending:
            for event in pending:
                self.table.apply(LogEntry(self.table.version + 1, self.now, event))
            applied += pending
            pending = follow_up(self.table)
        return applied

    def ask(
        self, player: str, request: messages.StoredRequest, *present: int
    ) -> list[events.AnyEvent]:
        """Make a request for a player; raises `Fault`."""
        version = self.table.version
        requester = Requester(player, player.title(), frozenset(present), version)
        return self.apply(*decide(self.table, requester, request))

    def sit(self, *players: str) -> None:
        """Seat players, from the first seat on."""
        for seat, player in enumerate(players):
            self.ask(player, messages.Sit("sit", seat, f"nonce {seat}"))

    def play(self, move: str | None = None) -> list[events.AnyEvent]:
        """Make a move for the seat to act: this one, or the first legal one."""
        table, number = self.table, self.table.to_act
        assert number is not None
        move, seat = move or table.current_match.legal()[0], table.seats[number]
        if seat.level:
            return self.apply(*bot_move(table, number, seat.level, move))
        assert seat.player is not None
        return self.ask(seat.player, messages.Play("move", move, table.version))

    def time_out(self) -> list[events.AnyEvent]:
        """Apply what a clock leads to that has run out."""
        return self.apply(*on_timeout(self.table, self.now))

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.now += int(1000 * seconds)
