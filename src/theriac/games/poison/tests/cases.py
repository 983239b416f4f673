"""Poison's own cases for the tests of every game (see `tests/contract`).

REDUCED: small decks, one for each number of players at least, whose shuffles can all be gone
through (a few thousand orders: give them cards that look alike).

COUNTS: how many positions there are at each depth. With deals, nature has no choice and a ply is
a player's move; without, a card dealt is a ply too.
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
