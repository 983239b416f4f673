"""Game Title: its numbers, and the records STATE, VIEW and OPTIONS.

A card number is the value of the card minus 1. Cards that look alike have the same number, so a
hand is how many it has of each.

To fill in: what your game has to know. A field that is in STATE and VIEW is open to all; `hands`
has one row per seat, of which a seat sees its own, as `hand`; `undealt` is hidden. Who holds the
cards that are neither in `hand` nor in `seen` is imagined (view.py). Numbers that are summed are
np.int16 or wider. No field may be called like a method of NumPy, such as `round` or `take`.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from theriac.engine.shape import Shape

SEATS: Final = 4
CARDS: Final = 4
SIDE: Final = 5
PLACES: Final = SIDE * SIDE
MIDDLE: Final = PLACES // 2
MOST_CARDS: Final = PLACES
HAND: Final = 2
#: In `receiver`, instead of a seat: the card is laid in the middle.
TABLE: Final = -1
#: A move is PLACES * card + place.
MOVES: Final = PLACES * CARDS
#: The values of `outcome`, which is 0 until the end.
WON: Final = 1
LOST: Final = 2
#: The number of a text that names no move.
MALFORMED: Final = -1

_OPEN = [
    ("to_act", np.int16),
    ("rounds", np.int16),
    ("pile", np.int16),
    ("shuffles", np.int16, (1,)),
    ("players", np.int16),
    ("deck", np.int16, (CARDS,)),
    ("starter", np.int16),  # the seat that begins
    ("receiver", np.int16),  # the seat that gets the next card
    ("left", np.int16),  # cards yet to be dealt
    ("to_deal", np.int16),  # and how many of them now
    ("grid", np.int16, (PLACES,)),  # the value of the card at each place, 0 if there is none
    ("outcome", np.int16),
    ("sizes", np.int16, (SEATS,)),  # cards in each hand
    ("scores", np.int16, (SEATS,)),
    ("seen", np.int16, (CARDS,)),  # cards that lie or lay open
]

STATE: Final = np.dtype(
    [*_OPEN, ("undealt", np.int16, (CARDS,)), ("hands", np.int16, (SEATS, CARDS))], align=True
)

VIEW: Final = np.dtype([*_OPEN, ("seat", np.int16), ("hand", np.int16, (CARDS,))], align=True)

OPTIONS: Final = np.dtype(
    [("players", np.int16), ("first", np.int16), ("deck", np.int16, (CARDS,))], align=True
)

SHAPE: Final = Shape(
    state=STATE,
    view=VIEW,
    options=OPTIONS,
    cards=CARDS,
    pack=MOST_CARDS,  # the most cards that a deck may have
    moves=MOVES,  # a move is a number below this
)
