"""The arena in a script: without a main guard, unless the script brings bots of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

TOURNAMENT = """
from theriac.arena.run import make_runner
from theriac.arena.schedule import Schedule, TableSetup, line_ups
from theriac.bots import Bot

class Last(Bot):
    def answer(self, question):
        return int(question.legal[-1])

def make(name, seed):
    return Last(name, seed)

print("started")
table = TableSetup("three", {"players": 3}, line_ups(("random",), 3))
schedule = Schedule("arena", "poison", ("random",), [table], deals=1, seed=0, limit=10.0)
"""
PLAY = "print(len(list(make_runner(None, 1, 10.0{more}).play(schedule.games()))), 'played')\n"


def run(folder: Path, play: str) -> subprocess.CompletedProcess[str]:
    script = folder / "script.py"
    script.write_text(TOURNAMENT + play)
    return subprocess.run(
        [sys.executable, str(script)],
        env={**os.environ, "THERIAC_JIT": "0"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_named_bots_need_no_main_guard(tmp_path: Path) -> None:
    """The workers do not import the script."""
    done = run(tmp_path, PLAY.format(more=""))
    assert (done.stdout, done.stderr, done.returncode) == ("started\n1 played\n", "", 0)


def test_own_bots_without_a_main_guard_give_one_sentence(tmp_path: Path) -> None:
    done = run(tmp_path, PLAY.format(more=", make"))
    assert done.returncode == 1
    assert "played" not in done.stdout
    assert done.stderr.count("the script has no main guard") == 1
    assert 'if __name__ == "__main__":' in done.stderr.splitlines()[-1]


def test_own_bots_with_a_main_guard_play(tmp_path: Path) -> None:
    guarded = 'if __name__ == "__main__":\n    ' + PLAY.format(more=", make")
    done = run(tmp_path, guarded)
    assert (done.stderr, done.returncode) == ("", 0)
    assert "1 played" in done.stdout
