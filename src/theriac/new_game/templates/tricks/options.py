"""Game Title: its options, and which decks and options go together. To fill in: yours."""

from __future__ import annotations

from typing import Any, Final

from theriac.deck import Deck
from theriac.game import Option

#: The first value is the default. Each option is a field of OPTIONS in state.py.
OPTIONS: Final = (Option("last_trick", (1, 2), "ABC-10", "the points for the last trick"),)


def check_options(options: Any, deck: Deck) -> tuple[str, int] | None:
    """ABC-05: what is wrong, and the number of the clause; None if nothing is."""
    if len(deck) % options.players:
        return f"option deck: {len(deck)} cards do not give {options.players} equal hands", 5
    return None
