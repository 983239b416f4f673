"""Steps per second in PettingZoo on one core: our games beside its classic card games.

Every agent plays uniformly at random by its action mask, in the environment with its usual
wrappers, as a learner uses it: `last`, then `step`. PettingZoo's games need RLCard and Pygame (`pip
install rlcard pygame`); a game that is not installed is left out.

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

import theriac
from bench import report
from bench.games import Benchmark, measure, show
from theriac.adapters.pettingzoo import env

PEERS = ("texas_holdem_v4", "leduc_holdem_v4", "texas_holdem_no_limit_v6")
#: The number of players, where a game allows it.
PLAYERS = 4


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


def ours() -> Iterator[Benchmark]:
    """All our games."""
    for game in theriac.all_games().values():
        players = PLAYERS if PLAYERS in game.players else game.players[0]
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
    arguments = report.arguments("Steps per second in PettingZoo.", "adapters")
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
    report.write(arguments.name, machine, {"games": [c.result() for c in benchmarks]})


if __name__ == "__main__":
    main()
