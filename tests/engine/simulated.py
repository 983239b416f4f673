"""Plays batches on Numba's simulator of a GPU beside those of the CPU, for `test_gpu`.

A process of its own: the simulator is chosen before Numba is loaded. Its kernels are the same
source, interpreted, a thread of the operating system for each of theirs.
"""

from __future__ import annotations

import sys

from bench.gpu import compare
from tests.contract.setups import setups_of
from theriac.engine import cuda
from theriac.engine.batch import Batch
from theriac.game import find

GAMES, STEPS = 3, 10


def play(gpu: Batch, cpu: Batch) -> None:
    """Some steps, every third of them with an action that may be refused."""
    for step in range(STEPS):
        chosen, same = gpu.random_actions(), cpu.random_actions()
        assert chosen.numpy().tolist() == same.tolist()
        actions = (same + 1) % cpu.actions if step % 3 == 2 else same
        assert gpu.step(actions).numpy().tolist() == cpu.step(actions).tolist()
    compare(gpu, cpu)


def main(name: str, whole: bool, little_room: bool) -> None:
    """Compare all that both tell: of steps, and of whole games."""
    if little_room:
        vars(cuda)["_MOST_SHARED"] = 64  # no desk, and masks in many pieces
    setup = setups_of(find(name))[0]
    gpu, cpu = (
        setup.game.batch(setup.settings, GAMES, device=device, seed=7, auto_reset=True)
        for device in ("cuda", "cpu")
    )
    assert gpu.device == "cuda"
    compare(gpu, cpu)
    play(gpu, cpu)
    if whole:
        assert gpu.play_out().numpy().tolist() == cpu.play_out().tolist()
        compare(gpu, cpu)
        play(gpu, cpu)  # from games that are over
        for there, here in zip(gpu.play_games(1), cpu.play_games(1), strict=True):
            assert there.numpy().tolist() == here.tolist()
    print("the same")


if __name__ == "__main__":
    main(sys.argv[1], "whole" in sys.argv, "little" in sys.argv)
