"""Shock!: what a seat may know, and the view as numbers. Imagining the rest is in `imagine`.

A view holds what a careful player remembers: the cards seen this round and the last, who could not
follow which suit, how many cards each kept and played face down, and what went into each bag before
all eyes (the amount shown, ``scores``, is only one's own: SHK-10). Hidden are the other hands, the
cards face down, the rest of the dungeon deck and of the chest, and the door that is out (SHK-44).
"""

from __future__ import annotations

from typing import Any, Final

from theriac.engine.bits import bit, count_bits
from theriac.engine.contract import NOBODY, REFEREE, UNKNOWN
from theriac.engine.rows import copy_row, only
from theriac.engine.rule import rule
from theriac.games.shock.poisons import in_front, under_potions
from theriac.games.shock.state import (
    CHEST_KINDS,
    FACE_DOWN,
    KINDS,
    MOST_FRONT,
    MOST_HAND,
    MOST_MIDDLE,
    NONE,
    NUMBERS,
    RANKS,
    ROUNDS,
    SEATS,
    SUITS,
)

#: For each number card: in hand, seen, in the trick, trump; for each chest card how many are left;
#: for each seat from one's own clockwise what lies open of it; then the state of the trick.
_SEAT: Final = 8 + SUITS + 2 * KINDS
FEATURES: Final = 4 * NUMBERS + CHEST_KINDS + SEATS * _SEAT + SUITS + KINDS + 6
#: A GPU multiplies in a small part of the time that it takes to divide.
_OF_HAND: Final = 1 / MOST_HAND
_OF_GAME: Final = 1 / ROUNDS
_OF_SUITS: Final = 1 / SUITS
_THIRD: Final = 1 / 3


@rule
def copy_open(source: Any, target: Any) -> None:
    """Copy all that lies or lay open, between STATE and VIEW."""
    copy_options(source, target)
    target.to_act = source.to_act
    target.phase = source.phase
    target.rounds = source.rounds
    target.hand_size = source.hand_size
    target.trump = source.trump
    target.leader = source.leader
    target.first_leader = source.first_leader
    target.last_winner = source.last_winner
    target.lead_suit = source.lead_suit
    target.in_trick = source.in_trick
    target.due = source.due
    target.chest_left = source.chest_left
    target.opened = source.opened
    target.seen = source.seen
    target.seen_before = source.seen_before
    target.in_middle = source.in_middle
    for i in range(MOST_MIDDLE):
        target.middle[i] = only(source.middle[i], i < source.in_middle)
    copy_row(source.chest_seen, target.chest_seen)
    copy_row(source.chest_seen_before, target.chest_seen_before)
    copy_row(source.door_odds, target.door_odds)
    copy_row(source.in_round, target.in_round)
    copy_row(source.on_bag, target.on_bag)
    copy_row(source.sizes, target.sizes)
    copy_row(source.shown, target.shown)
    copy_row(source.voids, target.voids)
    copy_row(source.voids_before, target.voids_before)
    copy_row(source.kept, target.kept)
    copy_row(source.down, target.down)
    copy_row(source.front_sizes, target.front_sizes)
    copy_row(source.covered_sizes, target.covered_sizes)
    for seat in range(SEATS):
        copy_cards(source, target, seat)


@rule
def copy_options(source: Any, target: Any) -> None:
    """Copy the options of the game."""
    target.players = source.players
    target.edition = source.edition
    target.simplified = source.simplified
    target.potions = source.potions
    target.soba = source.soba
    target.open_bags = source.open_bags
    target.numbers = source.numbers
    target.with_jewel = source.with_jewel
    target.with_potion = source.with_potion
    copy_row(source.with_poison, target.with_poison)
    copy_row(source.chest_deck, target.chest_deck)
    copy_row(source.large, target.large)
    copy_row(source.small, target.small)


@rule
def copy_cards(source: Any, target: Any, seat: int) -> None:
    """Copy what lies in front of a seat, and at a place in the trick."""
    for i in range(MOST_FRONT):
        target.front[seat, i] = only(source.front[seat, i], i < source.front_sizes[seat])
        target.covered[seat, i] = only(source.covered[seat, i], i < source.covered_sizes[seat])
    there = seat < source.in_trick  # here seat is a place in the trick
    target.trick_seats[seat] = only(source.trick_seats[seat], there)
    target.trick_cards[seat] = only(source.trick_cards[seat], there)
    target.trick_jewels[seat] = only(source.trick_jewels[seat], there)


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
        v.stored[other] = g.bags[other]
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
        out[n + 3] = v.stored[seat] * 0.02
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
    """The suit led, the poisons in the middle, what is asked, and how far the game is."""
    for suit in range(SUITS):
        out[n + suit] = v.lead_suit == suit
    n += SUITS
    for kind in range(KINDS):
        out[n + kind] = 0
    for i in range(v.in_middle):
        out[n + int(v.middle[i])] += 0.5
    n += KINDS
    out[n] = v.phase == 1
    out[n + 1] = v.phase == 2
    out[n + 2] = v.opened * _THIRD
    out[n + 3] = v.rounds * _OF_GAME
    out[n + 4] = v.edition
    out[n + 5] = 0.0 if v.trump == NONE else v.trump // RANKS * _OF_SUITS
