"""Game Title: its numbers, and the records STATE, VIEW and OPTIONS.

A card is RANKS * suit + rank, each of them once, so a set of cards is the bits of an int64.

To fill in: what your game has to know. A field that is in STATE and VIEW is open to all; `hands`
has one element per seat, of which a seat sees its own, as `hand`; all else in STATE is hidden.
Numbers that are summed are np.int16 or wider. No field may be called like a method of NumPy, such
as `round` or `take`.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from theriac.engine.hidden import hidden_fields
from theriac.engine.shape import Shape

SEATS: Final = 4
SUITS: Final = 4
RANKS: Final = 6
CARDS: Final = SUITS * RANKS
#: All cards of the first suit, as bits.
WHOLE_SUIT: Final = (1 << RANKS) - 1
#: The number of a text that names no move.
MALFORMED: Final = -1

_OPEN = [
    ("to_act", np.int16),
    ("rounds", np.int16),
    ("pile", np.int16),
    ("shuffles", np.int16, (1,)),
    ("players", np.int16),
    ("deck", np.int64),
    ("last_trick", np.int16),
    ("dealer", np.int16),
    ("receiver", np.int16),  # the seat that gets the next card
    ("leader", np.int16),  # of the trick
    ("in_trick", np.int16),
    ("trick", np.int8, (SEATS,)),  # its cards, the leader's first
    ("sizes", np.int16, (SEATS,)),  # cards in each hand
    ("won", np.int16, (SEATS,)),  # tricks won in this round
    ("scores", np.int16, (SEATS,)),
    # What a careful player remembers of the round.
    ("shown", np.int64, (SEATS,)),  # cards each has played
    ("cannot", np.int64, (SEATS,)),  # cards each has shown not to hold
]

STATE: Final = np.dtype(
    [*_OPEN, ("undealt", np.int64), ("hands", np.int64, (SEATS,)), *hidden_fields(CARDS, SEATS)],
    align=True,
)

VIEW: Final = np.dtype([*_OPEN, ("seat", np.int16), ("hand", np.int64)], align=True)

OPTIONS: Final = np.dtype(
    [("players", np.int16), ("first", np.int16), ("last_trick", np.int16), ("deck", np.int64)],
    align=True,
)

SHAPE: Final = Shape(
    state=STATE,
    view=VIEW,
    options=OPTIONS,
    cards=CARDS,
    moves=CARDS,  # a move is a card
    sized={"trick": "in_trick"},  # what lies in the row beyond the trick is shown as 0
)
