"""Shokoba: what a card can capture (SHO-10 to SHO-13).

The cards on the table lie in ``g.row`` in ascending order; a card laid that may yet be claimed is
not among them.
"""

from __future__ import annotations

from typing import Any

from theriac.engine.rule import rule
from theriac.games.shokoba.state import BASE, HIGHEST


@rule
def value_of(card: int) -> int:
    """1 to 10."""
    return (int(card) >> 2) + 1


@rule
def sums_on_table(g: Any) -> int:
    """The values that one or several cards on the table add up to: bit v for value v."""
    sums = 1
    for i in range(g.row_size):
        sums |= sums << value_of(g.row[i])
        sums &= (2 << HIGHEST) - 1
    return sums - 1  # without the sum of no card


@rule
def equal_on_table(g: Any, value: int) -> bool:
    """Is there a card of exactly this value?"""
    for i in range(g.row_size):
        if value_of(g.row[i]) == value:
            return True
    return False


@rule
def can_capture(g: Any, card: int) -> bool:
    """SHO-10: is there a card of its value, or several that add up to it?"""
    return (sums_on_table(g) >> value_of(card)) & 1 == 1


@rule
def refuse_capture(g: Any, value: int, cards: int) -> int:
    """SHO-10, SHO-12, SHO-13: may a card of this value capture these (the digits of a move)?"""
    total = 0
    ascending = True
    last = -1
    rest = cards
    while rest > 0:
        card = rest % BASE - 1
        if times_in(cards, card) > times_on_table(g, card):
            return 10
        total += value_of(card)
        ascending = ascending and card >= last
        last = card
        rest //= BASE
    if total != value:
        return 10
    if not ascending:
        return 12
    if g.exact_first and cards >= BASE and equal_on_table(g, value):
        return 13
    return 0


@rule
def times_in(cards: int, card: int) -> int:
    """How often a card is among the captured ones of a move."""
    n = 0
    while cards > 0:
        n += cards % BASE - 1 == card
        cards //= BASE
    return n


@rule
def times_on_table(g: Any, card: int) -> int:
    """How often a card lies on the table."""
    n = 0
    for i in range(g.row_size):
        n += g.row[i] == card
    return n


# Every capture, one after the other: a walk over the ascending row. Take a card, go on with the
# next for what is still needed, put it back, try the next that looks different. A `path` remembers
# the places taken, plus one, six bits each, the last one lowest; 0 is the way before the first.


@rule
def next_capture(g: Any, value: int, exact: bool, path: int) -> int:
    """SHO-10 to SHO-13: the path of the next capture by a card of this value; 0 after the last."""
    need = value
    i = 0
    if path > 0:
        i = (path & 63) - 1
        path >>= 6
        need = value_of(g.row[i])
        i = next_different(g, i)
    while True:
        if i < g.row_size and value_of(g.row[i]) <= need:
            if value_of(g.row[i]) == need:
                return (path << 6) | (i + 1)
            if not exact:
                path = (path << 6) | (i + 1)
                need -= value_of(g.row[i])
                i += 1
                continue
        elif path == 0:
            return 0
        else:
            i = (path & 63) - 1
            path >>= 6
            need += value_of(g.row[i])
        i = next_different(g, i)


@rule
def next_different(g: Any, i: int) -> int:
    """The place of the next card in the row that looks different from the one at place i."""
    card = g.row[i]
    i += 1
    while i < g.row_size and g.row[i] == card:
        i += 1
    return i


@rule
def must_be_exact(g: Any, value: int) -> bool:
    """SHO-13: may only a card of exactly this value be captured?"""
    return g.exact_first and equal_on_table(g, value)


@rule
def move_along(g: Any, played: int, path: int) -> int:
    """The number of the move that captures the cards on a path."""
    digits = 0
    while path > 0:
        digits = digits * BASE + int(g.row[(path & 63) - 1]) + 1
        path >>= 6
    return digits * BASE + played


@rule
def list_captures(g: Any, value: int, played: int, moves: Any, n: int) -> int:
    """Write every capture with a card of this value, in order, after n moves."""
    exact = must_be_exact(g, value)
    path = next_capture(g, value, exact, 0)
    while path > 0:
        moves[n] = move_along(g, played, path)
        n += 1
        path = next_capture(g, value, exact, path)
    return n


@rule
def count_captures(g: Any, value: int) -> int:
    """How many captures there are with a card of this value."""
    exact = must_be_exact(g, value)
    n = 0
    path = next_capture(g, value, exact, 0)
    while path > 0:
        n += 1
        path = next_capture(g, value, exact, path)
    return n


@rule
def nth_capture(g: Any, value: int, played: int, n: int) -> int:
    """The capture with a card of this value that comes after n others."""
    exact = must_be_exact(g, value)
    path = next_capture(g, value, exact, 0)
    for _ in range(n):
        path = next_capture(g, value, exact, path)
    return move_along(g, played, path)
