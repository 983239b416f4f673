"""How fast `theriac train` learns, and where the time goes.

Each game trains with its usual sizes and numbers of players until it has made some updates, which
compile everything; then for a fixed time. Then the parts of an update are timed alone: stepping
the games with masks and observations, the whole rollout, and the gradient steps. Run with
`python -m bench.train --device cuda` (or cpu, or `--games poison shock`).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import torch

from bench import report
from theriac.engine.batch import Device
from theriac.game import all_games, find
from theriac.learn import require_torch
from theriac.learn.config import TrainingConfig, device_defaults
from theriac.learn.selfplay import SelfPlayPool
from theriac.learn.trainer import Trainer

#: Updates before anything is timed: kernels are compiled, and memory is allocated.
WARM_UP = 3


def seconds(work: Callable[[], Any], repeats: int) -> float:
    """The mean time of some work, without anything that was queued on the GPU before it."""
    _synchronize()
    start = time.perf_counter()
    for _ in range(repeats):
        work()
    _synchronize()
    return (time.perf_counter() - start) / repeats


def _synchronize() -> None:
    if torch.cuda.is_available():
        torch.cuda.synchronize()


def step_games(pools: list[SelfPlayPool]) -> None:
    """What the engine does in a rollout: random moves, masks and observations."""
    for pool in pools:
        batch = pool.batch
        for _ in range(pool.num_steps):
            batch.observations()
            batch.masks()
            batch.step(batch.random_actions())


def measure(name: str, device: Device, players: tuple[int, ...], budget: float) -> dict[str, Any]:
    """Train one game; all figures of it."""
    game = find(name)
    actions = game.settings({"players": players[0], "first": 0}).text.actions
    sizes = device_defaults(device, game.shape.features, actions)
    config = TrainingConfig(game=name, players=players, **sizes)
    trainer = Trainer(config, device)
    for _ in range(WARM_UP):
        trainer.update()
    updates = max(2, round(budget / seconds(trainer.update, 1)))
    whole = seconds(trainer.update, updates)
    moves = sum(len(pool.batch) * pool.num_steps for pool in trainer.pools)
    rollout = trainer.collect()
    return {
        "game": name,
        "players": list(players),
        "moves_per_second": round(moves / whole),
        "moves_per_update": moves,
        "learned_share": round(len(rollout) / moves, 3),
        "engine_seconds": seconds(lambda: step_games(trainer.pools), 2),
        "rollout_seconds": seconds(trainer.collect, 2),
        "gradient_seconds": seconds(lambda: trainer.ppo.update(rollout, trainer.generator), 2),
        "update_seconds": whole,
        "win_share_against_random": {n: each.mean for n, each in trainer.evaluate().items()},
    }


def show(found: dict[str, Any]) -> None:
    """One line for a game."""
    parts = ("engine", "rollout", "gradient", "update")
    times = ", ".join(f"{part} {1000 * found[f'{part}_seconds']:.1f} ms" for part in parts)
    report.console.print(
        f"{found['game']}, {found['players']} players: "
        f"{found['moves_per_second'] / 1e6:.2f} million moves/s, "
        f"updates of {found['moves_per_update']:,} moves: {times}; "
        f"against random play {found['win_share_against_random']}"
    )


def main() -> None:
    """Measure the games named on the command line, and write bench/results/train.json."""
    given = report.arguments(
        "How fast training learns.",
        "train",
        games={"nargs": "+", "default": list(all_games())},
        device={"choices": ("cpu", "cuda"), "default": "cpu"},
        seconds={"type": float, "default": 10.0},
    )
    require_torch(given.device)
    machine = report.show_machine()
    if given.device == "cuda":
        machine["gpu"] = torch.cuda.get_device_name()
    results = []
    for name in given.games:
        results.append(measure(name, given.device, (find(name).usual_players,), given.seconds))
        show(results[-1])
    report.write(given.name, machine, {"training": results})


if __name__ == "__main__":
    main()
