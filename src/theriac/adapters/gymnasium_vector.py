"""A native Gymnasium vector environment: many games in one batch, played by compiled code.

>>> import gymnasium
>>> import theriac.adapters.gymnasium
>>> envs = gymnasium.make_vec("theriac/poison-v0", num_envs=1000, players=4, bots="greedy")
>>> observations, infos = envs.reset(seed=1)
>>> observations.shape, infos["action_mask"].shape
((1000, 133), (1000, 48))
>>> actions = infos["action_mask"].argmax(axis=1)              # the first legal action
>>> observations, rewards, terminated, truncated, infos = envs.step(actions)
>>> rewards.shape, bool(terminated.any())
((1000,), False)
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from theriac.adapters import missing
from theriac.adapters.seats import bots_by_seat, check_seat
from theriac.engine.array_loops import NO_ACTION
from theriac.engine.bot_loops import COMPILED_BOTS, NO_BOT
from theriac.engine.contract import NOBODY
from theriac.engine.cpu_batch import CpuBatch
from theriac.engine.seeds import key_of_seed
from theriac.faults import Fault, listed, quote
from theriac.game import find

try:
    from gymnasium.spaces import Discrete
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

    from theriac.adapters import rendering
except ModuleNotFoundError as error:
    raise missing(error, "gymnasium") from error

Observations = npt.NDArray[np.float32]
Actions = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Infos = dict[str, Any]
Steps = tuple[Observations, npt.NDArray[np.float64], Flags, Flags, Infos]


class SeatVectorEnv(VectorEnv[Observations, Actions, npt.NDArray[Any]]):
    """One seat in each of `num_envs` games: `SeatEnv`, many times.

    `bots` are as in `SeatEnv`, but only compiled ones: random and greedy. With ``seat=None`` the
    agent plays all seats, and `bots` play none: observations and masks are those of the seat to
    act, `infos["to_act"]`, and a reward is that of the seat that has acted. When a game ends,
    `infos["rewards"]` has the shares of all seats.

    `reset(seed=S)` starts game i of that seed at index i, with the same cards as `theriac.batch`. A
    new game at an index has the number `num_envs` higher. Infos are those of Gymnasium's
    `SyncVectorEnv`: `infos["action_mask"]` says which actions are legal. `autoreset_mode` is one
    of Gymnasium's three.
    """

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        *,
        seat: int | None = 0,
        bots: str | Sequence[str] = "greedy",
        illegal_reward: float = -1.0,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int | None = None,
        **options: Any,
    ) -> None:
        known = find(game)
        batch = known.batch(known.usual_settings(options), num_envs, threads=threads)
        assert isinstance(batch, CpuBatch)
        self._batch = batch
        self._seat = None if seat is None else check_seat(seat, batch.players)
        self._bots = self._check_bots(bots)
        self._streams = np.zeros((num_envs, 3), np.int64)
        self._illegal_reward = illegal_reward
        self._mode = AutoresetMode(autoreset_mode)
        #: The games whose episode has ended; None before the first reset.
        self._ended: Flags | None = None
        self.num_envs = num_envs
        self.metadata = {"render_modes": [], "autoreset_mode": self._mode}
        self.single_observation_space = rendering.observation_space(known)
        self.single_action_space = Discrete(batch.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def _check_bots(self, bots: Any) -> npt.NDArray[np.uint8]:
        """The compiled bot of each seat; raises `Fault`."""
        compiled = np.full(self._batch.shape.players, NO_BOT, np.uint8)
        if self._seat is None:
            return compiled
        for seat, name in bots_by_seat(bots, self._seat, self._batch.players).items():
            if name not in COMPILED_BOTS:
                raise Fault(
                    f"bots: {quote(name)} is not {listed(list(COMPILED_BOTS))}, the compiled bots; "
                    'others play with vectorization_mode="sync" or "async"'
                )
            compiled[seat] = COMPILED_BOTS[name]
        return compiled

    # Starting games

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, Infos]:
        """Start a game at each index, or only where ``options["reset_mask"]`` is true."""
        chosen = self._check_reset(seed, options or {})
        if seed is not None or self._ended is None:
            self._start_seed(seed)
        else:
            self._start_next(chosen)
            self._ended = self._ended & ~chosen
        return self._observations(), self._infos(chosen)

    def _check_reset(self, seed: Any, options: dict[str, Any]) -> Flags:
        """The games to start; raises `Fault`."""
        if seed is not None:
            key_of_seed(seed)
        if not options:
            return np.ones(self.num_envs, np.bool_)
        if options.keys() != {"reset_mask"}:
            raise Fault("reset takes no option but reset_mask: pass others to the constructor")
        if seed is not None or self._ended is None:
            raise Fault("reset_mask takes no seed: it starts the next games of the last seed")
        mask = np.asarray(options["reset_mask"])
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_:
            raise Fault(f"reset_mask {quote(mask)} is not an array of {self.num_envs} booleans")
        return mask

    def _start_seed(self, seed: int | None) -> None:
        """Start the first games of a seed; without one, of a random seed."""
        super().reset(seed=seed)
        number = int(self.np_random.integers(1 << 32)) if seed is None else int(seed)
        key = Random(f"{number} bots").getrandbits(63)
        for i, stream in enumerate(self._streams):
            self._batch.engine.seed_stream(stream, key, i)
        self._batch.reset(number)
        self._ended = np.zeros(self.num_envs, np.bool_)
        self._play_to_first_turn(~self._ended)

    def _start_next(self, chosen: Flags) -> None:
        """Start the next game at each index that is chosen."""
        self._batch.reset_games(np.flatnonzero(chosen))
        self._play_to_first_turn(chosen)

    def _play_to_first_turn(self, chosen: Flags) -> None:
        """Let the bots play. A game that ends before the agent's first turn is replaced."""
        self._play_bots()
        while (over := chosen & (self._batch.to_act == NOBODY)).any():
            self._batch.reset_games(np.flatnonzero(over))
            self._play_bots()

    def _play_bots(self) -> None:
        if self._bots.any():
            self._batch.play_bots(self._bots, self._streams)

    # Playing

    def step(self, actions: Actions) -> Steps:
        """Play an action in each game, and the bots' moves that follow."""
        ended = self._check_started()
        wanted = np.where(ended, NO_ACTION, self._check_actions(actions))
        actors = self._batch.to_act if self._seat is None else self._seat
        illegal = self._batch.step(wanted) > 0
        infos = self._refusals(wanted, illegal)
        self._play_bots()
        terminated = ((self._batch.to_act == NOBODY) & ~ended) | illegal
        rewards = np.zeros(self.num_envs)
        if terminated.any():
            shares = self._batch.results()
            rewards[:] = np.where(terminated, shares[np.arange(self.num_envs), actors], 0.0)
            rewards[illegal] = self._illegal_reward
            if self._seat is None:
                infos |= _info("rewards", shares, terminated)
        infos = self._start_ended(ended, terminated, infos)
        return self._observations(), rewards, terminated, np.zeros_like(terminated), infos

    def _check_started(self) -> Flags:
        """The games whose episode has ended; raises `Fault` if no step is possible."""
        if self._ended is None:
            raise Fault("no game has started: call reset")
        if self._mode is AutoresetMode.DISABLED and self._ended.any():
            over = quote(np.flatnonzero(self._ended).tolist())
            raise Fault(f'games {over} are over: reset them with options={{"reset_mask": mask}}')
        return self._ended

    def _check_actions(self, actions: Any) -> npt.NDArray[Any]:
        given = np.asarray(actions)
        if given.shape == (self.num_envs,) and given.dtype.kind in "iu":
            wrong = (given < 0) | (given >= self._batch.actions)
            if not (wrong & ~self._check_started()).any():
                return given
        last = self._batch.actions - 1
        raise Fault(f"actions {quote(actions)}: give {self.num_envs} integers from 0 to {last}")

    def _refusals(self, actions: npt.NDArray[Any], illegal: Flags) -> Infos:
        """Why each illegal action was refused."""
        if not illegal.any():
            return {}
        reasons = np.full(self.num_envs, None, object)
        for i in np.flatnonzero(illegal).tolist():
            reasons[i] = self._batch.refusal(i, int(actions[i]))
        return _info("refused", reasons, illegal)

    def _start_ended(self, ended: Flags, terminated: Flags, infos: Infos) -> Infos:
        """Start new games as the autoreset mode says; returns all infos of the step."""
        everywhere = np.ones(self.num_envs, np.bool_)
        if self._mode is not AutoresetMode.SAME_STEP:
            if ended.any():
                self._start_next(ended)
            self._ended = terminated
            return infos | self._infos(everywhere)
        if not terminated.any():
            return self._infos(everywhere)
        final_obs = np.full(self.num_envs, None, object)
        seen = self._observations()
        for i in np.flatnonzero(terminated).tolist():
            final_obs[i] = seen[i]
        final = infos | self._infos(terminated)
        self._start_next(terminated)
        return (
            _info("final_obs", final_obs, terminated)
            | _info("final_info", final, terminated)
            | self._infos(everywhere)
        )

    # Observing

    def _observations(self) -> Observations:
        return self._batch.observations(self._seat)

    def _infos(self, of: Flags) -> Infos:
        """The masks of some games, and who is to act in them where that is not always the agent."""
        masks = self._batch.masks().view(np.int8)
        masks[~of] = 0
        infos = _info("action_mask", masks, of)
        return infos | _info("to_act", self._batch.to_act, of) if self._seat is None else infos

    def action_masks(self) -> Flags:
        """Which actions are legal in each game."""
        return self._batch.masks().astype(np.bool_)


def _info(name: str, values: Any, of: Flags) -> Infos:
    """An info as Gymnasium writes it: the values, and which games have one."""
    return {name: values, f"_{name}": of.copy()}
