"""Shokoba: what a seat may know, imagining the rest, and the view as numbers.

Captured piles are face down (SHO-16), but every card in them lay open before: a view holds how
many of each card have been seen this round, and of each gem captured by each side, as a careful
player remembers. Hidden are the other hands (a partner's too) and the cards still to be dealt.
"""

from __future__ import annotations

from typing import Any, Final

from theriac.engine.chance import below
from theriac.engine.contract import REFEREE
from theriac.engine.rows import copy_row, insert, only
from theriac.engine.rule import rule
from theriac.games.shokoba.rules import score, side_of
from theriac.games.shokoba.state import CARDS, GEMS, NINE, NONE, SEATS

#: Hand, table, unseen cards, the card that may be claimed; for each seat from one's own clockwise:
#: whether it plays, cards held, captured of each gem, SHOKOBAs, gems; then the state of the round.
FEATURES: Final = 4 * CARDS + SEATS * (GEMS + 4) + 5
#: A GPU multiplies in a small part of the time that it takes to divide.
_THIRD: Final = 1 / 3
_NINTH: Final = 1 / 9
_OF_CARDS: Final = 1 / CARDS


@rule
def copy_open(source: Any, target: Any) -> None:
    """Copy all that lies or lay open, between STATE and VIEW."""
    copy_options(source, target)
    target.to_act = source.to_act
    target.rounds = source.rounds
    target.tie_break = source.tie_break
    target.dealer = source.dealer
    target.left = source.left
    target.laid = source.laid
    target.last_capture = source.last_capture
    target.on_table = source.on_table
    target.row_size = source.row_size
    for i in range(CARDS):
        target.table[i] = only(source.table[i], i < source.on_table)
        target.row[i] = only(source.row[i], i < source.row_size)
    copy_row(source.seen, target.seen)
    copy_row(source.playing, target.playing)
    copy_row(source.sizes, target.sizes)
    copy_row(source.captured, target.captured)
    copy_row(source.shokobas, target.shokobas)
    copy_row(source.gems, target.gems)
    for seat in range(SEATS):
        copy_row(source.got[seat], target.got[seat])


@rule
def copy_options(source: Any, target: Any) -> None:
    """Copy what was agreed before the game."""
    target.players = source.players
    target.teams = source.teams
    target.target = source.target
    target.nine_cards = source.nine_cards
    target.exact_first = source.exact_first
    target.finish = source.finish
    target.oversights = source.oversights
    copy_row(source.deck, target.deck)


@rule
def see(g: Any, seat: int, v: Any) -> None:
    """All that lies or lay open, and one's own hand."""
    copy_open(g, v)
    v.seat = seat
    for other in range(SEATS):
        v.scores[other] = score(g, other) if other < g.players else 0
    for i in range(NINE):
        v.hand[i] = g.hands[seat, i] if seat > REFEREE + 1 and i < g.sizes[seat] else 0


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
        g.sizes[seat] = 0
        for i in range(NINE):
            g.hands[seat, i] = v.hand[i] if seat == v.seat else 0
    for i in range(v.sizes[v.seat]):
        g.pack[v.hand[i]] -= 1
    deal_unseen(v, random, g)
    g.sizes[v.seat] = v.sizes[v.seat]


@rule
def deal_unseen(v: Any, random: Any, g: Any) -> None:
    """Deal what this seat has not seen. A card that finds no place in a hand stays in the pack."""
    free = v.left + 0
    for seat in range(SEATS):
        if seat != v.seat:
            free += v.sizes[seat]
    for card in range(CARDS):
        for _ in range(g.pack[card]):
            place = below(random, free)
            free -= 1
            for seat in range(SEATS):
                room = v.sizes[seat] - g.sizes[seat] if seat != v.seat else 0
                if place < room:
                    insert(g.hands[seat], g.sizes[seat], card)
                    g.sizes[seat] += 1
                    g.pack[card] -= 1
                    break
                place -= room


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
    """The card at a place of a row, or none behind its end."""
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
