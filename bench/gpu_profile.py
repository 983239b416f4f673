"""What limits the kernels of a batch: registers, memory, threads at once; the memory's speed.

`python -m bench.gpu_profile` prints for each kernel what it takes of a multiprocessor and how many
threads that leaves room for, and measures how many bytes a second the memory copies. With `--game`
only for some games. Where Nsight Compute is installed, it says what a kernel waits for:

    ncu --clock-control none --set detailed --kernel-name regex:play_games --launch-count 1 \
        python -m bench.gpu_profile --game poison
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

import theriac
from bench import report
from bench.games import show
from bench.gpu import N, gpu_machine, seconds
from theriac.engine.gpu.batch import CudaBatch, need_gpu
from theriac.game import Game


def run_all(game: Game) -> CudaBatch:
    """Run every kernel of a game once, and once more where the first was a warm-up."""
    settings = game.settings({"players": game.players[-1], "first": 0})
    batch = game.batch(settings, N, device="cuda", auto_reset=True)
    assert isinstance(batch, CudaBatch)
    for _ in range(2):
        batch.step(batch.random_actions())
        batch.masks()
        batch.observations()
        batch.results()
        batch.play_games(1)
    batch.play_out()
    return batch


def resources(game: Game) -> list[list[str]]:
    """A row a kernel."""
    batch = run_all(game)
    return [_resources(game, batch, name) for name in _built(batch)]


def _built(batch: CudaBatch) -> list[str]:
    names = ("start", "step", "choose", "mark", "observe", "play_out", "play_games")
    return [f"{name}_batch" for name in names]


def _resources(game: Game, batch: CudaBatch, name: str) -> list[str]:
    from numba import cuda

    kernel = batch.kernels.build(name)
    (compiled,) = kernel.overloads.values()
    threads = batch.kernels.plan.threads(name)
    function = compiled._codelibrary.get_cufunc()  # noqa: SLF001 - Numba has no other
    blocks = cuda.current_context().get_active_blocks_per_multiprocessor(function, threads, 0)
    return [
        f"{game.name} {name}",
        str(threads),
        str(compiled.regs_per_thread),
        str(compiled.local_mem_per_thread),
        str(compiled.shared_mem_per_block),
        str(blocks * threads),
    ]


def copied_bytes_per_second(size: int = 4 << 30) -> float:
    """How fast the memory copies, bytes read and bytes written counted."""
    from numba import cuda

    source = cuda.device_array(size // 8, np.int64)
    target = cuda.device_array(size // 8, np.int64)
    source.copy_to_device(target)
    return 2 * size / seconds(lambda: target.copy_to_device(source), 5)


def main() -> None:
    """Show and keep."""
    parser = argparse.ArgumentParser(description="What limits the kernels of a batch.")
    parser.add_argument("--game", action="append", help="only this game")
    given = parser.parse_args()
    need_gpu()
    names = given.game or list(theriac.all_games())
    machine: dict[str, Any] = report.show_machine() | gpu_machine()
    rows = [row for name in names for row in resources(theriac.all_games()[name])]
    headings = ["kernel", "block", "registers", "local", "shared a block", "threads at once"]
    show(machine["gpu"], headings, rows)
    rate = copied_bytes_per_second()
    report.console.print(f"The memory copies {rate / 1e12:.2f} TB/s, read and written")


if __name__ == "__main__":
    main()
