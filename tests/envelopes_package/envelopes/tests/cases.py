"""Small decks and exact counts for the tests of every game."""

from __future__ import annotations

from typing import Any

REDUCED: list[dict[str, Any]] = [
    {"game": "envelopes", "options": {"players": 3, "first": first, "deck": deck.split()}}
    for first, deck in ((0, "C1 C2 C3 C4 C5 C6"), (2, "C2 C4 C6 C7"))
]

COUNTS: list[dict[str, Any]] = [
    {
        "game": "envelopes",
        "options": {"players": 3, "first": 1},
        "deals": [["C1", "C2", "C3", "C4", "C5", "C6", "C7"]],
        "counts": [1, 2, 4, 8, 8, 8, 8, 0],
    },
    {
        "game": "envelopes",
        "options": {"players": 3, "first": 0, "deck": ["C1", "C2", "C3"]},
        "deals": [],
        "counts": [1, 3, 6, 6, 6, 6, 6, 0],
    },
]
