"""The cases of Knock, Knock! Dungeon! for the tests of every game (see `theriac.testing`).

COUNTS: how many positions there are at each depth below a written shuffle of a small deck; a spell
won after it is the first of those not held. REDUCED is empty: the Black Knight is in the deck and
not in the shuffle, so `test_imagine.py` beside this file goes through all deals in its own way.
"""

from __future__ import annotations

from typing import Any

from theriac.game import find
from theriac.match import Match

REDUCED: list[dict[str, Any]] = []

KNIGHT = "0006t3K"


def case(order: str, counts: list[int], knight: str = KNIGHT, **options: Any) -> dict[str, Any]:
    """The pile in this order, below it the Black Knight."""
    deal = order.split()
    options = {"first": 0, **options, "deck": [*deal, knight]}
    return {"game": "dungeon", "options": options, "deals": [deal], "counts": counts}


COUNTS: list[dict[str, Any]] = [
    # Calm cards only, as squares are put together: then the Black Knight falls, or does not.
    case("0000 " * 9, [1, 4, 24, 176, 880], players=2, knight="1111t3K"),
    # Alone, he is drawn after the first card, and may fall to the third.
    case("0000 " * 7, [1, 4, 48, 264, 1944], players=1),
    # Alarms of corridors and of a creature end lines early.
    case("0131 0000 1022 0000 0000 0000 1222t2 0000", [1, 20, 408, 2690], players=1),
    case("0122 2012 0000 0000 1103 0000 0000 0000 1112", [1, 20, 180, 2952], players=2, first=1),
    # A mark that draws nothing when alone; too few tokens.
    case("0000s 3333t9 0000 0000 0000 0000 0000t4 0000", [1, 12, 120, 1584], players=1),
    # Every spell, and forts that fall apart or begin again.
    case(
        "0000s 0000 0000 0000 0000 0000 0000 0000 3333t2 0000", [1, 14, 155, 903],
        players=2, level=1, spells=["fireball", "ice", "poison", "silence"],
    ),
    case(
        "0000 " * 6 + "9000t3", [1, 10, 98, 1229],
        players=1, level=4, spells=["fireball", "ice", "poison"], treasure=True,
    ),
]  # fmt: skip


def place_before_a_shuffle(card: str) -> int:
    """KKD-33: as `notation.md` has it, for the shipped deck."""
    deck = list(dict.fromkeys(find("dungeon").shipped.cards()))
    return [*deck, "fireball", "ice", "poison", "silence"].index(card)


#: How many looks a card can have in the terminal: corridors, creatures, the Black Knight, spells.
LOOKS = {"dungeon": 4}


def check_summary(board: str, match: Match, scores: list[int]) -> None:
    """It says whether the fort is won, and how many chests that brings."""
    now = match.view()["scores"]
    assert ("the fort is won" in board) == bool(match.winners())
    assert not now[0] or f"{now[0]} chest" in board


SHORT = {"dungeon": {"players": 2, "deck": ["0000"] * 11 + ["1111t3K"]}}
