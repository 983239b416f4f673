"""Shokoba: its numbers, and the records STATE, VIEW and OPTIONS.

A card number is 4 * (value - 1) + gem, so that ascending numbers are ascending values and, of
equal values, S before R before E before D. Cards that look alike have the same number.

A move number is written in digits of base 44, the lowest first: the card played (or `CLAIM`, or
`PASS`), then the captured cards plus one in the order of their text, or the digit `BANG` for an
oversight, or nothing for a card laid. A capture adds up to at most 10, so eleven digits are
enough. A text that names no move has a number below zero: see `fault_number`.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from theriac.engine.shape import Shape

CARDS: Final = 40
GEMS: Final = 4
SAPPHIRE: Final = 0
RUBY: Final = 1
EMERALD: Final = 2
DIAMOND: Final = 3
HIGHEST: Final = 10

SEATS: Final = 4
HAND: Final = 3
NINE: Final = 9
FACE_UP: Final = 4
#: No card is laid open to a claim; nobody has captured yet.
NONE: Final = -1

BASE: Final = 44
CLAIM: Final = 40
PASS: Final = 41
#: Instead of a card played, in the number of a text that names none.
NOTHING: Final = 42
#: Instead of a captured card: a card laid that could have captured.
BANG: Final = 41
MOST_CAPTURED: Final = 10

#: What can be wrong with a text that names no move.
MALFORMED: Final = 0
NO_SUCH_CARD: Final = 1
TOO_MANY: Final = 2

#: Room for the moves that can be legal at once. The shipped deck has at most 959, with nine cards
#: in hand and all others on the table; a deck that could have more than this is refused.
MOST_MOVES: Final = 8192

_OPEN = [
    ("to_act", np.int16),
    ("players", np.int16),
    ("teams", np.int16),
    ("target", np.int16),
    ("nine_cards", np.int16),
    ("exact_first", np.int16),
    ("finish", np.int16),
    ("oversights", np.int16),
    ("rounds", np.int16),
    ("tie_break", np.int16),
    ("playing", np.int16, (SEATS,)),  # who plays in this round
    ("dealer", np.int16),
    ("deck", np.int16, (CARDS,)),
    ("left", np.int16),  # cards left to deal
    ("sizes", np.int16, (SEATS,)),  # cards in each hand
    ("laid", np.int16),  # the card open to a claim
    ("on_table", np.int16),
    ("table", np.int8, (CARDS,)),  # in the order laid
    ("row_size", np.int16),
    ("row", np.int8, (CARDS,)),  # what can be captured: the same cards in ascending order
    ("seen", np.int16, (CARDS,)),  # cards that lay or lie open this round
    ("got", np.int16, (SEATS, GEMS)),  # captured, by side
    ("captured", np.int16, (SEATS,)),  # by side
    ("shokobas", np.int16, (SEATS,)),  # by seat
    ("last_capture", np.int16),
    ("gems", np.int16, (SEATS,)),  # by side
]

STATE: Final = np.dtype(
    [
        *_OPEN,
        ("pile", np.int16),
        ("shuffles", np.int16, (1,)),
        ("receiver", np.int16),
        ("to_deal", np.int16),  # cards still to go to hands
        ("to_open", np.int16),  # and then to the table
        ("pack", np.int16, (CARDS,)),
        ("hands", np.int8, (SEATS, NINE)),  # each in ascending order
    ],
    align=True,
)

#: What a seat may know: all that lies or lay open, and its own hand.
VIEW: Final = np.dtype(
    [
        *_OPEN,
        ("seat", np.int16),
        ("scores", np.int16, (SEATS,)),
        ("hand", np.int8, (NINE,)),
    ],
    align=True,
)

OPTIONS: Final = np.dtype(
    [
        ("players", np.int16),
        ("first", np.int16),
        ("teams", np.int16),
        ("target", np.int16),
        ("nine_cards", np.int16),
        ("exact_first", np.int16),
        ("finish", np.int16),
        ("oversights", np.int16),
        ("deck", np.int16, (CARDS,)),
    ],
    align=True,
)

SHAPE: Final = Shape(
    state=STATE,
    view=VIEW,
    options=OPTIONS,
    cards=CARDS,
    moves=MOST_MOVES,
    sized={"table": "on_table", "row": "row_size", "hands": "sizes"},
)


def fault_number(fault: int, played: int) -> int:
    """The number of a text that names no move: what is wrong, and the card it would play."""
    return -1 - (4 * played + fault)
