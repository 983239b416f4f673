"""The review of a game as one HTML file without scripts, which loads nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from theriac.game import find
from theriac.review.drawing import account_svg, curve_svg
from theriac.review.pages import render
from theriac.review.results import PARTS, Decision, Review, SeatAccount
from theriac.review.wording import TITLES, describe, percent, with_error

#: How many mistakes of a seat are shown with everything that was tried.
_MOST_MISTAKES = 3
#: At most this many moves of a decision are shown, and the one made.
_MOST_MOVES = 6


class _Bar(NamedTuple):
    """A move of a decision: what it is worth, as a bar."""

    move: str
    note: str
    width: float
    value: str


class _Seat(NamedTuple):
    """What the page shows of a seat."""

    seat: int
    account: SeatAccount
    curve: Markup
    bar: Markup
    rows: list[tuple[str, str, str]]
    mistakes: list[tuple[str, list[_Bar]]]


def review_page(review: Review, seats: Sequence[int]) -> str:
    """The page of a review, for these seats."""
    title = find(review.game).title
    shown = [_seat(review, seat) for seat in seats]
    return render("theriac.review", "review.html", title=title, review=review, seats=shown)


def _seat(review: Review, seat: int) -> _Seat:
    account = review.seats[seat]
    rows = [
        (
            TITLES[part],
            percent(getattr(account, part), getattr(account.errors, part), signed=part != "fair"),
            with_error(
                getattr(account.points, part),
                getattr(account.points.errors, part),
                signed=part != "fair",
            ),
        )
        for part in PARTS
    ]
    rows.append((TITLES["result"], percent(account.result), with_error(account.points.result, 0)))
    decisions = {decision.n: decision for decision in review.decisions}
    mistakes = [mistake for mistake in review.mistakes if mistake.seat == seat]
    return _Seat(
        seat,
        account,
        curve_svg(review, seat),
        account_svg(account),
        rows,
        [(describe(m), _bars(decisions[m.n])) for m in mistakes[:_MOST_MISTAKES]],
    )


def _bars(decision: Decision) -> list[_Bar]:
    """The best moves that were tried, and the one made."""
    moves = [
        move
        for i, move in enumerate(decision.moves)
        if i < _MOST_MOVES or move.move in (decision.move, decision.best)
    ]
    notes = {decision.move: "played", decision.best: "best"}
    return [
        _Bar(
            move.move,
            notes.get(move.move, ""),
            round(100 * min(1.0, max(0.0, move.value)), 1),
            percent(move.value, move.error),
        )
        for move in moves
    ]
