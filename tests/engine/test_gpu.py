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

ROOT = Path(__file__).parents[2]

needs_numba_cuda = pytest.mark.skipif(
    importlib.util.find_spec("numba_cuda") is None, reason="needs numba-cuda"
)


@needs_numba_cuda
@pytest.mark.parametrize(
    "what",
    [
        "poison",
        "poison little_shared",
        "poison streams",
        "shokoba",
        "shock whole_games",
        "anaphylaxis little_shared",
        "dungeon",
    ],
)
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
