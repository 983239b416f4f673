"""Batches on a GPU, as far as a machine without one can tell: `bench.gpu` tells the rest."""

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
        "poison little",
        "poison parts",
        "shokoba",
        "shock whole",
        "anaphylaxis little",
        "dungeon",
    ],
)
def test_kernels_play_as_the_cpu_does(what: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.engine.simulated", *what.split()],
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "THERIAC_JIT": "0"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.returncode) == ("the same\n", 0), done.stderr[-2000:]


@needs_numba_cuda
def test_without_a_gpu_it_says_what_is_missing() -> None:
    from numba import cuda

    if cuda.is_available():
        pytest.skip("there is a GPU")
    with pytest.raises(Fault, match=r'device cuda: no GPU .* was found .*use device="cpu"'):
        theriac.batch("poison", 2, device="cuda", players=3)
