"""Sets of cards: what the loops that a compiler knows must give."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from theriac.engine.bits import bit, count_bits, lowest
from theriac.engine.rule import Linker


def compiled(function: Any) -> Any:
    """The function at the speed of the CPU."""
    import numba

    return Linker({}, lambda f: numba.njit(f, error_model="numpy")).build(function)


SPEEDS: list[dict[Any, Any]] = [
    {function: compiled(function) for function in (bit, count_bits, lowest)},
    {function: function for function in (bit, count_bits, lowest)},
]


@pytest.mark.parametrize("speed", SPEEDS, ids=["cpu", "plain"])
@examples(200)
@given(st.sets(st.integers(0, 62)))
def test_a_set_of_cards(speed: dict[Any, Any], cards: set[int]) -> None:
    together = 0
    for card in cards:
        together |= speed[bit](card)
    assert speed[count_bits](together) == len(cards)
    if cards:
        assert speed[lowest](together) == min(cards)
