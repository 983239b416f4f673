"""The trainer: alternates self-play rollouts and PPO updates, and can resume from a checkpoint.

>>> from theriac.learn.config import TrainingConfig
>>> config = TrainingConfig(
...     game="poison", players=(3,), num_envs=8, num_steps=8, width=8, layers=1,
...     minibatch_size=32, learning_rate=0.001,
... )
>>> trainer = Trainer(config)
>>> trainer.update()._fields[:2]
('policy_objective', 'value_loss')
>>> trainer.updates, trainer.steps
(1, 64)
"""

from __future__ import annotations

import copy

import msgspec
import torch

from theriac import __version__
from theriac.bots.network import Network, NetworkMetadata, metadata_of
from theriac.engine.batch import Device
from theriac.faults import Fault, quote
from theriac.game import find
from theriac.learn import distributed, ppo
from theriac.learn.checkpoint import Checkpoint, StateDict
from theriac.learn.config import TrainingConfig
from theriac.learn.evaluation import WinShare, win_share
from theriac.learn.frozen import frozen_opponents, load_initial
from theriac.learn.policy import ActorCritic
from theriac.learn.selfplay import Rollout, SelfPlayPool, concatenate

#: The updates from one snapshot of the policy to the next, and the most snapshots kept.
SNAPSHOT_INTERVAL = 10
MAX_SNAPSHOTS = 8
#: Games of an evaluation, on each device: against random play, and against a frozen opponent.
_EVALUATION_GAMES = {"cpu": 256, "cuda": 4096}
_MATCH_GAMES = {"cpu": 1024, "cuda": 65536}


class Trainer:
    """A policy in training, its optimizer, its past snapshots and its games (`pools`).

    `past_policy` is the snapshot that plays in this update. In a run against a frozen bot, `frozen`
    has the opponent of each player count.
    """

    def __init__(
        self, config: TrainingConfig, device: Device = "cpu", checkpoint: Checkpoint | None = None
    ) -> None:
        self.config = config
        self.device: Device = device
        self.game = find(config.game)
        self.settings = [
            self.game.settings({"first": 0, **config.options, "players": players})
            for players in config.players
        ]
        self.metadata = metadata_of(
            self.game,
            self.settings[0],
            config.players,
            options=config.options,
            share_seats=config.share_seats(self.game),
            version=__version__,
        )
        self.steps = self.updates = 0
        self.seconds = 0.0
        if device == "cuda":
            torch.set_float32_matmul_precision("high")
        self.policy = _new_policy(self.metadata, config).to(device)
        if config.initial:
            load_initial(self.policy, config.initial, self.game, self.settings[0])
        self.frozen = frozen_opponents(config.against, self.game, self.settings, device)
        self.past_policy: ActorCritic = _new_policy(self.metadata, config).to(device)
        self._snapshots = [_snapshot(self.policy)]
        self.optimizer = ppo.new_optimizer(self.policy, config)
        self.ppo = ppo.PPO(self.policy, self.optimizer, config)
        first_game = self._restore(checkpoint) if checkpoint else 0
        self.generator = torch.Generator(device)
        rank = distributed.rank()
        self.generator.manual_seed(config.seed + (self.updates << 32) + (rank << 48))
        num_envs = max(1, config.num_envs // len(config.players))
        self.pools = [
            SelfPlayPool(self.game, config, players, num_envs, device, first_game + (rank << 40))
            for players in config.players
        ]

    def update(self, lr_scale: float = 1.0) -> ppo.UpdateMetrics:
        """Collect a rollout and make one PPO update; raises `Fault` if the rollout is too short.

        `lr_scale` multiplies the learning rate and the entropy coefficient.
        """
        self.past_policy.load_state_dict(self._snapshots[self._random(len(self._snapshots))])
        rollout = self.collect()
        metrics = self.ppo.update(rollout, self.generator, lr_scale)
        self.updates += 1
        moves = sum(len(pool.batch) * pool.num_steps for pool in self.pools)
        self.steps += moves * distributed.world_size()
        if self.updates % SNAPSHOT_INTERVAL == 0 and not self.frozen:
            self._add_snapshot()
        return metrics

    def collect(self) -> Rollout:
        """The learner's moves of a rollout of all games."""
        return concatenate(
            [
                pool.collect(self.policy, self._opponent(pool.batch.players), self.generator)
                for pool in self.pools
            ]
        )

    def _opponent(self, players: int) -> ActorCritic:
        """What plays the seats that the learner does not have."""
        return self.frozen[players] if self.frozen else self.past_policy

    def evaluate(self) -> dict[int, WinShare]:
        """The win share against the frozen opponent or random play, for each player count."""
        games = (_MATCH_GAMES if self.frozen else _EVALUATION_GAMES)[self.device]
        seed = self.config.seed + 1
        return {
            settings.players: win_share(
                *(self.policy, self.game, settings, games, self.device, seed),
                opponent=self.frozen.get(settings.players),
            )
            for settings in self.settings
        }

    def network(self) -> Network:
        """The policy as a network for the bot `neural`."""
        metadata = msgspec.structs.replace(self.metadata, steps=self.steps)
        return Network(metadata, tuple(self.policy.layers()))

    def checkpoint(self) -> Checkpoint:
        """Everything that is needed to resume."""
        return Checkpoint(
            observation_digest=self.metadata.observation_digest,
            policy=self.policy.state_dict(),
            optimizer=self.optimizer.state_dict(),
            past_policies=self._snapshots,
            steps=self.steps,
            updates=self.updates,
            seconds=self.seconds,
            next_game=max(pool.next_game for pool in self.pools),
        )

    def _restore(self, checkpoint: Checkpoint) -> int:
        """Resume from a checkpoint; returns the number of the next game. Raises `Fault`."""
        try:
            if checkpoint.observation_digest != self.metadata.observation_digest:
                raise ValueError("it was made with another observation encoding")
            self.policy.load_state_dict(checkpoint.policy)
            self.optimizer.load_state_dict(checkpoint.optimizer)
            ppo.prepare_optimizer(self.optimizer)
            self._snapshots = checkpoint.past_policies
            self.steps, self.updates = int(checkpoint.steps), int(checkpoint.updates)
            self.seconds = float(checkpoint.seconds)
            return int(checkpoint.next_game)
        except (AttributeError, KeyError, RuntimeError, TypeError, ValueError) as error:
            reason = quote(str(error).partition("\n")[0], 100)
            raise Fault(
                f"the checkpoint does not fit this run ({reason}): start again in another folder"
            ) from None

    def _add_snapshot(self) -> None:
        """Keep a snapshot of the policy; if there are too many, a random one is dropped."""
        if len(self._snapshots) == MAX_SNAPSHOTS:
            del self._snapshots[self._random(MAX_SNAPSHOTS)]
        self._snapshots.append(_snapshot(self.policy))

    def _random(self, n: int) -> int:
        return int(torch.randint(n, (), generator=self.generator, device=self.device))


def _new_policy(metadata: NetworkMetadata, config: TrainingConfig) -> ActorCritic:
    """An untrained policy; equal seeds give equal weights."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(config.seed)
        return ActorCritic(
            metadata.features,
            metadata.actions,
            config.width,
            config.layers,
            metadata.share_seats,
        )


def _snapshot(policy: ActorCritic) -> StateDict:
    state: StateDict = copy.deepcopy(policy.state_dict())
    return state
