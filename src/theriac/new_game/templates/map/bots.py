"""Game Title: a heuristic for bots. To fill in: what a quick player would do."""

from __future__ import annotations

from typing import Any

from theriac.engine.contract import NOBODY
from theriac.engine.rule import rule

from .rules import result, value_at
from .state import PLACES, SIDE


@rule
def advise(v: Any, move: int) -> float:
    """How good a legal move looks from a view; higher is better.

    Lay a card beside equal ones, and where it has many neighbours: that leaves the others free.
    """
    value = move // PLACES + 1
    x = move % PLACES % SIDE
    y = move % PLACES // SIDE
    worth = 0.0
    worth += agreement(value, value_at(v, x - 1, y))
    worth += agreement(value, value_at(v, x + 1, y))
    worth += agreement(value, value_at(v, x, y - 1))
    worth += agreement(value, value_at(v, x, y + 1))
    return worth


@rule
def agreement(value: int, other: int) -> float:
    """What a neighbour is worth to a card; 0 if there is none."""
    if other == 0:
        return 0.0
    return 2.0 if other == value else 1.0


@rule
def prospect(g: Any, seat: int) -> float:
    """The share of the win that a seat can expect: more, the fewer cards are left to lay."""
    if g.to_act == NOBODY:
        return result(g, seat)
    return (1.0 + g.scores[seat]) / (2.0 + g.scores[seat] + g.left) / g.players
