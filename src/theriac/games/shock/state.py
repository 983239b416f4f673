"""Shock! and its original edition: their numbers, and the records STATE, VIEW and OPTIONS.

A number card is 11 * suit + rank - 1, each of them once. Then come the cards of the chest (or of
the door): first the three poisons, then up to 13 different jewel cards. Sets of number cards are
bits of an int64.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from theriac.engine.shape import Shape

SUITS: Final = 4
RANKS: Final = 11
NUMBERS: Final = SUITS * RANKS
#: All cards of the first suit, as bits.
WHOLE_SUIT: Final = (1 << RANKS) - 1
#: The kinds of poison. Soba is on number cards only.
JELLYFISH: Final = 0
SPIDER: Final = 1
BEE: Final = 2
SOBA: Final = 3
KINDS: Final = 4
CHEST_KINDS: Final = 16
CARDS: Final = NUMBERS + CHEST_KINDS

SHOCK: Final = 0
ANAPHYLAXIS: Final = 1

SEATS: Final = 5
ROUNDS: Final = 5
MOST_HAND: Final = 9
MOST_FRONT: Final = 10
MOST_MIDDLE: Final = 12
NONE: Final = -1
#: In a trick, instead of a card that lies face down: nothing depends on it any more.
FACE_DOWN: Final = -1

#: Number cards fall into classes, within which no player's memory tells them apart: by suit, and by
#: whether some player may have kept them from the last round.
CLASSES: Final = 2 * SUITS

# The piles that are shuffled (SHK-47).
DUNGEON: Final = 0
CHEST: Final = 1
DOORS_TO_LOSE: Final = 2
PILES: Final = 3

# What is asked of the seat to act.
CARD: Final = 0
CURE: Final = 1
CHALLENGE: Final = 2

# Moves: a card face up, face down when already out, face down to withdraw; then the others.
OUT_MOVES: Final = NUMBERS
WITHDRAW_MOVES: Final = 2 * NUMBERS
OPEN: Final = 3 * NUMBERS
STOP: Final = OPEN + 1
CURES: Final = OPEN + 2
KEEP: Final = CURES + KINDS
MOVES: Final = KEEP + 1
#: Numbers of texts that name no move.
MALFORMED: Final = -1
NO_SUCH_CURE: Final = -2

_OPTION_FIELDS = [
    ("players", np.int16),
    ("edition", np.int16),
    ("simplified", np.int16),
    ("potions", np.int16),  # 1: they may be kept
    ("soba", np.int16),
    ("open_bags", np.int16),
    ("numbers", np.int64),  # the number cards of the deck
    ("with_jewel", np.int64),
    ("with_potion", np.int64),
    ("with_poison", np.int64, (KINDS,)),
    ("chest_deck", np.int16, (CHEST_KINDS,)),
    ("large", np.int16, (CHEST_KINDS,)),
    ("small", np.int16, (CHEST_KINDS,)),
]

_OPEN = [
    *_OPTION_FIELDS,
    ("to_act", np.int16),
    ("phase", np.int16),
    ("rounds", np.int16),
    ("hand_size", np.int16),
    ("trump", np.int16),  # the card
    ("leader", np.int16),
    ("first_leader", np.int16),  # of the round
    ("last_winner", np.int16),  # of a trick in this round
    ("lead_suit", np.int16),
    ("in_trick", np.int16),
    ("trick_seats", np.int8, (SEATS,)),
    ("trick_cards", np.int8, (SEATS,)),  # or FACE_DOWN
    ("trick_jewels", np.int8, (SEATS,)),
    ("in_round", np.int16, (SEATS,)),
    ("on_bag", np.int16, (SEATS,)),
    ("sizes", np.int16, (SEATS,)),
    ("front_sizes", np.int16, (SEATS,)),
    ("front", np.int8, (SEATS, MOST_FRONT)),
    ("covered_sizes", np.int16, (SEATS,)),
    ("covered", np.int8, (SEATS, MOST_FRONT)),
    ("due", np.int16),  # potions that must be used before one may keep the rest
    ("in_middle", np.int16),
    ("middle", np.int8, (MOST_MIDDLE,)),
    ("chest_left", np.int16),
    ("opened", np.int16),  # chest cards revealed in this challenge
    # What a careful player remembers.
    ("seen", np.int64),  # number cards that lay open this round
    ("seen_before", np.int64),  # and in the last
    ("shown", np.int64, (SEATS,)),  # face up by each seat this round
    ("voids", np.int16, (SEATS,)),  # suits it could not follow this round, as bits
    ("voids_before", np.int16, (SEATS,)),
    ("kept", np.int16, (SEATS,)),  # how many cards it kept from the last round
    ("down", np.int16, (SEATS,)),  # how many it played face down this round
    ("chest_seen", np.int16, (CHEST_KINDS,)),
    ("chest_seen_before", np.int16, (CHEST_KINDS,)),
    ("door_odds", np.float64, (SOBA,)),  # how likely each door is the lost one, before this round
    ("bags", np.int16, (SEATS,)),  # what each has put into its bag, all of it in the open
]

OPTIONS: Final = np.dtype([("first", np.int16), *_OPTION_FIELDS], align=True)

STATE: Final = np.dtype(
    [
        *_OPEN,
        ("pile", np.int16),
        ("shuffles", np.int16, (PILES,)),
        ("receiver", np.int16),
        ("to_deal", np.int16),
        ("hands", np.int64, (SEATS,)),
        ("undealt", np.int64),
        ("chest", np.int16, (CHEST_KINDS,)),
        ("lost_door", np.int16),  # the kind of the door card out of the game
        ("kept_cards", np.int64, (SEATS,)),
        ("buried", np.int64, (SEATS,)),  # played face down this round
        ("buried_before", np.int64, (SEATS,)),  # and in the last
        # Scratch fields of `imagine`, which leaves them zero.
        ("of_class", np.int16, (CLASSES,)),  # cards not drawn yet
        ("drawn", np.int16, (2 * SEATS, CLASSES)),  # for each seat the kept ones, then the others
        ("reserved", np.int16, (CLASSES,)),  # the sum of these rows, while cards are dealt
        ("hidden", np.int16, (SEATS,)),  # unseen cards of a seat
        ("shown_kept", np.int16, (SEATS,)),  # cards shown that it may have kept
        ("fewest", np.int16, (SEATS,)),  # of the unseen ones, how many it kept at least
        ("most", np.int16, (SEATS,)),  # and at most
    ],
    align=True,
)

#: What a seat may know: all that lies or lay open, its own cards, and what it remembers.
VIEW: Final = np.dtype(
    [
        *_OPEN,
        ("seat", np.int16),
        ("scores", np.int16, (SEATS,)),
        ("hand", np.int64),
        ("my_kept", np.int64),
        ("my_buried", np.int64),
        ("my_buried_before", np.int64),
    ],
    align=True,
)

SHAPE: Final = Shape(
    state=STATE,
    view=VIEW,
    options=OPTIONS,
    cards=CARDS,
    moves=MOVES,
    piles=((0, NUMBERS - 1), (NUMBERS, CARDS - 1), (NUMBERS, NUMBERS + SOBA - 1)),
    pack=NUMBERS,
    sized={
        "middle": "in_middle",
        "front": "front_sizes",
        "covered": "covered_sizes",
        "trick_seats": "in_trick",
        "trick_cards": "in_trick",
        "trick_jewels": "in_trick",
    },
)
