"""Perft: the rules at both speeds and the referee count the same positions at each depth.

A case has the exact `counts`; one with a `depth` instead compares the rules with the referee only.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from theriac.engine.count import IN_ORDER
from theriac.game import find
from theriac.testing.enumeration import count_tree, count_tree_with_chance
from theriac.testing.referee import Game as Referee
from theriac.testing.referees import referee_of
from theriac.testing.setups import Setup, only


def setup_of(case: dict[str, Any]) -> Setup:
    return Setup(find(case["game"]), case["options"])


def written(setup: Setup, deals: list[list[str]]) -> npt.NDArray[np.int16]:
    """The deals as card numbers, one row each; later shuffles stay in order."""
    numbers = setup.settings.text.numbers()
    rows = np.full((len(deals) + 1, setup.game.shape.pack + 1), -1, np.int16)
    if deals:
        rows[-1, 0] = IN_ORDER
    for row, deal in zip(rows, deals, strict=False):
        row[: len(deal)] = [numbers[card] for card in deal]
    return rows


@pytest.mark.parametrize("speed", ["plain", "cpu"])
def test_the_rules_count_the_known_number_of_positions(case: dict[str, Any], speed: Any) -> None:
    setup = setup_of(case)
    engine = setup.game.engine(speed)
    g = engine.state()
    engine.setup(g, setup.settings.options)
    counts = case.get("counts") or by_the_referee(case)
    assert engine.count(g, len(counts) - 1, written(setup, case["deals"])) == counts


@only(lambda case: "counts" in case)
def test_the_referee_counts_the_same(case: dict[str, Any]) -> None:
    assert by_the_referee(case) == case["counts"]


def by_the_referee(case: dict[str, Any]) -> list[int]:
    """The number of positions at each depth, as the referee counts them."""
    options = dict(case["options"])
    deck = options.pop("deck", None) or find(case["game"]).shipped.cards()
    referee = referee_of(find(case["game"]))

    numbers = setup_of(case).settings.text.numbers()

    def in_order(_: int, cards: list[str]) -> list[str]:
        """What the rules do, too, when the deals are used up."""
        return sorted(cards, key=numbers.__getitem__)

    def begin(deals: list[list[str]]) -> Referee:
        return referee(options, deals, in_order, deck=deck)

    depth = case["depth"] if "depth" in case else len(case["counts"]) - 1
    if case["deals"]:
        return count_tree(lambda: begin(case["deals"]), depth)
    return count_tree_with_chance(begin, deck, depth)
