"""Shock!: what a seat may know, and the view as numbers. Imagining the rest is in `imagine`.

A view holds what a careful player remembers: the cards seen this round and the last, who could not
follow which suit, how many cards each kept and played face down, and what went into each bag before
all eyes (the amount shown, ``scores``, is only one's own: SHK-10). Hidden are the other hands, the
cards face down, the rest of the dungeon deck and of the chest, and the door that is out (SHK-44).
"""

from __future__ import annotations

from typing import Any, Final

from theriac.engine.bits import bit
from theriac.engine.contract import NOBODY, REFEREE, UNKNOWN
from theriac.engine.rows import only
from theriac.engine.rule import rule
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
    SOBA,
    SUITS,
)

#: For each number card: in hand, seen, in the trick, trump; for each chest card how many are left;
#: for each seat from one's own clockwise what lies open of it; then the state of the trick.
_SEAT: Final = 8 + SUITS + 2 * KINDS
FEATURES: Final = 4 * NUMBERS + CHEST_KINDS + SEATS * _SEAT + SUITS + KINDS + 6


@rule
def copy_open(source: Any, target: Any) -> None:
    """Copy all that lies or lay open, between STATE and VIEW."""
    copy_agreed(source, target)
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
    for i in range(CHEST_KINDS):
        target.chest_seen[i] = source.chest_seen[i]
        target.chest_seen_before[i] = source.chest_seen_before[i]
    for i in range(SOBA):
        target.door_odds[i] = source.door_odds[i]
    for seat in range(SEATS):
        copy_seat(source, target, seat)


@rule
def copy_agreed(source: Any, target: Any) -> None:
    """Copy what was agreed before the game."""
    target.players = source.players
    target.edition = source.edition
    target.simplified = source.simplified
    target.potions = source.potions
    target.soba = source.soba
    target.open_bags = source.open_bags
    target.numbers = source.numbers
    target.with_jewel = source.with_jewel
    target.with_potion = source.with_potion
    for kind in range(KINDS):
        target.with_poison[kind] = source.with_poison[kind]
    for kind in range(CHEST_KINDS):
        target.chest_deck[kind] = source.chest_deck[kind]
        target.large[kind] = source.large[kind]
        target.small[kind] = source.small[kind]


@rule
def copy_seat(source: Any, target: Any, seat: int) -> None:
    """Copy what lies open of a seat, and of its place in the trick."""
    target.in_round[seat] = source.in_round[seat]
    target.on_bag[seat] = source.on_bag[seat]
    target.sizes[seat] = source.sizes[seat]
    target.shown[seat] = source.shown[seat]
    target.voids[seat] = source.voids[seat]
    target.voids_before[seat] = source.voids_before[seat]
    target.kept[seat] = source.kept[seat]
    target.down[seat] = source.down[seat]
    target.front_sizes[seat] = source.front_sizes[seat]
    target.covered_sizes[seat] = source.covered_sizes[seat]
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
    told = seat == REFEREE or g.open_bags or g.to_act == NOBODY
    for other in range(SEATS):
        v.stored[other] = g.bags[other]
        v.scores[other] = g.bags[other] if told or other == seat else UNKNOWN


@rule
def encode(v: Any, out: Any) -> None:
    """The view as numbers of about 0 to 1, seats counted from one's own."""
    in_trick = 0
    for i in range(v.in_trick):
        if v.trick_cards[i] != FACE_DOWN:
            in_trick |= bit(v.trick_cards[i])
    for card in range(NUMBERS):
        out[card] = (v.hand >> card) & 1
        out[NUMBERS + card] = (v.seen >> card) & 1
        out[2 * NUMBERS + card] = (in_trick >> card) & 1
        out[3 * NUMBERS + card] = v.trump == card
    n = 4 * NUMBERS
    for kind in range(CHEST_KINDS):
        out[n + kind] = (v.chest_deck[kind] - v.chest_seen[kind]) / 4
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
        out[n + 2] = v.on_bag[seat] / 10
        out[n + 3] = v.stored[seat] / 50
        out[n + 4] = v.sizes[seat] / MOST_HAND
        out[n + 5] = v.leader == seat
        out[n + 6] = v.last_winner == seat
        out[n + 7] = v.kept[seat] / MOST_HAND
        for suit in range(SUITS):
            out[n + 8 + suit] = (v.voids[seat] >> suit) & 1
        for kind in range(KINDS):
            out[n + 8 + SUITS + kind] = in_row(v, v.front[seat], v.front_sizes[seat], kind)
            out[n + 8 + SUITS + KINDS + kind] = in_row(
                v, v.covered[seat], v.covered_sizes[seat], kind
            )
    return n + _SEAT


@rule
def in_row(v: Any, row: Any, size: int, kind: int) -> float:
    """How many cards of a row are poisons of a kind."""
    n = 0
    for i in range(size):
        n += (v.with_poison[kind] >> int(row[i])) & 1
    return n / 1


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
    out[n + 2] = v.opened / 3
    out[n + 3] = v.rounds / ROUNDS
    out[n + 4] = v.edition
    out[n + 5] = 0 if v.trump == NONE else v.trump // RANKS / SUITS
