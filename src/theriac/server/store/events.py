"""The events of a table. The log holds nothing else: replaying it rebuilds the table.

The tags and field names are stored: never change them. Times are milliseconds since 1970, in the
`LogEntry` around an event.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import Meta

from theriac.bots.levels import LEVELS
from theriac.server.running.clock import process_clock

# A title is the name of the type in the published schema (docs/wire.schema.json).

#: How strong a bot is.
Level = Annotated[
    str,
    Meta(title="Level", min_length=1, max_length=20, extra_json_schema={"enum": list(LEVELS)}),
]
#: The level of the bots that play for absent players, unless a table was opened with another.
STAND_IN = "medium"
#: Reactions to an event.
Sign = Annotated[
    Literal["like", "laugh", "wow", "sad", "thanks", "sorry"],
    Meta(title="Sign"),
]
#: How far a table is: waiting for players, waiting for the nonces of a sealed deal, in a game,
#: between two games, closed for good.
Stage = Annotated[Literal["gathering", "sealing", "playing", "over", "closed"], Meta(title="Stage")]


class Event(msgspec.Struct, frozen=True, tag_field="kind", omit_defaults=True):
    """Something that happened at a table."""


class Clock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How long players may think: for each move, or for all their moves in a game together."""

    per: Literal["move", "game"]
    seconds: int


class DealOf(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A finished game, by its table and its number there. With `after`, the game continues from the
    position after that many of its moves.
    """

    table: Annotated[str, Meta(max_length=24)]
    number: Annotated[int, Meta(ge=1)]
    after: Annotated[int, Meta(ge=0)] = 0


class KnownDeal(msgspec.Struct, frozen=True, omit_defaults=True):
    """The deal of a finished game, which is dealt again: everybody may know its cards. The game
    begins with the position after `moves`, the first moves of the finished one.
    """

    of: DealOf
    seed: str
    moves: list[str] = []


class Opened(Event, frozen=True, tag="opened"):
    """A table was opened for a game. `seats` has a level for a bot, None for a person.

    `stand_in` is the level of the bots that play for players who are away or out of time.
    `secret` seals the first shuffle. It stays secret until that game is over. With a `known_deal`
    the first game has those cards, and no seal.
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
    stand_in: Level = STAND_IN
    known_deal: KnownDeal | None = None


class Sat(Event, frozen=True, tag="sat"):
    """A person took a seat, and committed to a nonce for the next shuffle.

    In logs of before the nonce itself is here.
    """

    player: str
    name: str
    seat: int
    nonce: str | None = None
    commitment: str | None = None


class Stood(Event, frozen=True, tag="stood"):
    """A person gave a seat up."""

    seat: int


class Readied(Event, frozen=True, tag="readied"):
    """A seat agreed to the next game, and committed to a nonce for its shuffle.

    In logs of before the nonce itself is here.
    """

    seat: int
    nonce: str | None = None
    commitment: str | None = None


class SealedName(msgspec.Struct, frozen=True, omit_defaults=True):
    """The salted hash of a seat's name, to which the deal is bound. Without the salt, the name was
    deleted.
    """

    hash: str
    salt: str | None = None


class Sealed(Event, frozen=True, tag="sealed"):
    """All seats were ready: the deal is fixed, and the nonces may be revealed.

    `commitments` and `names` are those of all seats. Logs of before lack `names`: their deals are
    bound to the names themselves.
    """

    commitments: list[str]
    names: list[SealedName] | None = None


class Revealed(Event, frozen=True, tag="revealed"):
    """A seat revealed its nonce."""

    seat: int
    nonce: str


class CalledOff(Event, frozen=True, tag="called_off"):
    """The sealed deal was called off, by a seat that gave up waiting, stood up or let a bot play.

    The deal counts for ever. `missing` are the seats that had not revealed their nonces. The next
    deal has a new secret.
    """

    seat: int
    missing: list[int]
    secret: str


class Begun(Event, frozen=True, tag="begun"):
    """All nonces were known, and the game began. `nonces` are those of all seats: none where the
    deal was known before.

    `seed` deals the cards, and stays secret until the game is over. Logs of before lack it: their
    seed comes from the secret and the nonces alone.
    """

    nonces: list[str]
    seed: str | None = None


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
    """A seat's last move was taken back, with those of bots since; `moves` are left."""

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


class Removed(Event, frozen=True, tag="removed"):
    """A person lost a seat, and cannot take part at this table again.

    While a game is in play, a bot of this level plays on.
    """

    seat: int
    by: Literal["opener", "operator"]
    level: Level | None = None


class Locked(Event, frozen=True, tag="locked"):
    """The player who opened the table locked it, so that nobody can take a seat, or unlocked it."""

    locked: bool


class Closed(Event, frozen=True, tag="closed"):
    """The table was closed, by the player who opened it or by the operator."""


AnyEvent = (
    Opened
    | Sat
    | Stood
    | Readied
    | Sealed
    | Revealed
    | CalledOff
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
    | Removed
    | Locked
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
    """The time, as log entries hold it: it never goes back while a process runs."""
    return process_clock.now_ms()


_decoder = msgspec.json.Decoder(AnyEvent)
_encoder = msgspec.json.Encoder()


def decode_event(text: str | bytes) -> AnyEvent:
    """An event from the text in the log."""
    event: AnyEvent = _decoder.decode(text)
    return event


def encode_event(event: AnyEvent) -> str:
    """The text of an event for the log."""
    return _encoder.encode(event).decode()


def event_bytes(event: AnyEvent) -> int:
    """The length of that text in UTF-8."""
    return len(_encoder.encode(event))
