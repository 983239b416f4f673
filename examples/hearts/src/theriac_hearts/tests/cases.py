"""Hearts' own cases for the tests of every game: small decks, and exact counts.

REDUCED: decks whose shuffles can all be gone through; in the last, a card is passed on face down.
`test_imagine` tests passing with larger hands.

COUNTS: how many positions there are at each depth. With deals, nature has no choice and a ply is
a player's move; without, a card dealt is a ply too.

SHORT: options of a game that is soon over, for tests that play whole ones slowly.
"""

from __future__ import annotations

from typing import Any

REDUCED: list[dict[str, Any]] = [
    {
        "game": "hearts",
        "options": {
            "players": 4,
            "first": first,
            "passing": passing,
            "target": 0,
            "deck": deck.split(),
        },
    }
    for first, passing, deck in (
        (0, "none", "C2 C3 H2 SQ"),
        (3, "none", "C2 D2 S2 H2"),
        (1, "left", "C2 C3 H2 SQ"),
    )
]

TWELVE = "C2 C3 C4 D2 D3 H2 SQ S2 C5 H3 D4 H4".split()
EIGHT = "C2 C3 H4 D2 D3 C9 SQ S2".split()

COUNTS: list[dict[str, Any]] = [
    {  # two rounds, without passing
        "game": "hearts",
        "options": {"players": 4, "first": 3, "passing": "none", "target": 50, "deck": TWELVE},
        "deals": [TWELVE, TWELVE],
        "counts": [
            1,
            1,
            1,
            1,
            2,
            4,
            6,
            9,
            18,
            18,
            18,
            18,
            18,
            18,
            18,
            18,
            36,
            72,
            108,
            162,
            324,
            324,
        ],
    },
    {  # each passes the whole hand on
        "game": "hearts",
        "options": {"players": 4, "first": 1, "target": 0, "deck": EIGHT},
        "deals": [EIGHT],
        "counts": [1, 2, 2, 4, 4, 8, 8, 16, 16, 16, 32, 64, 128, 128, 128, 128, 128, 0],
    },
    {  # every shuffle
        "game": "hearts",
        "options": {"players": 4, "first": 2, "target": 0, "deck": "C2 H3 SQ D4".split()},
        "deals": [],
        "counts": [1, 4, 12, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 0],
    },
]

SHORT = {"hearts": {"target": 0, "deck": EIGHT}}

SHORT = {"hearts": {"players": 4, "target": 0, "deck": TWELVE}}
