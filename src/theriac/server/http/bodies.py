"""The bodies of HTTP requests and responses."""

# No `from __future__ import annotations`: TypedDict reads `NotRequired` when the class is made, and
# the OpenAPI schema depends on it.

from typing import Annotated, Any, Literal, NotRequired, TypedDict

import msgspec
from msgspec import Meta

from theriac.review.results import Review
from theriac.sealed_deal import SealedSeat
from theriac.server.store.events import STAND_IN, Clock, DealOf, Level, Stage
from theriac.server.tables.messages import Move, Name, SeatNumber, Update, View

#: What is sure after a move: only those keys of `table` and `recalled` that no hidden card decides.
Preview = Annotated[dict[str, Any], Meta(title="Preview")]


class Nickname(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a player wants to be called."""

    name: Name


class PlayerKey(msgspec.Struct, frozen=True):
    """A player's key. It alone identifies the player: keep it secret."""

    name: str
    key: str


# Games


class OptionInfo(TypedDict):
    """An option of a game. It has `values` to choose from, a range, or a list to pick from."""

    name: str
    values: NotRequired[list[Any]]
    least: NotRequired[int]
    most: NotRequired[int]
    some_of: NotRequired[list[str]]
    default: Any
    clause: str
    help: str


class GameFiles(TypedDict):
    """The addresses of what a game's package has for the page (docs/page.md).

    That is its board as a module, the style sheet and the cover, and its words by language: those
    of the board, and those of the tutorial.
    """

    module: str | None
    style: str | None
    cover: str | None
    words: dict[str, str]
    tutorial_words: dict[str, str]


class GameInfo(TypedDict):
    """A game and its options.

    `per_seat` are the keys of a view's `table` with one entry per seat, `seat_keys` those whose
    number is a seat; `languages` are those of the rule page.
    """

    name: str
    title: str
    summary: str
    players: list[int]
    usual_players: int
    players_clause: str
    first: str
    options: list[OptionInfo]
    languages: list[str]
    together: bool
    adventure: bool
    tutorial: bool
    per_seat: list[str]
    seat_keys: list[str]
    files: GameFiles


class DeckText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A deck file, as text."""

    deck: Annotated[str, Meta(max_length=20_000)]


class DeckContents(msgspec.Struct, frozen=True):
    """How many there are of each card, and for each possible mark the cards that have it."""

    cards: dict[str, int]
    marks: dict[str, list[str]]


class DeckCards(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A deck to check: how many there are of each card, and which cards have which marks."""

    cards: dict[str, Any]
    marks: dict[str, Any] = {}


class DeckFault(msgspec.Struct, frozen=True):
    """What is wrong with a deck, and with which card, if it is a single one."""

    why: str
    card: str | None = None


class DeckCheck(msgspec.Struct, frozen=True):
    """What is wrong with a deck, where it departs from the rulebook, and who can play with it.

    `option` is the value of the option `deck` for a new table: null for the usual deck, and for one
    that cannot be played. `cards` and `marks` are what could be read of it, `text` is its file.
    """

    faults: list[DeckFault]
    remarks: list[str] = []
    players: list[int] = []
    option: Any = None
    cards: dict[str, int] | None = None
    marks: dict[str, list[str]] | None = None
    text: str | None = None


# Tables


class NewTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table to open.

    `seats` has a level for each bot and null for each person. `options` are those of the game
    record; `players` defaults to the number of seats. `stand_in` is the level of the bots that play
    for players who are away or out of time.

    With `deal_of`, the first game has the deal of that finished game, and its options: to play the
    same cards from another seat, alone against bots; with `deal_of.after`, to play on from the
    position after that many moves.
    """

    game: Annotated[str, Meta(max_length=40)]
    seats: Annotated[list[Level | None], Meta(min_length=1, max_length=6)]
    options: dict[str, Any] = {}
    clock: Clock | None = None
    listed: bool = False
    delay: Annotated[int, Meta(ge=0, le=3600)] = 0
    adventure: bool = False
    hints: bool = True
    stand_in: Level = STAND_IN
    deal_of: DealOf | None = None


class History(msgspec.Struct, frozen=True):
    """A page of a table's history: the next events after a version, and the version of the table.

    Where the last event is not of that version, there are further pages. With `views`, the events
    are those of the last game, and what changed the position has the `view` of it.
    """

    version: int
    events: list[Update]


class TableOpened(msgspec.Struct, frozen=True):
    """The new table and the path of its page: send it to your friends."""

    table: str
    path: str


class SeatSummary(msgspec.Struct, frozen=True):
    """A seat of a table in a list."""

    name: str
    bot: Level | None


class TableSummary(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table in a list."""

    table: str
    game: str
    stage: Stage
    seats: list[SeatSummary]
    changed: int
    to_act: int | None = None
    seat: int | None = None
    your_turn: bool = False
    hints: bool = True


class FinishedGame(msgspec.Struct, frozen=True):
    """A game that you have finished. `number` is that of the game at its table, `at` when it ended,
    `seat` yours. `replayable`: can its record be replayed here? `reviewed`: is there a review?
    """

    table: str
    number: int
    game: str
    at: int
    seats: list[SeatSummary]
    seat: int
    scores: list[int | None]
    winners: list[int]
    replayable: bool
    reviewed: bool


class ReportRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is wrong, for the operator: about a seat, about an event such as a message, or both."""

    why: Annotated[str, Meta(min_length=1, max_length=500)]
    seat: SeatNumber | None = None
    event: Annotated[int, Meta(ge=1, le=2**31)] | None = None


class PreviewRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Moves to preview."""

    moves: Annotated[list[Move], Meta(min_length=1, max_length=16)]


class Previews(msgspec.Struct, frozen=True):
    """What is sure after each of the moves that is legal."""

    version: int
    previews: dict[str, Preview]


# Tutorials


class TutorialMove(msgspec.Struct, frozen=True):
    """A move of a tutorial as the learner, at seat 0, may know it, and the position after it."""

    seat: int | None
    move: str
    view: View


class TutorialStep(msgspec.Struct, frozen=True):
    """A step of a tutorial.

    `say` is the key of its sentence. `asks` is the move that the learner shall try, null where
    there is only something to read; `refused` means that the rules refuse that move. `light` names
    what to highlight: places that the board names, `card X` of the hand, `seat N`, `hand`,
    `action`, `status`. The step ends with `moves`.
    """

    say: str
    asks: str | None
    refused: bool
    light: list[str]
    moves: list[TutorialMove]


class FirstGame(msgspec.Struct, frozen=True):
    """The game to play after a tutorial: `options.players` seats, of which bots of this level take
    all but one.
    """

    options: dict[str, Any]
    level: Level


class TutorialScript(msgspec.Struct, frozen=True):
    """A whole tutorial as seat 0 sees it: the first position and the steps.

    `first_game` is null where the usual game is good enough for beginners.
    """

    game: str
    options: dict[str, Any]
    view: View
    steps: list[TutorialStep]
    first_game: FirstGame | None


class TutorialAttempt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A move tried at a step (from 0) of a tutorial."""

    step: Annotated[int, Meta(ge=0, le=99)]
    move: Move


class TutorialVerdict(msgspec.Struct, frozen=True):
    """Is it the move that the step asks for? Is it legal, and if not, why and by which clause?"""

    meant: bool
    legal: bool
    why: str | None = None
    clause: str | None = None


class TutorialPreviewRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Moves to preview at a step (from 0) of a tutorial."""

    step: Annotated[int, Meta(ge=0, le=99)]
    moves: Annotated[list[Move], Meta(min_length=1, max_length=16)]


class TutorialPreviews(msgspec.Struct, frozen=True):
    """What is sure after each of the moves that is legal."""

    previews: dict[str, Preview]


# Finished games


class Seal(TypedDict):
    """What proves that the shuffle was fixed before the game. Version 1 has the first three keys
    only.
    """

    commitment: str
    secret: str
    nonces: list[str]
    version: NotRequired[int]
    table: NotRequired[str]
    number: NotRequired[int]
    called_off: NotRequired[int]
    seats: NotRequired[list[SealedSeat]]
    commitments: NotRequired[list[str]]
    code: NotRequired[str]


class HintTaken(TypedDict):
    """A hint: before move number `move`, counted from 1, `seat` was advised to play `advised`."""

    move: int
    seat: int
    advised: NotRequired[str]


class GameRecord(TypedDict):
    """A game record (docs/record.md), with the `x_` keys that the server adds."""

    theriac: int
    game: str
    options: dict[str, Any]
    moves: list[str]
    seed: NotRequired[str]
    deals: NotRequired[list[list[str]]]
    seal: NotRequired[Seal]
    x_names: NotRequired[list[str]]
    x_bots: NotRequired[list[Level | None]]
    x_hints: NotRequired[list[HintTaken]]
    x_deal_of: NotRequired[DealOf]


class ReplayStep(TypedDict):
    """The position after `n` moves, and the last of them. `hands` only where all are open."""

    n: int
    view: View
    move: NotRequired[str]
    seat: NotRequired[int | None]
    hands: NotRequired[list[list[str]]]
    sheet: NotRequired[dict[str, Any]]
    recalled: NotRequired[dict[str, Any]]


class Replay(msgspec.Struct, frozen=True):
    """A game, position by position, from one seat's viewpoint or with all hands open.

    `cards` are in the order of their numbers, and `dealt` are the shuffles, first drawn first:
    enough to recompute the shuffles.
    """

    game: str
    steps: list[ReplayStep]
    record: GameRecord
    cards: list[str]
    dealt: list[list[str]]


class ReplayRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A record to replay, from a seat's viewpoint or with all hands open."""

    record: dict[str, Any]
    seat: SeatNumber | None = None


class Verification(msgspec.Struct, frozen=True):
    """The checks that a game's shuffle passed."""

    steps: list[str]
    fault: str | None = None


# Reviews


class ReviewRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The record of a finished game to review."""

    record: dict[str, Any]


class ReviewProgress(msgspec.Struct, frozen=True):
    """How far a review is, and what is known so far.

    `step` counts the results so far, each finer than the one before; the last one is `done`.
    `progress` is from 0 to 1. `waiting` is the place in the queue, from 1; null once the review has
    begun. `failed` says why there will be no further step. `id` is that of the review of a record
    that was sent, else null.

    `review` is null, and `previews` empty, where there is nothing after the step that was asked
    for. `previews` has for each mistake, by the number `n` of its move, what was sure after the
    move played and after the best one, for the seat that moved.
    """

    id: str | None
    step: int
    done: bool
    progress: float
    waiting: int | None
    failed: str | None
    review: Review | None
    previews: dict[str, dict[str, Preview]]


# The server


class ErrorBody(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was wrong, and what would be right."""

    why: str
    clause: str | None = None


class Health(msgspec.Struct, frozen=True):
    """Is the server healthy?"""

    status: Literal["ok", "bad"]
    store: str
    version: str
