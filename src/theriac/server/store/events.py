"""The events of a table. The log holds nothing else: replaying it rebuilds the table.

The tags and field names are stored: never change them. Times are milliseconds since 1970, in the
`LogEntry` around an event.
"""

from __future__ import annotations

import time
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import Meta

from theriac.bots.levels import LEVELS

# A title is the name of the type in the published schema (docs/wire.schema.json).

#: How strong a bot is.
Level = Annotated[
    str,
    Meta(title="Level", min_length=1, max_length=20, extra_json_schema={"enum": list(LEVELS)}),
]
#: Reactions to an event.
Sign = Annotated[
    Literal["like", "laugh", "wow", "sad", "thanks", "sorry"],
    Meta(title="Sign"),
]
#: How far a table is: waiting for players, in a game, between two games, closed for good.
Stage = Annotated[Literal["gathering", "playing", "over", "closed"], Meta(title="Stage")]


class Event(msgspec.Struct, frozen=True, tag_field="kind", omit_defaults=True):
    """Something that happened at a table."""


class Clock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How long players may think: for each move, or for all their moves in a game together."""

    per: Literal["move", "game"]
    seconds: int


class Opened(Event, frozen=True, tag="opened"):
    """A table was opened for a game. `seats` has a level for a bot, None for a person.

    `secret` seals the first shuffle. It stays secret until that game is over.
    """

    by: str
    game: str
    options: dict[str, Any]
    seats: list[Level | None]
    secret: str
    clock: Clock | None = None
    listed: bool = False
    delay: int = 0
    adventure: bool = False
    hints: bool = True


class Sat(Event, frozen=True, tag="sat"):
    """A person took a seat, with a nonce for the next shuffle."""

    player: str
    name: str
    seat: int
    nonce: str


class Stood(Event, frozen=True, tag="stood"):
    """A person gave a seat up."""

    seat: int


class Readied(Event, frozen=True, tag="readied"):
    """A seat agreed to the next game, with a nonce for its shuffle."""

    seat: int
    nonce: str


class Begun(Event, frozen=True, tag="begun"):
    """All seats were ready, and the game began. `nonces` are those of all seats."""

    nonces: list[str]


class Moved(Event, frozen=True, tag="moved"):
    """A move was made by a person, a bot, or the clock (then `seat` is null)."""

    seat: int | None
    move: str
    bot: Level | None = None


class Offered(Event, frozen=True, tag="offered"):
    """The game is over, and another is offered, with these options and a new secret."""

    options: dict[str, Any]
    secret: str


class Handed(Event, frozen=True, tag="handed"):
    """A bot took over a seat: its person was away or out of time, or nobody had it."""

    seat: int
    level: Level
    why: Literal["away", "time", "opener"] = "away"


class Returned(Event, frozen=True, tag="returned"):
    """A person took their seat back from a bot."""

    seat: int


class UndoAsked(Event, frozen=True, tag="undo_asked"):
    """A seat asked to take its last move back."""

    seat: int


class UndoAnswered(Event, frozen=True, tag="undo_answered"):
    """Another seat agreed to the undo, or refused."""

    seat: int
    agreed: bool


class Undone(Event, frozen=True, tag="undone"):
    """The last move was taken back; `moves` are left."""

    moves: int


class Hinted(Event, frozen=True, tag="hinted"):
    """A seat asked what to play, and a bot advised this move. Only that seat learns which."""

    seat: int
    move: str


class Said(Event, frozen=True, tag="said"):
    """Somebody said something; a spectator has no `seat`."""

    name: str
    text: str
    seat: int | None = None


class Reacted(Event, frozen=True, tag="reacted"):
    """Somebody reacted to event number `to`."""

    name: str
    to: int
    sign: Sign
    seat: int | None = None


class Closed(Event, frozen=True, tag="closed"):
    """The player who opened the table closed it."""


AnyEvent = (
    Opened
    | Sat
    | Stood
    | Readied
    | Begun
    | Moved
    | Offered
    | Handed
    | Returned
    | UndoAsked
    | UndoAnswered
    | Undone
    | Hinted
    | Said
    | Reacted
    | Closed
)


class LogEntry(NamedTuple):
    """A row of a table's log: its number (from 1), when it was written, the event, and the
    idempotency key of the request that led to it.
    """

    number: int
    at: int
    event: AnyEvent
    idempotency_key: str | None = None


def now_ms() -> int:
    """The time, as log entries hold it."""
    return time.time_ns() // 1_000_000


_decoder = msgspec.json.Decoder(AnyEvent)
_encoder = msgspec.json.Encoder()


def decode_event(text: str | bytes) -> AnyEvent:
    """An event from the text in the log."""
    event: AnyEvent = _decoder.decode(text)
    return event


def encode_event(event: AnyEvent) -> str:
    """The text of an event for the log."""
    return _encoder.encode(event).decode()
