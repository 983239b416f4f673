"""The scripts of `examples/` run. The two bots have tests of their own, in `bots` and `server`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
#: What each script is called with, and what it must print.
SCRIPTS = {
    "simulate_batch.py": ("--games 50", "seat 3: wins 0."),
    "replay_and_inspect.py": ("", "verified: all 5 moves are legal"),
    "review_games.py": ("1", "skill per game: greedy "),
    "tournament.py": ("greedy random --games 8 --jobs 1", "greedy: "),
    "design_variant.py": ("--games 2 --jobs 1", "values 1 to 7 only"),
    "openspiel_ismcts.py": ("theriac_shock --games 1 --simulations 2", "mean return"),
    "openspiel_bots.py": ("--games 2 --simulations 1 --jobs 1", "2 games, 0 forfeits"),
    "train_poison.py": ("--updates 1 --num-envs 8 --width 8 --games 2", "the network is"),
}
TESTED_ELSEWHERE = {"line_bot.py", "network_bot.py"}


@pytest.mark.parametrize("name", SCRIPTS)
def test_an_example_runs(name: str, tmp_path: Path) -> None:
    arguments, expected = SCRIPTS[name]
    command = [sys.executable, str(EXAMPLES / name), *arguments.split()]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert expected in done.stdout


def test_every_example_is_tested() -> None:
    assert {path.name for path in EXAMPLES.glob("*.py")} == {*SCRIPTS, *TESTED_ELSEWHERE}
