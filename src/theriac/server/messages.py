"""What is sent over the wire, both ways. `docs/wire.md` tells it in sentences.

Every message of a client has an id and gets an answer; sent twice, it is done once.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from theriac.seal import MOST_NONCE

Id = Annotated[str, Meta(min_length=1, max_length=40, pattern="^[!-~]+$")]
Number = Annotated[int, Meta(ge=0, le=2**31)]
SeatNumber = Annotated[int, Meta(ge=0, le=15)]
Nonce = Annotated[str, Meta(min_length=1, max_length=MOST_NONCE)]
Move = Annotated[str, Meta(min_length=1, max_length=60)]
Level = Annotated[str, Meta(min_length=1, max_length=20)]
Name = Annotated[str, Meta(min_length=1, max_length=24)]
Words = Annotated[str, Meta(min_length=1, max_length=300)]
Place = Annotated[str, Meta(min_length=1, max_length=40)]
#: What one may react with, and the gestures that pass in silence.
Sign = Literal["like", "laugh", "wow", "sad", "thanks", "sorry"]
Gesture = Literal["yes", "no", "wait", "hurry", "look", "here", "shrug", "wave"]


class Request(msgspec.Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    """Something that a client asks for."""

    id: Id


class Sit(Request, frozen=True, tag="sit"):
    """Take a free seat. The nonce goes into the shuffle."""

    seat: SeatNumber
    nonce: Nonce


class Stand(Request, frozen=True, tag="stand"):
    """Give one's seat up, before a game begins or after it."""


class Ready(Request, frozen=True, tag="ready"):
    """Agree to the next game. The nonce goes into the shuffle."""

    nonce: Nonce


class Play(Request, frozen=True, tag="move"):
    """Make a move. `version` is that of the last event seen: it says which position is meant."""

    move: Move
    version: Number


class TakeBack(Request, frozen=True, tag="undo"):
    """Ask to take one's last move back."""


class Answer(Request, frozen=True, tag="answer"):
    """Agree that another takes a move back, or not."""

    agree: bool


class Hint(Request, frozen=True, tag="hint"):
    """Ask what the best bot would play in one's place. It is written down that one has asked."""


class Hand(Request, frozen=True, tag="hand"):
    """Let a bot play for a seat whose person is away, or give it an empty seat."""

    seat: SeatNumber
    level: Level


class Return(Request, frozen=True, tag="return"):
    """Play again for one's own seat, which a bot had meanwhile."""


class Say(Request, frozen=True, tag="say"):
    """Say something to all at the table."""

    text: Words


class React(Request, frozen=True, tag="react"):
    """React to an event."""

    to: Number
    sign: Sign


class Point(Request, frozen=True, tag="gesture"):
    """A gesture, which passes in silence too. `at` may point at a place or a card of the table."""

    sign: Gesture
    at: Place | None = None


class Typing(Request, frozen=True, tag="typing"):
    """Show the others that one is writing."""


class Close(Request, frozen=True, tag="close"):
    """Close the table, for whoever opened it."""


class Hello(Request, frozen=True, tag="hello"):
    """The first message of a socket: who one is, and the last version one has seen."""

    key: Annotated[str, Meta(max_length=100)] | None = None
    since: Number | None = None


class Ping(Request, frozen=True, tag="ping"):
    """Is anybody there?"""


#: What changes a table, and what is told to all and forgotten.
Lasting = (
    Sit | Stand | Ready | Play | TakeBack | Answer | Hint | Hand | Return | Say | React | Close
)
Passing = Point | Typing
AnyRequest = Lasting | Passing | Hello | Ping

Code = Literal[
    "unreadable", "illegal", "stale", "turn", "seat", "stage", "silence", "denied", "rate", "store"
]


class Refusal(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why something was not done; `clause` is that of the rules which forbids it."""

    code: Code
    why: str
    clause: str | None = None


class Done(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer to a request: the version it led to, or why it was refused."""

    id: str | None
    version: int | None = None
    refused: Refusal | None = None


class Happened(msgspec.Struct, frozen=True, omit_defaults=True):
    """An event, as this client may know it (None: it may not), and what changed with it.

    `seat` comes with `room`: the seat of this client, if it has one.
    """

    version: int
    at: int
    event: dict[str, Any] | None = None
    room: dict[str, Any] | None = None
    view: dict[str, Any] | None = None
    seat: int | None = None


class Welcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """Everything, as it is now, and what has happened since the version that was named.

    `present` are the seats that were connected before this client came.
    """

    version: int
    now: int
    room: dict[str, Any]
    events: list[Happened]
    seat: int | None = None
    view: dict[str, Any] | None = None
    present: list[int] = []


reader = msgspec.json.Decoder(AnyRequest)
lasting_reader = msgspec.json.Decoder(Lasting | Passing)
writer = msgspec.json.Encoder()
