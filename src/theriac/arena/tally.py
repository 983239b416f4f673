"""From games to numbers: win shares and ratings, with 95% intervals.

Games of one deal are not independent, so intervals look at whole deals: how much their win shares
differ says how sure the mean is. `docs/arena.md` tells how.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from theriac.arena.sitting import Played

Numbers = npt.NDArray[np.float64]

#: Student's t for a 95% interval with 1, 2, 3, … degrees of freedom.
_T = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)
_Z = 1.959964
_RESAMPLES = 400


@dataclass(frozen=True)
class Estimate:
    """A mean, and the 95% interval around it."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Count:
    """A bot in a game that counts for it: what it got, from which seat (0: the first)."""

    bot: str
    deal: Hashable
    players: int
    place: int
    share: float
    score: int
    rank: int


@dataclass(frozen=True)
class Rating:
    """How strong a bot is, on the scale of Elo; the mean of all is 0."""

    bot: str
    rating: float
    low: float
    high: float


def student(freedom: int) -> float:
    """Student's t for a 95% interval.

    >>> round(student(30), 3)
    2.042
    """
    if freedom <= len(_T):
        return _T[freedom - 1]
    z, v = _Z, freedom
    return z + (z**3 + z) / (4 * v) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v * v)


def estimate(values: Sequence[float]) -> Estimate:
    """The mean of independent numbers; of a single one nothing more is known.

    >>> estimate([1.0, 2.0, 3.0])
    Estimate(mean=2.0, low=-0.484..., high=4.484...)
    """
    mean = float(np.mean(values)) if len(values) else math.nan
    if len(values) < 2:
        return Estimate(mean, math.nan, math.nan)
    margin = student(len(values) - 1) * float(np.std(values, ddof=1)) / math.sqrt(len(values))
    return Estimate(mean, mean - margin, mean + margin)


def estimate_share(shares: Iterable[tuple[Hashable, float]]) -> Estimate:
    """The mean of shares between 0 and 1, each with its deal: Wilson's interval, deal by deal.

    How many independent games the deals are worth comes from how much they differ; one deal's
    weight is given to what independent games would show. A single deal proves nothing.
    """
    deals: dict[Hashable, list[float]] = {}
    for deal, share in shares:
        deals.setdefault(deal, []).append(share)
    games = sum(len(row) for row in deals.values())
    if not games:
        return Estimate(math.nan, 0.0, 1.0)
    mean = sum(sum(row) for row in deals.values()) / games
    if len(deals) < 2:
        return Estimate(mean, 0.0, 1.0)
    return _wilson(mean, _worth(mean, list(deals.values()), games), student(len(deals) - 1))


def _worth(mean: float, deals: Sequence[Sequence[float]], games: int) -> float:
    """How many independent games would be as sure as these deals."""
    n, spread = len(deals), mean * (1 - mean)
    if spread <= 0:
        return float(n)
    off = sum((sum(row) - mean * len(row)) ** 2 for row in deals)
    clustered = n / (n - 1) * off / games**2
    return spread / (((n - 1) * clustered + spread / games) / n)


def _wilson(mean: float, n: float, t: float) -> Estimate:
    middle = (mean + t * t / (2 * n)) / (1 + t * t / n)
    margin = t / (1 + t * t / n) * math.sqrt(mean * (1 - mean) / n + t * t / (4 * n * n))
    return Estimate(mean, max(0.0, middle - margin), min(1.0, middle + margin))


def counts(games: Iterable[Played], *, together: bool) -> list[Count]:
    """What counts for whom: the bot that has one seat alone, or the team that has them all."""
    found = []
    for game in games:
        deal = game.key[:2]
        if together:
            found.append(
                Count(
                    game.bots[0],
                    deal,
                    game.players,
                    0,
                    sum(game.shares),
                    game.scores[0],
                    game.ranks[0],
                )
            )
            continue
        found += [
            Count(
                bot,
                deal,
                game.players,
                (seat - game.first) % game.players,
                game.shares[seat],
                game.scores[seat],
                game.ranks[seat],
            )
            for seat, bot in enumerate(game.bots)
            if game.bots.count(bot) == 1
        ]
    return found


def rate(bots: Sequence[str], games: Iterable[Played], *, together: bool) -> list[Rating]:
    """Ratings of Bradley and Terry; intervals from deals weighted at random, again and again."""
    deals: dict[Hashable, list[Played]] = {}
    for game in games:
        deals.setdefault(game.key[:2], []).append(game)
    beaten: Callable[..., None] = _compare_teams if together else _compare_seats
    wins = np.zeros((max(1, len(deals)), len(bots), len(bots)))
    for matrix, row in zip(wins, deals.values(), strict=False):
        beaten(matrix, {bot: i for i, bot in enumerate(bots)}, row)
    # Half a game each way between bots that have met keeps ratings finite and intervals honest.
    prior = 0.5 * ((wins + np.swapaxes(wins, 1, 2)).sum(axis=0) > 0)
    ratings = _strengths(wins.sum(axis=0) + prior)
    low, high = np.full_like(ratings, math.nan), np.full_like(ratings, math.nan)
    if len(deals) > 1:
        weights = np.random.default_rng(0).exponential(size=(_RESAMPLES, len(wins) + 1))
        many = _strengths(np.tensordot(weights, np.concatenate([wins, prior[None]]), 1))
        low, high = np.quantile(many, (0.025, 0.975), axis=0)
    return [
        Rating(bot, float(ratings[i]), float(low[i]), float(high[i])) for i, bot in enumerate(bots)
    ]


def _compare_seats(wins: Numbers, number: dict[str, int], games: Sequence[Played]) -> None:
    """Each two seats of different bots: the better rank has won, equal ranks half each."""
    for game in games:
        seats = list(zip(game.bots, game.ranks, strict=True))
        for bot, rank in seats:
            for other, theirs in seats:
                if bot != other:
                    wins[number[bot], number[other]] += (rank < theirs) + 0.5 * (rank == theirs)


def _compare_teams(wins: Numbers, number: dict[str, int], games: Sequence[Played]) -> None:
    """Each two teams that have played the same deal."""
    for game in games:
        for other in games:
            if game is not other:
                one, two = game.ranks[0], other.ranks[0]
                wins[number[game.bots[0]], number[other.bots[0]]] += (one < two) + 0.5 * (
                    one == two
                )


def _strengths(wins: Numbers) -> Numbers:
    """Ratings from who has beaten whom how often: a matrix, or many."""
    total = wins + np.swapaxes(wins, -1, -2)
    strength = np.ones(wins.shape[:-1])
    for _ in range(2000):
        pairs = strength[..., :, None] + strength[..., None, :]
        fresh = np.maximum(wins.sum(axis=-1), 1e-9) / np.maximum((total / pairs).sum(axis=-1), 1e-9)
        fresh /= np.exp(np.log(fresh).mean(axis=-1, keepdims=True))
        moved = np.abs(np.log(fresh / strength)).max()
        strength = fresh
        if moved < 1e-7:
            break
    ratings: Numbers = 400 * np.log10(strength)
    return ratings
