"""Random steps of Pgx's card games on the GPU, for comparison in `bench.gpu`."""

from __future__ import annotations

import importlib.util
import statistics
import traceback
from time import perf_counter
from typing import Any

PEERS = ("sparrow_mahjong", "leduc_holdem", "kuhn_poker")


def time_all(n: int, steps: int) -> tuple[list[dict[str, Any]], list[str]]:
    """Results and errors; both empty where Pgx is not installed."""
    if importlib.util.find_spec("jax") is None or importlib.util.find_spec("pgx") is None:
        print("JAX and Pgx are not installed: no comparison")
        return [], []
    found, faults = [], []
    for name in PEERS:
        try:
            found.append(_time(name, n, steps))
            print(found[-1], flush=True)
        except Exception:  # noqa: BLE001 - reported at the end
            faults.append(f"pgx {name}\n{traceback.format_exc()}")
    return found, faults


def _time(name: str, n: int, steps: int) -> dict[str, Any]:
    """Random legal actions with automatic restarts; a step computes mask and observation."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env = pgx.make(name)
    init = jax.jit(jax.vmap(env.init))
    step = jax.vmap(auto_reset(env.step, env.init))

    def one(carry: Any, _: Any) -> Any:
        state, key = carry
        key, choice, nature = jax.random.split(key, 3)
        logits = jnp.log(state.legal_action_mask.astype(jnp.float32))
        action = jax.random.categorical(choice, logits, axis=-1)
        return (step(state, action, jax.random.split(nature, n)), key), None

    run = jax.jit(lambda state, key: jax.lax.scan(one, (state, key), None, length=steps)[0])
    carry = init(jax.random.split(jax.random.PRNGKey(0), n)), jax.random.PRNGKey(1)
    carry = jax.block_until_ready(run(*carry))
    spent = []
    for _ in range(5):
        begin = perf_counter()
        carry = jax.block_until_ready(run(*carry))
        spent.append(perf_counter() - begin)
    return {
        "what": "steps",
        "game": f"pgx {name}",
        "players": env.num_players,
        "batch": n,
        "steps_per_second": round(n * steps / statistics.median(spent)),
        "device": str(jax.devices()[0]),
    }
