"""Poison: its numbers, and the records STATE, VIEW and OPTIONS.

A card number says what a card shows: 5 * colour + slot for a potion (its slot is the place of its
value among the values of its colour), and `X` for a poison card. Cards that look alike have the
same number: a hand is a count of each.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from theriac.engine.shape import Shape

CARDS: Final = 16
SLOTS: Final = 5
X: Final = 15

RED: Final = 0
BLUE: Final = 1
PURPLE: Final = 2
COLOURS: Final = 3
#: The "colour" of a poison card, so that every card's is card // 5.
POISON: Final = 3
#: The colour of a cauldron that is empty or holds only poison.
NONE: Final = -1

CAULDRONS: Final = 3
SAFE: Final = 13
SEATS: Final = 6
#: With three players this is the hand that is taken out unseen.
FOURTH: Final = 3
MOST_CARDS: Final = 50
#: A cauldron holds at most 13 cards of value 1, and for a moment the one that is too much.
MOST_IN_CAULDRON: Final = 14
MOVES: Final = CARDS * CAULDRONS

#: Numbers of texts that name no move.
MALFORMED: Final = -1
NO_SUCH_CARD: Final = -2
NO_SUCH_CAULDRON: Final = -3

_OPEN = [
    ("to_act", np.int16),
    ("players", np.int16),
    ("open_piles", np.int16),
    ("rounds", np.int16),
    ("dealer", np.int16),
    ("left", np.int16),  # cards yet to be played this round
    ("deck", np.int16, (CARDS,)),
    ("values", np.int16, (CARDS,)),
    ("cauldrons", np.int8, (CAULDRONS, MOST_IN_CAULDRON)),
    ("filled", np.int16, (CAULDRONS,)),
    ("sums", np.int16, (CAULDRONS,)),
    ("colours", np.int16, (CAULDRONS,)),
    ("potions", np.int16, (CAULDRONS, COLOURS + 1)),  # how many of each colour are in it
    ("sizes", np.int16, (SEATS,)),  # cards in each hand
    ("taken", np.int16, (SEATS,)),
    ("got", np.int16, (SEATS, COLOURS + 1)),  # cards taken, of each colour
    ("scores", np.int16, (SEATS,)),
    # The round so far: which moves were made, and which of them took a cauldron.
    ("played", np.int16),
    ("log", np.int8, (MOST_CARDS,)),
    ("took", np.int8, (MOST_CARDS,)),
]

STATE: Final = np.dtype(
    [
        *_OPEN,
        ("pile", np.int16),
        ("shuffles", np.int16, (1,)),
        ("undealt", np.int16),
        ("receiver", np.int16),  # the hand that gets the next card
        ("pack", np.int16, (CARDS,)),  # cards not yet dealt
        ("hands", np.int16, (SEATS, CARDS)),
        ("kinds", np.uint16, (SEATS, COLOURS + 1)),  # for each colour the slots held, as bits
    ],
    align=True,
)

#: What a seat may know: all that lies or lay open, and its own hand.
VIEW: Final = np.dtype([*_OPEN, ("seat", np.int16), ("hand", np.int16, (CARDS,))], align=True)

OPTIONS: Final = np.dtype(
    [
        ("players", np.int16),
        ("first", np.int16),
        ("open_piles", np.int16),
        ("deck", np.int16, (CARDS,)),
        ("values", np.int16, (CARDS,)),
    ],
    align=True,
)

SHAPE: Final = Shape(
    state=STATE,
    view=VIEW,
    options=OPTIONS,
    cards=CARDS,
    moves=MOVES,
    pack=MOST_CARDS,
    sized={"cauldrons": "filled", "log": "played", "took": "played"},
)
