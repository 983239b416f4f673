"""A room without a server: requests are decided and happen at a time that the test says."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from theriac.server.http.bodies import NewTable
from theriac.server.http.new_table import open_event
from theriac.server.store import events
from theriac.server.tables import messages
from theriac.server.tables.clocks import times_up
from theriac.server.tables.decisions import Asker, decide, follow, move_for_bot
from theriac.server.tables.downtime import Outages
from theriac.server.tables.table import Entry, Room

SECRET = bytes(range(32)).hex()
#: When the rooms of tests are opened, in milliseconds.
START = 1_000_000


class Alone:
    """A room, what has happened in it, and what time it is."""

    def __init__(
        self,
        game: str,
        seats: list[str | None],
        outages: Iterable[tuple[int, int]] = (),
        secret: str = SECRET,
        **wish: Any,
    ) -> None:
        self.now = START
        self.room = Room("room", Outages(outages))
        wished = msgspec.convert({"game": game, "seats": seats, **wish}, NewTable)
        opened = open_event(wished, "opener")
        self.happen(msgspec.structs.replace(opened, secret=secret))

    def happen(self, *happening: events.AnyEvent) -> list[events.AnyEvent]:
        """Let events happen now, and what follows by itself."""
        happened: list[events.AnyEvent] = []
        waiting = list(happening)
        while waiting:
            for event in waiting:
                self.room.apply(Entry(self.room.version + 1, self.now, event))
            happened += waiting
            waiting = follow(self.room)
        return happened

    def ask(self, player: str, request: messages.Request, *present: int) -> list[events.AnyEvent]:
        """Let somebody do something; raises `Fault`."""
        asker = Asker(player, player.title(), frozenset(present), self.room.version)
        return self.happen(*decide(self.room, asker, request))

    def sit(self, *players: str) -> None:
        """Let players sit down, from the first seat on."""
        for seat, player in enumerate(players):
            self.ask(player, messages.Sit("sit", seat, f"nonce {seat}"))

    def play(self, move: str | None = None) -> list[events.AnyEvent]:
        """Let the seat to act move: as said, or the first legal move."""
        room, number = self.room, self.room.to_act
        assert number is not None
        move, seat = move or room.playing.legal()[0], room.seats[number]
        if seat.level:
            return self.happen(*move_for_bot(room, number, seat.level, move))
        assert seat.player is not None
        return self.ask(seat.player, messages.Play("move", move, room.version))

    def ring(self) -> list[events.AnyEvent]:
        """Let the clocks ring, if it is time."""
        return self.happen(*times_up(self.room, self.now))

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.now += int(1000 * seconds)
