"""Game Title: which decks can be played with. To fill in: your options, and what they need.

An option is `Option("name", (False, True), "ABC-04", "what it does")`, the first value being the
default; list it as `options=(...)` in `__init__.py`, and give OPTIONS in state.py its field.
"""

from __future__ import annotations

from typing import Any

from theriac.deck import Deck

from .state import HAND, PLACES


def check_options(options: Any, deck: Deck) -> tuple[str, int] | None:
    """ABC-04: what is wrong, and the number of the clause; None if nothing is."""
    fewest = 1 + HAND * options.players
    if not fewest <= len(deck) <= PLACES:
        return f"option deck: {len(deck)} cards are not {fewest} to {PLACES}", 4
    return None
