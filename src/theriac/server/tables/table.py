"""The state of one table: seats, the current match, finished games, and the log that made them.

Only `apply` changes a table, and only with events that are already in the store. So code that reads
a table, with or without its lock, never sees a move that could still be lost. `decisions` turns
requests into events; `views` turns a table into what a client may see.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

import msgspec

from theriac import seal
from theriac.engine.rule import Speed
from theriac.game import Game, find
from theriac.match import Match
from theriac.sealed_deal import SealedDeal, SealedSeat, short_code
from theriac.server.store import events
from theriac.server.store.events import LogEntry, Stage, event_bytes
from theriac.server.tables.downtime import Downtime

#: What an entry of a log takes beside its text, and a record (tests/server/test_log_memory.py).
ENTRY_BYTES, RECORD_BYTES = 400, 2000


@dataclass
class Seat:
    """A seat: a bot's from the start, or a person's, with a stand-in bot while they are away.

    `commitment` is to the nonce of the next deal; `nonce` is that nonce, once it is revealed.
    """

    bot: str | None = None
    player: str | None = None
    name: str = ""
    commitment: str | None = None
    nonce: str | None = None
    stand_in: str | None = None
    spent: int = 0
    out_of_time: bool = False

    @property
    def level(self) -> str | None:
        """The level of the bot that plays this seat; None where a person plays."""
        return self.bot or self.stand_in

    @property
    def waiting(self) -> bool:
        """Is this seat empty, or is its person not ready yet?"""
        return self.level is None and not self.ready

    @property
    def ready(self) -> bool:
        """Has its person agreed to the next game? A log of before has the nonce at once."""
        return self.commitment is not None or self.nonce is not None


@dataclass
class UndoState:
    """A seat has asked to take its last move back; these seats have agreed."""

    seat: int
    agreed: set[int] = field(default_factory=set)


class Table:
    """One table, rebuilt from its log by applying one event after another."""

    opened: events.Opened
    game: Game
    options: dict[str, Any]
    secret: bytes

    def __init__(self, name: str, downtime: Downtime, speed: Speed | None = None) -> None:
        self.name = name
        self.downtime = downtime
        self.speed = speed
        self.log: list[LogEntry] = []
        #: About how much memory the log and the records of its games take.
        self.log_bytes = 0
        #: The version that each request led to, by its idempotency key.
        self.version_by_key: dict[str, int] = {}
        self.stage: Stage = "gathering"
        self.seats: list[Seat] = []
        self.match: Match | None = None
        #: Players who were removed, and whether the opener has locked the table.
        self.removed: set[str] = set()
        self.locked = False
        self.undo: UndoState | None = None
        #: Did the last event end a request to undo?
        self.undo_ended = False
        #: The records of the finished games.
        self.finished: list[dict[str, Any]] = []
        #: The version of the last event that changed the position, and when the turn began.
        self.turn_version = 0
        self.turn_since = 0
        #: The event with which the last game began, and when that was.
        self.begun_version = 0
        self.begun_at = 0
        self._turn_seat: int | None = None
        #: The deal of the game in play or about to begin, and its nonces once all are known.
        self.sealed: SealedDeal | None = None
        self.sealed_at = 0
        self.nonces: list[str] | None = None
        #: The finished game whose deal the game in play or about to begin has; None: a new deal.
        self.deal_of: events.DealOf | None = None
        #: How many sealed deals of this table were called off.
        self.called_off = 0
        # After the deal and after each move: how many cards were drawn; the moves of the game.
        self._drawn: list[int] = []
        self._moved: list[events.Moved] = []
        #: How many of them the game took over from a finished one.
        self._known = 0
        self._hints: dict[int, events.Hinted] = {}

    @property
    def version(self) -> int:
        """The number of the last event."""
        return len(self.log)

    @property
    def current_match(self) -> Match:
        """The match in play or just finished. Only call this after the first game has begun."""
        assert self.match is not None
        return self.match

    def seat_of(self, player: str | None) -> int | None:
        """The seat of a player."""
        if player is None:
            return None
        for number, seat in enumerate(self.seats):
            if seat.player == player:
                return number
        return None

    @property
    def human_seats(self) -> list[int]:
        """The seats that people hold and play themselves."""
        return [n for n, seat in enumerate(self.seats) if seat.player and not seat.stand_in]

    @property
    def player_seats(self) -> list[int]:
        """The seats that people hold, those with a stand-in included."""
        return [n for n, seat in enumerate(self.seats) if seat.player]

    @property
    def to_act(self) -> int | None:
        """The seat to act, while a game is in play."""
        return self._turn_seat if self.stage == "playing" else None

    @property
    def game_is_over(self) -> bool:
        """Has the game in play ended?"""
        return self.stage == "playing" and self._turn_seat is None

    @property
    def bot_to_act(self) -> tuple[int, str] | None:
        """The seat to act and its bot's level; None where a person is to act, or nobody."""
        seat = self.to_act
        level = None if seat is None else self.seats[seat].level
        return None if seat is None or level is None else (seat, level)

    @property
    def commitment(self) -> str:
        """The commitment to the shuffle of the current game, or of the next one."""
        return seal.commitment(self.secret)

    @property
    def missing(self) -> list[int]:
        """The seats whose nonces the sealed deal waits for."""
        if self.sealed is None or self.stage != "sealing":
            return []
        seats = enumerate(zip(self.sealed.seats, self.seats, strict=True))
        return [n for n, (sealed, seat) in seats if sealed.bot is None and seat.nonce is None]

    @property
    def silence(self) -> str | None:
        """The id of the clause that forbids talk now; None if everybody may talk."""
        return self.match.silence if self.match and self.stage == "playing" else None

    @property
    def known_moves(self) -> list[str]:
        """The moves that this game took over from the finished one whose deal it has."""
        known = self.opened.known_deal
        return known.moves if known and self.deal_of else []

    @property
    def hint(self) -> events.Hinted | None:
        """The hint that was given in this position."""
        return self._hints.get(len(self._moved))

    def undo_refusal(self, seat: int) -> str | None:
        """Why this seat cannot take its last move back; None if it can."""
        if len(self._moved) == self._known:
            return "no move has been made"
        moves = self.moves_before_undone(seat)
        if moves is None:
            return "you can take back only your own move, before anyone else has moved"
        if self._drawn[-1] != self._drawn[moves]:
            return "a card has been revealed since"
        return None

    def moves_before_undone(self, seat: int) -> int | None:
        """The number of moves that stay when this seat takes its last one back; None if another
        has moved since. Where no other person has a seat, moves of bots do not count: they are
        taken back, too.
        """
        for number in reversed(range(self._known, len(self._moved))):
            moved = self._moved[number]
            if moved.seat == seat:
                return number
            if moved.bot is None or self.player_seats != [seat]:
                return None
        return None

    @property
    def undo_seats(self) -> list[int]:
        """The seats that can take their last move back now, or ask the others to agree."""
        if self.stage != "playing" or not self._moved:
            return []
        last = self._moved[-1]
        # Only after a move of a bot can another seat than the mover's take its own back.
        seats = [last.seat] if last.bot is None else range(len(self.seats))
        may_undo = []
        for seat in seats:
            if seat is None or self.seats[seat].stand_in is not None:
                continue
            if self.undo_refusal(seat) is None:
                may_undo.append(seat)
        return may_undo

    # Clocks

    @property
    def has_clock(self) -> bool:
        """Is a game in play in which a clock runs, its own or that of the players?"""
        if self.match is None or self.stage != "playing":
            return False
        return self.opened.clock is not None or self.match.time_limit is not None

    def seat_ms_left(self, seat: int, now: int) -> int | None:
        """The milliseconds a seat has left to think; None without a clock."""
        clock = self.opened.clock
        if clock is None or self.seats[seat].level is not None:
            return None
        used = self.seats[seat].spent if clock.per == "game" else 0
        if seat == self.to_act:
            used += self.downtime.uptime_between(self.turn_since, now)
        return max(0, 1000 * clock.seconds - used)

    def game_ms_left(self, now: int) -> int | None:
        """The milliseconds left on the game's own clock; None without one."""
        if self.stage != "playing":
            return None
        seconds = self.current_match.time_limit
        if seconds is None:
            return None
        return max(0, 1000 * seconds - self.downtime.uptime_between(self.begun_at, now))

    # Events

    def apply(self, entry: LogEntry) -> None:
        """Apply an event that is in the store. Its move was checked before it was stored."""
        event = entry.event
        assert entry.number == len(self.log) + 1
        undo_before = self.undo
        self._APPLY[type(event)](self, event, entry)
        self.undo_ended = undo_before is not None and self.undo is None
        self.log.append(entry)
        self.log_bytes += ENTRY_BYTES + event_bytes(event)
        if entry.idempotency_key is not None:
            self.version_by_key[entry.idempotency_key] = entry.number

    def _apply_opened(self, event: events.Opened, entry: LogEntry) -> None:
        self.opened = event
        self.game = find(event.game)
        self.options = event.options
        self.secret = bytes.fromhex(event.secret)
        self.seats = [Seat(bot=level) for level in event.seats]
        self.deal_of = event.known_deal.of if event.known_deal else None

    def _apply_sat(self, event: events.Sat, entry: LogEntry) -> None:
        self.seats[event.seat] = Seat(
            player=event.player, name=event.name, commitment=event.commitment, nonce=event.nonce
        )

    def _apply_stood(self, event: events.Stood, entry: LogEntry) -> None:
        self.seats[event.seat] = Seat()

    def _apply_readied(self, event: events.Readied, entry: LogEntry) -> None:
        seat = self.seats[event.seat]
        seat.commitment, seat.nonce = event.commitment, event.nonce

    def _apply_sealed(self, event: events.Sealed, entry: LogEntry) -> None:
        self.sealed = SealedDeal(
            table=self.name,
            game=self.game.name,
            number=len(self.finished) + 1,
            called_off=self.called_off,
            options=self.options,
            seats=self._sealed_seats(event),
            commitment=self.commitment,
            commitments=event.commitments,
        )
        self.sealed_at, self.nonces, self.deal_of = entry.at, None, None
        self.stage = "sealing"

    def _sealed_seats(self, event: events.Sealed) -> list[SealedSeat]:
        if event.names is None:  # a log of before
            return [SealedSeat(seat.name, seat.level) for seat in self.seats]
        return [
            SealedSeat(seat.name, seat.level, name.hash, name.salt)
            for seat, name in zip(self.seats, event.names, strict=True)
        ]

    def _apply_revealed(self, event: events.Revealed, entry: LogEntry) -> None:
        self.seats[event.seat].nonce = event.nonce

    def _apply_called_off(self, event: events.CalledOff, entry: LogEntry) -> None:
        self.called_off += 1
        self.sealed = None
        self.secret = bytes.fromhex(event.secret)
        self.stage = "gathering" if self.match is None else "over"
        for seat in self.seats:
            seat.commitment = seat.nonce = None

    def _apply_begun(self, event: events.Begun, entry: LogEntry) -> None:
        self.nonces = event.nonces
        if event.seed is None:
            self.sealed = None
            seed = seal.sealed_seed(self.secret, event.nonces)
        else:
            seed = bytes.fromhex(event.seed)
        self.match = Match(self.game, self.options, seed=seed, speed=self.speed)
        self._drawn = [self.match.drawn]
        self._moved = []
        self._hints = {}
        self._known = len(self.known_moves)
        for move in self.known_moves:
            mover = None if move == self.match.clock_move else self.match.to_act
            self._play(events.Moved(mover, move))
        self.begun_version, self.begun_at = entry.number, entry.at
        for seat in self.seats:
            seat.commitment = seat.nonce = None
            seat.spent, seat.out_of_time = 0, False
        self.stage = "playing"
        self._begin_turn(entry)

    def _apply_moved(self, event: events.Moved, entry: LogEntry) -> None:
        if self.opened.clock is not None:
            self._charge_clock(entry.at)
        self._play(event)
        self._begin_turn(entry)

    def _play(self, event: events.Moved) -> None:
        match = self.match
        assert match is not None
        match.play(event.move)
        self._drawn.append(match.drawn)
        self._moved.append(event)

    def _charge_clock(self, now: int) -> None:
        """Count the time since the turn began as spent by the person to act."""
        if self._turn_seat is not None and self.seats[self._turn_seat].level is None:
            spent = self.downtime.uptime_between(self.turn_since, now)
            self.seats[self._turn_seat].spent += spent

    def _begin_turn(self, entry: LogEntry) -> None:
        self.undo = None
        self.turn_version, self.turn_since = entry.number, entry.at
        self._turn_seat = self.current_match.to_act

    def _apply_offered(self, event: events.Offered, entry: LogEntry) -> None:
        self.finished.append(self.record())
        self.log_bytes += RECORD_BYTES
        self.options = event.options
        self.secret = bytes.fromhex(event.secret)
        self.stage = "over"
        for seat in self.seats:
            if seat.out_of_time:
                seat.stand_in, seat.out_of_time = None, False

    def _apply_handed(self, event: events.Handed, entry: LogEntry) -> None:
        seat = self.seats[event.seat]
        if event.why == "opener":
            self.seats[event.seat] = Seat(bot=event.level)
            return
        if event.seat == self.to_act:
            self._charge_clock(entry.at)
        seat.stand_in = event.level
        seat.out_of_time = event.why == "time" and self.opened.clock is not None
        if self.undo and self.undo.seat == event.seat:
            self.undo = None

    def _apply_returned(self, event: events.Returned, entry: LogEntry) -> None:
        self.seats[event.seat].stand_in = None
        if event.seat == self.to_act:
            self.turn_since = entry.at

    def _apply_undo_asked(self, event: events.UndoAsked, entry: LogEntry) -> None:
        self.undo = UndoState(event.seat)

    def _apply_undo_answered(self, event: events.UndoAnswered, entry: LogEntry) -> None:
        if self.undo and event.agreed:
            self.undo.agreed.add(event.seat)
        else:
            self.undo = None

    def _apply_undone(self, event: events.Undone, entry: LogEntry) -> None:
        moves = self.current_match.moves[: event.moves]
        match = Match(self.game, self.options, seed=self.current_match.seed, speed=self.speed)
        for move in moves:
            match.play(move)
        self.match = match
        del self._drawn[event.moves + 1 :], self._moved[event.moves :]
        self._hints = {n: hint for n, hint in self._hints.items() if n <= event.moves}
        self._begin_turn(entry)

    def _apply_hinted(self, event: events.Hinted, entry: LogEntry) -> None:
        self._hints[len(self._moved)] = event

    def _apply_words(self, event: events.Said | events.Reacted, entry: LogEntry) -> None:
        """Words are only logged."""

    def _apply_removed(self, event: events.Removed, entry: LogEntry) -> None:
        seat = self.seats[event.seat]
        if seat.player is not None:
            self.removed.add(seat.player)
        if event.seat == self.to_act:
            self._charge_clock(entry.at)
        self.seats[event.seat] = Seat(bot=event.level)
        if self.undo and self.undo.seat == event.seat:
            self.undo = None

    def _apply_locked(self, event: events.Locked, entry: LogEntry) -> None:
        self.locked = event.locked

    def _apply_closed(self, event: events.Closed, entry: LogEntry) -> None:
        self.stage = "closed"

    _APPLY: ClassVar[dict[type, Callable[[Table, Any, LogEntry], None]]] = {
        events.Opened: _apply_opened,
        events.Sat: _apply_sat,
        events.Stood: _apply_stood,
        events.Readied: _apply_readied,
        events.Sealed: _apply_sealed,
        events.Revealed: _apply_revealed,
        events.CalledOff: _apply_called_off,
        events.Begun: _apply_begun,
        events.Moved: _apply_moved,
        events.Offered: _apply_offered,
        events.Handed: _apply_handed,
        events.Returned: _apply_returned,
        events.UndoAsked: _apply_undo_asked,
        events.UndoAnswered: _apply_undo_answered,
        events.Undone: _apply_undone,
        events.Hinted: _apply_hinted,
        events.Said: _apply_words,
        events.Reacted: _apply_words,
        events.Removed: _apply_removed,
        events.Locked: _apply_locked,
        events.Closed: _apply_closed,
    }

    def record(self) -> dict[str, Any]:
        """The record of the finished game, with the secret of its shuffle.

        A deal that was known before has no seal: the record says whose deal it was.
        """
        match = self.current_match
        assert match.over
        hints = [
            {"move": number + 1, "seat": hint.seat, "advised": hint.move}
            for number, hint in sorted(self._hints.items())
        ]
        return {
            **match.record(),
            **(
                {"seal": self._seal()}
                if self.deal_of is None
                else {"x_deal_of": msgspec.to_builtins(self.deal_of)}
            ),
            "x_names": [seat.name for seat in self.seats],
            "x_bots": [seat.level for seat in self.seats],
            **({"x_hints": hints} if hints else {}),
        }

    def _seal(self) -> dict[str, Any]:
        """The seal of the finished game: of version 3, or of an older one in a log of before."""
        assert self.nonces is not None
        opened = {"secret": self.secret.hex(), "nonces": self.nonces}
        if self.sealed is None:
            return {"commitment": self.commitment, **opened}
        deal = msgspec.to_builtins(self.sealed)
        # The record has game and options itself.
        del deal["game"], deal["options"]
        code = short_code(self.sealed, self.nonces)
        return {"version": self.sealed.version, **deal, **opened, "code": code}
