"""A table without a server: the test sets the time at which requests are decided and applied."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from theriac.sealed_deal import name_hash, seat_commitment
from theriac.server.http.bodies import NewTable
from theriac.server.http.tables import opened_event
from theriac.server.store import events
from theriac.server.store.events import LogEntry
from theriac.server.tables import messages
from theriac.server.tables.decisions import Requester, bot_move, decide, follow_up, on_timeout
from theriac.server.tables.downtime import Downtime
from theriac.server.tables.service import TableService
from theriac.server.tables.session import TableSession
from theriac.server.tables.table import Table

SECRET = bytes(range(32)).hex()
#: When the tables of tests are opened, in milliseconds.
START = 1_000_000


class TableHarness:
    """A table without clients, and a clock that only the test moves."""

    def __init__(
        self,
        game: str,
        seats: list[str | None],
        downtime: Iterable[tuple[int, int]] = (),
        secret: str = SECRET,
        **more: Any,
    ) -> None:
        self.now = START
        self._nonces: dict[str, str] = {}
        self.table = Table("table", Downtime(downtime))
        new_table = msgspec.convert({"game": game, "seats": seats, **more}, NewTable)
        opened = opened_event(new_table, "opener")
        self.apply(msgspec.structs.replace(opened, secret=secret))

    def apply(self, *decided: events.AnyEvent) -> list[events.AnyEvent]:
        """Apply events now, then the events that follow from them."""
        applied: list[events.AnyEvent] = []
        pending = list(decided)
        while pending:
            for event in pending:
                self.table.apply(LogEntry(self.table.version + 1, self.now, event))
            applied += pending
            pending = [self._same_salts(event) for event in follow_up(self.table)]
        return applied

    def _same_salts(self, event: events.AnyEvent) -> events.AnyEvent:
        """A deal is sealed with random salts: with these the same moves lead to the same game."""
        if not isinstance(event, events.Sealed):
            return event
        salts = [f"{number:032x}" for number in range(len(self.table.seats))]
        names = [
            events.SealedName(name_hash(salt, seat.name), salt)
            for salt, seat in zip(salts, self.table.seats, strict=True)
        ]
        return msgspec.structs.replace(event, names=names)

    def ask(
        self, player: str, request: messages.StoredRequest, *present: int
    ) -> list[events.AnyEvent]:
        """Make a request for a player; raises `Fault`."""
        version = self.table.version
        away = frozenset(range(len(self.table.seats))) - frozenset(present)
        requester = Requester(player, player.title(), away, version)
        return self.apply(*decide(self.table, requester, request))

    def commit(self, seat: int, nonce: str) -> dict[str, str]:
        """Commit to a nonce: the fields of `Sit` and `Ready`."""
        commitment = seat_commitment(self.table.commitment, seat, nonce)
        self._nonces[commitment] = nonce
        return {"commitment": commitment, "to": self.table.commitment}

    def reveal(self) -> list[events.AnyEvent]:
        """Reveal every nonce that a sealed deal waits for."""
        applied = []
        for seat in self.table.missing:
            player, commitment = self.table.seats[seat].player, self.table.seats[seat].commitment
            assert player is not None and commitment is not None
            reveal = messages.Reveal(f"reveal {seat}", self._nonces[commitment])
            applied += self.ask(player, reveal)
        return applied

    def sit(self, *players: str) -> None:
        """Seat players, from the first seat on; the game begins if that fills the table."""
        for seat, player in enumerate(players):
            self.ask(player, messages.Sit("sit", seat, **self.commit(seat, f"nonce {seat}")))
        self.reveal()

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
        """Apply the events of a clock that has run out."""
        return self.apply(*on_timeout(self.table, self.now))

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.now += int(1000 * seconds)


async def sit_down(service: TableService, session: TableSession, *players: str) -> None:
    """Seat players at a table of a service, from the first seat on, and begin the game."""
    requests: list[tuple[str, messages.TableRequest]] = []
    to = session.table.commitment
    for seat, player in enumerate(players):
        commitment = seat_commitment(to, seat, "nonce")
        requests.append((player, messages.Sit(f"sit{seat}", seat, commitment, to)))
    requests += [(player, messages.Reveal("reveal", "nonce")) for player in players]
    for player, request in requests:
        reply = await service.handle(session, service.requester(session, player, player), request)
        assert reply.refused is None, reply
