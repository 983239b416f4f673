"""Shokoba's own cases for the tests of every game (see `tests/contract`).

REDUCED: small decks, one for each number of players at least, whose shuffles can all be gone
through. A deck must come out even (SHO-06), so that many of its cards look alike here.

COUNTS: how many positions there are at each depth. With deals, nature has no choice and a ply is
a player's move; without, a card dealt is a ply too.
"""

from __future__ import annotations

from typing import Any


def many(n: int, card: str, *others: str) -> list[str]:
    """A deck of n cards alike and some others."""
    return [card] * n + list(others)


REDUCED: list[dict[str, Any]] = [
    {
        "game": "shokoba",
        "options": {"players": 2, "first": 0, "deck": "S3 S3 S3 S3 S4 S4 S4 E7 E7 D7".split()},
    },
    {
        "game": "shokoba",
        "options": {
            "players": 2,
            "first": 1,
            "oversights": True,
            "deck": many(13, "S4", "R8", "S8", "D7"),
        },
    },
    {
        "game": "shokoba",
        "options": {"players": 3, "first": 2, "deck": many(19, "S5", "R10", "S2", "D7")},
    },
    {
        "game": "shokoba",
        "options": {"players": 4, "first": 3, "teams": True, "deck": many(38, "S5", "R10", "D7")},
    },
    {
        "game": "shokoba",
        "options": {
            "players": 4,
            "first": 0,
            "teams": True,
            "nine_cards": True,
            "deck": many(38, "S5", "R10", "D7"),
        },
    },
]
