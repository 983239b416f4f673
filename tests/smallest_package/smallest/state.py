"""The records of the smallest game. A card is a number; sets of cards are the bits of an int64."""

from __future__ import annotations

from typing import Final

import numpy as np

from theriac.engine.shape import Shape

CARDS: Final = 6
SEATS: Final = 2
HAND: Final = 2
ROUNDS: Final = 2
#: The number of a text that names no move.
MALFORMED: Final = -1

_OPEN = [
    ("deck", np.int64),
    ("seen", np.int64),
    ("to_act", np.int16),
    ("rounds", np.int16),
    ("pile", np.int16),
    ("shuffles", np.int16, (1,)),
    ("receiver", np.int16),
    ("leader", np.int16),
    ("in_trick", np.int16),
    ("led", np.int16),
    ("scores", np.int16, (SEATS,)),
]

STATE: Final = np.dtype([*_OPEN, ("hands", np.int64, (SEATS,)), ("undealt", np.int64)], align=True)
VIEW: Final = np.dtype(
    [*_OPEN, ("seat", np.int16), ("hand", np.int64), ("sizes", np.int16, (SEATS,))], align=True
)
OPTIONS: Final = np.dtype(
    [("players", np.int16), ("first", np.int16), ("deck", np.int64)], align=True
)

SHAPE: Final = Shape(state=STATE, view=VIEW, options=OPTIONS, cards=CARDS, moves=CARDS)
