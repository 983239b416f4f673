"""Self-play: parallel games in which the policy plays, and the rollouts collected from them.

On a GPU all data stays there: the arrays of the batch become tensors through DLPack without a copy,
sampled actions go back the same way, and nothing synchronizes with the host during a rollout.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from theriac.engine.array_loops import NO_ACTION
from theriac.engine.batch import Batch, Device
from theriac.game import Game
from theriac.learn.compiling import Replayed
from theriac.learn.config import TrainingConfig
from theriac.learn.gae import compute_gae, compute_share_targets
from theriac.learn.policy import ActorCritic, act


@dataclass(frozen=True)
class Rollout:
    """Moves to learn from, one per row.

    `log_probs` are those of the chosen actions under the policy that chose them; `returns` are the
    targets of the value head, `share_targets` those of the share head.
    """

    observations: Tensor
    action_masks: Tensor
    actions: Tensor
    log_probs: Tensor
    advantages: Tensor
    returns: Tensor
    share_targets: Tensor

    def __len__(self) -> int:
        return len(self.actions)

    def select(self, indices: Tensor, out: Rollout | None = None) -> Rollout:
        """Some of the rows, as a minibatch; in the tensors of `out`, where there is one."""
        names = [field.name for field in fields(self)]
        into = [getattr(out, name) if out else None for name in names]
        rows = (getattr(self, name) for name in names)
        return Rollout(
            *(torch.index_select(a, 0, indices, out=b) for a, b in zip(rows, into, strict=True))
        )


def concatenate(rollouts: list[Rollout]) -> Rollout:
    """All rows of several rollouts."""
    if len(rollouts) == 1:
        return rollouts[0]
    names = [field.name for field in fields(Rollout)]
    return Rollout(*(torch.cat([getattr(each, name) for each in rollouts]) for name in names))


def reward_of(win_share: Any, players: int) -> Any:
    """The reward for a win share (a number or a tensor): 0 for the fair share, -1 for a loss.

    >>> reward_of(0.25, 4), reward_of(1, 4), reward_of(0, 4)
    (0.0, 3, -1)
    """
    return win_share * players - 1


@dataclass(frozen=True)
class RolloutBuffer:
    """What happened during a rollout: one entry per step and game, allocated once and reused."""

    observations: Tensor
    action_masks: Tensor
    seats: Tensor
    actions: Tensor
    log_probs: Tensor
    values: Tensor
    shares: Tensor
    dones: Tensor
    rewards: Tensor

    @classmethod
    def allocate(
        cls, batch: Batch, num_steps: int, device: Device, share_seats: int
    ) -> RolloutBuffer:
        """A zeroed buffer for `num_steps` steps of a batch."""

        def zeros(dtype: torch.dtype, *more: int) -> Tensor:
            return torch.zeros((num_steps, len(batch), *more), dtype=dtype, device=device)

        features, precision = batch.shape.features, torch.float32
        if device == "cuda":  # as `aligned`
            features, precision = features + -features % 8, torch.bfloat16
        return cls(
            observations=zeros(precision, features),
            action_masks=zeros(torch.bool, batch.actions),
            seats=zeros(torch.int64),
            actions=zeros(torch.int64),
            log_probs=zeros(torch.float32),
            values=zeros(torch.float32),
            shares=zeros(torch.float32, share_seats),
            dones=zeros(torch.bool),
            rewards=zeros(torch.float32, batch.players),
        )


class SelfPlayPool:
    """Parallel games with one player count. They continue from one rollout to the next.

    In the first `past_games` games the learner has one seat and a past policy, or a frozen
    opponent, plays the others; its moves are not learned from. In all other games the learner has
    every seat.
    """

    def __init__(
        self,
        game: Game,
        config: TrainingConfig,
        players: int,
        num_envs: int,
        device: Device,
        first_game: int,
    ) -> None:
        settings = game.settings({"first": 0, **config.options, "players": players})
        self.batch = game.batch(
            settings, num_envs, device=device, seed=config.seed, auto_reset=True
        )
        self.batch.reset(config.seed, first_game)
        self.num_steps = config.num_steps
        self.past_games = round(config.opponent_fraction * num_envs) if players > 1 else 0
        self._gae_lambda = config.gae_lambda
        share_seats = config.share_seats(game)
        self._buffer = RolloutBuffer.allocate(self.batch, config.num_steps, device, share_seats)
        games = torch.arange(num_envs, device=device)
        self._learner_seat = games % players
        self._learner_has_all_seats = games >= self.past_games
        self._device = device
        self._uniform = torch.zeros(num_envs, device=device)
        self._seen: list[Tensor] = []
        self._policies: tuple[ActorCritic, ActorCritic] | None = None
        self._decide = Replayed(self._decide_all, device)
        self._gae = Replayed(self._estimate, device)
        stagger(self.batch)

    @property
    def next_game(self) -> int:
        """The lowest game number that has not been started."""
        return int(as_tensor(self.batch.numbers).max()) + 1

    def collect(
        self, policy: ActorCritic, past_policy: ActorCritic, generator: torch.Generator
    ) -> Rollout:
        """Play `num_steps` moves in each game; returns the learner's moves."""
        if self._policies != (policy, past_policy):
            self._policies = policy, past_policy
            self._decide = Replayed(self._decide_all, self._device)
        buffer = self._buffer
        refused = torch.zeros((), dtype=torch.int64, device=self._learner_seat.device)
        with torch.no_grad():
            for t in range(self.num_steps):
                refused += self._step(t, generator)
            advantages, valid, share_targets = self._gae()
        if int(refused):
            raise AssertionError(f"{int(refused)} actions were refused: the action mask is wrong")
        learned = valid & (self._learner_has_all_seats | (buffer.seats == self._learner_seat))
        rows = learned.flatten().nonzero().squeeze(-1)
        columns = (
            *(buffer.observations, buffer.action_masks, buffer.actions, buffer.log_probs),
            *(advantages, advantages + buffer.values, share_targets),
        )
        return Rollout(*(column.flatten(0, 1)[rows] for column in columns))

    def _step(self, t: int, generator: torch.Generator) -> Tensor:
        """Play one move in each game and record it as step `t`; returns how many were refused."""
        batch, buffer = self.batch, self._buffer
        self._look()
        self._uniform.uniform_(generator=generator)
        decisions = self._decide()
        for name, column in decisions._asdict().items():
            getattr(buffer, name)[t] = column
        clauses = as_tensor(batch.step(to_batch_actions(decisions.actions)))
        buffer.dones[t] = as_tensor(batch.ended)
        buffer.rewards[t] = reward_of(as_tensor(batch.rewards), batch.players)
        return (clauses != 0).sum()

    def _look(self) -> None:
        """Observe all games. On a GPU a batch fills the same memory each time."""
        arrays = self.batch.observations(), self.batch.masks(), self.batch.to_act
        if self._device == "cpu" or not self._seen:
            self._seen = [as_tensor(array) for array in arrays]

    def _decide_all(self) -> Decisions:
        """Decide in every game; where a past policy has the seat to act, with that one."""
        observed, legal, seats = self._seen
        assert self._policies is not None
        policy, past_policy = self._policies
        observations = aligned(observed) if self._device == "cuda" else observed
        masks = legal.bool()
        actions, log_probs, values, shares = act(policy, observations, masks, self._uniform)
        k = self.past_games
        if k:
            own = seats[:k] == self._learner_seat[:k]
            past = act(past_policy, observations[:k], masks[:k], self._uniform[:k])
            actions[:k] = torch.where(own, actions[:k], past.actions)
            log_probs[:k] = torch.where(own, log_probs[:k], past.log_probs)
        return Decisions(observations, masks, seats, actions, log_probs, values, shares)

    def _estimate(self) -> tuple[Tensor, Tensor, Tensor]:
        """Advantages, which of them are known, and the targets of the share head."""
        buffer = self._buffer
        ends = buffer.dones, buffer.rewards, self._gae_lambda
        advantages, valid = compute_gae(buffer.seats, buffer.values, *ends)
        if not buffer.shares.shape[-1]:
            return advantages, valid, buffer.shares
        win_shares = (buffer.rewards + 1) / self.batch.players  # the inverse of `reward_of`
        ends = buffer.dones, win_shares, self._gae_lambda
        return advantages, valid, compute_share_targets(buffer.seats, buffer.shares, *ends)


class Decisions(NamedTuple):
    """One step of all games, as the rollout buffer records it."""

    observations: Tensor
    action_masks: Tensor
    seats: Tensor
    actions: Tensor
    log_probs: Tensor
    values: Tensor
    shares: Tensor


def aligned(observations: Tensor) -> Tensor:
    """Observations in bfloat16, with zeros up to a multiple of 8 features.

    The tensor cores of a GPU read whole groups of 8; without the zeros a product takes three times
    as long.
    """
    return torch.nn.functional.pad(observations.bfloat16(), (0, -observations.shape[-1] % 8))


def as_tensor(array: Any) -> Tensor:
    """An array of a batch as a tensor on the same device, without a copy."""
    return torch.from_dlpack(array)


def to_batch_actions(actions: Tensor) -> Tensor | npt.NDArray[np.int64]:
    """Actions in the form that `Batch.step` takes on their device, without a copy."""
    return actions if actions.is_cuda else actions.numpy()


def stagger(batch: Batch) -> None:
    """Advance the games by random moves to different points, so that rollouts cover all phases.

    Games of equal length that start together would also end together, in every rollout. A game
    that is held back plays nothing.
    """
    seed, first_game = batch.seed, int(as_tensor(batch.numbers).min())
    longest = int(as_tensor(batch.play_out()).max())
    batch.reset(seed, first_game)
    n = len(batch)
    for t in range(longest):
        actions = as_tensor(batch.random_actions())
        held = torch.arange(n, device=actions.device) * longest < t * n
        batch.step(to_batch_actions(torch.where(held, NO_ACTION, actions)))
