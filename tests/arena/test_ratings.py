"""Ratings against numbers worked out by hand, and how often their intervals hold the truth."""

from __future__ import annotations

import math

import numpy as np
import pytest

from bench.coverage import coverage, simulated_wins
from tests.arena.test_statistics import played
from theriac.arena.ratings import rate, rate_bots, score_tests
from theriac.arena.statistics import estimate_share


def test_ratings_by_hand() -> None:
    # a beats b three times in four; with half a game each way 3.5 to 1.5.
    ranks = [[1, 2], [1, 2], [2, 1], [1, 2]]
    games = [played(deal, 0, "ab", [0, 0], row) for deal, row in enumerate(ranks)]
    a, b = rate_bots(["a", "b"], games, together=False)
    assert a.rating - b.rating == pytest.approx(400 * math.log10(3.5 / 1.5), abs=0.01)
    assert a.rating + b.rating == pytest.approx(0)
    assert a.low < a.rating < a.high


def test_ratings_of_three_are_consistent() -> None:
    # Strengths 4 : 2 : 1 and every pair in proportion: the ratings are 400·log10(2) apart.
    pairs = {"ab": (400, 200), "bc": (400, 200), "ac": (480, 120)}
    rows = [
        (names, row)
        for names, (wins, losses) in pairs.items()
        for row in [[1, 2]] * wins + [[2, 1]] * losses
    ]
    games = [played(deal, 0, names, [0, 0], row) for deal, (names, row) in enumerate(rows)]
    a, b, c = (one.rating for one in rate_bots(["a", "b", "c"], games, together=False))
    step = 400 * math.log10(2)
    assert (a - b, b - c) == pytest.approx((step, step), rel=0.01)


def test_a_clean_sweep_is_no_certainty() -> None:
    games = [played(deal, 0, "ab", [1, 0], [1, 2]) for deal in range(5)]
    a, b = rate_bots(["a", "b"], games, together=False)
    assert a.low + 50 < a.rating < a.high == math.inf
    assert b.low == -math.inf
    assert b.high == pytest.approx(-a.low)


def test_one_deal_has_no_interval() -> None:
    a, _ = rate_bots(["a", "b"], [played(0, 0, "ab", [1, 0], [1, 2])], together=False)
    assert a.rating > 0
    assert math.isnan(a.low)


def test_of_two_bots_the_interval_is_that_of_the_win_share() -> None:
    """But for half a game each way, which hardly counts in many."""
    wins = [[1, 1], [1, 0], [0, 1], [1, 1], [0, 0], [1, 1]] * 30
    games = [
        played(deal, i, "ab", [won, 1 - won], [2 - won, 1 + won])
        for deal, row in enumerate(wins)
        for i, won in enumerate(row)
    ]
    a, b = rate_bots(["a", "b"], games, together=False)
    share = estimate_share((deal, won) for deal, row in enumerate(wins) for won in row)
    for rating, p in ((a.low, share.low), (a.high, share.high)):
        assert 2 * rating == pytest.approx(400 * math.log10(p / (1 - p)), abs=1)
    assert b.low == pytest.approx(-a.high)


def test_an_interval_has_the_ratings_that_are_not_rejected() -> None:
    wins = simulated_wins(np.random.default_rng(1), 8, (1.0, 0.0, -1.0), luck=1.0)
    for test, (rating, low, high) in zip(score_tests(wins), rate(wins), strict=True):
        assert test.rating == rating
        assert low < rating < high
        inside = [test.rejects(x) for x in (low + 1, high - 1)]
        outside = [test.rejects(x) for x in (low - 1, high + 1)]
        assert (inside, outside) == ([False, False], [True, True])


@pytest.mark.parametrize("deals", [5, 10, 30])
def test_intervals_of_ratings_have_their_nominal_coverage(deals: int) -> None:
    """Three bots, all line-ups, luck shared by the games of a deal."""
    assert 0.93 <= coverage((1.0, 0.0, -1.0), luck=1.0, deals=deals, trials=400) <= 0.97


def test_teams_are_compared_on_the_same_deal() -> None:
    games = [
        played(deal, i, bot * 2, [0, 0], [rank] * 2)
        for deal, ranks in enumerate([(1, 2), (2, 2), (1, 1)])
        for i, (bot, rank) in enumerate(zip("ab", ranks, strict=True))
    ]
    a, b = rate_bots(["a", "b"], games, together=True)
    assert a.rating - b.rating == pytest.approx(400 * math.log10(2.5 / 1.5), abs=0.01)
