"""Plays batches on Numba's simulator of a GPU beside those of the CPU, for `test_gpu`.

A process of its own: the simulator is chosen before Numba is loaded. Its kernels are the same
source, interpreted, a thread of the operating system for each of theirs.
"""

from __future__ import annotations

import sys

from bench.gpu import compare
from tests.contract.setups import setups_of
from theriac.engine.batch import Batch
from theriac.engine.gpu import batch, plan
from theriac.game import find

GAMES, STEPS = 3, 10
#: A batch of two parts, as large ones are, and what is then the least part.
TWO_PARTS, PART = 66, 32


def play(gpu: Batch, cpu: Batch, steps: int = STEPS) -> None:
    """Some steps, every third of them with an action that may be refused."""
    for step in range(steps):
        chosen, same = gpu.random_actions(), cpu.random_actions()
        assert chosen.numpy().tolist() == same.tolist()
        actions = (same + 1) % cpu.actions if step % 3 == 2 else same
        assert gpu.step(actions).numpy().tolist() == cpu.step(actions).tolist()
    compare(gpu, cpu)


def main(name: str, whole: bool, little_room: bool, in_parts: bool) -> None:
    """Compare all that both tell: of steps, and of whole games."""
    if little_room:
        vars(plan)["_SHARED_BYTES"] = 64  # no shared workspace, and masks in many passes
    if in_parts:
        vars(batch).update(LEAST_PART=PART, THREADS=PART)
    setup = setups_of(find(name))[0]
    games = TWO_PARTS if in_parts else GAMES
    gpu, cpu = (
        setup.game.batch(setup.settings, games, device=device, seed=7, auto_reset=True)
        for device in ("cuda", "cpu")
    )
    assert gpu.device == "cuda"
    if not in_parts:
        compare(gpu, cpu)
    play(gpu, cpu, 2 if in_parts else STEPS)
    if whole:
        assert gpu.play_out().numpy().tolist() == cpu.play_out().tolist()
        compare(gpu, cpu)
        play(gpu, cpu)  # from games that are over
        for there, here in zip(gpu.play_games(1), cpu.play_games(1), strict=True):
            assert there.numpy().tolist() == here.tolist()
    print("the same")


if __name__ == "__main__":
    main(sys.argv[1], "whole" in sys.argv, "little" in sys.argv, "parts" in sys.argv)
