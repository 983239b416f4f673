"""The smallest game, in `smallest_package`: a package in which all is derived that can be.

It has no view, no bots, no screen and no board. Every test of the contract is run over it, in a
process of its own, where its package is installed.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import process
from tests.packages import install

PACKAGE = Path(__file__).parent / "smallest_package"
DERIVED = "advise, advise_source, encode, imagine, list_legal, odds, prospect, result, see"


@pytest.fixture
def path(tmp_path: Path) -> str:
    """Where Python finds the package and its entry point."""
    install(tmp_path, "theriac-smallest", {"smallest": "smallest"})
    return os.pathsep.join([str(tmp_path), str(PACKAGE), *sys.path])


def run_python(path: str, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Python in a process of its own, which finds the package."""
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": path, **more},
        cwd=PACKAGE.parents[1],
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_smallest_game_passes_every_test_of_the_contract(path: str) -> None:
    done = run_python(
        path, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(PACKAGE),
        "--pyargs", "theriac.testing", "--game", "smallest",
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:]
    assert " failed" not in done.stdout


def test_its_derived_rules_compile_for_cuda(path: str) -> None:
    done = run_python(
        path, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_ptx.py",
        "-k", "test_its_rules_and_kernels_compile_to_ptx and smallest",
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:]


@pytest.mark.skipif(importlib.util.find_spec("numba_cuda") is None, reason="needs numba-cuda")
def test_its_derived_rules_give_the_same_on_a_simulated_gpu(path: str) -> None:
    more = {"NUMBA_ENABLE_CUDASIM": "1", "THERIAC_JIT": "0"}
    done = run_python(path, "-m", "tests.engine.simulated", "smallest", **more)
    assert done.stdout == "equal\n", done.stderr[-3000:]


def test_the_check_says_what_is_derived(path: str, tmp_path: Path) -> None:
    said = process(tmp_path, "check", "smallest", "--no-compiled", PYTHONPATH=path)
    assert said.status == 0, said.out
    assert f"derived: {DERIVED} (" in " ".join(said.out.split())
    assert "error" not in said.out


def test_it_is_played_on_the_plain_screen(path: str, tmp_path: Path) -> None:
    said = process(
        tmp_path, "play", "smallest", "--seed", "00" * 32,
        typed="1\n1\n1\n1\n", PYTHONPATH=path, THERIAC_JIT="0",
    )  # fmt: skip
    assert said.status == 0, said.err
    assert "Your hand" in said.out
