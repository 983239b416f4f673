"""Perft: the rules at both speeds and the referee count the same positions at each depth."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from tests.contract.referees import referee_of
from tests.contract.setups import GAMES, Setup, cases
from tests.referee.base import Game as Referee
from tests.referee.enumerate import count_tree, count_tree_with_chance
from tests.referee.helpers import in_given_order
from theriac.engine.count import IN_ORDER

CASES = [case for game in GAMES for case in cases(game, "COUNTS")]
BY_NAME = {game.name: game for game in GAMES}

each_case = pytest.mark.parametrize(
    "case", CASES, ids=[f"{case['game']}-{i}" for i, case in enumerate(CASES)]
)


def setup_of(case: dict[str, Any]) -> Setup:
    return Setup(BY_NAME[case["game"]], case["options"])


def written(setup: Setup, deals: list[list[str]]) -> npt.NDArray[np.int16]:
    """The deals as card numbers, one row each; later shuffles stay in order."""
    numbers = setup.settings.text.numbers()
    rows = np.full((len(deals) + 1, setup.game.shape.pack + 1), -1, np.int16)
    if deals:
        rows[-1, 0] = IN_ORDER
    for row, deal in zip(rows, deals, strict=False):
        row[: len(deal)] = [numbers[card] for card in deal]
    return rows


@each_case
@pytest.mark.parametrize("speed", ["plain", "cpu"])
def test_the_rules_count_the_known_number_of_positions(case: dict[str, Any], speed: Any) -> None:
    setup = setup_of(case)
    engine = setup.game.engine(speed)
    g = engine.state()
    engine.setup(g, setup.settings.options)
    found = engine.count(g, len(case["counts"]) - 1, written(setup, case["deals"]))
    assert found == case["counts"]


@each_case
def test_the_referee_counts_the_same(case: dict[str, Any]) -> None:
    options = dict(case["options"])
    deck = options.pop("deck")
    referee = referee_of(BY_NAME[case["game"]])

    def begin(deals: list[list[str]]) -> Referee:
        return referee(options, deals, in_given_order, deck=deck)

    depth = len(case["counts"]) - 1
    if case["deals"]:
        assert count_tree(lambda: begin(case["deals"]), depth) == case["counts"]
    else:
        assert count_tree_with_chance(begin, deck, depth) == case["counts"]
