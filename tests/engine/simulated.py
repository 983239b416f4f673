"""Play batches in Numba's CUDA simulator and on the CPU, and compare them: for `test_gpu`.

It runs in a process of its own, because the simulator is chosen when Numba is imported. It
interprets the same kernels, with one thread of the operating system per CUDA thread.
"""

from __future__ import annotations

import sys

from bench.gpu import compare
from tests.contract.setups import setups_of
from theriac.engine.batch import Batch
from theriac.engine.gpu import batch, plan
from theriac.game import find

GAMES, STEPS = 3, 10
#: A batch that is split among streams, as large batches are.
SPLIT_GAMES, GAMES_PER_STREAM = 66, 32


def play(gpu: Batch, cpu: Batch, steps: int = STEPS) -> None:
    """Take some steps, every third of them with actions that may be illegal."""
    for step in range(steps):
        chosen, same = gpu.random_actions(), cpu.random_actions()
        assert chosen.numpy().tolist() == same.tolist()
        actions = (same + 1) % cpu.actions if step % 3 == 2 else same
        assert gpu.step(actions).numpy().tolist() == cpu.step(actions).tolist()
    compare(gpu, cpu)


def main(name: str, whole_games: bool, little_shared: bool, on_streams: bool) -> None:
    """Compare steps and whole games."""
    if little_shared:
        vars(plan)["_SHARED_BYTES"] = 64  # no shared workspace, and masks in many passes
    if on_streams:
        vars(batch).update(MIN_GAMES_PER_STREAM=GAMES_PER_STREAM, THREADS=GAMES_PER_STREAM)
    setup = setups_of(find(name))[0]
    games = SPLIT_GAMES if on_streams else GAMES
    gpu, cpu = (
        setup.game.batch(setup.settings, games, device=device, seed=7, auto_reset=True)
        for device in ("cuda", "cpu")
    )
    assert gpu.device == "cuda"
    if not on_streams:
        compare(gpu, cpu)
    play(gpu, cpu, 2 if on_streams else STEPS)
    if whole_games:
        assert gpu.play_out().numpy().tolist() == cpu.play_out().tolist()
        compare(gpu, cpu)
        play(gpu, cpu)  # from games that are over
        for there, here in zip(gpu.play_games(1), cpu.play_games(1), strict=True):
            assert there.numpy().tolist() == here.tolist()
    print("equal")


if __name__ == "__main__":
    main(sys.argv[1], "whole_games" in sys.argv, "little_shared" in sys.argv, "streams" in sys.argv)
