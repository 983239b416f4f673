"""Game Title: a heuristic for bots. To fill in: what a quick player would do."""

from __future__ import annotations

from typing import Any

from theriac.engine.rule import rule

from .state import PILES, SAFE


@rule
def advise(v: Any, move: int) -> float:
    """How good a legal move looks from a view; higher is better.

    Take nothing, or else as little as possible; get rid of high cards while that is safe.
    """
    value = move // PILES + 1
    onto = move % PILES
    if v.sums[onto] + value > SAFE:
        return -10.0 * v.heights[onto]
    return float(value)
