"""Steps per second in PettingZoo, Gymnasium and JAX on one core.

In PettingZoo: our games beside its classic card games.

Every agent plays uniformly at random by its action mask, in the environment with its usual
wrappers, as a learner uses it: `last`, then `step`. PettingZoo's games need RLCard and Pygame (`pip
install rlcard pygame`); a game that is not installed is left out.

In Gymnasium: the native vector environment beside `SyncVectorEnv` of single games, with greedy bots
on the other seats, and the first legal action. A step is one of the agent's. In JAX: the same
actions, for all seats, in a compiled loop; a batch beside it.

Run with `python -m bench.adapters`.
"""

from __future__ import annotations

import importlib
import os
import random
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from gymnasium.vector import SyncVectorEnv

import theriac
from bench import report
from bench.games import Benchmark, measure, show
from theriac.adapters.gymnasium import SeatEnv
from theriac.adapters.gymnasium_vector import SeatVectorEnv
from theriac.adapters.pettingzoo import env
from theriac.game import Game

PEERS = ("texas_holdem_v4", "leduc_holdem_v4", "texas_holdem_no_limit_v6")
#: The number of players, where a game allows it.
PLAYERS = 4
#: The number of games in a vector environment: ours, and Gymnasium's own, which plays them in turn.
MANY, FEW = 1024, 16


def benchmark(system: str, name: str, make: Callable[[], Any]) -> Benchmark:
    """A benchmark of whole games in one environment."""
    environment = make()

    def play(n: int) -> int:
        dice = random.Random(1)
        return sum(_play_one(environment, None if number else 1, dice) for number in range(n))

    return Benchmark(system, name, environment.max_num_agents, play)


def _play_one(environment: Any, seed: int | None, dice: random.Random) -> int:
    """Play one whole game at random; returns the number of actions."""
    environment.reset(seed=seed)
    actions = 0
    for _ in environment.agent_iter():
        observation, _, terminated, truncated, _ = environment.last()
        if terminated or truncated:
            environment.step(None)
        else:
            environment.step(dice.choice(np.flatnonzero(observation["action_mask"]).tolist()))
            actions += 1
    return actions


def _players(game: Game) -> int:
    return PLAYERS if PLAYERS in game.players else game.players[0]


def vector() -> Iterator[Benchmark]:
    """The vector environments of all our games."""
    for game in theriac.all_games().values():
        single = partial(SeatEnv, game.name, players=_players(game))
        for system, envs in {
            "native": SeatVectorEnv(game.name, MANY, players=_players(game)),
            "SyncVectorEnv": SyncVectorEnv([single] * FEW),
        }.items():
            yield Benchmark(system, game.name, _players(game), partial(_step_many, envs))


def _step_many(envs: Any, steps: int) -> int:
    """Play some steps in each game of a vector environment; returns how many in all."""
    _, infos = envs.reset(seed=1)
    for _ in range(steps):
        *_, infos = envs.step(infos["action_mask"].argmax(axis=1))
    return steps * int(envs.num_envs)


def jax() -> Iterator[Benchmark]:
    """Batches of all our games, stepped by JAX and by NumPy; none without JAX."""
    try:
        from bench.jax_loop import play_in_jax
    except ImportError as error:
        report.console.print(f"JAX is left out: {error}")
        return
    for game in theriac.all_games().values():
        players = _players(game)
        yield Benchmark("JAX", game.name, players, play_in_jax(game.name, players, MANY))
        batch = theriac.batch(game.name, MANY, auto_reset=True, players=players)
        yield Benchmark("NumPy", game.name, players, partial(_step_batch, batch))


def _step_batch(batch: Any, steps: int) -> int:
    """The same with a batch: observe all games and play the first legal action in each."""
    batch.reset(seed=1)
    for _ in range(steps):
        batch.observations()
        batch.step(batch.masks().argmax(axis=1))
    return steps * len(batch)


def ours() -> Iterator[Benchmark]:
    """All our games."""
    for game in theriac.all_games().values():
        players = _players(game)
        yield benchmark("Theriac", game.name, partial(env, game.name, players=players))


def peers() -> Iterator[Benchmark]:
    """PettingZoo's card games, those that are installed."""
    for name in PEERS:
        try:
            module = importlib.import_module(f"pettingzoo.classic.{name}")
        except ImportError as error:
            report.console.print(f"{name} is left out: {error}")
        else:
            yield benchmark("PettingZoo", name, module.env)


def main() -> None:
    """Measure, print and write the results."""
    arguments = report.arguments("Steps per second in the adapters.", "adapters")
    seconds, rounds = (0.1, 3) if arguments.quick else (0.4, 9)
    machine = report.show_machine()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    benchmarks = [*ours(), *peers()]
    measure(benchmarks, seconds, rounds, "One core")
    rows = [
        [f"{c.system} {c.name}", str(c.players), f"{c.moves / c.games:.1f}", f"{c.rate:,.0f}"]
        for c in benchmarks
    ]
    show("Random whole games in PettingZoo", ["game", "players", "moves per game", "moves/s"], rows)
    results = {"games": [c.result() for c in benchmarks]}
    for title, key, many in (("Gymnasium", "vector", [*vector()]), ("JAX", "jax", [*jax()])):
        measure(many, seconds, rounds, title)
        show(
            f"Steps in {title}",
            ["system", "game", "players", "steps/s"],
            [[c.system, c.name, str(c.players), f"{c.rate:,.0f}"] for c in many],
        )
        results[key] = [_steps(c) for c in many]
    report.write(arguments.name, machine, results)


def _steps(benchmark: Benchmark) -> dict[str, Any]:
    """What is written of a vector environment, whose games do not end with a run."""
    kept = benchmark.result()
    return {name: kept[name] for name in ("system", "game", "players")} | {
        "steps_per_second": kept["moves_per_second"]
    }


if __name__ == "__main__":
    main()
