"""Play batches in Numba's CUDA simulator and on the CPU, and compare them: for `test_gpu`.

It runs in a process of its own, because the simulator is chosen when Numba is imported. It
interprets the same kernels, with one thread of the operating system per CUDA thread.
"""

from __future__ import annotations

import copy
import pickle
import sys

from bench.gpu import compare
from theriac.engine.batch import Batch
from theriac.engine.gpu import batch, plan
from theriac.game import find
from theriac.testing.setups import setups_of

GAMES, STEPS = 3, 7
#: Of slow batches, which are compared once: one of the steps has actions that may be illegal.
FEW_STEPS = 3
#: The threads of a block, which has 128 on a GPU.
THREADS = 32
#: What is compared of a game, or under which restrictions.
FLAGS = ("whole_games", "little_shared", "streams", "parts")
#: A batch that is split among streams, as large batches are.
SPLIT_GAMES, GAMES_PER_STREAM = 66, THREADS


def play(gpu: Batch, cpu: Batch, steps: int = STEPS) -> None:
    """Take some steps, every third of them with actions that may be illegal."""
    for step in range(steps):
        chosen, same = gpu.random_actions(), cpu.random_actions()
        assert chosen.numpy().tolist() == same.tolist()
        actions = (same + 1) % cpu.actions if step % 3 == 2 else same
        assert gpu.step(actions).numpy().tolist() == cpu.step(actions).tolist()
    compare(gpu, cpu)


def compare_parts(gpu: Batch, cpu: Batch) -> None:
    """Compare what is asked of single games, copies, and batches saved on the other device."""
    for each in (gpu, cpu):
        each.reset(2**63 + 5, first=2**40)
    play(gpu, cpu, 3)
    for seat in range(cpu.players):
        assert gpu.observations(seat).numpy().tolist() == cpu.observations(seat).tolist()
        assert gpu.view(1, seat) == cpu.view(1, seat)
    assert gpu.legal_texts(2) == cpu.legal_texts(2)
    twins = [gpu.clone(), copy.deepcopy(gpu), pickle.loads(pickle.dumps(gpu))]
    saved = gpu.save()
    actions = cpu.random_actions()
    gpu.random_actions()
    actions[1] = -1
    assert gpu.step(actions).numpy().tolist() == cpu.step(actions).tolist()
    for each in (gpu, cpu):
        each.reset_games([2])
    compare(gpu, cpu)
    cpu.restore(saved)
    for twin in twins:
        compare(twin, cpu)
    gpu.restore(cpu.save())
    play(gpu, cpu, 3)
    for twin in twins:
        other = cpu.clone()
        other.restore(saved)
        play(twin, other, 2)


def main(names: list[str], flags: set[str]) -> None:
    """Compare these games, one after the other."""
    prepare("little_shared" in flags, "streams" in flags)
    for name in names:
        compare_game(name, **{flag: flag in flags for flag in FLAGS})
    print("equal")


def prepare(little_shared: bool, on_streams: bool) -> None:
    """Give all batches of this process few threads, and these restrictions."""
    if little_shared:
        vars(plan)["_SHARED_BYTES"] = 64  # no shared workspace, and masks in many passes
    for module in (batch, plan):  # each is a thread of the operating system
        vars(module)["THREADS"] = THREADS
    if on_streams:
        vars(batch)["MIN_GAMES_PER_STREAM"] = GAMES_PER_STREAM


def compare_game(
    name: str, whole_games: bool, little_shared: bool, streams: bool, parts: bool
) -> None:
    """Compare steps and whole games."""
    setup = setups_of(find(name))[0]
    games = SPLIT_GAMES if streams else GAMES
    gpu, cpu = (
        setup.game.batch(setup.settings, games, device=device, seed=7, auto_reset=True)
        for device in ("cuda", "cpu")
    )
    assert gpu.device == "cuda"
    if parts:
        compare_parts(gpu, cpu)
        return
    slow = streams or little_shared
    if not slow:
        compare(gpu, cpu)
    play(gpu, cpu, FEW_STEPS if slow else STEPS)
    if whole_games:
        assert gpu.play_out().numpy().tolist() == cpu.play_out().tolist()
        compare(gpu, cpu)
        play(gpu, cpu)  # from games that are over
        for first in (0, 2**32 - 1):  # below 2**32, and games on both sides of it
            for there, here in zip(gpu.play_games(1, first), cpu.play_games(1, first), strict=True):
                assert there.numpy().tolist() == here.tolist()


if __name__ == "__main__":
    main([name for name in sys.argv[1:] if name not in FLAGS], {*sys.argv} & {*FLAGS})
