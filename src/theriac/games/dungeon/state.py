"""Knock, Knock! Dungeon!: its numbers, and the records STATE, VIEW and OPTIONS.

**Places.** A card lies diagonal to its neighbours, and shares one corner with each. Turned by 45
degrees the fort is a square grid: u = (x + y) / 2, v = (x - y) / 2. The neighbour at the top left
is at u - 1, at the top right v + 1, at the bottom left v - 1, at the bottom right u + 1.

**Cells.** What lies at a place is stored in one cell of `spots`, 64 u + v modulo 4096: so
neighbours are 64 or 1 cells away. Two places of one cell are 64 steps apart or more, which a fort
of MOST_CARDS cards cannot reach; `u` and `v` of the card there distinguish it from a distant place.

**Corners** are 0 top left, 1 top right, 2 bottom left, 3 bottom right: 3 - corner is opposite, and
where a corner lies when its card is turned by 180 degrees.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from theriac.engine.shape import Shape

SEATS: Final = 6
#: Different cards in a deck.
KINDS: Final = 64
#: Cards in one fort.
MOST_CARDS: Final = 63
MOST_HAND: Final = 6
#: Places where a card may go: a fort of n cards has at most 2 n + 2.
MOST_PLACES: Final = 128
CELLS: Final = 4096
CORNERS: Final = 4
#: How far away in `spots` the neighbour at each corner is.
STEPS: Final = (-64, 1, -1, 64)
STEPS_U: Final = (-1, 0, 0, 1)
STEPS_V: Final = (0, 1, -1, 0)
TOKENS: Final = 12
ALARM: Final = 6
#: The most tokens or chests on a card, and the most minutes.
MOST_ON_CARD: Final = 99
MOST_MINUTES: Final = 1440

FIREBALL: Final = 0
ICE: Final = 1
POISON: Final = 2
SILENCE: Final = 3
SPELLS: Final = 4
ALL_SPELLS: Final = 15
CARDS: Final = KINDS + SPELLS

# The piles that are shuffled (KKD-33).
PILE: Final = 0
SPELL_BOX: Final = 1
PILES: Final = 2

# Where the Black Knight is.
AT_BOTTOM: Final = 0
DRAWN: Final = 1
LAID: Final = 2

UNDECIDED: Final = 0
WON: Final = 1
LOST: Final = 2

NONE: Final = -1

# Moves: what is done, then where: CODE_UNIT * code + SPAN * (u + MIDDLE) + v + MIDDLE.
# A card's code is twice its kind, and one more if it is turned.
MIDDLE: Final = 64
SPAN: Final = 2 * MIDDLE
CODE_UNIT: Final = SPAN * SPAN
CAST_FIREBALL: Final = 2 * KINDS
CAST_ICE: Final = CAST_FIREBALL + 1
CAST_POISON: Final = CAST_ICE + 1  # and one code per corner
CAST_SILENCE: Final = (CAST_POISON + CORNERS) * CODE_UNIT
TIMEOUT: Final = CAST_SILENCE + CODE_UNIT
#: The number of a text that names no move, and the place of a text that names none of the grid.
MALFORMED: Final = -1
NOWHERE: Final = 0

# Actions: a card of the hand, turned or not, in the frame around the middle of the fort, or at one
# of the places outside it; a spell on a card of the fort.
FRAME: Final = 15
WHERES: Final = FRAME * FRAME + MOST_PLACES
CARD_ACTIONS: Final = MOST_HAND * 2 * WHERES
SPELL_ACTIONS: Final = (2 + CORNERS) * MOST_CARDS
ACTIONS: Final = CARD_ACTIONS + SPELL_ACTIONS + 1
MOST_MOVES: Final = MOST_HAND * 2 * MOST_PLACES + SPELL_ACTIONS + 1

_OPTION_FIELDS = [
    ("players", np.int16),
    ("treasure", np.int16),
    ("minutes", np.int16),
    ("level", np.int16),
    ("knight", np.int16),  # his kind
    ("corners", np.int8, (KINDS, CORNERS)),
    ("creature", np.int8, (KINDS,)),  # the tokens it gets; 0: a corridor
    ("silent", np.int8, (KINDS,)),
    ("chests", np.int16, (KINDS,)),
    ("deck", np.int8, (KINDS,)),  # how many are in the game, but for the Black Knight
]

_OPEN = [
    *_OPTION_FIELDS,
    ("to_act", np.int16),
    ("rounds", np.int16),
    ("supply", np.int16),
    ("talk", np.int16),
    ("spells", np.int16),  # as bits
    ("knight_is", np.int16),
    ("in_pile", np.int16),  # cards to be drawn, but for the Black Knight
    ("sizes", np.int16, (SEATS,)),
    ("outcome", np.int16),
    ("why", np.int16),  # the clause that ended the game
    ("points", np.int16),
    # The fort, in the order laid.
    ("laid", np.int16),
    ("kinds", np.int8, (MOST_CARDS,)),
    ("turned", np.int8, (MOST_CARDS,)),
    ("us", np.int8, (MOST_CARDS,)),
    ("vs", np.int8, (MOST_CARDS,)),
    ("tokens", np.int8, (MOST_CARDS,)),
    ("defeated", np.int8, (MOST_CARDS,)),
    ("frozen", np.int8, (MOST_CARDS,)),
    ("burnt", np.int8, (KINDS,)),
    ("poisoned_cell", np.int16),  # of a card with the poison token, or NONE
    ("poisoned_corner", np.int16),
    # How far it reaches.
    ("low_u", np.int16),
    ("high_u", np.int16),
    ("low_v", np.int16),
    ("high_v", np.int16),
    # The places where a card may go.
    ("places", np.int16),
    ("place_us", np.int8, (MOST_PLACES,)),
    ("place_vs", np.int8, (MOST_PLACES,)),
    # Each cell: 1 + the number of the card, -1 - the number of the place, or 0.
    ("spots", np.int8, (CELLS,)),
]

OPTIONS: Final = np.dtype([("first", np.int16), ("spells", np.int16), *_OPTION_FIELDS], align=True)

STATE: Final = np.dtype(
    [
        *_OPEN,
        ("pile", np.int16),
        ("shuffles", np.int16, (PILES,)),
        ("receiver", np.int16),
        ("to_deal", np.int16),  # cards still to be dealt before the first turn
        ("hands", np.int8, (SEATS, MOST_HAND)),  # each in ascending order
        ("undealt", np.int8, (KINDS,)),
        ("chain", np.int8, (MOST_CARDS,)),  # scratch: counts chests
    ],
    align=True,
)

#: The array fields that everybody knows: VIEW and STATE have the same.
OPEN_ROWS: Final = tuple(str(field[0]) for field in _OPEN if len(field) > 2)

#: What a seat may know: all but the other hands and the pile.
VIEW: Final = np.dtype(
    [
        *_OPEN,
        ("seat", np.int16),
        ("scores", np.int16, (SEATS,)),
        ("hand", np.int8, (MOST_HAND,)),
    ],
    align=True,
)

SHAPE: Final = Shape(
    state=STATE,
    view=VIEW,
    options=OPTIONS,
    cards=CARDS,
    moves=MOST_MOVES,
    piles=((0, KINDS - 1), (KINDS, CARDS - 1)),
    pack=MOST_CARDS,
)
