"""Self-play: what the rollout buffer records, and whose moves become training data."""

from __future__ import annotations

from typing import NamedTuple

import pytest
import torch

from tests.learn.small_runs import generator, new_policy, new_pool, small_config
from theriac.learn.config import TrainingConfig
from theriac.learn.gae import compute_gae
from theriac.learn.policy import ILLEGAL_LOGIT, ActorCritic
from theriac.learn.selfplay import Rollout, RolloutBuffer, SelfPlayPool, concatenate, reward_of


class Played(NamedTuple):
    pool: SelfPlayPool
    rollout: Rollout
    policy: ActorCritic
    past_policy: ActorCritic

    @property
    def buffer(self) -> RolloutBuffer:
        return self.pool._buffer

    @property
    def valid(self) -> torch.Tensor:
        """The moves whose advantage is known."""
        buffer = self.buffer
        return compute_gae(buffer.seats, buffer.values, buffer.dones, buffer.rewards, 0.95)[1]


def play(config: TrainingConfig) -> Played:
    """One rollout with a learner and another past policy."""
    pool = new_pool(config)
    policy, past_policy = new_policy(pool, config), new_policy(pool, config, seed=1)
    return Played(pool, pool.collect(policy, past_policy, generator()), policy, past_policy)


def test_every_seat_is_learned_from_where_the_learner_has_all_seats() -> None:
    played = play(small_config(past_fraction=0.0))
    valid = played.valid
    assert torch.equal(played.rollout.observations, played.buffer.observations[valid])
    assert valid.sum() == 12 * 40 - (~valid).sum() > 400


def test_moves_of_the_past_policy_are_not_learned_from() -> None:
    """In every game the learner has one seat, a different one from game to game."""
    played = play(small_config(past_fraction=1.0))
    buffer = played.buffer
    own = buffer.seats == torch.arange(12) % 4
    assert torch.equal(played.rollout.observations, buffer.observations[own & played.valid])
    # The recorded log-probabilities are those of the policy that moved.
    with torch.no_grad():
        learner, *_ = played.policy(buffer.observations, buffer.action_masks)
        past, *_ = played.past_policy(buffer.observations, buffer.action_masks)
    actions = buffer.actions.unsqueeze(-1)
    by_learner, by_past = (each.gather(-1, actions).squeeze(-1) for each in (learner, past))
    assert torch.allclose(buffer.log_probs[own], by_learner[own], atol=1e-6)
    assert torch.allclose(buffer.log_probs[~own], by_past[~own], atol=1e-6)
    assert not torch.allclose(by_learner, by_past, atol=1e-2)


def test_a_fraction_of_the_games_has_past_opponents() -> None:
    played = play(small_config(past_fraction=0.25))
    assert played.pool.past_games == 3
    buffer = played.buffer
    own = (buffer.seats == torch.arange(12) % 4) | (torch.arange(12) >= 3)
    assert torch.equal(played.rollout.observations, buffer.observations[own & played.valid])


def test_a_game_for_one_player_has_no_past_opponents() -> None:
    config = small_config(
        game="dungeon",
        players=(1,),
        options={},
        num_envs=4,
        num_steps=3,
        past_fraction=1.0,
    )
    assert new_pool(config).past_games == 0


def test_rewards_come_from_win_shares() -> None:
    """At the end of a game the rewards of all seats sum to 0, because the shares sum to 1."""
    played = play(small_config(past_fraction=0.0, num_steps=100))
    rewards = played.buffer.rewards[played.buffer.dones]
    assert len(rewards) > 12
    assert torch.allclose(rewards.sum(-1), torch.zeros(len(rewards)), atol=1e-5)
    assert rewards.min() == -1
    assert rewards.max() == reward_of(1.0, 4) == 3


def test_recorded_actions_are_legal() -> None:
    rollout = play(small_config()).rollout
    assert rollout.action_masks.gather(-1, rollout.actions.unsqueeze(-1)).all()
    assert rollout.log_probs.max() <= 0
    assert rollout.log_probs.min() > ILLEGAL_LOGIT / 2


def test_a_refused_action_aborts_training() -> None:
    """A mask that allows too much must not go unnoticed."""
    config = small_config()
    pool = new_pool(config)
    policy = new_policy(pool, config)
    masks = pool.batch.masks
    pool.batch.masks = lambda: masks() | 1  # type: ignore[method-assign]
    with pytest.raises(AssertionError, match="actions were refused"):
        pool.collect(policy, policy, generator())


def test_games_are_staggered() -> None:
    """Every game has 48 moves: without staggering all would end together."""
    played = play(small_config(num_envs=48, num_steps=48, past_fraction=0.0))
    ends = played.buffer.dones.sum(-1)
    assert ends.sum() == 48
    assert ends.max() <= 4


def test_games_continue_from_rollout_to_rollout() -> None:
    config = small_config(num_steps=10)
    pool = new_pool(config)
    policy = new_policy(pool, config)
    first, numbers = pool.next_game, pool.batch.numbers
    for _ in range(5):
        pool.collect(policy, policy, generator())
    assert pool.next_game > first >= 12
    assert (pool.batch.numbers - numbers).max() in (12, 24)


def test_rollouts_of_several_player_counts_are_concatenated() -> None:
    rollouts = [
        play(small_config(players=(players,), options={}, num_envs=4)).rollout for players in (3, 5)
    ]
    joined = concatenate(rollouts)
    assert len(joined) == len(rollouts[0]) + len(rollouts[1])
    assert torch.equal(joined.observations[len(rollouts[0]) :], rollouts[1].observations)
    assert concatenate(rollouts[:1]) is rollouts[0]
