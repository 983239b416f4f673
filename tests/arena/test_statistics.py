"""Win shares, intervals and ratings against numbers worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.arena.samples import schedule_of
from theriac.arena.arena_game import GameResult
from theriac.arena.results import summarize
from theriac.arena.statistics import estimate_mean, estimate_share, outcomes, t_quantile


def played(
    deal: int, line_up: int, bots: str, shares: list[float], ranks: list[int], **more: object
) -> GameResult:
    n = len(bots)
    zeros = [0.0] * n
    game = GameResult(
        (0, deal, line_up),
        n,
        0,
        list(bots),
        ranks,
        shares,
        ranks,
        [1] * n,
        zeros,
        zeros,
        zeros,
        {},
        1,
    )
    for name, value in more.items():
        setattr(game, name, value)
    return game


@pytest.mark.parametrize(
    ("degrees_of_freedom", "quantile"),
    [
        # One degree of freedom: tan(0.475 π). Two: 0.95 / sqrt(2 · 0.975 · 0.025). Then: tables.
        (1, math.tan(0.475 * math.pi)),
        (2, 0.95 / math.sqrt(2 * 0.975 * 0.025)),
        (5, 2.570581835636314),
        (10, 2.228138851964939),
        (30, 2.042272456301238),
        (100, 1.983971518523551),
    ],
)
def test_students_t(degrees_of_freedom: int, quantile: float) -> None:
    assert t_quantile(degrees_of_freedom) == pytest.approx(quantile, abs=1e-6)


def test_a_mean_by_hand() -> None:
    # The deviation of 1, 2, 3, 4 is sqrt(5/3); t of 3 degrees is 3.182446.
    found = estimate_mean([1, 2, 3, 4])
    margin = 3.182446305 * math.sqrt(5 / 3) / 2
    assert (found.mean, found.low, found.high) == pytest.approx((2.5, 2.5 - margin, 2.5 + margin))
    assert math.isnan(estimate_mean([7.0]).low)


def test_a_win_share_by_hand() -> None:
    # Two deals of two games, 1.5 and 0.5 wins: the mean is 1/2. Off by ±0.5 each, the variance of
    # the mean is 2/1 · 0.5 / 16 = 1/16. Independent games have 1/4/4 = 1/16. So these deals are
    # worth 4 games, and Wilson's interval with t = 12.7062 is 1/2 ± 12.7062/2/sqrt(4 + t²).
    found = estimate_share([("a", 1.0), ("a", 0.5), ("b", 0.5), ("b", 0.0)])
    t = 12.706204736
    margin = t / 2 / math.sqrt(4 + t**2)
    assert (found.mean, found.low, found.high) == pytest.approx((0.5, 0.5 - margin, 0.5 + margin))


def test_games_of_one_deal_prove_less() -> None:
    rows = [(deal, float(deal % 2)) for deal in range(20) for _ in range(8)]
    clustered = estimate_share(rows)
    apart = estimate_share((i, share) for i, (_, share) in enumerate(rows))
    assert clustered.mean == apart.mean == 0.5
    assert clustered.high - clustered.low > 2.5 * (apart.high - apart.low)


def test_deals_without_luck_prove_more() -> None:
    rows = [(deal, float(game % 4 == 0)) for deal in range(50) for game in range(4)]
    clustered = estimate_share(rows)
    apart = estimate_share((i, share) for i, (_, share) in enumerate(rows))
    assert clustered.high - clustered.low < 0.5 * (apart.high - apart.low)


def test_few_deals_prove_little() -> None:
    assert estimate_share([(0, 1.0)] * 100).low == 0
    assert estimate_share([(deal, 1.0) for deal in range(3)]).low < 0.25
    assert estimate_share([(deal, 1.0) for deal in range(100)]).low > 0.95
    assert estimate_share([]).high == 1
    sweep = estimate_share([(deal, 1.0) for deal in range(9) for _ in range(8)])
    assert sweep == estimate_share([(deal, 1.0) for deal in range(9)])


def test_intervals_have_their_nominal_coverage() -> None:
    """Deals of four games whose luck is shared: 95 % of the intervals hold the true share."""
    chance = np.random.default_rng(1)
    held, times = 0, 400
    for _ in range(times):
        luck = chance.beta(1, 3, 15)
        rows = [(deal, float(chance.random() < p)) for deal, p in enumerate(luck) for _ in range(4)]
        found = estimate_share(rows)
        held += found.low <= 0.25 <= found.high
    assert 0.92 <= held / times <= 0.985


def test_a_game_counts_for_those_who_sit_alone() -> None:
    games = [
        played(0, 0, "abbb", [1, 0, 0, 0], [1, 2, 2, 2], first=3),
        played(0, 4, "baaa", [0.5, 0.5, 0, 0], [1, 1, 3, 3]),
    ]
    found = outcomes(games, together=False)
    assert [(c.bot, c.share, c.place) for c in found] == [("a", 1, 1), ("b", 0.5, 0)]
    team = outcomes([played(0, 0, "aa", [0.5, 0.5], [1, 1])], together=True)
    assert [(c.bot, c.share) for c in team] == [("a", 1)]


def test_the_summary_of_a_bot() -> None:
    games = [
        played(0, 0, "abbb", [1, 0, 0, 0], [1, 2, 2, 2]),
        played(0, 1, "babb", [0.5, 0.5, 0, 0], [1, 1, 3, 3]),
        played(0, 4, "baaa", [0, 1, 0, 0], [4, 1, 2, 2], forfeits={"b": "hung"}),
    ]
    results = summarize(schedule_of("a", "b", deals=1), games)
    output = {bot["name"]: bot for bot in results.to_json()["bots"]}
    assert (output["a"]["games"], output["a"]["wins"], output["a"]["fair"]) == (2, 1.5, 0.25)
    assert (output["b"]["games"], output["b"]["wins"], output["b"]["forfeits"]) == (1, 0, 1)
    assert (output["a"]["low"], output["a"]["high"]) == (0, 1)
    assert output["a"]["mean_score"] == 1
    assert results.forfeit_reasons() == [("b", "hung", 1)]
