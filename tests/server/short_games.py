"""Decks with which a game of Shokoba is soon over, for tests that play whole games over HTTP."""

from __future__ import annotations

from typing import Any

from theriac.game import find
from theriac.testing.setups import short_options

_TEN = short_options(find("shokoba"))["deck"]
#: For two players.
SHORT_FOR_TWO: dict[str, Any] = {"deck": _TEN}
#: For two or three players: the cards come out even for both.
SHORT_FOR_THREE: dict[str, Any] = {
    "deck": [*_TEN, *"E5 R5 S5 E10 R6 S6 E8 S8 R8 E9 S9 R9".split()],
    "target": 11,
}
