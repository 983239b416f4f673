"""Sets of cards as bits, interpreted and compiled."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.compiled import compiled
from tests.examples import examples
from theriac.engine.bits import bit, count_bits, lowest

SPEEDS: list[dict[Any, Any]] = [
    {function: compiled(function) for function in (bit, count_bits, lowest)},
    {function: function for function in (bit, count_bits, lowest)},
]


@pytest.mark.parametrize("speed", SPEEDS, ids=["cpu", "plain"])
@examples(200)
@given(st.sets(st.integers(0, 62)))
def test_a_set_of_cards(speed: dict[Any, Any], cards: set[int]) -> None:
    bits = 0
    for card in cards:
        bits |= speed[bit](card)
    assert speed[count_bits](bits) == len(cards)
    if cards:
        assert speed[lowest](bits) == min(cards)


@pytest.mark.parametrize("speed", SPEEDS, ids=["cpu", "plain"])
def test_a_number_below_zero_has_64_bits_and_an_empty_set_no_lowest_card(
    speed: dict[Any, Any],
) -> None:
    """In Python itself such a number has infinitely many bits."""
    assert speed[count_bits](-1) == 64
    assert speed[count_bits](~0b101) == 62
    assert speed[lowest](0) == 64
