"""An adapter whose package is not installed says what to install."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("adapter", "package"),
    [
        ("pettingzoo", "pettingzoo"),
        ("pettingzoo", "gymnasium"),
        ("gymnasium", "gymnasium"),
        ("gymnasium_vector", "gymnasium"),
        ("openspiel", "pyspiel"),
        ("openspiel_bots", "pyspiel"),
        ("jax", "jax"),
    ],
)
def test_a_missing_package_is_named(adapter: str, package: str) -> None:
    code = f"import sys; sys.modules['{package}'] = None; import theriac.adapters.{adapter}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    last = done.stderr.strip().splitlines()[-1]
    extra = adapter.partition("_")[0]
    message = f"{package} is not installed: pip install 'theriac-games[{extra}]'"
    assert last == f"ImportError: {message}"


def test_the_rest_needs_none_of_them() -> None:
    code = "import sys, theriac.cli, theriac.arena, theriac.bots; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert not loaded & {"gymnasium", "jax", "pettingzoo", "pyspiel", "theriac.adapters"}


def test_a_bot_whose_package_is_missing_says_so() -> None:
    code = "import sys; sys.modules['pyspiel'] = None; import theriac.bots as b; b.bot('openspiel')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    message = "bot openspiel: pyspiel is not installed: pip install 'theriac-games[openspiel]'"
    assert done.stderr.strip().splitlines()[-1] == f"theriac.faults.Fault: {message}"
