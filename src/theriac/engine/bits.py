"""Sets of cards as the bits of an int64. Compilers turn each loop here into one instruction.

>>> count_bits(0b10110), lowest(0b10100)
(3, 2)
>>> lowest(0)  # an empty set has no lowest card
64
"""

from __future__ import annotations

from typing import Any, Final

import numpy.typing as npt

from theriac.engine.rule import rule

#: A number below zero has infinitely many bits in Python: these are the bits of its int64. Compiled
#: code has no others, and the compiler leaves the mask out.
_INT64: Final = 0xFFFFFFFFFFFFFFFF


@rule
def bit(card: int) -> int:
    """The set of one card."""
    return 1 << int(card)


@rule
def set_of(row: npt.NDArray[Any], size: int) -> int:
    """The set of the first `size` cards of a row, all different."""
    cards = 0
    for i in range(size):
        cards |= bit(row[i])
    return cards


@rule
def count_bits(cards: int) -> int:
    """The number of cards in a set."""
    n = 0
    rest = int(cards) & _INT64
    while rest:
        rest &= rest - 1
        n += 1
    return n


@rule
def lowest(cards: int) -> int:
    """The lowest card of a set; of an empty set 64 (on a GPU -1), which is not a card."""
    return count_bits((cards & -cards) - 1)
