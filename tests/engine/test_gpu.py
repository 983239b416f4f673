"""Batches on a GPU, as far as a machine without one can test them; `bench.gpu` tests the rest."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

import theriac
from theriac.faults import Fault
from theriac.game import all_games
from theriac.testing.profiles import often

ROOT = Path(__file__).parents[2]

needs_numba_cuda = pytest.mark.skipif(
    importlib.util.find_spec("numba_cuda") is None, reason="needs numba-cuda"
)


#: Games of one folder have the same rules. The smallest state comes first.
BY_SIZE = sorted(
    {game.module: game for game in all_games().values()}.values(),
    key=lambda game: game.shape.state.itemsize,
)
SMALLEST, LARGEST = BY_SIZE[0].name, BY_SIZE[-1].name
#: Each row is a process; the games without a flag share one, since starting takes long.
#: `whole_games` begins with what is compared of the other games. The parts of the largest game,
#: whose records are in another memory, take as long as five games: `make test-long` compares them.
COMPARED = [
    " ".join(game.name for game in BY_SIZE[1:]),
    f"{SMALLEST} little_shared",
    f"{SMALLEST} streams",
    f"{SMALLEST} parts",
    f"{SMALLEST} whole_games",
    *often([], long=[f"{LARGEST} parts"]),
]


@needs_numba_cuda
@pytest.mark.parametrize("what", COMPARED)
def test_kernels_give_the_results_of_the_cpu(what: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.engine.simulated", *what.split()],
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "THERIAC_JIT": "0"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.returncode) == ("equal\n", 0), done.stderr[-2000:]


@needs_numba_cuda
def test_the_error_without_a_gpu_names_what_is_missing() -> None:
    from numba import cuda

    if cuda.is_available():
        pytest.skip("there is a GPU")
    with pytest.raises(Fault, match=r'device cuda: no usable GPU was found .*use device="cpu"'):
        theriac.batch("poison", 2, device="cuda", players=3)
