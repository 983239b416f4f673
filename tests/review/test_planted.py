"""The witness of `bench.planted`, and which plants count."""

from __future__ import annotations

from typing import Any

import pytest

from bench.planted import Outcome, counts, is_clearly_bad
from bench.witness import Cost, Witness
from tests.review.samples import small_poison
from tests.review.test_reviewing import planted
from theriac.game import find
from theriac.review.history import OpenMatch


def late_mistake() -> tuple[Any, int, int, float]:
    """A match before a bad move, this move and a better one, and what it costs."""
    found = planted(14)
    assert found is not None
    record, n, best, loss = found
    match = OpenMatch.at(record, n - 1)
    return match, match.text.read(record["moves"][n - 1]), match.text.read(best), loss


def at_once(cost: Cost) -> bool:
    """The first states are enough."""
    return True


def after_many(cost: Cost) -> bool:
    """Many states are needed."""
    return cost.states >= 96


def test_the_witness_says_what_full_enumeration_says() -> None:
    match, worse, better, loss = late_mistake()
    witness = Witness(find("poison"), simulations=50)
    cost = witness.cost(match, worse, better, 1, after_many)
    assert cost.states == 96
    assert cost.mean == pytest.approx(loss, abs=4 * cost.error + 0.1)
    back = witness.cost(match, better, worse, 1, after_many)
    assert back == Cost(-cost.mean, cost.error, cost.states)


def test_a_move_is_compared_in_the_same_states_with_the_same_cards() -> None:
    """So beside itself it costs nothing, in every single state."""
    match = OpenMatch.at(small_poison().record(), 3)
    move = match.legal_numbers()[0]
    cost = Witness(find("poison"), simulations=10).cost(match, move, move, 1, at_once)
    assert cost.mean == 0
    assert cost.error == 1 / cost.states


def test_a_plant_is_clearly_bad_only_if_the_witness_is_sure() -> None:
    sure, small, unsure = Cost(0.5, 0.05, 32), Cost(0.1, 0.05, 32), Cost(0.5, 0.2, 8)
    assert [is_clearly_bad(cost) for cost in (sure, small, unsure)] == [True, False, False]


def outcome(rank: int | None, rival_cost: Cost | None) -> Outcome:
    """What a review says of a plant that costs 0.4."""
    cost = Cost(0.4, 0.05, 32)
    clear_by = rival_cost and rival_cost.behind(cost)
    return Outcome(1, 9, rank, cost, None, None, rival_cost, None, clear_by)


def test_a_rival_counts_whichever_is_named_first() -> None:
    small, equal = Cost(0.1, 0.05, 32), Cost(0.38, 0.05, 32)
    found = counts([outcome(rank, rival) for rank in (1, 2) for rival in (None, small, equal)])
    assert (found["all"]["first"], found["all"]["games"]) == (3, 6)
    assert (found["clear"]["first"], found["clear"]["games"]) == (2, 4)
