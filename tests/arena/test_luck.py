"""Luck has the mean 0, and results without it the same mean and less noise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from scipy import stats

from bench import equal_bots
from tests.arena.samples import play_here, schedule_of
from tests.networks import blank_network
from tests.review.samples import exact_values
from theriac.arena.arena_game import BotFactory
from theriac.arena.luck import LuckMeter
from theriac.arena.reduction import games_saved, without_luck
from theriac.arena.schedule import LuckConfig
from theriac.bots import ask, bot
from theriac.bots.style import HEURISTIC_STYLE, RANDOM_STYLE, Style
from theriac.engine.records import Ints
from theriac.engine.styled_playouts import BY_NETWORK
from theriac.game import find
from theriac.match import Match
from theriac.review.history import OpenMatch

#: Bots of three styles.
MIXED = ("neural:temperature=1", "greedy", "neural")
SMALL = {"players": 3, "first": 0, "deck": ["R4", "R5", "R7", "B7", "X"]}


@pytest.mark.parametrize(
    "name", ["random", "greedy", "greedy:slip=0.4", "easy", "neural", "neural:temperature=2"]
)
def test_the_policy_of_a_bot_is_how_often_it_plays_each_move(name: str) -> None:
    match = Match(find("shock"), {"players": 3}, seed=bytes(32))
    question = ask(match)
    chances = bot(name).policy(question)
    assert chances is not None
    assert chances.sum() == pytest.approx(1)
    times = 400
    played = Counter(bot(name, seed).answer(question) for seed in range(times))
    for move, chance in zip(question.legal.tolist(), chances, strict=True):
        margin = 4 * (times * chance * (1 - chance)) ** 0.5
        assert abs(played[move] - times * chance) <= margin


def test_a_bot_that_searches_has_no_known_policy() -> None:
    question = ask(Match(find("shock"), {"players": 3}, seed=bytes(32)))
    assert bot("search:ms=1").policy(question) is None


@pytest.mark.parametrize("names", [("greedy",) * 3, MIXED])
def test_the_luck_of_a_move_has_the_mean_zero_exactly(names: tuple[str, ...]) -> None:
    """Whatever playouts say, and whatever the chances are."""
    match = OpenMatch(find("poison"), {"players": 3}, seed=bytes(32))
    for _ in range(40):
        bot("random").play(match)
    legal = ask(match).legal
    chances = np.arange(1.0, len(legal) + 1)
    chances /= chances.sum()
    found = []
    for move in legal.tolist():
        meter = LuckMeter(match, LuckConfig(60), styles_of(match, names))
        meter.add_move(legal, chances, move)
        found.append(meter.luck().policies)
    assert np.abs(found).max() > 0.01
    assert chances @ np.array(found) == pytest.approx(np.zeros(3), abs=1e-6)


def last_round(seed: int) -> tuple[OpenMatch, Ints]:
    """A game before its last round, with all that happened before fixed, and that state."""
    deals = [["R4", "X", "R7", "B7", "R5"]] * 2
    match = OpenMatch(find("poison"), SMALL, seed=seed.to_bytes(32, "big"), deals=deals)
    while True:
        move = match.legal_numbers()[0]
        before = match.after(move)
        match.play(match.text.write(move))
        if match.round == 3:
            return match, before


def styles_of(match: OpenMatch, names: Sequence[str]) -> list[Style]:
    """How these bots play in playouts."""
    return [bot(name).style(match.game, match.settings) for name in names]


def play_last_round(
    seed: int, styles: Sequence[Style]
) -> tuple[list[float], list[float], list[float]]:
    """The shares of the win of `greedy`, and the luck of nature and of policies."""
    match, before = last_round(seed)
    meter, player = LuckMeter(match, LuckConfig(4), styles), bot("greedy", seed)
    meter.add_deal(before)
    while not match.over:
        question = ask(match)
        chances = player.policy(question)
        assert chances is not None
        move = player.answer(question)
        meter.add_move(question.legal, chances, move)
        match.play(match.text.write(move))
    luck = meter.luck()
    return match.results(), luck.nature, luck.policies


RIGHT_STYLES = [HEURISTIC_STYLE] * 3
WRONG_STYLES = [
    Style(BY_NETWORK, blank_network(find("poison"), 3), temperature=1.0),
    RANDOM_STYLE,
    Style(BY_NETWORK, blank_network(find("poison"), 3)),
]


@pytest.mark.parametrize(
    ("styles", "fewest_saved"), [(RIGHT_STYLES, 3.0), (WRONG_STYLES, 0.8)], ids=["right", "wrong"]
)
def test_the_mean_without_luck_is_that_of_all_games_there_are(
    styles: Sequence[Style], fewest_saved: float
) -> None:
    """The last round of a small game, compared with going through all deals and all ties.

    Also if playouts go on quite unlike the bots: then they only save less.
    """
    shares_of_all = exact_values(find("poison"), last_round(0)[1], 3, slip=0.0)
    exact = np.array([float(share) for share in shares_of_all])
    rows = np.array([play_last_round(seed, styles) for seed in range(200)])
    saved = []
    for seat in range(3):
        shares, luck = rows[:, 0, seat], rows[:, 1:, seat]
        assert (np.abs(luck.mean(axis=0)) < 4 * luck.std(axis=0) / len(rows) ** 0.5 + 1e-9).all()
        reduced = without_luck(shares, luck)
        assert abs(reduced.mean() - exact[seat]) < 4 * reduced.std() / len(rows) ** 0.5 + 1e-9
        saved.append(games_saved(shares, reduced))
    assert max(saved) > fewest_saved


@pytest.mark.parametrize("make_bot", [bot, equal_bots.misjudged])
def test_equal_bots_come_out_equal(make_bot: BotFactory) -> None:
    differences, luck = equal_bots.deals(24 * equal_bots.DEALS, make_bot)
    _, p_values = equal_bots.p_values(differences, luck)
    assert stats.kstest(p_values, "uniform").pvalue > 0.01
    reduced = without_luck(differences, luck)
    assert abs(reduced.mean()) < 3.5 * reduced.std() / len(reduced) ** 0.5


def test_factors_are_fitted_to_other_deals_only() -> None:
    """The factor of a deal does not depend on its own result: else the mean would be biased."""
    random = np.random.default_rng(1)
    luck = random.standard_normal((30, 2))
    values = luck @ [0.5, 2.0] + 0.1 * random.standard_normal(30)
    found = without_luck(values, luck)
    assert found.std() < 0.35 < values.std()
    changed = values.copy()
    changed[7] += 10
    assert without_luck(changed, luck)[7] == pytest.approx(found[7] + 10)


def test_luck_is_measured_up_to_a_forfeit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THERIAC_JIT", "0")
    schedule = schedule_of("crash", "greedy", luck=LuckConfig(2))
    game = play_here(next(schedule.games()))
    assert game.forfeits
    assert game.luck is not None
    assert len(game.luck.nature) == 4
