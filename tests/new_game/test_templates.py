"""A new game of each kind plays, `theriac check` finds nothing wrong, and its tests pass."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

import theriac
from tests.command import environment, process
from tests.packages import install, searched
from theriac.new_game import KINDS
from theriac.testing.profiles import often

#: What a new game does not have yet.
MISSING = ("encoding.toml", "there is no translation into", "tutorial/", "screen.py", "board/")
#: The tests over all games that need no compiled rules: quick enough for every kind.
INTERPRETED = "(plain or test_clauses or test_notation or test_shape) and not cpu"
#: The kinds for which those with compiled rules run, too, except those that compile most of the
#: engine: the games of Theriac test that.
COMPILED = often((), KINDS)
QUICK = "not test_review and not test_simulation"
#: Its own tests.
OWN = "test_rules"


@pytest.fixture(params=KINDS, scope="module")
def kind(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


@pytest.fixture(scope="module")
def site(kind: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of packages of an environment in which a new game is installed."""
    home = tmp_path_factory.mktemp(kind)
    said = process(home, "new-game", f"my_{kind}", "--like", kind, "--out", "out")
    assert said.status == 0, said.err
    assert f"pip install -e out\n  THERIAC_JIT=0 theriac play my_{kind}\n" in said.out
    site = home / "out" / "src"
    install(site, f"theriac-my-{kind}", {f"my_{kind}": f"theriac_my_{kind}"})
    return site


def test_the_check_finds_nothing_wrong(kind: str, site: Path) -> None:
    said = process(site, "check", str(site.parent), "--no-compiled", "--json")
    report = json.loads(said.out)
    assert (report["games"], report["errors"]) == ([f"my_{kind}"], [])
    assert [text for text in report["warnings"] if not text.startswith(MISSING)] == []


def test_a_whole_game_plays(kind: str, site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with searched(site, monkeypatch):
        match = theriac.new(f"my_{kind}", seed=bytes(32), players=3)
        random = Random(1)
        while not match.over:
            match.play(random.choice(match.legal()))
        assert theriac.replay(match.record()).results() == match.results()


def test_it_is_played_in_the_terminal(kind: str, site: Path) -> None:
    path = os.pathsep.join([str(site), *sys.path])
    said = process(
        site, "play", f"my_{kind}", "--seed", "00" * 32, typed="table\n1\nquit\n", PYTHONPATH=path
    )
    assert said.status == 0, said.err
    assert "Your hand" in said.out


def test_its_own_tests_and_those_of_every_game_pass(kind: str, site: Path) -> None:
    chosen = QUICK if kind in COMPILED else f"{OWN} or ({INTERPRETED})"
    modules = (f"theriac_my_{kind}", "theriac.testing")
    said = run_pytest(site, *modules, "--game", f"my_{kind}", "-k", chosen, "-rp")
    assert f"{OWN}.py::" in said and "test_clauses.py::" in said


def run_pytest(site: Path, *arguments: str) -> str:
    """The output of tests that pass, in a process that finds the new game."""
    path = os.pathsep.join([str(site), *sys.path])
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--pyargs", *arguments],
        cwd=site,
        env=environment(site.parent, PYTHONPATH=path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:]
    return done.stdout
