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
from theriac.sealed_deal import SealedDeal
from theriac.server.store.events import Clock, DealOf, Level, Sign, Stage
from theriac.server.tables.redacted import ClientEvent

# In Python `$` also matches before a line feed at the end: `(?!\n)` refuses it, here and in the
# published schema.
Id = Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[!-~]+$(?!\n)")]
Number = Annotated[int, Meta(ge=0, le=2**31)]
SeatNumber = Annotated[int, Meta(ge=0, le=15)]
Nonce = Annotated[str, Meta(min_length=1, max_length=MOST_NONCE)]
#: A SHA-256, as 64 hex digits.
Commitment = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$(?!\n)", max_length=64)]
Move = Annotated[str, Meta(min_length=1, max_length=60)]
Name = Annotated[str, Meta(min_length=1, max_length=24)]
Words = Annotated[str, Meta(min_length=1, max_length=300)]
Place = Annotated[str, Meta(min_length=1, max_length=40)]
#: Some games allow gestures while they ask for silence.
Gesture = Annotated[
    Literal["yes", "no", "wait", "hurry", "look", "here", "shrug", "wave"],
    Meta(title="Gesture"),
]


class Request(msgspec.Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    """Something that a client asks for."""

    id: Id


class Sit(Request, frozen=True, tag="sit"):
    """Take a free seat. `commitment` is the client's own, to a nonce that it keeps; `to` is the
    table's, which it includes.
    """

    seat: SeatNumber
    commitment: Commitment
    to: Commitment


class Stand(Request, frozen=True, tag="stand"):
    """Give up your seat, before a game begins or after it."""


class Ready(Request, frozen=True, tag="ready"):
    """Agree to the next game. `commitment` and `to` are as in `sit`."""

    commitment: Commitment
    to: Commitment


class Reveal(Request, frozen=True, tag="reveal"):
    """Reveal the nonce that you committed to, when the deal is sealed."""

    nonce: Nonce


class CallOff(Request, frozen=True, tag="call_off"):
    """Call the sealed deal off: some nonces have been missing for too long."""


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
    """Ask what the best bot would play in your place. The log and the record note the hint.

    `version` names the position, as in a move: no hint comes if the table has moved on since.
    """

    version: Number | None = None


class Hand(Request, frozen=True, tag="hand"):
    """Let a bot play for a player who is away, or give an empty seat to a bot of a level.

    Without `level`, and always for a player who is away, it is the table's `stand_in`.
    """

    seat: SeatNumber
    level: Level | None = None


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
    """Make a gesture. `at` may name a card or a place, as the game writes them."""

    sign: Gesture
    at: Place | None = None


class Typing(Request, frozen=True, tag="typing"):
    """Show the others that you are typing."""


class Remove(Request, frozen=True, tag="remove"):
    """Remove a person from a seat, or a bot before the first game. Only the player who opened the
    table can.
    """

    seat: SeatNumber


class Lock(Request, frozen=True, tag="lock"):
    """Let nobody take a seat, or let people again. Only the player who opened the table can."""

    locked: bool


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
    Sit
    | Stand
    | Ready
    | Reveal
    | CallOff
    | Play
    | TakeBack
    | Answer
    | Hint
    | Hand
    | Return
    | Say
    | React
    | Remove
    | Lock
    | Close
)
SignalRequest = Point | Typing
TableRequest = StoredRequest | SignalRequest
AnyRequest = TableRequest | Hello | Ping

#: What a muted player may not send.
Talk = Say | React | SignalRequest

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


class DealInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    """The sealed deal: `missing` seats have not revealed their nonces; then `nonces` has all."""

    deal: SealedDeal
    missing: list[int] = []
    nonces: list[str] | None = None


class TableInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    """The table and who sits at it; the same for everybody. `locked`: nobody can take a seat.

    `opener` is the seat of the player who opened the table, if they have one.

    `sealed` is the deal of the game in play or about to begin, `called_off` the number of deals of
    this table that were called off. `deal_of` is the finished game whose deal this game has: its
    cards may be known, and nothing is sealed. All are left out where there is nothing to say.
    """

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
    stand_in: Level
    games: int
    undo: UndoRequest | None
    locked: bool = False
    opener: int | None = None
    sealed: DealInfo | None = None
    called_off: int = 0
    deal_of: DealOf | None = None


class SilenceInfo(TypedDict):
    """The clause that forbids talk now, and whether players may still make gestures."""

    clause: str
    gestures: bool


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
    rounds: NotRequired[
        Annotated[int, Meta(description="The rounds of a whole game, if known beforehand.")]
    ]
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
    undo: NotRequired[
        Annotated[bool, Meta(description="Can this seat take its last move back, or ask to?")]
    ]
    clock: NotRequired[ClockInfo]
    silence: NotRequired[SilenceInfo]
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

    `present` lists the seats that were connected before this client. `skipped` is the number of
    events since that version that would make the message too long: the oldest ones. They are at
    `GET /api/tables/NAME/events`.
    """

    version: int
    now: int
    room: TableInfo
    events: list[Update]
    seat: int | None = None
    view: View | None = None
    present: list[int] = []
    skipped: int = 0


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


class AnnouncementMessage(msgspec.Struct, frozen=True):
    """The operator of the server says something to everybody."""

    announcement: str


class ByeMessage(msgspec.Struct, frozen=True):
    """The server is about to stop: reconnect in a moment."""

    bye: str


#: Each has keys that no other has, so no tag is needed.
ServerMessage = (
    WelcomeMessage
    | Update
    | Reply
    | PresenceMessage
    | SignalMessage
    | AnnouncementMessage
    | ByeMessage
)

decoder: msgspec.json.Decoder[AnyRequest] = msgspec.json.Decoder(AnyRequest)
encoder = msgspec.json.Encoder()
