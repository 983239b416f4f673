"""The reference policy is the bot `greedy` with slips."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest

from theriac.bots import ask, bot
from theriac.engine.reference_policy import WORDS, choose_by_policy, draw_slip
from theriac.game import Game, find
from theriac.match import Match
from theriac.review.history import OpenMatch
from theriac.testing.setups import GAMES, short_options

each_game = pytest.mark.parametrize("name", [game.name for game in GAMES])
DRAWS = 60


def positions(game: Game, count: int) -> list[OpenMatch]:
    """Some positions of games played at random, in which a seat has a choice."""
    random = Random(3)
    found: list[OpenMatch] = []
    while len(found) < count:
        match = OpenMatch(game, short_options(game), seed=random.randbytes(32))
        for _ in range(random.randrange(40)):
            if not match.over:
                match.play(random.choice(match.legal()))
        if not match.over and len(match.legal()) > 1:
            found.append(match)
    return found


def draw(match: OpenMatch, function: Any, *before: Any) -> Counter[int]:
    """The moves that the policy plays with different random numbers."""
    engine, shape = match.game.engine("plain"), match.game.shape
    choose = engine._linker.build(function)
    found: Counter[int] = Counter()
    random = np.zeros(3, np.int64)
    for number in range(DRAWS):
        engine.seed_stream(random, 7, number)
        buffers = engine.view(), random, engine.moves(), np.zeros(shape.moves)
        found[int(choose(match._g, *before, *buffers))] += 1
    return found


def chances(match: Match, name: str) -> dict[int, float]:
    """How likely a bot is to play each move; those that it never plays are left out."""
    question = ask(match)
    policy = bot(name).policy(question)
    assert policy is not None
    by_move = zip(question.legal.tolist(), policy.tolist(), strict=True)
    return {move: chance for move, chance in by_move if chance > 0}


@each_game
def test_slips_are_those_of_the_bot(name: str) -> None:
    for match in positions(find(name), 12):
        right = chances(match, "greedy:slip=1")
        found = draw(match, draw_slip)
        assert found.keys() <= right.keys()
        if len(right) < 6:  # of more, some may not be drawn
            assert found.keys() == right.keys()


@each_game
def test_a_slip_is_as_likely_as_it_should_be(name: str) -> None:
    slips = expected = 0.0
    for match in positions(find(name), 12):
        best = chances(match, "greedy")
        right = chances(match, "greedy:slip=0.25")
        found = draw(match, choose_by_policy, WORDS // 4)
        slips += sum(times for move, times in found.items() if move not in best)
        expected += DRAWS * sum(right[move] for move in right.keys() - best.keys())
    assert expected > 0
    assert abs(slips - expected) <= 4 * expected**0.5


@each_game
def test_without_slips_it_plays_what_is_rated_best(name: str) -> None:
    for match in positions(find(name), 4):
        assert draw(match, choose_by_policy, 0).keys() <= chances(match, "greedy").keys()
