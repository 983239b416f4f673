"""Shokoba: listing the legal moves, and picking one of them."""

from __future__ import annotations

from typing import Any

from theriac.engine.chance import scale
from theriac.engine.rule import rule
from theriac.games.shokoba.captures import (
    ALL,
    MOST_COUNTED,
    captures_with,
    count_captures,
    list_captures,
    sums_on_table,
    value_of,
)
from theriac.games.shokoba.state import BANG, BASE, CLAIM, NONE, PASS


@rule
def list_legal(g: Any, moves: Any) -> int:
    """Every different card of the hand, with each capture, or laid if it captures nothing."""
    if g.laid != NONE:
        moves[0] = PASS
        return list_captures(g, value_of(g.laid), CLAIM, moves, 1, ALL)
    sums = sums_on_table(g)
    seat = g.to_act
    n = 0
    for i in range(g.sizes[seat]):
        card = int(g.hands[seat, i])
        if i > 0 and card == g.hands[seat, i - 1]:
            continue
        if (sums >> value_of(card)) & 1:
            n = list_captures(g, value_of(card), card, moves, n, ALL)
            if g.oversights:
                moves[n] = BANG * BASE + card
                n += 1
        else:
            moves[n] = card
            n += 1
    return n


@rule
def pick_legal(g: Any, moves: Any, word: int) -> int:
    """One of these at random. Where captures can be counted, only those with the card that is
    picked are listed, up to the one picked.
    """
    if g.laid != NONE or g.row_size > MOST_COUNTED:
        return moves[scale(word, list_legal(g, moves))]
    counts = count_captures(g)
    of_hand = 0  # the number of moves with each card of the hand, six bits each
    n = 0
    last = NONE
    for i in range(g.sizes[g.to_act]):
        card = int(g.hands[g.to_act, i])
        ways = ways_to_play(g, counts, card) * int(card != last)  # cards that look alike count once
        of_hand |= ways << 6 * i
        n += ways
        last = card
    chosen = scale(word, n)
    place = 0
    before = 0  # the number of moves with the cards before that place
    n = 0
    for i in range(g.sizes[g.to_act]):  # no branch depends on the cards: it would be mispredicted
        ways = (of_hand >> 6 * i) & 63
        n += ways
        passed = int(n <= chosen)
        place += passed
        before += ways * passed
    chosen -= before
    card = int(g.hands[g.to_act, place])
    captures = captures_with(counts, card)
    if captures == 0:
        return card
    if chosen == captures:
        return BANG * BASE + card
    list_captures(g, value_of(card), card, moves, 0, chosen + 1)
    return moves[chosen]


@rule
def ways_to_play(g: Any, counts: int, card: int) -> int:
    """How many moves there are with a card of the hand: its captures, or else laying it."""
    captures = captures_with(counts, card)
    none = int(captures == 0)
    return captures + none + int(g.oversights) * (1 - none)
