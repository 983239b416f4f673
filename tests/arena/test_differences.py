"""Who is better: differences on the same deals, and when it is decided."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.arena.samples import schedule_of
from tests.arena.test_statistics import played
from theriac.arena.arena_game import GameResult
from theriac.arena.differences import (
    best_bot,
    compare,
    compare_all,
    deal_differences,
    decided_best,
    log_evidence,
    watch,
)
from theriac.arena.results import summarize
from theriac.arena.statistics import Floats
from theriac.arena.verdict import verdict


def two_bots(differences: list[float]) -> list[GameResult]:
    """Games of two players, two line-ups per deal, with these differences."""
    return [
        played(deal, i, bots, [share, 1 - share], [1, 1])
        for deal, difference in enumerate(differences)
        for i, (bots, share) in enumerate(
            (("ab", (1 + difference) / 2), ("ba", (1 - difference) / 2))
        )
    ]


def test_a_difference_by_hand() -> None:
    games = [
        played(0, 0, "abb", [1, 0, 0], [1, 2, 2]),
        played(0, 1, "bab", [0.5, 0.5, 0], [1, 1, 3]),
        played(0, 3, "baa", [0.25, 0.75, 0], [2, 1, 3]),
        played(1, 0, "abb", [0, 1, 0], [2, 1, 2]),
        played(1, 3, "baa", [0, 1, 0], [2, 1, 2]),
        played(2, 0, "acc", [1, 0, 0], [1, 2, 2]),  # without b
        played(3, 0, "abb", [1, 0, 0], [1, 2, 2]),  # b has not sat alone yet
    ]
    found, luck = deal_differences("a", "b", games, together=False)
    assert found.tolist() == [0.75 - 0.25, 0.0]
    assert luck is None
    assert deal_differences("b", "a", games, together=False)[0].tolist() == [-0.5, 0.0]


def test_teams_differ_on_the_same_deal() -> None:
    games = [
        played(deal, i, bot * 2, [share / 2] * 2, [1, 1])
        for deal, shares in enumerate([(1, 0), (1, 1)])
        for i, (bot, share) in enumerate(zip("ab", shares, strict=True))
    ]
    assert deal_differences("a", "b", games, together=True)[0].tolist() == [1.0, 0.0]


def test_the_interval_after_a_fixed_number_of_deals() -> None:
    # Mean 0.2 and deviation 0.1: t = 2.776 of 4 degrees of freedom, the margin is 0.1242.
    x = np.array([0.1, 0.1, 0.2, 0.3, 0.3])
    found = compare("a", "b", x)
    assert (found.mean.low, found.mean.high) == pytest.approx(
        (0.2 - 0.12416, 0.2 + 0.12416), abs=1e-4
    )
    assert found.decided
    assert found.p_value == pytest.approx(0.0111, abs=1e-4)
    assert (found.better, compare("a", "b", -x).better) == ("a", "b")


def test_few_deals_that_are_all_alike_prove_little() -> None:
    assert not compare("a", "b", np.ones(1)).decided
    assert not compare("a", "b", np.ones(4)).decided
    many = compare("a", "b", np.ones(30))
    assert many.decided
    assert 0.5 < many.mean.low < many.mean.high == 1


@pytest.mark.parametrize(
    "draw",
    [
        lambda random, n: random.choice([-1.0, 1.0], n),
        lambda random, n: (random.binomial(4, 0.25, n) - random.binomial(4, 0.25, n)) / 4,
        lambda random, n: np.where(
            random.random(n) < 0.1, 0.9, -0.1
        ),  # often a little, rarely much
    ],
    ids=["coins", "equal bots", "skewed"],
)
def test_who_looks_all_the_time_errs_in_five_per_cent_at_most(draw: object) -> None:
    """The capital of the gambler ever reaches 20 in 5 % of runs at most; 400 runs of 300 deals."""
    assert callable(draw)
    random = np.random.default_rng(1)
    wrong = sum(
        bool((log_evidence(draw(random, 300), 0.0) >= math.log(20)).any()) for _ in range(400)
    )
    assert wrong / 400 <= 0.05


def test_the_always_valid_interval_holds_the_truth() -> None:
    random = np.random.default_rng(2)
    held = 0
    for _ in range(60):
        x: Floats = np.where(random.random(60) < 0.6, 0.5, -0.5)
        found = watch("a", "b", x, 0.05)
        held += found.mean.low <= 0.1 <= found.mean.high
    assert held >= 57


def test_a_better_bot_is_found_out_and_the_rest_is_not_played() -> None:
    random = np.random.default_rng(3)
    x = np.clip(0.3 + 0.3 * random.standard_normal(200), -1, 1)
    found = watch("a", "b", x, 0.05)
    assert found.decided
    assert found.better == "a"
    assert 5 < found.deals < 60
    assert found.mean.low >= 0
    assert found.p_value <= 0.05
    assert watch("b", "a", -x, 0.05).better == "a"
    assert found == watch("a", "b", x[: found.deals], 0.05)


def test_the_best_of_three_must_be_better_than_both() -> None:
    def pair(bot: str, other: str, first: int, mean: float) -> list[GameResult]:
        names = {"a": bot, "b": other}
        games = two_bots([mean] * 40)
        for game in games:
            game.bots = [names[name] for name in game.bots]
            game.key = (0, game.key[1], first + game.key[2])
        return games

    games = [*pair("a", "b", 0, 0.0), *pair("a", "c", 2, 0.6), *pair("b", "c", 4, 0.6)]
    assert decided_best("abc", games, together=False) is None
    games = [*pair("a", "b", 0, 0.6), *pair("a", "c", 2, 0.6), *pair("b", "c", 4, 0.0)]
    assert decided_best("abc", games, together=False) == "a"
    assert best_bot("abc", compare_all("abc", games, together=False, watched=True)) == "a"
    (said,) = verdict(summarize(schedule_of("a", "b", "c", deals=40), games, watched=True))
    assert said.startswith("a is better than every other bot here.")


def test_the_verdict_in_words() -> None:
    random = np.random.default_rng(4)
    x = np.clip(0.2 + 0.2 * random.standard_normal(40), -1, 1).tolist()
    schedule = schedule_of("a", "b", deals=40)
    (said,) = verdict(summarize(schedule, two_bots(x), names=["old", "new"]))
    assert said.startswith("old is better than new: on the same deals it gets 17.6 %")
    assert "equal bots would differ that much in fewer than 1 of 1,000 such runs" in said
    decided, sure = verdict(summarize(schedule, two_bots(x), watched=True))
    assert decided.startswith("Decided after ")
    assert "at most 5 % of runs" in sure
    (open_,) = verdict(summarize(schedule, two_bots([0.1, -0.1, 0.2, -0.2] * 10)))
    assert open_.startswith("After 40 deals it is not decided who is better: both get the same")
    (one,) = verdict(summarize(schedule, two_bots([0.5])))
    assert one == "1 deal cannot tell who is better: play more games."
