"""PPO updates (Schulman et al., 2017): clipped surrogate objective, value loss, entropy bonus."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from theriac.faults import Fault
from theriac.learn.config import TrainingConfig
from theriac.learn.policy import ActorCritic
from theriac.learn.selfplay import Rollout

VALUE_COEF = 0.5
MAX_GRAD_NORM = 1.0


class UpdateMetrics(NamedTuple):
    """Averages over all minibatches of an update.

    `mean_ratio_change` is the mean of |ratio - 1|. `explained_variance` compares the value
    estimates of the rollout with its returns; it is 1 for perfect estimates.
    """

    policy_objective: float
    value_loss: float
    entropy: float
    mean_ratio_change: float
    explained_variance: float


class Loss(NamedTuple):
    """The loss of a minibatch and its parts, each a scalar tensor."""

    total: Tensor
    policy_objective: Tensor
    value_loss: Tensor
    entropy: Tensor
    mean_ratio_change: Tensor


def update(
    policy: ActorCritic,
    optimizer: torch.optim.Optimizer,
    rollout: Rollout,
    config: TrainingConfig,
    generator: torch.Generator,
) -> UpdateMetrics:
    """Train the policy on a rollout; raises `Fault` if it holds fewer than two moves."""
    if len(rollout) < 2:
        raise Fault(
            "the rollout has too few moves to learn from, because no seat moved twice in it: "
            "increase --num-steps or --num-envs"
        )
    parts: list[Tensor] = []
    scale, shift = 1 / (rollout.advantages.std() + 1e-6), rollout.advantages.mean()
    for _ in range(config.epochs):
        order = torch.randperm(len(rollout), generator=generator, device=shift.device)
        for indices in order.split(config.minibatch_size):
            minibatch = rollout.select(indices)
            loss = ppo_loss(policy, minibatch, (minibatch.advantages - shift) * scale, config)
            optimizer.zero_grad(set_to_none=True)
            loss.total.backward()
            torch.nn.utils.clip_grad_norm_(policy.parameters(), MAX_GRAD_NORM)
            optimizer.step()
            parts.append(torch.stack(loss[1:]).detach())
    objective, value_loss, entropy, ratio_change = torch.stack(parts).mean(0).tolist()
    return UpdateMetrics(objective, value_loss, entropy, ratio_change, explained_variance(rollout))


def ppo_loss(
    policy: ActorCritic, minibatch: Rollout, advantages: Tensor, config: TrainingConfig
) -> Loss:
    """The PPO loss of a minibatch with normalized advantages."""
    all_log_probs, values = policy(minibatch.observations, minibatch.action_masks)
    log_probs = all_log_probs.gather(-1, minibatch.actions.unsqueeze(-1)).squeeze(-1)
    ratio = (log_probs - minibatch.log_probs).exp()
    clipped_ratio = ratio.clamp(1 - config.clip_range, 1 + config.clip_range)
    policy_objective = torch.minimum(ratio * advantages, clipped_ratio * advantages).mean()
    value_loss = (values - minibatch.returns).square().mean()
    entropy = -(all_log_probs.exp() * all_log_probs).sum(-1).mean()
    total = -policy_objective + VALUE_COEF * value_loss - config.entropy_coef * entropy
    return Loss(total, policy_objective, value_loss, entropy, (ratio - 1).abs().mean())


def explained_variance(rollout: Rollout) -> float:
    """1 - Var(return - value) / Var(return); 0 if all returns are equal."""
    variance = rollout.returns.var()
    return float(1 - rollout.advantages.var() / variance) if float(variance) > 0 else 0.0
