"""Quick evaluation against random play, in parallel games.

It only shows whether training progresses. `theriac arena` measures strength: it plays the same
deals from every seat.
"""

from __future__ import annotations

import torch
from torch import Tensor

from theriac.engine.batch import Batch, Device
from theriac.game import Game, Settings
from theriac.learn.policy import ActorCritic
from theriac.learn.selfplay import as_tensor, to_batch_actions


def win_share_against_random(
    policy: ActorCritic, game: Game, settings: Settings, num_games: int, device: Device, seed: int
) -> float:
    """The mean win share of one greedy policy seat, with random play on all other seats.

    In a cooperative game the policy plays every seat, and the result is the fraction of games won.
    """
    batch = game.batch(settings, num_games, device=device, seed=seed)
    games = torch.arange(num_games, device=device)
    policy_seats = games % batch.players
    while True:
        seats = as_tensor(batch.to_act)
        if bool((seats < 0).all()):
            break
        greedy = greedy_actions(policy, batch)
        own = torch.ones_like(seats, dtype=torch.bool) if game.together else seats == policy_seats
        actions = torch.where(own, greedy, as_tensor(batch.random_actions()))
        batch.step(to_batch_actions(actions))
    shares = as_tensor(batch.results())
    won = shares.sum(-1) if game.together else shares[games, policy_seats]
    return float(won.mean())


def greedy_actions(policy: ActorCritic, batch: Batch) -> Tensor:
    """The most probable action in each game."""
    with torch.no_grad():
        log_probs, *_ = policy(as_tensor(batch.observations()), as_tensor(batch.masks()).bool())
    return log_probs.argmax(-1)
