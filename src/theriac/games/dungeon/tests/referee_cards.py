"""The cards of Knock, Knock! Dungeon!: the shipped deck, and what a card's text says."""

from __future__ import annotations

import re
from functools import cache

from theriac.testing.referee import BadOption

CORNERS = ["tl", "tr", "bl", "br"]
FACE = r"([0-9]{4})(?:t([1-9][0-9]*))?(s)?(?:c([1-9][0-9]*))?(?:L([1-4]))?(K)?"

#: KKD-01, KKD-02: the shipped deck, copied from dungeon-deck.toml.
SHIPPED = {
    "0000s": 4,
    "0122": 2,
    "0122c1": 1,
    "0212": 1,
    "0212c1": 1,
    "0221": 1,
    "0221c1": 1,
    "1022": 1,
    "1022c1": 1,
    "1202": 1,
    "1202c1": 1,
    "2012": 1,
    "2012c1": 1,
    "0113": 1,
    "0113c1": 1,
    "0131": 1,
    "0311": 1,
    "0311c1": 1,
    "1013": 1,
    "1031": 1,
    "1103": 1,
    "0023": 1,
    "0203": 1,
    "0230c2": 1,
    "1112": 4,
    "1112c1": 1,
    "1112c2": 1,
    "1121": 2,
    "1121c1": 1,
    "1121c2": 1,
    "0014": 1,
    "0140c3": 1,
    "2121t2": 1,
    "1222t2": 1,
    "3211t2": 1,
    "2222t3": 1,
    "1322t3": 1,
    "2322t3": 1,
    "1332t3": 1,
    "3223t3": 1,
    "4444t3K": 1,
    "1121c2L1": 1,
    "2332t3L1": 1,
    "2222t2L1": 1,
    "3233t3L2": 1,
    "2332t2L2": 1,
    "3122t2L2": 1,
    "3333t3L3": 1,
    "3323t3L3": 1,
    "2332t2L3": 1,
    "2312t2L3": 1,
    "4343t3L4": 1,
    "3433t3L4": 1,
    "3333t2L4": 1,
    "3232t2L4": 1,
}


# --- one card, by its text ------------------------------------------------------------------------


@cache
def marks(card: str) -> re.Match[str]:
    shape = re.fullmatch(FACE, card)
    if shape is None:
        raise BadOption(f"{card!r} is not a card", "KKD-02")
    return shape


def corners(card: str, turned: bool) -> dict[str, int]:
    """The number on each corner as the card lies (KKD-10)."""
    digits = [int(digit) for digit in marks(card)[1]]
    if turned:  # by 180 degrees: bottom right comes to top left, and so on
        digits.reverse()
    return dict(zip(CORNERS, digits, strict=True))


def tokens_of(card: str) -> int:
    return int(marks(card)[2] or 0)


def is_creature(card: str) -> bool:
    return marks(card)[2] is not None


def has_silence_mark(card: str) -> bool:
    return marks(card)[3] is not None


def chests(card: str) -> int:
    return int(marks(card)[4] or 0)


def tower(card: str) -> int:
    """Its tower's level; 0 for a card without a tower."""
    return int(marks(card)[5] or 0)


def is_knight(card: str) -> bool:
    return marks(card)[6] is not None


def same_turned(card: str) -> bool:
    return corners(card, False) == corners(card, True)
