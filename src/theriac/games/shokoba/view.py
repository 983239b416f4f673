"""Shokoba: what a seat may know, imagining the rest, and the view as numbers.

Captured piles are face down (SHO-16), but every card in them lay open before: a view holds how
many of each card have been seen this round, and of each gem captured by each side, as a careful
player remembers. Hidden are the other hands (a partner's too) and the cards still to be dealt.
"""

from __future__ import annotations

from typing import Any, Final

from theriac.engine.hidden import take_place
from theriac.engine.rows import copy_row, insert
from theriac.engine.rule import rule
from theriac.games.shokoba.rules import side_of
from theriac.games.shokoba.state import CARDS, GEMS, NINE, NONE, SEATS, SHAPE

#: Hand, table, unseen cards, the card that may be claimed; for each seat from one's own clockwise:
#: whether it plays, cards held, SHOKOBAs, points, captured of each gem; then the round.
FEATURES: Final = 4 * CARDS + SEATS * (GEMS + 4) + 5
#: Factors, because a GPU multiplies many times as fast as it divides.
_THIRD: Final = 1 / 3
_NINTH: Final = 1 / 9
_OF_CARDS: Final = 1 / CARDS

copy_open: Final = SHAPE.copy_open


@rule
def imagine(v: Any, random: Any, g: Any) -> None:
    """Deal the unseen cards to the other hands and the pack: each card takes a free place at
    random, which makes all deals equally likely. The view is one of a player to act, or of the
    end.
    """
    copy_open(v, g)
    g.pile = 0
    g.shuffles[0] = v.rounds
    g.receiver = v.dealer
    g.to_deal = 0
    g.to_open = 0
    for card in range(CARDS):
        g.pack[card] = v.deck[card] - v.seen[card]
    for seat in range(SEATS):
        for i in range(NINE):
            g.hands[seat, i] = v.hand[i] if seat == v.seat else 0
    for i in range(v.sizes[v.seat]):
        g.pack[v.hand[i]] -= 1
    deal_unseen(v, random, g)
    copy_row(v.sizes, g.sizes)


@rule
def deal_unseen(v: Any, random: Any, g: Any) -> None:
    """Deal what this seat has not seen; ``g.sizes`` counts the free places meanwhile. A card that
    finds no place in a hand stays in the pack.
    """
    free = v.left + 0
    for seat in range(SEATS):
        g.sizes[seat] = v.sizes[seat] if seat != v.seat else 0
        free += g.sizes[seat]
    for card in range(CARDS):
        for _ in range(g.pack[card]):
            seat = take_place(random, g.sizes, free)
            free -= 1
            if seat < SEATS:
                insert(g.hands[seat], v.sizes[seat] - g.sizes[seat] - 1, card)
                g.pack[card] -= 1


@rule
def encode(v: Any, out: Any) -> None:
    """The view as numbers of about 0 to 1, seats counted from one's own."""
    i = 0
    k = 0
    in_hand = card_at(v.hand, v.sizes[v.seat], 0)
    in_row = card_at(v.row, v.row_size, 0)
    for card in range(CARDS):  # the hand and the row are ascending
        held = 0
        while in_hand == card:
            held += 1
            i += 1
            in_hand = card_at(v.hand, v.sizes[v.seat], i)
        lying = 0
        while in_row == card:
            lying += 1
            k += 1
            in_row = card_at(v.row, v.row_size, k)
        out[card] = held * _THIRD
        out[CARDS + card] = lying * _THIRD
        out[2 * CARDS + card] = (v.deck[card] - v.seen[card] - held) * _THIRD
        out[3 * CARDS + card] = v.laid == card
    n = 4 * CARDS
    for i in range(SEATS):
        n = encode_seat(v, (v.seat + i) % v.players, i < v.players, out, n)
    out[n] = v.left * _OF_CARDS
    out[n + 1] = v.tie_break
    out[n + 2] = v.oversights
    out[n + 3] = v.exact_first
    out[n + 4] = v.last_capture != NONE and side_of(v, v.last_capture) == side_of(v, v.seat)


@rule
def card_at(row: Any, size: int, i: int) -> int:
    """The card at a place of a row, or NONE beyond its end."""
    return int(row[i]) if i < size else NONE


@rule
def encode_seat(v: Any, seat: int, there: bool, out: Any, n: int) -> int:
    """What lies open of a seat; zeros for a seat that is not there."""
    side = side_of(v, seat)
    out[n] = v.playing[seat] if there else 0
    out[n + 1] = v.sizes[seat] * _THIRD if there else 0
    out[n + 2] = v.shokobas[seat] * _THIRD if there else 0
    out[n + 3] = v.scores[seat] / v.target if there else 0
    for gem in range(GEMS):
        out[n + 4 + gem] = v.got[side, gem] * _NINTH if there else 0
    return n + 4 + GEMS
