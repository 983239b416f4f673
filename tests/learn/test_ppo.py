"""PPO: the loss equals one computed move by move, and updates change what they should."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
import torch

from tests.learn.small_runs import generator, new_policy, new_pool, small_config
from theriac.learn.config import TrainingConfig
from theriac.learn.policy import ActorCritic
from theriac.learn.ppo import PPO, UpdateMetrics, explained_variance, ppo_loss
from theriac.learn.selfplay import Rollout


def slow_loss(
    policy: ActorCritic, rollout: Rollout, advantages: list[float], config: TrainingConfig
) -> torch.Tensor:
    """The same loss, one move at a time, over legal actions only."""
    total = torch.zeros(())
    for i in range(len(rollout)):
        x = rollout.observations[i]
        for layer in policy.hidden:
            x = torch.clamp(layer(x), min=0)
        legal = rollout.action_masks[i].nonzero().flatten().tolist()
        probabilities = torch.softmax(policy.policy(x)[legal], 0)
        probability = probabilities[legal.index(int(rollout.actions[i]))]
        ratio = probability / math.exp(float(rollout.log_probs[i]))
        clipped = min(max(ratio.item(), 1 - config.clip_range), 1 + config.clip_range)
        objective = min(
            ratio * advantages[i], torch.tensor(clipped * advantages[i]), key=torch.Tensor.item
        )
        value_loss = (policy.value(x)[0] - rollout.returns[i]) ** 2
        entropy = -(probabilities * probabilities.log()).sum()
        total = total - objective + 0.5 * value_loss - config.entropy_coef * entropy
        assert policy.shares is not None
        shares = torch.softmax(policy.shares(x), 0)
        total = total - 0.5 * (rollout.share_targets[i] * shares.log()).sum()
    return total / len(rollout)


def gradients(policy: ActorCritic, loss: torch.Tensor) -> list[torch.Tensor]:
    policy.zero_grad()
    loss.backward()
    return [parameter.grad.clone() for parameter in policy.parameters()]


def test_the_loss_and_its_gradient_are_those_of_the_learners_moves() -> None:
    """The moves of the past policy, which has three seats of four, are in neither."""
    config = small_config(past_fraction=1.0, entropy_coef=0.1, shares=True)
    pool = new_pool(config)
    policy, past_policy = new_policy(pool, config), new_policy(pool, config, seed=1)
    rollout = pool.collect(policy, past_policy, generator())
    assert 80 < len(rollout) < 12 * 40 / 3
    with torch.no_grad():  # as after some gradient steps: ratios on both sides of the clip range
        weight = policy.policy.weight
        weight += 0.5 * torch.randn(weight.shape, generator=generator(5))
    advantages = torch.randn(len(rollout), generator=generator(6))
    coef = torch.tensor(config.entropy_coef)
    loss = ppo_loss(policy, rollout, advantages, config.clip_range, coef)
    slow = slow_loss(policy, rollout, advantages.tolist(), config)
    assert loss.total.item() == pytest.approx(slow.item(), abs=1e-5)
    assert 0.05 < loss.metrics[3].item() < 1
    for fast, by_hand in zip(gradients(policy, loss.total), gradients(policy, slow), strict=True):
        assert torch.allclose(fast, by_hand, atol=1e-5)


def test_actions_with_positive_advantage_become_more_probable() -> None:
    config = small_config(entropy_coef=0.0, learning_rate=0.003)
    pool = new_pool(config)
    policy = new_policy(pool, config)
    rollout = pool.collect(policy, policy, generator())
    rewarded = replace(rollout, advantages=(rollout.actions % 3 == 0).float())
    before = policy(rollout.observations, rollout.action_masks)[0].exp()
    optimizer = torch.optim.Adam(policy.parameters())
    metrics = PPO(policy, optimizer, config).update(rewarded, generator())
    after = policy(rollout.observations, rollout.action_masks)[0].exp()
    third = torch.arange(pool.batch.actions) % 3 == 0
    assert after[:, third].sum(-1).mean() > before[:, third].sum(-1).mean() + 0.02
    assert isinstance(metrics, UpdateMetrics)
    assert metrics.policy_objective > 0
    assert 0 < metrics.entropy < math.log(pool.batch.actions)
    assert 0 < metrics.mean_ratio_change < 1


def test_values_approach_the_returns() -> None:
    config = small_config(epochs=20, learning_rate=0.01)
    pool = new_pool(config)
    policy = new_policy(pool, config)
    rollout = pool.collect(policy, policy, generator())

    def value_loss() -> float:
        with torch.no_grad():
            values = policy(rollout.observations, rollout.action_masks).values
        return float((values - rollout.returns).square().mean())

    before = value_loss()
    optimizer = torch.optim.Adam(policy.parameters())
    PPO(policy, optimizer, config).update(rollout, generator())
    assert value_loss() < 0.7 * before


def test_explained_variance() -> None:
    some = torch.tensor([1.0, -1.0, 2.0, 0.0])
    row = (torch.zeros(4, 1), torch.ones(4, 1).bool(), torch.zeros(4), torch.zeros(4))
    no_shares = torch.zeros(4, 0)
    assert explained_variance(Rollout(*row, torch.zeros(4), some, no_shares)) == 1.0
    assert explained_variance(Rollout(*row, some, some, no_shares)) == 0.0
    assert explained_variance(Rollout(*row, some, torch.ones(4), no_shares)) == 0.0
