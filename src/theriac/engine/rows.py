"""Rows of cards: the first `size` elements of an array, usually in ascending order."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from theriac.engine.rule import rule

Row = npt.NDArray[Any]


@rule
def insert(row: Row, size: int, card: int) -> None:
    """Insert a card into an ascending row of `size` cards, in its order.

    The larger of the card in hand and each card of the row is carried on. No branch depends on the
    cards: a processor would guess it wrong, which costs more than the steps saved.
    """
    carried = int(card)
    for i in range(size):
        here = int(row[i])
        row[i] = min(here, carried)
        carried = max(here, carried)
    row[size] = carried


@rule
def remove(row: Row, size: int, card: int) -> None:
    """Remove the first card of this kind from a row of `size` cards, in any order.

    The cards behind it move up. No branch depends on the cards, as in `insert`.
    """
    passed = 0
    here = int(row[0])
    for i in range(1, size):
        behind = int(row[i])
        passed |= int(here == card)
        row[i - 1] = behind if passed else here
        here = behind


@rule
def copy_row(source: Row, target: Row) -> None:
    """Copy a whole row to another of the same length. A GPU reads all of it before it writes."""
    for i in range(len(target)):
        target[i] = source[i]


@rule
def clear_row(row: Row) -> None:
    """Set every element to zero."""
    for i in range(len(row)):
        row[i] = 0


@rule
def holds(row: Row, size: int, card: int) -> bool:
    """Is the card in a row of `size` cards?"""
    for i in range(size):
        if row[i] == card:
            return True
    return False


@rule
def only(value: int, there: bool) -> int:
    """The value if `there`, else 0.

    The caller reads the value in either case: so the elements of a row are loaded all at once,
    none waiting for a condition.
    """
    return value if there else 0
