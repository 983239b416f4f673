"""A table and the people at it, as the log of its events makes it.

`apply` is the only thing that changes a room, and only with events that the store has: whatever
reads a room, with or without its lock, sees nothing that could still be lost. What may be asked of
it is in `decisions`, what is told of it in `telling`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from theriac import seal
from theriac.engine.rule import Speed
from theriac.game import Game, find
from theriac.match import Match
from theriac.server.store import events
from theriac.server.store.events import Stage
from theriac.server.tables.downtime import Outages

#: How long a room is made from its log at once, in seconds.
AT_ONCE = 0.005
#: How a bot is named in the seal of a shuffle.
BOT_NONCE = "bot"


class Entry(NamedTuple):
    """A line of the log: its number (from 1), when it happened, what, and how its sender marked
    it.
    """

    number: int
    at: int
    event: events.AnyEvent
    mark: str | None = None


@dataclass
class Seat:
    """Who has a seat: a bot from the beginning, or a person, for whom a bot may play meanwhile."""

    bot: str | None = None
    player: str | None = None
    name: str = ""
    nonce: str | None = None
    stand_in: str | None = None
    spent: int = 0
    out_of_time: bool = False

    @property
    def level(self) -> str | None:
        """The level of the bot that plays for this seat; None where a person does."""
        return self.bot or self.stand_in

    @property
    def waiting(self) -> bool:
        """Does it wait for a person, or for one's word that the game may begin?"""
        return self.level is None and self.nonce is None


@dataclass
class Undo:
    """A seat asks to take its last move back; these have agreed."""

    seat: int
    agreed: set[int] = field(default_factory=set)


class Room:
    """One table: seats, the game that is played, those that were, and all that was said."""

    opened: events.Opened
    game: Game
    options: dict[str, Any]
    secret: bytes

    def __init__(self, name: str, outages: Outages, speed: Speed | None = None) -> None:
        self.name = name
        self.outages = outages
        self.speed = speed
        self.entries: list[Entry] = []
        self.marks: dict[str, int] = {}
        self.stage: Stage = "gathering"
        self.seats: list[Seat] = []
        self.table: Match | None = None
        self.undo: Undo | None = None
        #: Did the last event end what was asked about taking back?
        self.undo_ended = False
        self.finished: list[dict[str, Any]] = []
        #: The number of the last event that changed the position, and when the turn began.
        self.turn_version = 0
        self.turn_since = 0
        self.begun_at = 0
        self._turn_seat: int | None = None
        self._nonces: list[str] = []
        self._drawn: list[int] = []
        self._movers: list[int | None] = []
        self._hints: dict[int, events.Hinted] = {}

    @property
    def version(self) -> int:
        """The number of the last event."""
        return len(self.entries)

    @property
    def playing(self) -> Match:
        """The game that is or was played; raises where none has begun."""
        assert self.table is not None
        return self.table

    def seat_of(self, player: str | None) -> int | None:
        """The seat of a person."""
        if player is None:
            return None
        for number, seat in enumerate(self.seats):
            if seat.player == player:
                return number
        return None

    @property
    def persons(self) -> list[int]:
        """The seats that persons hold and play."""
        return [n for n, seat in enumerate(self.seats) if seat.player and not seat.stand_in]

    @property
    def to_act(self) -> int | None:
        """The seat to act, while a game is played."""
        return self.playing.to_act if self.stage == "playing" else None

    @property
    def bot_to_act(self) -> tuple[int, str] | None:
        """The seat to act and the level of its bot; None where a person is to act, or nobody."""
        seat = self.to_act
        level = None if seat is None else self.seats[seat].level
        return None if seat is None or level is None else (seat, level)

    @property
    def commitment(self) -> str:
        """What is promised of the game that is played, or of the next."""
        return seal.commitment(self.secret)

    @property
    def silence(self) -> str | None:
        """The id of the clause that forbids talk now; None if everybody may talk."""
        return self.playing.silence if self.stage == "playing" else None

    @property
    def hint(self) -> events.Hinted | None:
        """The hint that was taken in this position."""
        return self._hints.get(len(self._movers))

    # Undoing

    def undo_fault(self, seat: int) -> str | None:
        """Why the last move cannot be taken back by this seat; None if it can."""
        if not self._movers:
            return "no move has been made"
        if self._movers[-1] != seat:
            return "only the last move can be taken back, by whoever made it"
        if self._drawn[-1] != self._drawn[-2]:
            return "a card was revealed since"
        return None

    # Clocks

    def seat_left(self, seat: int, now: int) -> int | None:
        """How many milliseconds a seat has left to think; None without a clock."""
        clock = self.opened.clock
        if clock is None or self.seats[seat].level is not None:
            return None
        used = self.seats[seat].spent if clock.per == "game" else 0
        if seat == self.to_act:
            used += self.outages.running(self.turn_since, now)
        return max(0, 1000 * clock.seconds - used)

    def game_left(self, now: int) -> int | None:
        """How many milliseconds are left by the game's own clock; None without."""
        if self.stage != "playing":
            return None
        seconds = self.playing.time_limit
        if seconds is None:
            return None
        return max(0, 1000 * seconds - self.outages.running(self.begun_at, now))

    # Happening

    def apply(self, entry: Entry) -> None:
        """Let an event happen. Moves were found legal before they were logged."""
        assert entry.number == self.version + 1
        asked = self.undo
        getattr(self, f"_{type(entry.event).__name__.lower()}")(entry.event, entry)
        self.undo_ended = asked is not None and self.undo is None
        self.entries.append(entry)
        if entry.mark is not None:
            self.marks[entry.mark] = entry.number

    def _opened(self, event: events.Opened, entry: Entry) -> None:
        self.opened = event
        self.game = find(event.game)
        self.options = event.options
        self.secret = bytes.fromhex(event.secret)
        self.seats = [Seat(bot=level) for level in event.seats]

    def _sat(self, event: events.Sat, entry: Entry) -> None:
        self.seats[event.seat] = Seat(player=event.player, name=event.name, nonce=event.nonce)

    def _stood(self, event: events.Stood, entry: Entry) -> None:
        self.seats[event.seat] = Seat()

    def _readied(self, event: events.Readied, entry: Entry) -> None:
        self.seats[event.seat].nonce = event.nonce

    def _begun(self, event: events.Begun, entry: Entry) -> None:
        self._nonces = event.nonces
        seed = seal.sealed_seed(self.secret, event.nonces)
        self.table = Match(self.game, self.options, seed=seed, speed=self.speed)
        self._drawn = [self.table.drawn]
        self._movers = []
        self._hints = {}
        self.begun_at = entry.at
        for seat in self.seats:
            seat.nonce, seat.spent, seat.out_of_time = None, 0, False
        self.stage = "playing"
        self._turn(entry)

    def _moved(self, event: events.Moved, entry: Entry) -> None:
        table = self.playing
        self._charge(entry.at)
        table.play(event.move)
        self._drawn.append(table.drawn)
        self._movers.append(event.seat)
        self._turn(entry)

    def _charge(self, now: int) -> None:
        """The person to act, if it is one, has used the time since the turn began."""
        if self._turn_seat is not None and self.seats[self._turn_seat].level is None:
            spent = self.outages.running(self.turn_since, now)
            self.seats[self._turn_seat].spent += spent

    def _turn(self, entry: Entry) -> None:
        self.undo = None
        self.turn_version, self.turn_since = entry.number, entry.at
        self._turn_seat = self.playing.to_act

    def _offered(self, event: events.Offered, entry: Entry) -> None:
        self.finished.append(self.record())
        self.options = event.options
        self.secret = bytes.fromhex(event.secret)
        self.stage = "over"
        for seat in self.seats:
            if seat.out_of_time:
                seat.stand_in, seat.out_of_time = None, False

    def _handed(self, event: events.Handed, entry: Entry) -> None:
        seat = self.seats[event.seat]
        if event.why == "opener":
            self.seats[event.seat] = Seat(bot=event.level)
            return
        if event.seat == self.to_act:
            self._charge(entry.at)
        seat.stand_in = event.level
        seat.out_of_time = event.why == "time" and self.opened.clock is not None
        if self.undo and self.undo.seat == event.seat:
            self.undo = None

    def _returned(self, event: events.Returned, entry: Entry) -> None:
        self.seats[event.seat].stand_in = None
        if event.seat == self.to_act:
            self.turn_since = entry.at

    def _undoasked(self, event: events.UndoAsked, entry: Entry) -> None:
        self.undo = Undo(event.seat)

    def _undoanswered(self, event: events.UndoAnswered, entry: Entry) -> None:
        if self.undo and event.agreed:
            self.undo.agreed.add(event.seat)
        else:
            self.undo = None

    def _undone(self, event: events.Undone, entry: Entry) -> None:
        moves = self.playing.moves[: event.moves]
        self.table = Match(self.game, self.options, seed=self.playing.seed, speed=self.speed)
        for move in moves:
            self.table.play(move)
        del self._drawn[event.moves + 1 :], self._movers[event.moves :]
        self._hints = {n: hint for n, hint in self._hints.items() if n <= event.moves}
        self._turn(entry)

    def _hinted(self, event: events.Hinted, entry: Entry) -> None:
        self._hints[len(self._movers)] = event

    def _said(self, event: events.Said, entry: Entry) -> None:
        pass

    def _reacted(self, event: events.Reacted, entry: Entry) -> None:
        pass

    def _closed(self, event: events.Closed, entry: Entry) -> None:
        self.stage = "closed"

    # What is left of a game

    def record(self) -> dict[str, Any]:
        """The game record, with its seal: only for a game that is over."""
        table = self.playing
        assert table.over
        hints = [
            {"move": number + 1, "seat": hint.seat, "advised": hint.move}
            for number, hint in sorted(self._hints.items())
        ]
        return {
            **table.record(),
            "seal": {
                "commitment": self.commitment,
                "secret": self.secret.hex(),
                "nonces": self._nonces,
            },
            "x_names": [seat.name for seat in self.seats],
            "x_bots": [seat.level for seat in self.seats],
            **({"x_hints": hints} if hints else {}),
        }


async def rebuilt(name: str, log: Sequence[Entry], outages: Outages, speed: Speed) -> Room:
    """The room that a log makes; others have their turn meanwhile."""
    room = Room(name, outages, speed)
    rested = time.monotonic()
    for entry in log:
        room.apply(entry)
        if time.monotonic() - rested > AT_ONCE:
            await asyncio.sleep(0)
            rested = time.monotonic()
    return room
