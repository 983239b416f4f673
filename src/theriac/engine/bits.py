"""Sets of cards: the bits of an int64. Compilers know these loops and make one instruction of each.

>>> count_bits(0b10110), lowest(0b10100)
(3, 2)
"""

from __future__ import annotations

from typing import Any

from theriac.engine.rule import rule


@rule
def bit(card: int) -> int:
    """The set of one card."""
    return 1 << int(card)


@rule
def set_of(row: Any, size: int) -> int:
    """The set of the cards of a row of that size, no two of them alike."""
    cards = 0
    for i in range(size):
        cards |= bit(row[i])
    return cards


@rule
def count_bits(cards: int) -> int:
    """How many cards are in a set."""
    n = 0
    rest = int(cards)
    while rest:
        rest &= rest - 1
        n += 1
    return n


@rule
def lowest(cards: int) -> int:
    """The lowest card of a set that is not empty."""
    return count_bits((cards & -cards) - 1)
