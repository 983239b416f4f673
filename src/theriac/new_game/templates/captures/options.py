"""Game Title: which decks can be played with. To fill in: your options, and what they need.

An option is `Option("name", (False, True), "ABC-04", "what it does")`, the first value being the
default; list it as `options=(...)` in `__init__.py`, and give OPTIONS in state.py its field.
"""

from __future__ import annotations

from typing import Any

from theriac.deck import Deck

from .state import OPEN_AT_FIRST


def check_options(options: Any, deck: Deck) -> tuple[str, int] | None:
    """ABC-05: what is wrong, and the number of the clause; None if nothing is."""
    rest = len(deck) - OPEN_AT_FIRST
    if rest < options.players or rest % options.players:
        return (
            f"option deck: {len(deck)} cards do not give {OPEN_AT_FIRST} open cards and "
            f"{options.players} equal hands"
        ), 5
    return None
