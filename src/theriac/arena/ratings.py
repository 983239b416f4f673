"""Bradley-Terry ratings of bots, with 95 % intervals that hold with few deals, too.

The interval of a rating has every value that a score test does not reject. The test allows for how
much games of one deal have in common, and it has the quantile of Student's t for the number of
deals. For two bots it is the interval of the win share (`statistics.estimate_share`), on another
scale. `docs/arena.md` explains it; `bench/coverage.py` simulates how often it holds the truth.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import optimize

from theriac.arena.arena_game import GameResult
from theriac.arena.statistics import Floats, t_quantile

#: Points of a rating for each unit of the logarithm of a strength.
_ELO = 400 / math.log(10)
#: Half a win each way between bots that have met keeps ratings finite.
_PRIOR_WINS = 0.5
#: For Newton's method: steps, the longest step, and when it is done.
_MAX_STEPS = 100
_LONGEST_STEP = 2.0
_TOLERANCE = 1e-7
#: Holds bots in place that have met nobody.
_RIDGE = 1e-9
#: Limits are exact to this many points.
_LIMIT_TOLERANCE = 0.01


@dataclass(frozen=True)
class Rating:
    """The strength of a bot on the Elo scale, with its 95 % interval; the mean of all bots is 0."""

    bot: str
    rating: float
    low: float
    high: float


class _Fit(NamedTuple):
    """Logarithms of strengths, the slope of the likelihood there, and its curvature."""

    strengths: Floats
    slope: Floats
    curvature: Floats


def rate_bots(
    bots: Sequence[str], results: Iterable[GameResult], *, together: bool
) -> list[Rating]:
    """Bradley-Terry ratings; a single deal gives no interval."""
    wins = count_wins(bots, results, together=together)
    return [Rating(bot, *row) for bot, row in zip(bots, rate(wins), strict=True)]


def count_wins(bots: Sequence[str], results: Iterable[GameResult], *, together: bool) -> Floats:
    """For each deal a matrix: how often a bot (row) came before another (column)."""
    deals: dict[Hashable, list[GameResult]] = {}
    for result in results:
        deals.setdefault(result.key[:2], []).append(result)
    add_wins: Callable[..., None] = _add_wins_of_teams if together else _add_wins_of_seats
    index = {bot: i for i, bot in enumerate(bots)}
    wins = np.zeros((len(deals), len(bots), len(bots)))
    for matrix, results_of_deal in zip(wins, deals.values(), strict=True):
        add_wins(matrix, index, results_of_deal)
    return wins


def _add_wins_of_seats(wins: Floats, index: dict[str, int], results: Sequence[GameResult]) -> None:
    """Compare each pair of seats of different bots: the better rank wins, equal ranks draw."""
    for result in results:
        seats = list(zip(result.bots, result.ranks, strict=True))
        for bot, rank in seats:
            for other, other_rank in seats:
                if bot != other:
                    wins[index[bot], index[other]] += _win(rank, other_rank)


def _add_wins_of_teams(wins: Floats, index: dict[str, int], results: Sequence[GameResult]) -> None:
    """Compare each pair of teams that have played the same deal."""
    for result in results:
        for other in results:
            if result is not other:
                won = _win(result.ranks[0], other.ranks[0])
                wins[index[result.bots[0]], index[other.bots[0]]] += won


def _win(rank: int, other_rank: int) -> float:
    return (rank < other_rank) + 0.5 * (rank == other_rank)


def rate(wins: Floats) -> list[tuple[float, float, float]]:
    """The rating of each bot with its interval, from the wins of each deal."""
    tests = score_tests(wins)
    if len(wins) < 2:
        return [(test.rating, math.nan, math.nan) for test in tests]
    return [(test.rating, test.limit(-1), test.limit(1)) for test in tests]


@dataclass(frozen=True)
class ScoreTest:
    """Which ratings of a bot the results allow."""

    wins: Floats
    best: _Fit
    #: The rating of the bot is this contrast of all strengths.
    contrast: Floats
    #: The largest score statistic that is not rejected.
    most: float
    #: Sides (-1 below, 1 above) on which nothing is too far.
    unbounded: tuple[int, ...]

    @property
    def rating(self) -> float:
        """The most likely rating."""
        return _ELO * float(self.contrast @ self.best.strengths)

    def rejects(self, rating: float) -> bool:
        """Is this rating outside the interval?"""
        side = 1 if rating > self.rating else -1
        return side not in self.unbounded and self._excess(abs(rating - self.rating), side) > 0

    def limit(self, side: int) -> float:
        """The end of the interval on one side."""
        if side in self.unbounded:
            return side * math.inf
        reach = _ELO
        while self._excess(reach, side) < 0:
            reach *= 2
        return self.rating + side * float(
            optimize.brentq(self._excess, 0.0, reach, args=(side,), xtol=_LIMIT_TOLERANCE)
        )

    def _excess(self, distance: float, side: int) -> float:
        value = (self.rating + side * distance) / _ELO
        fit = _fit(self.wins, self.contrast, value, self.best.strengths)
        push = float(fit.slope @ self.contrast / (self.contrast @ self.contrast))
        return push**2 * float(self.contrast @ _weights(fit, self.contrast)) - self.most


def score_tests(wins: Floats) -> list[ScoreTest]:
    """The test of each bot's rating, from the wins of each deal.

    How much better a bot is that has won everything, nobody knows: its interval has no upper end,
    and those of the others no lower one, since ratings count from the mean of all.
    """
    deals, bots = len(wins), wins.shape[1]
    total = wins.sum(axis=0)
    with_prior = total + _PRIOR_WINS * (total + total.T > 0)
    best = _fit(with_prior)
    won_all, lost_all = ~total.any(axis=0), ~total.any(axis=1)
    quantile = t_quantile(deals - 1) if deals > 1 else math.inf
    found = []
    for bot in range(bots):
        contrast = np.identity(bots)[bot] - 1 / bots
        most = quantile**2 * _design_effect(wins, best, bot, contrast)
        others = np.arange(bots) != bot
        below = -1 if lost_all[bot] or won_all[others].any() else 0
        above = 1 if won_all[bot] or lost_all[others].any() else 0
        found.append(ScoreTest(with_prior, best, contrast, most, (below, above)))
    return found


def _design_effect(wins: Floats, best: _Fit, bot: int, contrast: Floats) -> float:
    """By how much the variance of a rating is larger than if all comparisons were independent.

    It is the cluster-robust variance divided by that of the model, shrunk towards independence:
    with few deals of few comparisons, the variance between deals may be far too small by chance. If
    a bot has won all or nothing, each deal counts as one comparison.
    """
    deals = len(wins)
    met = wins + np.swapaxes(wins, 1, 2)
    in_a_deal = float(met[:, bot].sum()) / max(1, deals)
    if deals < 2 or not wins[:, bot].any() or not wins[:, :, bot].any():
        return max(1.0, in_a_deal)
    weights = _weights(best, contrast)
    slopes = wins.sum(axis=2) - (met * _chances(best.strengths)).sum(axis=2)
    influence = slopes @ weights
    clustered = deals / (deals - 1) * ((influence - influence.mean()) ** 2).sum()
    independence = 1 / (1 + (deals - 1) * in_a_deal / 2)
    return float((1 - independence) * clustered / (contrast @ weights) + independence)


def _weights(fit: _Fit, contrast: Floats) -> Floats:
    """How a contrast of the strengths follows the slope: the inverse of the curvature, times it.

    Strengths are known but for a constant, in which the contrast has no part.
    """
    constant = np.full_like(fit.curvature, fit.curvature.trace() / len(contrast) ** 2)
    weights: Floats = np.linalg.solve(fit.curvature + constant, contrast).astype(np.float64)
    return weights


def _fit(
    wins: Floats,
    contrast: Floats | None = None,
    value: float = 0.0,
    start: Floats | None = None,
) -> _Fit:
    """The most likely strengths; with a contrast, of those for which it has this value.

    Newton's method, with the constraints as Lagrange multipliers. The mean strength is 0.
    """
    bots = len(wins)
    met = wins + wins.T
    fixed = np.ones((1, bots)) if contrast is None else np.vstack([np.ones(bots), contrast])
    aim = np.zeros(1) if contrast is None else np.array([0.0, value])
    strengths = np.zeros(bots) if start is None else start
    if contrast is not None:
        strengths = strengths + contrast * (value - contrast @ strengths) / (contrast @ contrast)
    none = np.zeros((len(fixed), len(fixed)))
    for _ in range(_MAX_STEPS):
        chances = _chances(strengths)
        slope = wins.sum(axis=1) - (met * chances).sum(axis=1)
        weights = met * chances * chances.T
        curvature = np.diag(weights.sum(axis=1) + _RIDGE) - weights
        system = np.block([[curvature, fixed.T], [fixed, none]])
        step = np.linalg.solve(system, np.concatenate([slope, aim - fixed @ strengths]))[:bots]
        longest = np.abs(step).max()
        strengths = strengths + step * min(1.0, _LONGEST_STEP / max(longest, _TOLERANCE))
        if longest < _TOLERANCE:
            break
    return _Fit(strengths, slope, curvature)


def _chances(strengths: Floats) -> Floats:
    """How likely each bot (row) comes before each other (column)."""
    chances: Floats = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
    return chances
