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


class Seen(msgspec.Struct, frozen=True):
    """A table as one may see it."""

    welcome: Welcome


class DeckText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A deck file, as text."""

    deck: Annotated[str, Meta(max_length=20_000)]


class DeckChecked(msgspec.Struct, frozen=True):
    """What is wrong with a deck, where it departs from the box, and who can play with it."""

    faults: list[str]
    remarks: list[str]
    players: list[int]
    option: Any


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
