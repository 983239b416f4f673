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
    for players, first, deck in (
        (2, 0, "1 1 2 3 3 3"),
        (3, 1, "1 1 2 2 3 3 3"),
        (4, 3, "1 1 1 2 2 2 3 3"),
    )
]

DEALT = "1 2 3 5 5 3 1 4 2 2".split()
SMALL = "1 1 1 1 2 2".split()

COUNTS: list[dict[str, Any]] = [
    {
        "game": "game_name",
        "options": {"players": 2, "first": 1, "deck": DEALT},
        "deals": [DEALT],
        "counts": [1, 4, 13, 28, 58, 61, 61, 0],
    },
    {
        "game": "game_name",
        "options": {"players": 2, "first": 0, "deck": SMALL},
        "deals": [],
        "counts": [1, 2, 4, 7, 11, 15, 15, 19, 23, 0],
    },
]
