"""Hearts: its numbers, and the records STATE, VIEW and OPTIONS.

A card is 13 * suit + rank, each of them once; rank 0 is the 2 and rank 12 the ace. Sets of cards
are the bits of an int64.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from theriac.engine.hidden import hidden_fields
from theriac.engine.shape import Shape

SEATS: Final = 4
CLUBS: Final = 0
DIAMONDS: Final = 1
SPADES: Final = 2
HEARTS: Final = 3
SUITS: Final = 4
RANKS: Final = 13
CARDS: Final = SUITS * RANKS
MOST_HAND: Final = CARDS // SEATS

#: All cards of the first suit, as bits.
WHOLE_SUIT: Final = (1 << RANKS) - 1
TWO_OF_CLUBS: Final = RANKS * CLUBS
QUEEN: Final = RANKS * SPADES + 10
ALL_HEARTS: Final = WHOLE_SUIT << (RANKS * HEARTS)
#: The cards that cost points.
COSTLY: Final = ALL_HEARTS | (1 << QUEEN)
QUEEN_POINTS: Final = 13

#: How many cards each player passes on (fewer from a hand that has fewer).
PASSED: Final = 3
#: What is asked of the seat to act.
PASSING: Final = 0
PLAYING: Final = 1
#: Where passed cards go, counted in seats clockwise.
NOWHERE: Final = 0
LEFT: Final = 1
ACROSS: Final = 2
RIGHT: Final = 3

# The values of the option `passing`: the usual cycle, or the same every round.
IN_TURN: Final = 0

# The values of the option `moon`.
OTHERS_UP: Final = 0

#: A move is a card played, or PASSES and a card passed on.
PASSES: Final = CARDS
MOVES: Final = 2 * CARDS
#: The number of a text that names no move.
MALFORMED: Final = -1
NONE: Final = -1

_OPTION_FIELDS = [
    ("passing", np.int16),
    ("moon", np.int16),
    ("target", np.int16),
    ("queen_breaks", np.int16),
    ("deck", np.int64),
]

_OPEN = [
    *_OPTION_FIELDS,
    ("to_act", np.int16),
    ("rounds", np.int16),
    ("dealer", np.int16),
    ("phase", np.int16),
    ("direction", np.int16),  # where cards are passed in this round
    ("chosen", np.int16, (SEATS,)),  # how many cards each has chosen to pass on
    ("tricks", np.int16),  # tricks completed in this round
    ("broken", np.int16),  # may hearts be led?
    ("leader", np.int16),  # of the trick
    ("in_trick", np.int16),
    ("trick", np.int8, (SEATS,)),  # its cards, the leader's first
    ("last_leader", np.int16),  # of the trick before; NONE in the first trick
    ("last_trick", np.int8, (SEATS,)),
    ("points", np.int16, (SEATS,)),  # taken in this round
    ("won", np.int16, (SEATS,)),  # tricks won in this round
    ("scores", np.int16, (SEATS,)),
    # What a careful player remembers.
    ("shown", np.int64, (SEATS,)),  # cards each has played in this round
    ("cannot", np.int64, (SEATS,)),  # cards each has shown not to hold
]

OPTIONS: Final = np.dtype([("players", np.int16), ("first", np.int16), *_OPTION_FIELDS], align=True)

STATE: Final = np.dtype(
    [
        *_OPEN,
        ("pile", np.int16),
        ("shuffles", np.int16, (1,)),
        ("receiver", np.int16),  # the seat that gets the next card
        ("undealt", np.int64),
        ("hands", np.int64, (SEATS,)),
        ("passed", np.int64, (SEATS,)),  # cards each has chosen; in its hand no longer
        *hidden_fields(CARDS, SEATS),
    ],
    align=True,
)

#: What a seat may know: all that lies or lay open, its own hand, what it passed on and received.
VIEW: Final = np.dtype(
    [
        *_OPEN,
        ("seat", np.int16),
        ("sizes", np.int16, (SEATS,)),  # cards in each hand
        ("hand", np.int64),
        ("my_passed", np.int64),
        ("my_received", np.int64),
    ],
    align=True,
)

SHAPE: Final = Shape(
    state=STATE,
    view=VIEW,
    options=OPTIONS,
    cards=CARDS,
    moves=MOST_HAND,
    private={"my_passed": "passed"},
    sized={"trick": "in_trick"},
)
