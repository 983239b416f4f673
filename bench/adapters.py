"""Steps a second in PettingZoo: our games beside its classic card games, on one core.

Every agent plays uniformly at random by its mask, in the environment with its usual wrappers, as
a learner would use it: `last`, then `step`. The games of PettingZoo need RLCard and Pygame (`pip
install rlcard pygame`); what is not installed is left out.

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
from bench.games import Contest, measure, show
from theriac.adapters.pettingzoo import env

PEERS = ("texas_holdem_v4", "leduc_holdem_v4", "texas_holdem_no_limit_v6")
#: How many play, where a game leaves it open.
USUAL = 4


def contest(system: str, name: str, make: Callable[[], Any]) -> Contest:
    """A contest of whole games in one environment."""
    match = make()

    def play(n: int) -> int:
        dice = random.Random(1)
        return sum(_play_one(match, None if number else 1, dice) for number in range(n))

    return Contest(system, name, match.max_num_agents, play)


def _play_one(match: Any, seed: int | None, dice: random.Random) -> int:
    """One whole game at random; how many actions were played."""
    match.reset(seed=seed)
    made = 0
    for _ in match.agent_iter():
        seen, _, terminated, truncated, _ = match.last()
        if terminated or truncated:
            match.step(None)
        else:
            match.step(dice.choice(np.flatnonzero(seen["action_mask"]).tolist()))
            made += 1
    return made


def ours() -> Iterator[Contest]:
    """All our games."""
    for game in theriac.all_games().values():
        players = USUAL if USUAL in game.players else game.players[0]
        yield contest("Theriac", game.name, partial(env, game.name, players=players))


def peers() -> Iterator[Contest]:
    """PettingZoo's card games, as far as they are installed."""
    for name in PEERS:
        try:
            module = importlib.import_module(f"pettingzoo.classic.{name}")
        except ImportError as error:
            report.console.print(f"{name} is left out: {error}")
        else:
            yield contest("PettingZoo", name, module.env)


def main() -> None:
    """Measure, show, keep."""
    arguments = report.arguments("Steps a second in PettingZoo.", "adapters")
    seconds, turns = (0.1, 3) if arguments.quick else (0.4, 9)
    machine = report.show_machine()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    contests = [*ours(), *peers()]
    measure(contests, seconds, turns, "One core")
    rows = [
        [f"{c.system} {c.name}", str(c.players), f"{c.moves / c.games:.1f}", f"{c.rate:,.0f}"]
        for c in contests
    ]
    show("Random whole games in PettingZoo", ["game", "players", "moves a game", "moves/s"], rows)
    report.write(arguments.name, machine, {"games": [c.result() for c in contests]})


if __name__ == "__main__":
    main()
