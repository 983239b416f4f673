"""Small training runs for these tests."""

from __future__ import annotations

from typing import Any

import torch

from theriac.game import find
from theriac.learn.config import TrainingConfig
from theriac.learn.policy import ActorCritic
from theriac.learn.selfplay import SelfPlayPool

#: Four hands of three cards and four rounds: 48 moves.
DECK = "R1 R4 R7 B1 B4 B7 P1 P4 P7 X X X".split()
OPTIONS = {"deck": DECK}


def small_config(**given: Any) -> TrainingConfig:
    """A configuration for a small game: it learns little, but runs fast."""
    defaults: dict[str, Any] = {
        "game": "poison",
        "players": (4,),
        "options": OPTIONS,
        "num_envs": 12,
        "num_steps": 40,
        "width": 16,
        "layers": 2,
        "minibatch_size": 64,
        "learning_rate": 0.001,
    }
    return TrainingConfig(**(defaults | given))


def new_pool(config: TrainingConfig) -> SelfPlayPool:
    """The parallel games of a configuration with one player count."""
    return SelfPlayPool(find(config.game), config, config.players[0], config.num_envs, "cpu", 0)


def new_policy(pool: SelfPlayPool, config: TrainingConfig, seed: int = 0) -> ActorCritic:
    """An untrained policy that is far from uniform."""
    torch.manual_seed(seed)
    batch = pool.batch
    sizes = (config.width, config.layers, config.share_seats(find(config.game)))
    policy = ActorCritic(batch.shape.features, batch.actions, *sizes)
    torch.nn.init.normal_(policy.policy.weight, 0, 0.5)
    if policy.shares:
        torch.nn.init.normal_(policy.shares.weight, 0, 0.5)
    return policy


def generator(seed: int = 0) -> torch.Generator:
    """A random number generator with a seed."""
    return torch.Generator().manual_seed(seed)
