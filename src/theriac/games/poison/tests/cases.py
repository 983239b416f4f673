"""Poison's own cases for the tests of every game (see `theriac.testing`).

REDUCED: small decks, one for each number of players at least, whose shuffles can all be gone
through (a few thousand orders: give them cards that look alike).

COUNTS: how many positions there are at each depth. With deals, nature has no choice and a ply is
a player's move; without, a card dealt is a ply too.

SHORT: options of a game that is soon over, for tests that play whole ones slowly, as in a browser.
"""

from __future__ import annotations

from typing import Any

REDUCED: list[dict[str, Any]] = [
    {
        "game": "poison",
        "options": {"players": 3, "first": 1, "deck": "R1 R7 R7 B5 B5 P7 X X".split()},
    },
    {
        "game": "poison",
        "options": {"players": 4, "first": 0, "deck": "R7 R7 R7 B5 B5 P7 X X X".split()},
    },
    {
        "game": "poison",
        "options": {"players": 5, "first": 4, "deck": "R7 R7 R7 B5 B5 P1 X X".split()},
    },
    {
        "game": "poison",
        "options": {
            "players": 6,
            "first": 2,
            "open_piles": True,
            "deck": "R5 R5 B7 B7 B7 P7 P7 X".split(),
        },
    },
]

FOUR = "R5 B7 R7 P1".split()
SEVEN = "R7 B7 P7 R1 B1 P1 X".split()
NINE = "R7 B7 P1 R7 X B7 R1 P7 B1".split()

COUNTS: list[dict[str, Any]] = [
    {  # a whole game of three rounds
        "game": "poison",
        "options": {"players": 3, "first": 0, "deck": FOUR},
        "deals": [FOUR, "P1 R7 B7 R5".split(), "B7 P1 R7 R5".split()],
        "counts": [1, 3, 6, 6, 18, 36, 36, 108, 216, 216, 0],
    },
    {
        "game": "poison",
        "options": {"players": 4, "first": 3, "deck": NINE},
        "deals": [NINE, NINE],
        "counts": [1, 9, 18, 60, 120, 336, 336, 336, 336, 432, 3888, 7776],
    },
    {
        "game": "poison",
        "options": {"players": 5, "first": 0, "open_piles": True, "deck": SEVEN},
        "deals": [SEVEN, SEVEN],
        "counts": [1, 6, 30, 39, 48, 48, 48, 72, 432],
    },
    {
        "game": "poison",
        "options": {"players": 6, "first": 0, "deck": SEVEN},
        "deals": [SEVEN, SEVEN],
        "counts": [1, 6, 15, 24, 24, 24, 24, 36, 216],
    },
    {  # into the second round, every shuffle
        "game": "poison",
        "options": {"players": 3, "first": 2, "deck": "R1 X X X".split()},
        "deals": [],
        "counts": [1, 2, 3, 4, 4, 12, 36, 108, 216, 324],
    },
    {
        "game": "poison",
        "options": {"players": 4, "first": 1, "deck": "R7 R7 B5 B7 X".split()},
        "deals": [],
        "counts": [1, 4, 13, 33, 60, 60, 342, 750],
    },
]


def place_before_a_shuffle(card: str) -> tuple[int, ...]:
    """POI-21: as `notation.md` has it."""
    return "RBPX".index(card[0]), int(card[1:] or 0)


#: How many looks a card can have in the terminal: one for each colour, and poison.
LOOKS = {"poison": 4}

SHORT = {"poison": {"players": 3, "deck": "R1 R4 R7 B5 P7 X".split()}}
