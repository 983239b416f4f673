"""A lesson: make what went better than expected more likely, in small steps.

Proximal policy optimisation (Schulman et al., 2017): a change in how likely an action is counts
only as long as that stays within `trust` of what it was when the move was made.
"""

from __future__ import annotations

from typing import Any

import torch

from theriac.faults import Fault
from theriac.learn.network import Net
from theriac.learn.recipe import Recipe
from theriac.learn.selfplay import Played

#: What the value's error weighs beside the policy's gain.
_VALUE = 0.5
#: The longest step of all weights together.
_LONGEST = 1.0


def lesson(
    net: Net, optimiser: Any, played: Played, recipe: Recipe, generator: Any
) -> dict[str, float]:
    """Learn from what was played; returns what to tell about it. Raises `Fault`."""
    if len(played) < 2:
        raise Fault("no seat has moved twice between two lessons: give more moves or games")
    told: list[Any] = []
    worth = played.advantages
    scale, shift = 1 / (worth.std() + 1e-6), worth.mean()
    for _ in range(recipe.epochs):
        order = torch.randperm(len(played), generator=generator, device=worth.device)
        for which in order.split(recipe.rows):
            rows = played.rows(which)
            loss, told_of = judge(net, rows, (rows.advantages - shift) * scale, recipe)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), _LONGEST)
            optimiser.step()
            told.append(torch.stack(told_of).detach())
    means = torch.stack(told).mean(0).tolist()
    return dict(zip(("gain", "value_error", "spread", "changed"), means, strict=True)) | {
        "explained": explained(played)
    }


def judge(net: Net, rows: Played, worth: Any, recipe: Recipe) -> tuple[Any, list[Any]]:
    """The loss, and its parts: the gain, the value's error, the entropy, how much has changed."""
    likely, value = net(rows.seen, rows.legal)
    ratio = (likely.gather(-1, rows.actions.unsqueeze(-1)).squeeze(-1) - rows.likely).exp()
    near = ratio.clamp(1 - recipe.trust, 1 + recipe.trust)
    gain = torch.minimum(ratio * worth, near * worth).mean()
    error = (value - rows.targets).square().mean()
    spread = -(likely.exp() * likely).sum(-1).mean()
    loss = -gain + _VALUE * error - recipe.spread * spread
    return loss, [gain, error, spread, (ratio - 1).abs().mean()]


def explained(played: Played) -> float:
    """How much of what came was expected: 1 is all of it."""
    spread = played.targets.var()
    return float(1 - played.advantages.var() / spread) if float(spread) > 0 else 0.0
