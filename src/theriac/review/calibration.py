"""Calibration: of the positions in which a seat was given 70 %, did it win about 70 %?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from theriac.review.results import Review

#: The chances are sorted into this many bins of equal width.
BINS: Final = 10


class Bin(msgspec.Struct, frozen=True):
    """The positions whose chance lay in one bin: what was forecast, and what was won."""

    low: float
    high: float
    positions: int
    games: int
    forecast: float
    won: float


class Calibration(msgspec.Struct, frozen=True):
    """How good forecasts were. The Brier score is their mean squared distance from the result.

    `climate` is the Brier score of always saying the mean result: what knowing nothing of the
    position would reach.
    """

    game: str
    games: int
    positions: int
    brier: float
    climate: float
    bins: list[Bin]


def calibrate(reviews: Iterable[Review]) -> Calibration:
    """How well the curves of these reviews, all of one game, foretold the results."""
    games, name = 0, ""
    found: list[tuple[int, float, float]] = []
    for games, review in enumerate(reviews, 1):
        name = review.game
        found += ((games, value, result) for value, result in _forecasts(review))
    mean = sum(result for *_, result in found) / max(1, len(found))
    return Calibration(
        game=name,
        games=games,
        positions=len(found),
        brier=_mean_square(value - result for _, value, result in found),
        climate=_mean_square(mean - result for *_, result in found),
        bins=list(_bins(found)),
    )


def _forecasts(review: Review) -> Iterator[tuple[float, float]]:
    """The chances of each seat (of a team: of all) at every decision, with what came of them."""
    seats = range(1 if review.together else review.players)
    last = review.curve[-1]
    for point in review.curve[:-1]:
        for seat in seats:
            yield point.values[seat], last.values[seat]


def _bins(found: list[tuple[int, float, float]]) -> Iterator[Bin]:
    sorted_in: dict[int, list[tuple[int, float, float]]] = {}
    for forecast in found:
        sorted_in.setdefault(min(BINS - 1, int(forecast[1] * BINS)), []).append(forecast)
    for i, inside in sorted(sorted_in.items()):
        n = len(inside)
        yield Bin(
            low=i / BINS,
            high=(i + 1) / BINS,
            positions=n,
            games=len({game for game, *_ in inside}),
            forecast=sum(value for _, value, _ in inside) / n,
            won=sum(result for *_, result in inside) / n,
        )


def _mean_square(values: Iterable[float]) -> float:
    squares = [value * value for value in values]
    return sum(squares) / max(1, len(squares))
