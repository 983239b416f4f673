"""Events as a client may see them: without secrets, nonces and player ids.

Most events hold nothing secret and are sent as they are. The classes here replace the others.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType

from theriac import seal
from theriac.server.store import events
from theriac.server.store.events import STAND_IN, Clock, DealOf, Event, Level


class Opened(Event, frozen=True, tag="opened", kw_only=True):
    """A table was opened. `seats` has a level for a bot, null for a person.

    `commitment` is the SHA-256 of the secret that seals the first shuffle. `deal_of` is the
    finished game whose deal the first game has instead.
    """

    game: str
    options: dict[str, Any]
    seats: list[Level | None]
    clock: Clock | None = None
    listed: bool = False
    delay: int = 0
    adventure: bool = False
    hints: bool = True
    stand_in: Level = STAND_IN
    commitment: str
    deal_of: DealOf | None = None


class Sat(Event, frozen=True, tag="sat"):
    """A person took a seat."""

    name: str
    seat: int


class Readied(Event, frozen=True, tag="readied"):
    """A seat agreed to the next game."""

    seat: int


class Revealed(Event, frozen=True, tag="revealed"):
    """A seat revealed its nonce. Everybody gets all nonces at once, when the game begins."""

    seat: int


class Begun(Event, frozen=True, tag="begun"):
    """All nonces were known, and the game began. `nonces` are those of all seats."""

    nonces: list[str]


class CalledOff(Event, frozen=True, tag="called_off"):
    """The sealed deal was called off by a seat; `missing` seats had not revealed their nonces.

    The next deal has a new commitment.
    """

    seat: int
    missing: list[int]
    commitment: str


class Offered(Event, frozen=True, tag="offered"):
    """The game is over; another is offered, with these options and a new commitment."""

    options: dict[str, Any]
    commitment: str


class Hinted(Event, frozen=True, tag="hinted"):
    """A seat asked a bot for advice. Only that seat gets `move`, the advice."""

    seat: int
    move: str | UnsetType = UNSET


ClientEvent = Annotated[
    Opened
    | Sat
    | events.Stood
    | Readied
    | events.Sealed
    | Revealed
    | CalledOff
    | Begun
    | events.Moved
    | Offered
    | events.Handed
    | events.Returned
    | events.UndoAsked
    | events.UndoAnswered
    | events.Undone
    | Hinted
    | events.Said
    | events.Reacted
    | events.Removed
    | events.Locked
    | events.Closed,
    Meta(title="ClientEvent"),
]


def redact(event: events.AnyEvent, viewpoint: int) -> ClientEvent:
    """The event for a viewpoint. A move is not changed here: only its match knows what it shows."""
    match event:
        case events.Opened():
            return Opened(
                game=event.game,
                options=event.options,
                seats=event.seats,
                clock=event.clock,
                listed=event.listed,
                delay=event.delay,
                adventure=event.adventure,
                hints=event.hints,
                stand_in=event.stand_in,
                commitment=_commitment(event.secret),
                deal_of=event.known_deal.of if event.known_deal else None,
            )
        case events.Offered():
            return Offered(event.options, _commitment(event.secret))
        case events.Sat():
            return Sat(event.name, event.seat)
        case events.Readied():
            return Readied(event.seat)
        case events.Revealed():
            return Revealed(event.seat)
        case events.Begun():
            return Begun(event.nonces)
        case events.CalledOff():
            return CalledOff(event.seat, event.missing, _commitment(event.secret))
        case events.Hinted():
            return Hinted(event.seat, event.move if event.seat == viewpoint else UNSET)
        case _:
            return event


def _commitment(secret: str) -> str:
    return seal.commitment(bytes.fromhex(secret))
