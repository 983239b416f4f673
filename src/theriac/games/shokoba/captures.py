"""Shokoba: what a card can capture (SHO-10, SHO-11, SHO-12, SHO-13).

The cards on the table lie in ``g.row`` in ascending order; a card laid that may yet be claimed is
not among them.
"""

from __future__ import annotations

from typing import Any, Final

from theriac.engine.rule import rule
from theriac.games.shokoba.state import BASE, HIGHEST, NONE

#: Cards in a row whose captures can be counted, see `count_captures`.
MOST_COUNTED: Final = 7
#: More captures than there ever are: list them all.
ALL: Final = 1 << 30
_ALL_COUNTS: Final = (1 << 6 * HIGHEST) - 1


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
    """The number of times a card is among the captured ones of a move."""
    n = 0
    while cards > 0:
        n += cards % BASE - 1 == card
        cards //= BASE
    return n


@rule
def times_on_table(g: Any, card: int) -> int:
    """The number of times a card lies on the table."""
    n = 0
    for i in range(g.row_size):
        n += g.row[i] == card
    return n


@rule
def list_captures(g: Any, value: int, played: int, moves: Any, n: int, most: int) -> int:
    """Write every capture with a card of this value, in order, after n moves, up to `most` moves.

    SHO-10, SHO-12, SHO-13.

    A walk over the ascending row: take a card, continue with the next for what is still needed, put
    it back, try the next that looks different. `path` remembers the places taken, six bits each.
    """
    exact = g.exact_first and equal_on_table(g, value)
    size = g.row_size
    need = value
    path = 0
    i = 0
    while True:
        if i < size and value_of(g.row[i]) <= need:
            if value_of(g.row[i]) == need:
                moves[n] = capture_along(g, path, i) * BASE + played
                n += 1
                if n == most:
                    return n
            elif not exact:
                path = (path << 6) | (i + 1)
                need -= value_of(g.row[i])
                i += 1
                continue
        elif path == 0:
            return n
        else:
            i = (path & 63) - 1
            path >>= 6
            need += value_of(g.row[i])
        i = next_different(g, i)


@rule
def capture_along(g: Any, path: int, last: int) -> int:
    """The digits of the cards that a path has taken, and of a last one."""
    cards = int(g.row[last]) + 1
    while path > 0:
        cards = cards * BASE + int(g.row[(path & 63) - 1]) + 1
        path >>= 6
    return cards


@rule
def count_captures(g: Any) -> int:
    """How many captures there are with a card of each value, six bits per value.

    Only for a row of MOST_COUNTED cards: then no more than 35 add up to the same.
    """
    counts = count_sums(g)
    return prefer_equal(g, counts) if g.exact_first else counts


@rule
def count_sums(g: Any) -> int:
    """How many choices of cards in the row add up to each value."""
    counts = 0
    before = 0
    total = 0
    last = NONE
    for i in range(g.row_size):
        card = int(g.row[i])
        before = before if card == last else counts
        total = value_of(card) + (total if card == last else 0)  # of all that look alike so far
        last = card
        if total <= HIGHEST:
            counts += ((before << 6 * total) & _ALL_COUNTS) + one_more(total)
    return counts


@rule
def one_more(value: int) -> int:
    """What to add to the counts for one more choice with this value."""
    return 1 << 6 * (value - 1)


@rule
def prefer_equal(g: Any, counts: int) -> int:
    """SHO-13: where a single card of a value lies in the row, count only such cards."""
    last = NONE
    for i in range(g.row_size):
        card = int(g.row[i])
        if card != last:
            if last == NONE or value_of(card) != value_of(last):
                counts &= ~(63 * one_more(value_of(card)))
            counts += one_more(value_of(card))
            last = card
    return counts


@rule
def captures_with(counts: int, card: int) -> int:
    """How many captures there are with a card, from these counts."""
    return (counts >> 6 * (value_of(card) - 1)) & 63


@rule
def next_different(g: Any, i: int) -> int:
    """The place of the next card in the row that looks different from the one at place i."""
    card = g.row[i]
    i += 1
    while i < g.row_size and g.row[i] == card:
        i += 1
    return i
