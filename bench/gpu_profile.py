"""Resources and occupancy of the kernels of a batch, and the bandwidth of global memory.

`python -m bench.gpu_profile` prints for each kernel its registers, local and shared memory, and the
number of resident threads per multiprocessor; and measures the bandwidth of a copy. `--game`
selects games. Nsight Compute, where it is installed, shows what a kernel stalls on:

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
    """Run every kernel of a game; most of them twice, the first time to warm up."""
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
    """One table row per kernel."""
    batch = run_all(game)
    names = ("start", "step", "choose", "mark", "observe", "play_out", "play_low_games")
    return [_resources(game, batch, f"{name}_batch") for name in names]


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
    """The bandwidth of a copy in global memory, reads and writes counted."""
    from numba import cuda

    source = cuda.device_array(size // 8, np.int64)
    target = cuda.device_array(size // 8, np.int64)
    source.copy_to_device(target)
    return 2 * size / seconds(lambda: target.copy_to_device(source), 5)


def main() -> None:
    """Print the resources of the kernels and the memory bandwidth."""
    parser = argparse.ArgumentParser(
        description="Resources and occupancy of the kernels of a batch."
    )
    parser.add_argument("--game", action="append", help="only this game")
    given = parser.parse_args()
    need_gpu()
    names = given.game or list(theriac.all_games())
    machine: dict[str, Any] = report.show_machine() | gpu_machine()
    rows = [row for name in names for row in resources(theriac.all_games()[name])]
    headings = [
        *("kernel", "threads per block", "registers", "local bytes", "shared bytes per block"),
        "resident threads per multiprocessor",
    ]
    show(machine["gpu"], headings, rows)
    rate = copied_bytes_per_second()
    report.console.print(f"Copy bandwidth: {rate / 1e12:.2f} TB/s, reads and writes")


if __name__ == "__main__":
    main()
