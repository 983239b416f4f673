"""What is asked and answered over HTTP."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from theriac.server.events import Clock
from theriac.server.messages import Level, Move, Name, SeatNumber, Welcome


class Newcomer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody who wants a key."""

    name: Name


class Admitted(msgspec.Struct, frozen=True):
    """A person's key. Who has it is that person: keep it, and show it to nobody."""

    name: str
    key: str


class TableWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table that is to be opened.

    `seats` has for each seat a level for a bot, or null for a person. `options` are those of the
    game record; without `players` there are as many as seats.
    """

    game: Annotated[str, Meta(max_length=40)]
    seats: Annotated[list[Level | None], Meta(min_length=1, max_length=6)]
    options: dict[str, Any] = {}
    clock: Clock | None = None
    listed: bool = False
    delay: Annotated[int, Meta(ge=0, le=3600)] = 0
    adventure: bool = False
    hints: bool = True


class TableOpened(msgspec.Struct, frozen=True):
    """The new table and the path of its page: send it to your friends."""

    table: str
    path: str


class TableTold(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table in a list."""

    table: str
    game: str
    stage: str
    seats: list[dict[str, Any]]
    changed: int
    to_act: int | None = None
    seat: int | None = None
    your_turn: bool = False
    hints: bool = True


class Seen(msgspec.Struct, frozen=True):
    """A table as one may see it."""

    welcome: Welcome


class DeckText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A deck file, as text."""

    deck: Annotated[str, Meta(max_length=20_000)]


class DeckTold(msgspec.Struct, frozen=True):
    """How many there are of each card, and for each mark that a card can bear those that do."""

    cards: dict[str, int]
    marks: dict[str, list[str]]


class DeckGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A deck as numbers: how many there are of each card, and which cards bear which marks."""

    cards: dict[str, Any]
    marks: dict[str, Any] = {}


class DeckFault(msgspec.Struct, frozen=True):
    """What is wrong with a deck, and with which card, if it is one."""

    why: str
    card: str | None = None


class DeckChecked(msgspec.Struct, frozen=True):
    """What is wrong with a deck, where it departs from the rulebook, and who can play with it.

    `option` is what to open a table with: null for the usual deck, and for one that cannot be
    played. `cards` and `marks` are what could be read of it, and `text` is its file.
    """

    faults: list[DeckFault]
    remarks: list[str] = []
    players: list[int] = []
    option: Any = None
    cards: dict[str, int] | None = None
    marks: dict[str, list[str]] | None = None
    text: str | None = None


class GameReplayed(msgspec.Struct, frozen=True):
    """A game, position after position, from one seat's eyes or open.

    `cards` are in the order of their numbers and `dealt` are the shuffles, first drawn first: with
    them anybody can work the shuffles out again.
    """

    game: str
    steps: list[dict[str, Any]]
    record: dict[str, Any]
    cards: list[str]
    dealt: list[list[str]]


class RecordGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A record to look at, from a seat's eyes or open."""

    record: dict[str, Any]
    seat: SeatNumber | None = None


class MovesThoughtOf(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Moves that somebody thinks of making."""

    moves: Annotated[list[Move], Meta(min_length=1, max_length=16)]


class Foreseen(msgspec.Struct, frozen=True):
    """For each of the moves that is legal, what of `table` would surely be so after it."""

    version: int
    previews: dict[str, dict[str, Any]]


class TutorialMove(msgspec.Struct, frozen=True):
    """A move of a tutorial as the learner may know it, and the position after it."""

    seat: int | None
    move: str
    view: dict[str, Any]


class TutorialStep(msgspec.Struct, frozen=True):
    """A step of a tutorial: the key of what is said, the move that the learner is asked for, and
    whether it is a move that is refused; and the moves with which it ends.
    """

    say: str
    asks: str | None
    refused: bool
    moves: list[TutorialMove]


class TutorialTold(msgspec.Struct, frozen=True):
    """A tutorial, from the eyes of seat 0: the position at its beginning, and its steps."""

    game: str
    options: dict[str, Any]
    view: dict[str, Any]
    steps: list[TutorialStep]


class TutorialTry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A move that is tried at a step (from 0) of a tutorial."""

    step: Annotated[int, Meta(ge=0, le=99)]
    move: Move


class TutorialTried(msgspec.Struct, frozen=True):
    """Is it the move that the step asks for? Is it legal, and if not, why and by which clause?"""

    meant: bool
    legal: bool
    why: str | None = None
    clause: str | None = None


class TutorialThought(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Moves that a learner thinks of making at a step (from 0) of a tutorial."""

    step: Annotated[int, Meta(ge=0, le=99)]
    moves: Annotated[list[Move], Meta(min_length=1, max_length=16)]


class TutorialForeseen(msgspec.Struct, frozen=True):
    """For each of the moves that is legal, what of `table` would surely be so after it."""

    previews: dict[str, dict[str, Any]]


class Verified(msgspec.Struct, frozen=True):
    """What held when the shuffle of a game was worked out again."""

    steps: list[str]
    fault: str | None = None


class Wrong(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was wrong, and what would be right."""

    why: str
    clause: str | None = None


class Health(msgspec.Struct, frozen=True):
    """Does the server do its work?"""

    status: Literal["ok", "bad"]
    store: str
    version: str
