"""What a move was worth: each seat's own row of moves, with what it has won at the end.

Between two moves of a seat the others move, and the game may end. So a move is compared with the
next move *of the same seat* in the same game (generalised advantage estimation, Schulman et al.,
2015), and with that seat's reward if the game ended before. Nothing is discounted: only the end
counts.
"""

from __future__ import annotations

from typing import Any

import torch


def credit(seats: Any, values: Any, ended: Any, rewards: Any, trace: float) -> tuple[Any, Any]:
    """The advantage of each move, and whether it is known.

    For each step and game: `seats`, who moved; `values`, what that seat expected to win before; and
    what came of the move: `ended`, whether the game is over, `rewards`, what each seat gets then.
    The last move of a seat in a game that goes on is not known: it only says what to expect after
    the move before it.
    """
    steps, games = seats.shape
    later = torch.zeros(3, games, rewards.shape[-1], device=values.device)
    expected, gained, known = later  # of each game and seat, after this step
    advantages = torch.zeros_like(values)
    told = torch.zeros_like(ended)
    for t in reversed(range(steps)):
        over = ended[t].unsqueeze(-1)
        expected = torch.where(over, rewards[t], expected)
        gained = gained.masked_fill(over, 0.0)
        known = known.masked_fill(over, 1.0)
        seat = seats[t].unsqueeze(-1)
        told[t] = known.gather(-1, seat).squeeze(-1) > 0
        surprise = expected.gather(-1, seat).squeeze(-1) - values[t]
        advantages[t] = (surprise + trace * gained.gather(-1, seat).squeeze(-1)) * told[t]
        expected = expected.scatter(-1, seat, values[t].unsqueeze(-1))
        gained = gained.scatter(-1, seat, advantages[t].unsqueeze(-1))
        known = known.scatter(-1, seat, 1.0)
    return advantages, told
