"""Who is better: how much more of the win one bot gets than another on the same deals.

The difference of a deal is the mean share of one bot less that of the other, over the games of the
deal in which both play. Every bot has every seat of a deal, so the luck of the seats cancels out.
Equal bots have differences with mean 0.

Two kinds of intervals: after a number of games that was fixed beforehand, that of Student's t.
For those who look after every deal and stop when it is decided, an *always-valid* one, which holds
at all times at once, whatever the distribution is (testing by betting: Waudby-Smith and Ramdas,
Estimating means of bounded random variables by betting, 2024). `docs/arena.md` explains both.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from theriac.arena.arena_game import GameResult
from theriac.arena.reduction import FEWEST_DEALS, games_saved, without_luck
from theriac.arena.statistics import (
    Estimate,
    Floats,
    Outcome,
    estimate_mean,
    estimate_share,
    outcomes,
)

#: The share of runs with equal bots in which one of them is called better.
ERROR_RATE = 0.05
#: Stakes of the gambler in `log_evidence`, as parts of his capital: more of them near all of it.
_STAKES: Floats = np.tanh(np.linspace(-2.2, 2.2, 40))
#: Means that are tried for an always-valid interval.
_MEAN_STEP = 0.005
_MEANS = np.arange(-1 + _MEAN_STEP, 1, _MEAN_STEP)


@dataclass(frozen=True)
class Difference:
    """A bot against another: the mean difference of their shares with its 95 % interval."""

    bot: str
    other: str
    deals: int
    mean: Estimate
    #: How often equal bots would differ at least as much.
    p_value: float
    #: Is it decided that one of them is better?
    decided: bool = False
    #: Does the interval hold at all times at once?
    always_valid: bool = False

    @property
    def better(self) -> str:
        """The bot that is ahead."""
        return self.bot if self.mean.mean >= 0 else self.other


def deal_differences(
    bot: str, other: str, results: Iterable[GameResult], *, together: bool
) -> tuple[Floats, Floats | None]:
    """The difference of each deal, in the order of the deals, and what of it was luck."""
    games = [game for game in results if together or {bot, other} <= set(game.bots)]
    deals: dict[tuple[int, int], dict[str, list[Outcome]]] = {}
    for game in sorted(games, key=lambda game: game.key[1::-1]):
        got = deals.setdefault(game.key[:2], {bot: [], other: []})
        for outcome in outcomes([game], together=together):
            if outcome.bot in got:
                got[outcome.bot].append(outcome)
    whole = [got for got in deals.values() if got[bot] and got[other]]
    rows = np.array([_mean_row(got[bot]) - _mean_row(got[other]) for got in whole]).reshape(-1, 3)
    return rows[:, 0], None if np.isnan(rows).any() else rows[:, 1:]


def _mean_row(found: Sequence[Outcome]) -> Floats:
    """The mean share, and the mean luck of nature and of policies (NaN if it is not known)."""
    mean: Floats = np.mean([(one.share, *(one.luck or (math.nan,) * 2)) for one in found], axis=0)
    return mean


def compare(bot: str, other: str, differences: Floats) -> Difference:
    """The interval and the p-value after a number of deals that was fixed beforehand."""
    deals = len(differences)
    found = estimate_mean(differences.tolist())
    if deals < 2:
        return Difference(bot, other, deals, Estimate(found.mean, -1.0, 1.0), 1.0)
    spread = float(np.std(differences, ddof=1))
    if spread > 0:
        statistic = abs(found.mean) * math.sqrt(deals) / spread
        p_value = 2 * float(stats.t.sf(statistic, deals - 1))
    else:
        # All deals alike: as for shares, each of them counts as one game.
        share = estimate_share(enumerate((1 + differences) / 2))
        found = Estimate(found.mean, 2 * share.low - 1, 2 * share.high - 1)
        p_value = 2.0 ** (1 - deals) if found.mean else 1.0  # a test of signs
    found = Estimate(found.mean, max(-1.0, found.low), min(1.0, found.high))
    decided = p_value < ERROR_RATE and (found.low > 0 or found.high < 0)
    return Difference(bot, other, deals, found, p_value, decided)


def watch(bot: str, other: str, differences: Floats, error_rate: float) -> Difference:
    """The always-valid interval after the deal that decides, else after the last."""
    evidence = log_evidence(differences, 0.0)
    enough = -math.log(error_rate)
    deciding = deciding_deal(differences, error_rate)
    seen = differences[:deciding]
    if not len(seen):
        return Difference(bot, other, 0, Estimate(math.nan, -1.0, 1.0), 1.0, always_valid=True)
    possible = [m for m in _MEANS if _sum_up(_log_bets(seen, m).sum(axis=0)) < enough]
    interval = Estimate(
        float(seen.mean()),
        max(-1.0, min(possible) - _MEAN_STEP),
        min(1.0, max(possible) + _MEAN_STEP),
    )
    if deciding:  # by the test itself, not by the grid of means
        low, high = (0.0, interval.high) if interval.mean > 0 else (interval.low, 0.0)
        interval = Estimate(interval.mean, max(interval.low, low), min(interval.high, high))
    p_value = min(1.0, math.exp(-float(evidence[: len(seen)].max())))
    return Difference(bot, other, len(seen), interval, p_value, deciding is not None, True)


def deciding_deal(differences: Floats, error_rate: float) -> int | None:
    """The number of deals after which it is decided for those who look after every deal."""
    decided = np.flatnonzero(log_evidence(differences, 0.0) >= -math.log(error_rate))
    return int(decided[0]) + 1 if len(decided) else None


def log_evidence(differences: Floats, mean: float) -> Floats:
    """After each deal the logarithm of a gambler's capital who bets that the mean is another.

    He starts with 1, divides it among fixed stakes for and against, and lets them run. If the mean
    is right, the bets are fair, whatever the distribution is, as long as it lies between -1 and 1:
    so his capital ever exceeds 1 / a with a probability of at most a (Ville's inequality).
    """
    return _sum_up(np.cumsum(_log_bets(differences, mean), axis=0))


def _log_bets(differences: Floats, mean: float) -> Floats:
    """By what each deal (row) multiplies each stake (column), as logarithms."""
    bets: Floats = np.log1p(np.outer(differences - mean, _STAKES / (1 + abs(mean))))
    return bets


def _sum_up(stakes: Floats) -> Floats:
    """The logarithm of the whole capital, from those of what became of each stake."""
    most = stakes.max(axis=-1, keepdims=True)
    found: Floats = np.log(np.exp(stakes - most).mean(axis=-1)) + most[..., 0]
    return found


@dataclass(frozen=True)
class Comparison:
    """A bot against another: as they played, and with luck taken out where it is known."""

    plain: Difference
    reduced: Difference | None = None
    #: By what factor fewer games would do without luck.
    saved: float | None = None


def compare_all(
    bots: Sequence[str], results: Sequence[GameResult], *, together: bool, watched: bool = False
) -> list[Comparison]:
    """Each pair of bots. The error rate of watched tests is divided by their number."""
    pairs = list(itertools.combinations(bots, 2))
    found = []
    for bot, other in pairs:
        differences, luck = deal_differences(bot, other, results, together=together)
        if watched:
            plain = watch(bot, other, differences, ERROR_RATE / len(pairs))
        else:
            plain = compare(bot, other, differences)
        if luck is None or len(luck) < FEWEST_DEALS:
            found.append(Comparison(plain))
            continue
        values = without_luck(differences, luck)
        saved = games_saved(differences, values)
        found.append(Comparison(plain, compare(bot, other, values), saved))
    return found


def best_bot(bots: Sequence[str], comparisons: Iterable[Comparison]) -> str | None:
    """The bot that is decided to be better than every other, by results as they were."""
    return _winner_of_all(bots, [each.plain.better for each in comparisons if each.plain.decided])


def decided_best(
    bots: Sequence[str], results: Sequence[GameResult], *, together: bool
) -> str | None:
    """The same as `best_bot` of watched comparisons, without their intervals."""
    pairs = list(itertools.combinations(bots, 2))
    winners = []
    for bot, other in pairs:
        differences, _ = deal_differences(bot, other, results, together=together)
        deals = deciding_deal(differences, ERROR_RATE / len(pairs))
        if deals:
            winners.append(bot if differences[:deals].mean() >= 0 else other)
    return _winner_of_all(bots, winners)


def _winner_of_all(bots: Sequence[str], winners: Sequence[str]) -> str | None:
    return next((bot for bot in bots if winners.count(bot) == len(bots) - 1), None)
