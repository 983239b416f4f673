"""What the tests over all games need to know of this one. To fill in: small decks of yours.

REDUCED: for each number of players a deck so small that all its shuffles can be gone through.
COUNTS: how many positions there are at each depth: with deals (a ply is a player's move), and
without (a card dealt is a ply too). While your rules still change, write `"depth": 8` instead of
`"counts"`: then the rules and the referee are compared with each other only.
"""

from __future__ import annotations

from typing import Any

REDUCED: list[dict[str, Any]] = [
    {"game": "game_name", "options": {"players": players, "first": first, "deck": deck.split()}}
    for players, first, deck in ((2, 0, "7 7 6 5 1"), (3, 1, "7 6 6 5 1 1"), (4, 3, "7 7 6 6 5 1"))
]

DEALT = "7 6 1 7 5 2".split()
SMALL = "7 7 6".split()

COUNTS: list[dict[str, Any]] = [
    {
        "game": "game_name",
        "options": {"players": 2, "first": 1, "deck": DEALT},
        "deals": [DEALT],
        "counts": [1, 6, 36, 144, 576, 1152, 2304, 0],
    },
    {
        "game": "game_name",
        "options": {"players": 2, "first": 0, "deck": SMALL},
        "deals": [],
        "counts": [1, 2, 3, 3, 10, 20, 40, 0],
    },
]
