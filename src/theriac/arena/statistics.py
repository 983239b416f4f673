"""From results to numbers: win shares with 95 % confidence intervals.

Games of one deal are not independent, so the deal is the unit of sampling: the variance between
deals says how certain a mean is. `docs/arena.md` explains the methods.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

from theriac.arena.arena_game import GameResult

Floats = npt.NDArray[np.float64]

_CONFIDENCE = 0.95


@dataclass(frozen=True)
class Estimate:
    """A mean and its 95 % confidence interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Outcome:
    """What a bot got in a game that counts for it. `place` is its seat, counted from the first."""

    bot: str
    deal: Hashable
    players: int
    place: int
    share: float
    score: int
    rank: int
    #: The part of the share that was luck: of nature, and of policies; None if it is not known.
    luck: tuple[float, float] | None = None


def t_quantile(degrees_of_freedom: int) -> float:
    """The quantile of Student's t distribution for a 95 % interval.

    >>> round(t_quantile(30), 3)
    2.042
    """
    return float(stats.t.ppf((1 + _CONFIDENCE) / 2, degrees_of_freedom))


def estimate_mean(values: Sequence[float]) -> Estimate:
    """The mean of independent values; a single value has no interval.

    >>> estimate_mean([1.0, 2.0, 3.0])
    Estimate(mean=2.0, low=-0.484..., high=4.484...)
    """
    mean = float(np.mean(values)) if len(values) else math.nan
    if len(values) < 2:
        return Estimate(mean, math.nan, math.nan)
    margin = t_quantile(len(values) - 1) * float(np.std(values, ddof=1)) / math.sqrt(len(values))
    return Estimate(mean, mean - margin, mean + margin)


def estimate_share(shares: Iterable[tuple[Hashable, float]]) -> Estimate:
    """The mean of win shares from 0 to 1, each with its deal: Wilson's interval over deals.

    The sample size is the effective one of clustered data. A single deal proves nothing: its
    interval is from 0 to 1.
    """
    deals: dict[Hashable, list[float]] = {}
    for deal, share in shares:
        deals.setdefault(deal, []).append(share)
    games = sum(len(shares_of_deal) for shares_of_deal in deals.values())
    if not games:
        return Estimate(math.nan, 0.0, 1.0)
    mean = sum(sum(shares_of_deal) for shares_of_deal in deals.values()) / games
    if len(deals) < 2:
        return Estimate(mean, 0.0, 1.0)
    size = _effective_sample_size(mean, list(deals.values()), games)
    return _wilson(mean, size, t_quantile(len(deals) - 1))


def _effective_sample_size(mean: float, deals: Sequence[Sequence[float]], games: int) -> float:
    """The number of independent games that would be as certain as these deals.

    The variance of the mean is the cluster-robust one, shrunk by the weight of one deal towards the
    binomial variance of independent games.
    """
    n, binomial = len(deals), mean * (1 - mean)
    if binomial <= 0:
        return float(n)
    squares = sum((sum(deal) - mean * len(deal)) ** 2 for deal in deals)
    clustered = n / (n - 1) * squares / games**2
    return binomial / (((n - 1) * clustered + binomial / games) / n)


def _wilson(mean: float, n: float, t: float) -> Estimate:
    """Wilson's score interval for a proportion."""
    center = (mean + t * t / (2 * n)) / (1 + t * t / n)
    margin = t / (1 + t * t / n) * math.sqrt(mean * (1 - mean) / n + t * t / (4 * n * n))
    return Estimate(mean, max(0.0, center - margin), min(1.0, center + margin))


def outcomes(results: Iterable[GameResult], *, together: bool) -> list[Outcome]:
    """The outcomes that count: of bots with a single seat, or of the team that has all seats."""
    return [
        Outcome(
            bot=result.bots[seat],
            deal=result.key[:2],
            players=result.players,
            place=0 if together else (seat - result.first) % result.players,
            share=sum(result.shares) if together else result.shares[seat],
            score=result.scores[seat],
            rank=result.ranks[seat],
            luck=_luck(result, range(result.players) if together else [seat]),
        )
        for result in results
        for seat in ([0] if together else single_seats(result))
    ]


def _luck(result: GameResult, seats: Iterable[int]) -> tuple[float, float] | None:
    luck = result.luck
    if luck is None:
        return None
    return sum(luck.nature[seat] for seat in seats), sum(luck.policies[seat] for seat in seats)


def single_seats(result: GameResult) -> list[int]:
    """The seats whose bot has no other seat."""
    return [seat for seat, bot in enumerate(result.bots) if result.bots.count(bot) == 1]
