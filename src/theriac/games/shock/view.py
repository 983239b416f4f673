"""Shock!: what a seat may know, and the view as numbers. Imagining the rest is in `imagine`.

A view holds what a careful player remembers: the cards seen this round and the last, who could not
follow which suit, how many cards each kept and played face down, and what went into each bag in
everybody's sight (the amount shown, ``scores``, is only one's own: SHK-10). Hidden are the other
hands, the cards face down, the rest of the dungeon deck and of the chest, and the door that is out
(SHK-44).
"""

from __future__ import annotations

from typing import Any, Final

from theriac.engine.bits import bit, count_bits
from theriac.engine.contract import NOBODY, REFEREE, UNKNOWN
from theriac.engine.rule import rule
from theriac.games.shock.poisons import in_front, under_potions
from theriac.games.shock.state import (
    CHALLENGE,
    CHEST_KINDS,
    CURE,
    FACE_DOWN,
    KINDS,
    MOST_HAND,
    NONE,
    NUMBERS,
    RANKS,
    ROUNDS,
    SEATS,
    SHAPE,
    SUITS,
)

#: For each number card: in hand, seen, in the trick, trump; for each chest card how many are left;
#: for each seat from one's own clockwise what lies open of it; then the state of the trick.
_SEAT: Final = 8 + SUITS + 2 * KINDS
FEATURES: Final = 4 * NUMBERS + CHEST_KINDS + SEATS * _SEAT + SUITS + KINDS + 6
#: Factors, because a GPU multiplies many times as fast as it divides.
_OF_HAND: Final = 1 / MOST_HAND
_OF_GAME: Final = 1 / ROUNDS
_OF_SUITS: Final = 1 / SUITS
_THIRD: Final = 1 / 3

copy_open: Final = SHAPE.copy_open


@rule
def see(g: Any, seat: int, v: Any) -> None:
    """All that lies or lay open, and one's own cards."""
    copy_open(g, v)
    v.seat = seat
    mine = seat >= 0
    v.my_kept = g.kept_cards[seat] if mine else 0
    v.my_buried = g.buried[seat] if mine else 0
    v.my_buried_before = g.buried_before[seat] if mine else 0
    v.hand = g.hands[seat] if mine else 0
    public = seat == REFEREE or g.open_bags or g.to_act == NOBODY
    for other in range(SEATS):
        v.scores[other] = g.bags[other] if public or other == seat else UNKNOWN


@rule
def encode(v: Any, out: Any) -> None:
    """The view as numbers of about 0 to 1, seats counted from one's own."""
    in_trick = 0
    for i in range(v.in_trick):
        if v.trick_cards[i] != FACE_DOWN:
            in_trick |= bit(v.trick_cards[i])
    for card in range(NUMBERS):
        out[card] = is_in(v.hand, card)
        out[NUMBERS + card] = is_in(v.seen, card)
        out[2 * NUMBERS + card] = is_in(in_trick, card)
        out[3 * NUMBERS + card] = v.trump == card
    n = 4 * NUMBERS
    for kind in range(CHEST_KINDS):
        out[n + kind] = (v.chest_deck[kind] - v.chest_seen[kind]) * 0.25
    n += CHEST_KINDS
    for i in range(SEATS):
        n = encode_seat(v, (v.seat + i) % v.players, i < v.players, out, n)
    encode_trick(v, out, n)


@rule
def encode_seat(v: Any, seat: int, there: bool, out: Any, n: int) -> int:
    """What lies open of a seat; zeros for a seat that is not there."""
    if not there:
        for i in range(_SEAT):
            out[n + i] = 0
    else:
        out[n] = 1
        out[n + 1] = v.in_round[seat]
        out[n + 2] = v.on_bag[seat] * 0.1
        out[n + 3] = v.bags[seat] * 0.02
        out[n + 4] = v.sizes[seat] * _OF_HAND
        out[n + 5] = v.leader == seat
        out[n + 6] = v.last_winner == seat
        out[n + 7] = v.kept[seat] * _OF_HAND
        for suit in range(SUITS):
            out[n + 8 + suit] = is_in(v.voids[seat], suit)
        lying = in_front(v, seat)
        cured = under_potions(v, seat)
        for kind in range(KINDS):
            out[n + 8 + SUITS + kind] = count_bits(lying & v.with_poison[kind])
            out[n + 8 + SUITS + KINDS + kind] = count_bits(cured & v.with_poison[kind])
    return n + _SEAT


@rule
def is_in(cards: int, card: int) -> bool:
    """Is a card in a set?"""
    return (cards >> card) & 1 == 1


@rule
def encode_trick(v: Any, out: Any, n: int) -> None:
    """The suit led, poisons in the middle, what is asked, cards opened, round, edition, trump."""
    for suit in range(SUITS):
        out[n + suit] = v.lead_suit == suit
    n += SUITS
    for kind in range(KINDS):
        out[n + kind] = 0
    for i in range(v.in_middle):
        out[n + int(v.middle[i])] += 0.5
    n += KINDS
    out[n] = v.phase == CURE
    out[n + 1] = v.phase == CHALLENGE
    out[n + 2] = v.opened * _THIRD
    out[n + 3] = v.rounds * _OF_GAME
    out[n + 4] = v.edition
    out[n + 5] = 0.0 if v.trump == NONE else v.trump // RANKS * _OF_SUITS
