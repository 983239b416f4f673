"""Shokoba's own cases for the tests of every game (see `theriac.testing`).

REDUCED: small decks, one for each number of players at least, whose shuffles can all be gone
through. A deck must come out even (SHO-06), so that many of its cards look alike here.

COUNTS: how many positions there are at each depth. With deals, nature has no choice and a ply is
a player's move; without, a card dealt is a ply too.
"""

from __future__ import annotations

import re
from typing import Any

from theriac.match import Match


def many(n: int, card: str, *others: str) -> list[str]:
    """A deck of n equal cards and some others."""
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

TEN = "S3 S7 S4 E7 R3 D7 S1 S2 S4 R10".split()
SIXTEEN = [*TEN, "S6", "S5", "R5", "R4", "S2", "E7"]
TWENTY_TWO = ["R2", "E7", "D7", "S10", "S10", "S10", *many(16, "S5")]
FORTY = [*many(6, "S1"), *many(6, "S3"), "E7", "D7", "S7", "R2", "S2"]
FORTY += [*many(13, "S10"), *many(10, "S5")]

COUNTS: list[dict[str, Any]] = [
    {
        "game": "shokoba",
        "options": {"players": 2, "first": 0, "oversights": True, "deck": TEN},
        "deals": [TEN, TEN],
        "counts": [1, 6, 15, 63, 204, 558, 1092, 2196],
    },
    {
        "game": "shokoba",
        "options": {"players": 2, "first": 0, "exact_first": True, "deck": SIXTEEN},
        "deals": [SIXTEEN],
        "counts": [1, 3, 9, 18, 36, 36, 36, 108, 324],
    },
    {
        "game": "shokoba",
        "options": {"players": 3, "first": 2, "deck": TWENTY_TWO},
        "deals": [TWENTY_TWO],
        "counts": [1, 3, 9, 27, 54, 111, 226, 226, 242],
    },
    {
        "game": "shokoba",
        "options": {"players": 4, "first": 1, "teams": True, "nine_cards": True, "deck": FORTY},
        "deals": [FORTY],
        "counts": [1, 6, 30, 154, 799],
    },
    {
        "game": "shokoba",
        "options": {"players": 2, "first": 0, "deck": [*many(6, "S3", "S4", "S4", "S7", "D7")]},
        "deals": [],
        "counts": [1, 4, 14, 43, 115, 266, 544, 1008, 1708, 2520, 2520],
    },
]


def place_before_a_shuffle(card: str) -> tuple[int, ...]:
    """SHO-25: as `notation.md` has it."""
    return int(card[1:]), "SRED".index(card[0])


#: How many looks a card can have in the terminal: one for each gem.
LOOKS = {"shokoba": 4}


def check_summary(board: str, match: Match, scores: list[int]) -> None:
    """The last row has the totals, under the names of those who play for them."""
    now = match.view()["scores"]
    if "it is not scored" in board:
        assert sum(now) > sum(scores)
        return
    last = re.search(r"^│ gems in all (.*)$", board, re.MULTILINE)
    assert last
    head = "".join(line for line in board.splitlines() if line.startswith("┃"))
    totals = list(zip(re.findall(r"seat (\d)", head), re.findall(r"\d+", last[1]), strict=True))
    assert totals
    for seat, total in totals:
        assert int(total) == now[int(seat)], (board, scores, now)


SHORT = {"shokoba": {"players": 2, "deck": TEN}}
