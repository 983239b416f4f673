"""The cases of both editions for the tests of every game (see `theriac.testing`).

COUNTS: how many positions there are at each depth below written shuffles: the number cards, then
the chest or the doors. Small decks make small hands. REDUCED is empty: to go through all shuffles
of two piles takes too long, so `test_imagine.py` beside this file does it for chosen positions.
"""

from __future__ import annotations

from typing import Any

REDUCED: list[dict[str, Any]] = []

TEN = "H2 H7 H9 S2 S7 S9 D2 D7 C5 C7".split()
THIRTEEN = "H2 H7 H9 S2 S7 S9 D2 D7 D9 C2 C5 C7 C9".split()
ELEVEN = "H2 H7 H11 S2 S7 S11 D2 D7 D11 C2 C7".split()
CHEST = "jellyfish jellyfish spider spider bee bee J1/1 J2/0 J2/0 J3/1".split()
DOORS = "jellyfish jellyfish spider spider bee bee J1 J3".split()


def dealt(cards: list[str], step: int) -> list[str]:
    """A fixed shuffle: every n-th card, repeatedly."""
    return [card for first in range(step) for card in cards[first::step]]


COUNTS: list[dict[str, Any]] = [
    {
        "game": "shock",
        "options": {"players": 3, "first": 0, "deck": [*TEN, *CHEST]},
        "deals": [dealt(TEN, 3), dealt(CHEST, 4)],
        "counts": [1, 6, 35, 195, 602, 2806],
    },
    {
        "game": "shock",
        "options": {"players": 4, "first": 2, "potions": "may", "deck": [*THIRTEEN, *CHEST]},
        "deals": [dealt(THIRTEEN, 5), dealt(CHEST, 3)],
        "counts": [1, 6, 34, 166, 792, 2146],
    },
    {
        "game": "anaphylaxis",
        "options": {"players": 3, "first": 1, "soba": True, "deck": [*TEN, *DOORS]},
        "deals": [dealt(TEN, 4), dealt(DOORS, 3)],
        "counts": [1, 6, 36, 204, 1050, 5286],
    },
    {
        "game": "anaphylaxis",
        "options": {"players": 5, "first": 0, "deck": [*ELEVEN, *DOORS]},
        "deals": [dealt(ELEVEN, 2), dealt(DOORS, 5)],
        "counts": [1, 4, 16, 64, 248, 992],
    },
]


def place_before_a_shuffle(card: str) -> tuple[Any, ...]:
    """SHK-47: as `notation.md` has it."""
    poisons = ["jellyfish", "spider", "bee"]
    if card in poisons:
        return 4, poisons.index(card)
    return (5, card) if card[0] == "J" else ("HSDC".index(card[0]), int(card[1:]))


#: How many looks a card can have in the terminal: one for each suit, each poison, and jewels.
LOOKS = {"shock": 8, "anaphylaxis": 8}

SHORT = {
    "shock": {"players": 3, "deck": [*TEN, *CHEST]},
    "anaphylaxis": {"players": 3, "deck": [*ELEVEN, *DOORS]},
}
