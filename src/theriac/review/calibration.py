"""Calibration: of the positions in which a seat was given 70 %, did it win about 70 %?"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import msgspec

from theriac.review.results import Review

#: The chances are rounded to multiples of one tenth: those called 70 % are from 65 to 75 %.
STEPS: Final = 10


class Bin(msgspec.Struct, frozen=True):
    """The positions whose chance lay in one bin: what was forecast, and what was won.

    `error` is the standard error of the difference. Positions of one game have the same result, so
    it counts games.
    """

    low: float
    high: float
    positions: int
    games: int
    forecast: float
    won: float
    error: float


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
        by_bin.setdefault(math.floor(forecast.chance * STEPS + 0.5), []).append(forecast)
    for i, members in sorted(by_bin.items()):
        n = len(members)
        yield Bin(
            low=max(0.0, (i - 0.5) / STEPS),
            high=min(1.0, (i + 0.5) / STEPS),
            positions=n,
            games=len({forecast.game for forecast in members}),
            forecast=sum(forecast.chance for forecast in members) / n,
            won=sum(forecast.result for forecast in members) / n,
            error=_error(members),
        )


def _error(members: list[_Forecast]) -> float:
    """The standard error of the mean of result minus chance, over clusters: the games."""
    off = [forecast.result - forecast.chance for forecast in members]
    mean = sum(off) / len(off)
    by_game: dict[int, float] = {}
    for forecast, each in zip(members, off, strict=True):
        by_game[forecast.game] = by_game.get(forecast.game, 0.0) + each - mean
    return math.sqrt(sum(each * each for each in by_game.values())) / len(members)


def _mean_square(values: Iterable[float]) -> float:
    squares = [value * value for value in values]
    return sum(squares) / max(1, len(squares))
