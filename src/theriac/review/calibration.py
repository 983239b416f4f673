"""Calibration: of the positions in which a seat was given 70 %, did it win about 70 %?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

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

    `climate` (climatology) is the Brier score of always forecasting the mean result: the score of a
    forecaster who knows nothing about the position.
    """

    game: str
    games: int
    positions: int
    brier: float
    climate: float
    bins: list[Bin]


class _Forecast(NamedTuple):
    """The chance of a seat in a position of a game, and its result."""

    game: int
    chance: float
    result: float


def calibrate(reviews: Iterable[Review]) -> Calibration:
    """How well the curves of these reviews, all of one game, predicted the results."""
    games, name = 0, ""
    forecasts: list[_Forecast] = []
    for games, review in enumerate(reviews, 1):
        name = review.game
        forecasts += _forecasts(review, games)
    mean = sum(forecast.result for forecast in forecasts) / max(1, len(forecasts))
    return Calibration(
        game=name,
        games=games,
        positions=len(forecasts),
        brier=_mean_square(forecast.chance - forecast.result for forecast in forecasts),
        climate=_mean_square(mean - forecast.result for forecast in forecasts),
        bins=list(_bins(forecasts)),
    )


def _forecasts(review: Review, game: int) -> Iterator[_Forecast]:
    """The chances of each seat (of a team: of all) after every event but the last."""
    seats = range(1 if review.together else review.players)
    last = review.curve[-1]
    for point in review.curve[:-1]:
        for seat in seats:
            yield _Forecast(game, point.values[seat], last.values[seat])


def _bins(forecasts: list[_Forecast]) -> Iterator[Bin]:
    by_bin: dict[int, list[_Forecast]] = {}
    for forecast in forecasts:
        by_bin.setdefault(min(BINS - 1, int(forecast.chance * BINS)), []).append(forecast)
    for i, members in sorted(by_bin.items()):
        n = len(members)
        yield Bin(
            low=i / BINS,
            high=(i + 1) / BINS,
            positions=n,
            games=len({forecast.game for forecast in members}),
            forecast=sum(forecast.chance for forecast in members) / n,
            won=sum(forecast.result for forecast in members) / n,
        )


def _mean_square(values: Iterable[float]) -> float:
    squares = [value * value for value in values]
    return sum(squares) / max(1, len(squares))
