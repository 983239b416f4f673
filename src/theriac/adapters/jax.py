"""The games as a functional environment for JAX, with the interface of Pgx.

>>> import jax
>>> env = JaxEnv("poison", players=4)
>>> init, step = jax.jit(jax.vmap(env.init)), jax.jit(jax.vmap(env.step))
>>> state = init(jax.random.split(jax.random.key(1), 8))            # 8 games
>>> state.observation.shape, state.legal_action_mask.shape
((8, 133), (8, 48))
>>> state = step(state, state.legal_action_mask.argmax(axis=1))
>>> state.rewards.shape, bool(state.terminated.any())
((8, 4), False)

`init` and `step` are pure functions of arrays of fixed shapes: they work under `jit`, `vmap` and
`scan`, and a search may step the same state twice. The rules themselves run on the CPU, in compiled
code that JAX calls back (`jax.pure_callback`), one call for all games of a `vmap`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from theriac.adapters import missing
from theriac.engine.array_loops import NO_ACTION
from theriac.engine.cpu_batch import CpuBatch
from theriac.game import find

try:
    import jax
    import jax.numpy as jnp
except ModuleNotFoundError as error:
    raise missing(error, "jax") from error

#: What a callback computes, in the order of `JaxEnv._shapes`.
Computed = tuple[Any, ...]


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class JaxState:
    """A state, with the fields of Pgx's `State`.

    `observation` and `legal_action_mask` are those of `current_player`, the seat to act. `rewards`
    are those of the last step: at the end of a game, each seat's share of the win. The last two
    fields hold everything hidden, and the cards to come: they are not for players.
    """

    current_player: jax.Array
    observation: jax.Array
    rewards: jax.Array
    terminated: jax.Array
    truncated: jax.Array
    legal_action_mask: jax.Array
    game_bytes: jax.Array
    chance_bytes: jax.Array

    def replace(self, **changes: Any) -> JaxState:
        """A copy with other values of some fields."""
        return replace(self, **changes)


class JaxEnv:
    """A game with its options, as in `theriac.batch`.

    An illegal action ends the game with the reward `illegal_reward` for the seat that acted, and 0
    for the others. A step in a game that is over changes nothing, and its rewards are 0.
    """

    def __init__(self, game: str, *, illegal_reward: float = -1.0, **options: Any) -> None:
        self.id = f"theriac/{game}-v0"
        self._game = find(game)
        self._settings = self._game.usual_settings(options)
        self._illegal_reward = illegal_reward
        self._batches: dict[int, CpuBatch] = {}
        self._lock = threading.Lock()  # JAX may call back from several threads
        self.num_players = self._settings.players
        self.num_actions = self._settings.text.actions
        self.observation_shape = (self._game.shape.features,)

    # Pure functions for JAX

    def init(self, key: jax.Array) -> JaxState:
        """A new game; equal keys give equal cards."""
        bits = jax.random.bits(key, (2,), jnp.uint32)
        return self._state(self._call(self._start, bits))

    def step(self, state: JaxState, action: jax.Array) -> JaxState:
        """Play an action, and nature's cards after it."""
        acted = (state.game_bytes, state.chance_bytes, state.terminated, action)
        return self._state(self._call(self._play, *acted))

    def observe(self, state: JaxState, seat: jax.Array | int) -> jax.Array:
        """What a seat sees, even out of turn."""
        shape = jax.ShapeDtypeStruct(self.observation_shape, jnp.float32)
        seen: jax.Array = jax.pure_callback(
            self._observe, shape, state.game_bytes, jnp.int32(seat), vmap_method="broadcast_all"
        )
        return seen

    def _call(self, function: Callable[..., Computed], *arguments: jax.Array) -> Computed:
        result: Computed = jax.pure_callback(
            function, self._shapes(), *arguments, vmap_method="broadcast_all"
        )
        return result

    def _shapes(self) -> Computed:
        """What a callback computes for one game."""
        shape = self._game.shape
        return (
            jax.ShapeDtypeStruct((), jnp.int32),
            jax.ShapeDtypeStruct(self.observation_shape, jnp.float32),
            jax.ShapeDtypeStruct((self.num_players,), jnp.float32),
            jax.ShapeDtypeStruct((), jnp.bool_),
            jax.ShapeDtypeStruct((self.num_actions,), jnp.bool_),
            jax.ShapeDtypeStruct((shape.state.itemsize,), jnp.uint8),
            jax.ShapeDtypeStruct((shape.chance.itemsize,), jnp.uint8),
        )

    def _state(self, computed: Computed) -> JaxState:
        player, observation, rewards, terminated, mask, game, chance = computed
        truncated = jnp.zeros_like(terminated)
        return JaxState(player, observation, rewards, terminated, truncated, mask, game, chance)

    # On the host: arguments have any number of leading dimensions, one for each `vmap`

    def _start(self, bits: Any) -> Computed:
        words = np.asarray(bits, np.int64).reshape(-1, 2)
        numbers = (words[:, 0] >> 1) << 32 | words[:, 1]  # 63 bits
        with self._lock:
            batch = self._batch(len(numbers))
            batch.reset_games(np.arange(len(numbers)), numbers)
            rewards = np.zeros((len(numbers), self.num_players))
            ended = np.zeros(len(numbers), np.bool_)
            return self._computed(np.shape(bits)[:-1], batch, rewards, ended)

    def _play(self, game: Any, chance: Any, terminated: Any, action: Any) -> Computed:
        over = np.asarray(terminated).reshape(-1)
        given = np.asarray(action, np.int64).reshape(-1)
        known = (given >= 0) & (given < self.num_actions)
        with self._lock:
            batch = self._batch(len(over))
            _memory(batch.states)[:] = np.asarray(game).reshape(-1)
            _memory(batch.chances)[:] = np.asarray(chance).reshape(-1)
            actors = batch.to_act
            clauses = batch.step(np.where(over | ~known, NO_ACTION, given))
            illegal = ~over & (~known | (clauses > 0))
            rewards = np.where(over[:, None], 0.0, batch.results())
            rewards[illegal, actors[illegal]] = self._illegal_reward
            return self._computed(np.shape(action), batch, rewards, over | illegal)

    def _observe(self, game: Any, seat: Any) -> npt.NDArray[np.float32]:
        seats = np.asarray(seat).reshape(-1)
        out = np.zeros((len(seats), *self.observation_shape), np.float32)
        with self._lock:
            batch = self._batch(len(seats))
            _memory(batch.states)[:] = np.asarray(game).reshape(-1)
            for one in np.unique(seats).tolist():
                out[seats == one] = batch.observations(one)[seats == one]
        return out.reshape((*np.shape(seat), *self.observation_shape))

    def _batch(self, n: int) -> CpuBatch:
        """A batch of n games: the memory that a callback works in."""
        if n not in self._batches:
            batch = self._game.batch(self._settings, n)
            assert isinstance(batch, CpuBatch)
            self._batches[n] = batch
        return self._batches[n]

    def _computed(
        self, lead: tuple[int, ...], batch: CpuBatch, rewards: Any, ended: Any
    ) -> Computed:
        """Everything that JAX gets of these games."""
        ended = ended | batch.over
        masks = batch.masks().astype(np.bool_)
        masks[ended] = False
        arrays = (
            np.maximum(batch.to_act, 0).astype(np.int32),
            batch.observations(),
            rewards.astype(np.float32),
            ended,
            masks,
            _memory(batch.states).copy(),
            _memory(batch.chances).copy(),
        )
        return tuple(
            array.reshape((*lead, *shape.shape))
            for array, shape in zip(arrays, self._shapes(), strict=True)
        )


def _memory(records: Any) -> npt.NDArray[np.uint8]:
    """The memory of records as bytes, without a copy."""
    return np.asarray(records).view(np.uint8)
