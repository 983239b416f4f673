"""How a round of Hearts was scored: worked out by the rules, for the terminal and the page."""

from __future__ import annotations

from typing import Any

from theriac_hearts.rules import lay, moon_shooter, round_points, take_trick
from theriac_hearts.state import NONE, SEATS


def end_of_round(before: Any, move: int) -> Any:
    """The view as the last card of a round left it, before anything was cleared away."""
    end = before.copy()
    lay(end, move)
    take_trick(end)
    return end


def score_round(before: Any, move: int) -> dict[str, Any]:
    """The sheet of the round that a move ended: what each seat took, and what that cost it."""
    end = end_of_round(before, move)
    shooter = int(moon_shooter(end))
    scored = [int(round_points(end, seat)) for seat in range(SEATS)]
    return {
        "round": int(before.rounds),
        "taken": end.points.tolist(),
        "moon": None if shooter == NONE else shooter,
        "scored": scored,
        "totals": [int(before.scores[seat]) + scored[seat] for seat in range(SEATS)],
    }
