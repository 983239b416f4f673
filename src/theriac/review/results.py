"""A review: what programs get, and what the page and the terminal show. All of it is JSON."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

#: How bad a mistake is, in the words of chess players, and the loss (a share of the win) from which
#: each word applies.
Word = Literal["inaccuracy", "mistake", "blunder"]
WORDS: dict[Word, float] = {"blunder": 0.10, "mistake": 0.05, "inaccuracy": 0.02}

#: What is known of a review.
Stage = Literal["curve", "account", "done"]

#: The parts of an account, in the order in which they are shown.
PARTS = ("fair", "cards", "hidden", "skill", "others")


class Errors(msgspec.Struct, frozen=True):
    """The standard error of each part."""

    fair: float
    cards: float
    hidden: float
    skill: float
    others: float


class FromOther(msgspec.Struct, frozen=True):
    """What another seat's moves did to this one: in total, and by decision rather than luck."""

    seat: int
    total: float
    total_error: float
    decided: float
    decided_error: float


class Account(msgspec.Struct, frozen=True):
    """fair + cards + hidden + skill + others = result."""

    fair: float
    cards: float
    hidden: float
    skill: float
    others: float
    result: float
    errors: Errors
    from_others: list[FromOther]


class SeatAccount(Account, frozen=True):
    """The account of a seat in shares of the win, and again in points."""

    seat: int
    points: Account


class CurvePoint(msgspec.Struct, frozen=True):
    """The chances after an event: `n` moves were made, the last event was of this kind."""

    n: int
    kind: Literal["start", "deal", "move"]
    round: int
    seat: int | None
    move: str | None
    #: For each seat its share of the win to expect, and the standard error.
    values: list[float]
    errors: list[float]


class TriedMove(msgspec.Struct, frozen=True):
    """A move that a seat could have made: what it is worth, from what the seat could know."""

    move: str
    value: float
    error: float
    imagined: int
    #: Would the reference policy play it?
    policy: bool


class Decision(msgspec.Struct, frozen=True):
    """A move with a choice. `loss` is how much more the best move would have been worth."""

    n: int
    seat: int
    round: int
    move: str
    best: str
    loss: float
    error: float
    #: How much better the move is than what the reference policy plays.
    skill: float
    skill_error: float
    moves: list[TriedMove]


class Mistake(msgspec.Struct, frozen=True):
    """A decision whose loss is significant and large enough to matter."""

    n: int
    seat: int
    round: int
    move: str
    best: str
    loss: float
    error: float
    word: Word


class Review(msgspec.Struct, frozen=True):
    """Skill and luck apart, for one finished game."""

    theriac: str
    game: str
    players: int
    #: Do all win or lose together? Then every account is that of the team.
    together: bool
    #: The seed of the playouts, their number, and the moves played in them.
    seed: int
    playouts: int
    playout_moves: int
    #: What is there: the curve alone, or the account too, which becomes finer until it is done.
    stage: Stage
    curve: list[CurvePoint]
    seats: list[SeatAccount]
    decisions: list[Decision]
    #: The largest loss first.
    mistakes: list[Mistake]

    @property
    def largest_error(self) -> float:
        """The largest standard error of a part of any account."""
        return max(
            (getattr(seat.errors, part) for seat in self.seats for part in PARTS), default=1.0
        )


def to_json(review: Review) -> dict[str, Any]:
    """A review as JSON types."""
    built: dict[str, Any] = msgspec.to_builtins(review)
    return built
