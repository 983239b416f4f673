"""Quick evaluation in parallel games, against random play or a frozen opponent.

Against random play it only shows whether training progresses. `theriac arena` measures strength: it
plays the same deals from every seat.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from torch import Tensor

from theriac.engine.array_loops import NO_ACTION
from theriac.engine.batch import Batch, Device
from theriac.game import Game, Settings
from theriac.learn.policy import ActorCritic, sample_actions
from theriac.learn.selfplay import as_tensor, to_batch_actions

#: The quantile of the normal distribution for an interval of 95 %.
_Z = 1.96


class WinShare(NamedTuple):
    """A mean win share, and the ends of its 95 % interval."""

    mean: float
    low: float
    high: float


def estimate(shares: Tensor) -> WinShare:
    """The mean win share of independent games, with Wilson's score interval.

    A shared win makes the interval a little wider than it need be.

    >>> [round(each, 3) for each in estimate(torch.tensor([1.0, 0.0, 0.0, 0.0] * 25))]
    [0.25, 0.175, 0.343]
    """
    n, mean = len(shares), float(shares.mean())
    center = mean + _Z * _Z / (2 * n)
    margin = _Z * math.sqrt(mean * (1 - mean) / n + _Z * _Z / (4 * n * n))
    scale = 1 + _Z * _Z / n
    return WinShare(mean, (center - margin) / scale, (center + margin) / scale)


def win_share(
    policy: ActorCritic,
    game: Game,
    settings: Settings,
    num_games: int,
    device: Device,
    seed: int,
    opponent: ActorCritic | None = None,
) -> WinShare:
    """The win share of one greedy policy seat; an opponent, or random play, has all other seats.

    In a cooperative game the policy plays every seat, and the result is the fraction of games won.
    """
    batch = game.batch(settings, num_games, device=device, seed=seed)
    generator = torch.Generator(device).manual_seed(seed)
    games = torch.arange(num_games, device=device)
    policy_seats = games % batch.players
    while True:
        seats = as_tensor(batch.to_act)
        if bool((seats < 0).all()):
            break
        greedy = greedy_actions(policy, batch)
        own = torch.ones_like(seats, dtype=torch.bool) if game.together else seats == policy_seats
        if opponent is None:
            others = as_tensor(batch.random_actions())
        else:
            others = sampled_actions(opponent, batch, generator)
        actions = torch.where(own, greedy, others)
        batch.step(to_batch_actions(torch.where(seats < 0, NO_ACTION, actions)))
    shares = as_tensor(batch.results())
    return estimate(shares.sum(-1) if game.together else shares[games, policy_seats])


def greedy_actions(policy: ActorCritic, batch: Batch) -> Tensor:
    """The most probable action in each game."""
    return _log_probs(policy, batch).argmax(-1)


def sampled_actions(policy: ActorCritic, batch: Batch, generator: torch.Generator) -> Tensor:
    """An action sampled from the policy in each game."""
    uniform = torch.rand(len(batch), generator=generator, device=generator.device)
    return sample_actions(_log_probs(policy, batch), uniform)


def _log_probs(policy: ActorCritic, batch: Batch) -> Tensor:
    with torch.no_grad():
        log_probs, *_ = policy(as_tensor(batch.observations()), as_tensor(batch.masks()).bool())
    return log_probs
