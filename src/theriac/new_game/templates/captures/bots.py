"""Game Title: a heuristic for bots. To fill in: what a quick player would do."""

from __future__ import annotations

from typing import Any

from theriac.engine.rule import rule

from .state import CHOICES, LAY


@rule
def advise(v: Any, move: int) -> float:
    """How good a legal move looks from a view; higher is better.

    Take two cards rather than one; if nothing can be taken, lay a high card.
    """
    value = move // CHOICES + 1
    least = move % CHOICES
    if least == LAY:
        return 0.1 * value
    return 10.0 if least < value else 5.0
