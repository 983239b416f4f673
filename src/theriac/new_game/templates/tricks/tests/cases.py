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
    for players, first, deck in ((3, 0, "R1 R2 R3 G1 G2 B1"), (4, 3, "R1 R2 G1 B1"))
]

NINE = "R1 R2 G1 G2 B1 B2 R3 G3 Y1".split()
FOUR = "R1 R2 G1 G2".split()

COUNTS: list[dict[str, Any]] = [
    {
        "game": "game_name",
        "options": {"players": 3, "first": 2, "deck": NINE},
        "deals": [NINE],
        "counts": [1, 3, 3, 7, 14, 20, 34, 34, 34, 34, 102],
    },
    {
        "game": "game_name",
        "options": {"players": 4, "first": 0, "deck": FOUR},
        "deals": [],
        "counts": [1, 4, 12, 24, 24, 24, 24, 24, 24, 96, 288, 576],
    },
]
