"""A loop of steps in JAX, for `bench.adapters`. Games that are over start again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from theriac.adapters.jax import JaxEnv

#: The steps of one compiled loop.
STEPS = 16


def play_in_jax(game: str, players: int, games: int) -> Callable[[int], int]:
    """A function that plays at least that many steps in each game, and returns how many in all."""
    env = JaxEnv(game, players=players)
    init, step = jax.vmap(env.init), jax.vmap(env.step)
    first = jax.jit(init)(jax.random.split(jax.random.key(1), games))

    def move(state: Any, _: Any) -> tuple[Any, None]:
        after = step(state, state.legal_action_mask.argmax(axis=1))

        def restart(old: Any, new: Any) -> Any:
            over = after.terminated.reshape(-1, *(1,) * (new.ndim - 1))
            return jnp.where(over, old, new)

        return jax.tree.map(restart, first, after), None

    loop = jax.jit(lambda state: jax.lax.scan(move, state, None, length=STEPS)[0])

    def play(steps: int) -> int:
        state, played = first, 0
        while played < steps:
            state, played = loop(state), played + STEPS
        jax.block_until_ready(state)
        return played * games

    return play
