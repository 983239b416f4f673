"""Every message of a table's socket, in both directions. `docs/wire.md` describes them.

A client's message has an id and gets exactly one reply; sent twice, it takes effect once.
`make wire` writes the published schema and the page's types from these classes.
"""

# No `from __future__ import annotations`: TypedDict reads `NotRequired` when the class is made, and
# the OpenAPI schema depends on it.

from typing import Annotated, Any, Literal, NotRequired, TypedDict

import msgspec
from msgspec import UNSET, Meta, UnsetType

from theriac.seal import MOST_NONCE
from theriac.server.store.events import Clock, Level, Sign, Stage
from theriac.server.tables.redacted import ClientEvent

Id = Annotated[str, Meta(min_length=1, max_length=40, pattern="^[!-~]+$")]
Number = Annotated[int, Meta(ge=0, le=2**31)]
SeatNumber = Annotated[int, Meta(ge=0, le=15)]
Nonce = Annotated[str, Meta(min_length=1, max_length=MOST_NONCE)]
Move = Annotated[str, Meta(min_length=1, max_length=60)]
Name = Annotated[str, Meta(min_length=1, max_length=24)]
Words = Annotated[str, Meta(min_length=1, max_length=300)]
Place = Annotated[str, Meta(min_length=1, max_length=40)]
#: Gestures are allowed while the game asks for silence.
Gesture = Annotated[
    Literal["yes", "no", "wait", "hurry", "look", "here", "shrug", "wave"],
    Meta(title="Gesture"),
]


class Request(msgspec.Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    """Something that a client asks for."""

    id: Id


class Sit(Request, frozen=True, tag="sit"):
    """Take a free seat. The nonce goes into the shuffle."""

    seat: SeatNumber
    nonce: Nonce


class Stand(Request, frozen=True, tag="stand"):
    """Give up your seat, before a game begins or after it."""


class Ready(Request, frozen=True, tag="ready"):
    """Agree to the next game. The nonce goes into the shuffle."""

    nonce: Nonce


class Play(Request, frozen=True, tag="move"):
    """Make a move. `version` is that of the last event you have seen: it names the position."""

    move: Move
    version: Number


class TakeBack(Request, frozen=True, tag="undo"):
    """Ask to take back your last move."""


class Answer(Request, frozen=True, tag="answer"):
    """Agree or refuse that another player takes a move back."""

    agree: bool


class Hint(Request, frozen=True, tag="hint"):
    """Ask what the best bot would play in your place. The log and the record note the hint."""


class Hand(Request, frozen=True, tag="hand"):
    """Let a bot play for a player who is away, or give an empty seat to a bot."""

    seat: SeatNumber
    level: Level


class Return(Request, frozen=True, tag="return"):
    """Take your seat back from a bot."""


class Say(Request, frozen=True, tag="say"):
    """Say something to everybody at the table."""

    text: Words


class React(Request, frozen=True, tag="react"):
    """React to an event."""

    to: Number
    sign: Sign


class Point(Request, frozen=True, tag="gesture"):
    """Make a gesture, allowed in silence too. `at` may name a place or a card of the table."""

    sign: Gesture
    at: Place | None = None


class Typing(Request, frozen=True, tag="typing"):
    """Show the others that you are typing."""


class Close(Request, frozen=True, tag="close"):
    """Close the table. Only the player who opened it can."""


class Hello(Request, frozen=True, tag="hello"):
    """The first message of a socket: who you are, and the last version you have seen."""

    key: Annotated[str, Meta(max_length=100)] | None = None
    since: Number | None = None


class Ping(Request, frozen=True, tag="ping"):
    """Check the connection."""


#: Requests that lead to stored events, and signals that are only passed on.
StoredRequest = (
    Sit | Stand | Ready | Play | TakeBack | Answer | Hint | Hand | Return | Say | React | Close
)
SignalRequest = Point | Typing
TableRequest = StoredRequest | SignalRequest
AnyRequest = TableRequest | Hello | Ping

RefusalCode = Annotated[
    Literal[
        "unreadable",
        "illegal",
        "stale",
        "turn",
        "seat",
        "stage",
        "silence",
        "denied",
        "rate",
        "store",
    ],
    Meta(title="RefusalCode"),
]


class Refusal(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why a request was refused; `clause` names the rule that forbids it."""

    code: RefusalCode
    why: str
    clause: str | None = None


class Reply(msgspec.Struct, frozen=True, omit_defaults=True):
    """The reply to a request: the version it led to, or why it was refused.

    `id` is null where the id of the request could not be read.
    """

    id: str | None
    version: int | None = None
    refused: Refusal | None = None


# What the server sends


class SeatInfo(msgspec.Struct, frozen=True):
    """A seat: `bot` plays it from the start, `stand_in` plays it for its person."""

    name: str
    bot: Level | None
    stand_in: Level | None
    taken: bool
    ready: bool


class UndoRequest(msgspec.Struct, frozen=True):
    """A seat wants to take its last move back; these seats have agreed."""

    seat: int
    agreed: list[int]


class TableInfo(msgspec.Struct, frozen=True):
    """The table and who sits at it; the same for everybody."""

    table: str
    game: str
    options: dict[str, Any]
    stage: Stage
    seats: list[SeatInfo]
    commitment: str
    clock: Clock | None
    listed: bool
    delay: int
    adventure: bool
    hints: bool
    games: int
    undo: UndoRequest | None


class ClockInfo(TypedDict):
    """Milliseconds left for the game and for each seat; null where nothing limits them."""

    game: int | None
    seats: list[int | None]


class View(TypedDict):
    """The position from one viewpoint: a seat, or a spectator. The game defines the keys of
    `table`, `recalled` and `sheet`.
    """

    game: str
    over: bool
    to_act: int | None
    round: int
    scores: list[int | None]
    winners: list[int]
    legal: list[str]
    table: dict[str, Any]
    hand: NotRequired[list[str]]
    recalled: NotRequired[
        Annotated[dict[str, Any], Meta(description="What else a careful player remembers.")]
    ]
    anytime: NotRequired[
        Annotated[list[str], Meta(description="Legal moves although another seat is to act.")]
    ]
    sheet: NotRequired[
        Annotated[dict[str, Any], Meta(description="How the last finished round was scored.")]
    ]
    clock: NotRequired[ClockInfo]
    hint: NotRequired[
        Annotated[str, Meta(description="The move a bot advised this seat to play here.")]
    ]


class Update(msgspec.Struct, frozen=True, omit_defaults=True):
    """An event, and what it changed. Without `event` this client may not know what happened.

    `room` and `view` are present where they changed; `seat` accompanies `room` for a client with a
    seat.
    """

    version: int
    at: int
    event: ClientEvent | None = None
    room: TableInfo | None = None
    view: View | None = None
    seat: int | None = None


class Welcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """The whole state now, and the events since the version that the client named.

    `present` lists the seats that were connected before this client.
    """

    version: int
    now: int
    room: TableInfo
    events: list[Update]
    seat: int | None = None
    view: View | None = None
    present: list[int] = []


class WelcomeMessage(msgspec.Struct, frozen=True):
    """The first message after a hello."""

    welcome: Welcome


class PresenceMessage(msgspec.Struct, frozen=True):
    """The seats that are connected now."""

    present: list[int]


class Signal(msgspec.Struct, frozen=True):
    """A gesture, or a sign that somebody is typing. It is not stored."""

    name: str
    seat: int | None
    gesture: Gesture | UnsetType = UNSET
    at: str | UnsetType | None = UNSET
    typing: bool | UnsetType = UNSET


class SignalMessage(msgspec.Struct, frozen=True):
    """A signal from somebody at the table."""

    passing: Signal


class ByeMessage(msgspec.Struct, frozen=True):
    """The server is about to stop: reconnect in a moment."""

    bye: str


#: Each has keys that no other has, so no tag is needed.
ServerMessage = WelcomeMessage | Update | Reply | PresenceMessage | SignalMessage | ByeMessage

decoder: msgspec.json.Decoder[AnyRequest] = msgspec.json.Decoder(AnyRequest)
encoder = msgspec.json.Encoder()
