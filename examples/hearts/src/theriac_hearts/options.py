"""Hearts: its options, and what goes together with a deck."""

from __future__ import annotations

from typing import Any, Final

from theriac.deck import Deck
from theriac.engine.bits import count_bits
from theriac.game import Option
from theriac_hearts.state import COSTLY, SEATS

ALL: Final = (
    Option(
        "passing",
        ("cycle", "left", "right", "across", "none"),
        "HEA-08",
        "where three cards are passed on: left, right, across and not at all in turn, or always so",
    ),
    Option(
        "moon",
        ("others", "self"),
        "HEA-18",
        "who takes all points gives 26 to each of the others, or loses 26 points",
    ),
    Option("target", (100, 50, 0), "HEA-19", "the points that end the game; 0: a single round"),
    Option("queen_breaks", (False, True), "HEA-15", "the queen of spades breaks hearts, too"),
)


def check_options(options: Any, deck: Deck) -> tuple[str, int] | None:
    """HEA-05, HEA-10, HEA-19: equal hands, a card that leads, and a target that can be reached."""
    if len(deck) % SEATS or not len(deck):
        return f"option deck: {len(deck)} cards do not give four equal hands", 5
    if "C2" not in deck.counts:
        return "option deck: it needs the 2 of clubs, C2, which leads to the first trick", 10
    if options.target and count_bits(options.deck & COSTLY) < 2:
        return "option deck: without two cards that cost points, use target 0 (a single round)", 19
    return None
