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
    ways = 0  # the number of moves with each card of the hand, six bits each
    n = 0
    for i in range(g.sizes[g.to_act]):
        with_card = ways_to_play(g, counts, i)
        ways |= with_card << 6 * i
        n += with_card
    chosen = scale(word, n)
    i = 0
    while chosen >= ways & 63:
        chosen -= ways & 63
        ways >>= 6
        i += 1
    card = int(g.hands[g.to_act, i])
    captures = captures_with(counts, card)
    if captures == 0:
        return card
    if chosen == captures:
        return BANG * BASE + card
    list_captures(g, value_of(card), card, moves, 0, chosen + 1)
    return moves[chosen]


@rule
def ways_to_play(g: Any, counts: int, i: int) -> int:
    """How many moves there are with a card of the hand; cards that look alike count once."""
    hand = g.hands[g.to_act]
    if i > 0 and hand[i] == hand[i - 1]:
        return 0
    captures = captures_with(counts, hand[i])
    return captures + int(g.oversights) if captures > 0 else 1
