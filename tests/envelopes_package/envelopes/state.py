"""The records of Envelopes. A card is a number; sets of cards are the bits of an int64."""

from __future__ import annotations

from typing import Final

import numpy as np

from theriac.engine.shape import Shape

CARDS: Final = 7
SEATS: Final = 3
HAND: Final = 2
#: Instead of a card, where there is none.
NONE: Final = -1
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
    ("first", np.int16),
    ("sizes", np.int16, (SEATS,)),
    ("scores", np.int16, (SEATS,)),
    ("chosen", np.int16, (SEATS,)),  # 1 for a seat that has chosen
    ("times_opened", np.int16),
    ("opened", np.int16, (SEATS,)),  # the cards in the envelopes opened last
]

STATE: Final = np.dtype(
    [
        *_OPEN,
        ("hands", np.int64, (SEATS,)),
        ("undealt", np.int64),
        ("choices", np.int16, (SEATS,)),  # the card in each envelope, or NONE
    ],
    align=True,
)
VIEW: Final = np.dtype(
    [*_OPEN, ("seat", np.int16), ("hand", np.int64), ("choice", np.int16)], align=True
)
OPTIONS: Final = np.dtype(
    [("players", np.int16), ("first", np.int16), ("deck", np.int64)], align=True
)

SHAPE: Final = Shape(state=STATE, view=VIEW, options=OPTIONS, cards=CARDS, moves=CARDS)
