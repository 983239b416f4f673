"""From results to numbers: win shares and ratings, with 95 % confidence intervals.

Games of one deal are not independent, so the deal is the unit of sampling: the variance between
deals says how certain a mean is. `docs/arena.md` explains the methods.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

from theriac.arena.arena_game import GameResult

Floats = npt.NDArray[np.float64]

_CONFIDENCE = 0.95
_RESAMPLES = 400
_MAX_ITERATIONS = 2000
_TOLERANCE = 1e-7


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


@dataclass(frozen=True)
class Rating:
    """The strength of a bot on the Elo scale, with its 95 % interval; the mean of all bots is 0."""

    bot: str
    rating: float
    low: float
    high: float


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
        )
        for result in results
        for seat in ([0] if together else _single_seats(result))
    ]


def _single_seats(result: GameResult) -> list[int]:
    """The seats whose bot has no other seat."""
    return [seat for seat, bot in enumerate(result.bots) if result.bots.count(bot) == 1]


def rate_bots(
    bots: Sequence[str], results: Iterable[GameResult], *, together: bool
) -> list[Rating]:
    """Bradley-Terry ratings; intervals by the Bayesian bootstrap over deals."""
    deals: dict[Hashable, list[GameResult]] = {}
    for result in results:
        deals.setdefault(result.key[:2], []).append(result)
    add_wins: Callable[..., None] = _add_wins_of_teams if together else _add_wins_of_seats
    index = {bot: i for i, bot in enumerate(bots)}
    wins = np.zeros((max(1, len(deals)), len(bots), len(bots)))
    for matrix, results_of_deal in zip(wins, deals.values(), strict=False):
        add_wins(matrix, index, results_of_deal)
    # Half a win each way between bots that have met keeps ratings finite and intervals honest.
    prior = 0.5 * ((wins + np.swapaxes(wins, 1, 2)).sum(axis=0) > 0)
    ratings = _bradley_terry(wins.sum(axis=0) + prior)
    low, high = np.full_like(ratings, math.nan), np.full_like(ratings, math.nan)
    if len(deals) > 1:
        weights = np.random.default_rng(0).exponential(size=(_RESAMPLES, len(wins) + 1))
        resampled = np.tensordot(weights, np.concatenate([wins, prior[None]]), 1)
        tail = (1 - _CONFIDENCE) / 2
        low, high = np.quantile(_bradley_terry(resampled), (tail, 1 - tail), axis=0)
    return [
        Rating(bot, float(ratings[i]), float(low[i]), float(high[i])) for i, bot in enumerate(bots)
    ]


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


def _bradley_terry(wins: Floats) -> Floats:
    """Elo ratings by maximum likelihood from a matrix of wins, or from a stack of them.

    The minorization-maximization algorithm of Hunter (2004).
    """
    total = wins + np.swapaxes(wins, -1, -2)
    strength = np.ones(wins.shape[:-1])
    for _ in range(_MAX_ITERATIONS):
        pairs = strength[..., :, None] + strength[..., None, :]
        updated = np.maximum(wins.sum(axis=-1), 1e-9)
        updated /= np.maximum((total / pairs).sum(axis=-1), 1e-9)
        updated /= np.exp(np.log(updated).mean(axis=-1, keepdims=True))
        change = np.abs(np.log(updated / strength)).max()
        strength = updated
        if change < _TOLERANCE:
            break
    ratings: Floats = 400 * np.log10(strength)
    return ratings
