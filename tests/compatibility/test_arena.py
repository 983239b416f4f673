"""Run folders of the arena and the lab that the version before the renaming has written.

`arena/` holds one of each, with the deck they were played with. `printed.json` is what `--json`
printed then.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.arena.samples import without_times
from tests.command import call
from theriac.arena.arena_game import GameResult

STORED = Path(__file__).parent / "arena"
OLD, NEW = (
    "search:simulations=3,curiosity=1,few=2",
    "search:simulations=3,exploration=1,playout_width=2",
)
ARENA = f"arena poison {NEW} random --games 16 --deck deck.toml --format csv --players 4 --json"
LAB = (
    "lab poison --vary open_piles=false,true --deck deck.toml --games 1 --decisions 1 --playouts 2"
    " --bot random --players 4 --format csv --json"
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("THERIAC_JIT", "0")
    monkeypatch.chdir(tmp_path)
    shutil.copy(STORED / "deck.toml", tmp_path)
    for kind in ("arena", "lab"):
        shutil.copytree(STORED / kind, tmp_path / kind)
    return tmp_path


def results(folder: Path) -> list[GameResult]:
    lines = (folder / "games.jsonl").read_bytes().splitlines()
    games = [msgspec.json.decode(line, type=GameResult) for line in lines]
    return sorted(games, key=lambda game: game.key)


def assert_equal_results(found: Any, stored: Any) -> None:
    """Equal but for times and intervals: Student's t was rounded then, ratings too narrow."""
    if isinstance(stored, dict):
        for key in stored:
            if "seconds" not in key and key not in ("rating_low", "rating_high"):
                assert_equal_results(found[key], stored[key])
    elif isinstance(stored, list):
        assert len(found) == len(stored)
        for one, other in zip(found, stored, strict=True):
            assert_equal_results(one, other)
    else:
        rounded = isinstance(stored, float)
        assert found == (pytest.approx(stored, rel=1e-4, abs=1e-4) if rounded else stored)


@pytest.mark.parametrize(("kind", "line"), [("arena", ARENA), ("lab", LAB)])
def test_a_finished_run_is_reported_as_it_was(
    kind: str, line: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (folder / kind / "games.jsonl").read_bytes()
    said = call(capsys, *line.split(), "--out", kind)
    assert said.err == ""
    assert_equal_results(
        json.loads(said.out), json.loads((STORED / kind / "printed.json").read_text())
    )
    assert (folder / kind / "games.jsonl").read_bytes() == before
    assert (folder / kind / "report.html").exists()
    assert (folder / kind / "games.csv").exists()


def test_an_unfinished_run_resumes_with_the_games_it_would_have_played(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Bots keep their seeds, which depend on the names they are stored by."""
    log = folder / "arena" / "games.jsonl"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-4]))
    assert (
        json.loads(call(capsys, *ARENA.split(), "--out", "arena", "--jobs", 1).out)["games"] == 16
    )
    assert without_times(results(folder / "arena")) == without_times(results(STORED / "arena"))


def test_the_old_name_is_refused_on_the_command_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = call(capsys, *ARENA.replace(NEW, OLD).split(), "--out", "arena")
    assert (said.status, said.out) == (2, "")
    assert "the parameter curiosity was renamed: write exploration=1" in said.err


def test_another_schedule_is_still_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = call(capsys, *ARENA.replace("exploration=1", "exploration=2").split(), "--out", "arena")
    assert said.status == 2
    assert "it was started with bots" in said.err
