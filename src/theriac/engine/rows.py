"""Rows of cards: the first `size` places of an array, mostly in ascending order."""

from __future__ import annotations

from typing import Any

from theriac.engine.rule import rule


@rule
def insert(row: Any, size: int, card: int) -> None:
    """Put a card into a row of that size in its order."""
    i = size
    while i > 0 and row[i - 1] > card:
        row[i] = row[i - 1]
        i -= 1
    row[i] = card


@rule
def remove(row: Any, size: int, card: int) -> None:
    """Take the first card of its kind out of a row of that size (in whatever order)."""
    i = 0
    while row[i] != card:
        i += 1
    while i < size - 1:
        row[i] = row[i + 1]
        i += 1


@rule
def copy_row(source: Any, target: Any) -> None:
    """Write a whole row over another of the same length. A GPU reads all of it before it writes."""
    for i in range(len(target)):
        target[i] = source[i]


@rule
def clear_row(row: Any) -> None:
    """Write zeros."""
    for i in range(len(row)):
        row[i] = 0


@rule
def holds(row: Any, size: int, card: int) -> bool:
    """Is the card in a row of that size?"""
    for i in range(size):
        if row[i] == card:
            return True
    return False


@rule
def only(value: int, there: bool) -> int:
    """The value where there is one, else 0.

    It is read in any case: so a whole row is read at once, one place not waiting for the other.
    """
    return value if there else 0
