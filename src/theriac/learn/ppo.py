"""PPO updates (Schulman et al., 2017): clipped surrogate objective, value loss, entropy bonus.

The share head, where a policy has one, learns by cross-entropy beside them.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from theriac.faults import Fault
from theriac.learn.compiling import Replayed, compiled_on_gpu
from theriac.learn.config import TrainingConfig
from theriac.learn.policy import ActorCritic
from theriac.learn.selfplay import Rollout

VALUE_COEF = 0.5
SHARE_COEF = 0.5
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
    """The loss of a minibatch, a scalar, and the first four metrics of an update."""

    total: Tensor
    metrics: Tensor


class PPO:
    """Updates of a policy, one rollout after the other."""

    def __init__(
        self, policy: ActorCritic, optimizer: torch.optim.Optimizer, config: TrainingConfig
    ) -> None:
        self.policy, self.optimizer, self.config = policy, optimizer, config
        device = next(policy.parameters()).device
        # Numbers that change from update to update are tensors: the gradient step is replayed.
        self._entropy_coef, self._shift, self._scale = torch.zeros(3, device=device)
        self._minibatch: Rollout | None = None
        self._step = Replayed(self._gradient_step, device.type)

    def update(
        self, rollout: Rollout, generator: torch.Generator, lr_scale: float = 1.0
    ) -> UpdateMetrics:
        """Train the policy on a rollout; raises `Fault` if it holds fewer than two moves.

        `lr_scale` multiplies the learning rate and the entropy coefficient.
        """
        if len(rollout) < 2:
            raise Fault(
                "the rollout has too few moves to learn from, because no seat moved twice in it: "
                "increase --num-steps or --num-envs"
            )
        set_learning_rate(self.optimizer, self.config.learning_rate * lr_scale)
        self._entropy_coef.fill_(self.config.entropy_coef * lr_scale)
        self._shift.copy_(rollout.advantages.mean())
        self._scale.copy_(1 / (rollout.advantages.std() + 1e-6))
        total = torch.zeros(4, device=self._shift.device)
        steps = 0
        for _ in range(self.config.epochs):
            order = torch.randperm(len(rollout), generator=generator, device=total.device)
            for indices in minibatches(order, self.config.minibatch_size):
                total += self._learn_from(rollout, indices)
                steps += 1
        objective, value_loss, entropy, ratio_change = (total / steps).tolist()
        explained = explained_variance(rollout)
        return UpdateMetrics(objective, value_loss, entropy, ratio_change, explained)

    def _learn_from(self, rollout: Rollout, indices: Tensor) -> Tensor:
        """One gradient step; the metrics of its loss."""
        if self._minibatch is None or len(self._minibatch) != len(indices):
            self._minibatch = rollout.select(indices)
            self._step = Replayed(self._gradient_step, indices.device.type)
        else:
            rollout.select(indices, out=self._minibatch)
        return self._step()

    def _gradient_step(self) -> Tensor:
        minibatch = self._minibatch
        assert minibatch is not None
        advantages = (minibatch.advantages - self._shift) * self._scale
        clip_range = self.config.clip_range
        loss = ppo_loss(self.policy, minibatch, advantages, clip_range, self._entropy_coef)
        self.optimizer.zero_grad(set_to_none=True)
        loss.total.backward()
        torch.nn.utils.clip_grad_norm_(self.policy.parameters(), MAX_GRAD_NORM)
        self.optimizer.step()
        return loss.metrics


def new_optimizer(policy: ActorCritic, config: TrainingConfig) -> torch.optim.Adam:
    """Adam; on a GPU in one kernel, in a form that can be replayed."""
    optimizer = torch.optim.Adam(policy.parameters(), config.learning_rate, eps=1e-5)
    prepare_optimizer(optimizer)
    return optimizer


def prepare_optimizer(optimizer: torch.optim.Optimizer) -> None:
    """Make an optimizer fit the device of its parameters, which a state that it loaded may not."""
    for group in optimizer.param_groups:
        device = group["params"][0].device
        on_gpu = device.type == "cuda"
        rate = float(group["lr"])
        group.update(fused=on_gpu, capturable=on_gpu, foreach=None)
        group["lr"] = torch.tensor(rate, device=device) if on_gpu else rate


def set_learning_rate(optimizer: torch.optim.Optimizer, rate: float) -> None:
    """Set the learning rate of all parameters."""
    for group in optimizer.param_groups:
        if isinstance(group["lr"], Tensor):
            group["lr"].fill_(rate)
        else:
            group["lr"] = rate


def minibatches(order: Tensor, size: int) -> tuple[Tensor, ...]:
    """The indices of each minibatch, all of one size: what is left over comes in another epoch.

    >>> [part.tolist() for part in minibatches(torch.arange(5), 2)]
    [[0, 1], [2, 3]]
    >>> [part.tolist() for part in minibatches(torch.arange(3), 4)]
    [[0, 1, 2]]
    """
    whole = len(order) // size * size
    parts: tuple[Tensor, ...] = (order[:whole] if whole else order).split(size)
    return parts


@compiled_on_gpu
def ppo_loss(
    policy: ActorCritic,
    minibatch: Rollout,
    advantages: Tensor,
    clip_range: float,
    entropy_coef: Tensor,
) -> Loss:
    """The PPO loss of a minibatch with normalized advantages."""
    all_log_probs, values, share_logits = policy(minibatch.observations, minibatch.action_masks)
    log_probs = all_log_probs.gather(-1, minibatch.actions.unsqueeze(-1)).squeeze(-1)
    ratio = (log_probs - minibatch.log_probs).exp()
    clipped_ratio = ratio.clamp(1 - clip_range, 1 + clip_range)
    policy_objective = torch.minimum(ratio * advantages, clipped_ratio * advantages).mean()
    value_loss = (values - minibatch.returns).square().mean()
    entropy = -(all_log_probs.exp() * all_log_probs).sum(-1).mean()
    mean_ratio_change = (ratio - 1).abs().mean()
    share_loss = -(minibatch.share_targets * torch.log_softmax(share_logits, -1)).sum(-1).mean()
    total = -policy_objective + VALUE_COEF * value_loss - entropy_coef * entropy
    total = total + SHARE_COEF * share_loss
    metrics = torch.stack([policy_objective, value_loss, entropy, mean_ratio_change])
    return Loss(total, metrics.detach())


def explained_variance(rollout: Rollout) -> float:
    """1 - Var(return - value) / Var(return); 0 if all returns are equal."""
    variance = rollout.returns.var()
    return float(1 - rollout.advantages.var() / variance) if float(variance) > 0 else 0.0
