"""Shokoba: listing the moves, and picking one of them."""

from __future__ import annotations

from typing import Any

from theriac.engine.chance import scale
from theriac.engine.rule import rule
from theriac.games.shokoba.captures import (
    count_captures,
    list_captures,
    nth_capture,
    sums_on_table,
    value_of,
)
from theriac.games.shokoba.state import BANG, BASE, CLAIM, NONE, PASS


@rule
def list_legal(g: Any, moves: Any) -> int:
    """Every hand card that looks different, with each capture, or laid."""
    if g.laid != NONE:
        moves[0] = PASS
        return list_captures(g, value_of(g.laid), CLAIM, moves, 1)
    sums = sums_on_table(g)
    seat = g.to_act
    n = 0
    for i in range(g.sizes[seat]):
        card = int(g.hands[seat, i])
        if i > 0 and card == g.hands[seat, i - 1]:
            continue
        if (sums >> value_of(card)) & 1:
            n = list_captures(g, value_of(card), card, moves, n)
            if g.oversights:
                moves[n] = BANG * BASE + card
                n += 1
        else:
            moves[n] = card
            n += 1
    return n


# A fast way to the same, held equal by a test: without a list


@rule
def pick_legal(g: Any, moves: Any, word: int) -> int:
    """One of these at random: they are counted, then walked up to the one."""
    if g.laid != NONE:
        n = scale(word, 1 + count_captures(g, value_of(g.laid)))
        return PASS if n == 0 else nth_capture(g, value_of(g.laid), CLAIM, n - 1)
    sums = sums_on_table(g)
    total = 0
    for i in range(g.sizes[g.to_act]):
        total += count_with(g, sums, i)
    n = scale(word, total)
    i = 0
    here = count_with(g, sums, i)
    while n >= here:
        n -= here
        i += 1
        here = count_with(g, sums, i)
    card = int(g.hands[g.to_act, i])
    if not (sums >> value_of(card)) & 1:
        return card
    if g.oversights and n == here - 1:
        return BANG * BASE + card
    return nth_capture(g, value_of(card), card, n)


@rule
def count_with(g: Any, sums: int, i: int) -> int:
    """How many moves there are with the hand card at place i; none if it looks like the last."""
    card = int(g.hands[g.to_act, i])
    if i > 0 and card == g.hands[g.to_act, i - 1]:
        return 0
    if not (sums >> value_of(card)) & 1:
        return 1
    return count_captures(g, value_of(card)) + int(g.oversights)
