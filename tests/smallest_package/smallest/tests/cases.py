"""Small decks and exact counts for the tests of every game."""

from __future__ import annotations

from typing import Any

REDUCED: list[dict[str, Any]] = [
    {"game": "smallest", "options": {"players": 2, "first": first, "deck": deck.split()}}
    for first, deck in ((0, "C1 C2 C3 C4 C5 C6"), (1, "C2 C4 C6"))
]

COUNTS: list[dict[str, Any]] = [
    {
        "game": "smallest",
        "options": {"players": 2, "first": 0, "deck": ["C1", "C2", "C3", "C4", "C5", "C6"]},
        "deals": [["C1", "C2", "C3", "C4", "C5", "C6"]] * 2,
        "counts": [1, 2, 4, 4, 4, 8, 16, 16, 16, 0],
    },
    {
        "game": "smallest",
        "options": {"players": 2, "first": 0, "deck": ["C1", "C2"]},
        "deals": [],
        "counts": [1, 2, 2, 2, 2, 4, 4, 4, 4, 0],
    },
]
