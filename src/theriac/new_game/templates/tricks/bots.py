"""Game Title: a heuristic for bots. To fill in: what a quick player would do."""

from __future__ import annotations

from typing import Any

from theriac.engine.rule import rule

from .rules import suit_of
from .state import RANKS


@rule
def advise(v: Any, move: int) -> float:
    """How good a legal move looks from a view; higher is better.

    Win as cheaply as possible; where that is not possible, play low.
    """
    rank = move % RANKS
    if v.in_trick == 0:
        return float(rank)
    best = int(v.trick[0])
    for i in range(1, v.in_trick):
        card = int(v.trick[i])
        if card > best and suit_of(card) == suit_of(best):
            best = card
    wins = suit_of(move) == suit_of(best) and move > best
    return (10.0 if wins else 0.0) - rank
