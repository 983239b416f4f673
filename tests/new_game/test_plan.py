"""`theriac new-game`: what it refuses, and where it writes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.command import call
from theriac.faults import Fault
from theriac.new_game import KINDS, plan, plan_game, write_game

#: What is typed after `theriac new-game`, and what is said about it.
REFUSED = {
    "Rummy": "Rummy cannot be the name of a game: use lower-case letters, digits and _",
    "7up": "7up cannot be the name of a game",
    "rummy-2": "rummy-2 cannot be the name of a game",
    "../rummy": "../rummy cannot be the name of a game",
    "class": "class cannot be the name of a game: use lower-case letters",
    "poison": "there is a game called poison already: choose another name",
    "shock --letters QQQ": "there is a game called shock already",
    "rummy --like chess": "there is no such template: use tricks, cauldrons, captures or map",
    "rummy --letters AB": "--letters AB: use three capital letters, such as ABC",
    "rummy --letters rum": "--letters rum: use three capital letters",
    "rummy --letters POI": "--letters POI: the clauses of poison have them: use others",
    "go": "no three letters of go are free for its clauses: give --letters ABC",
    "rummy --out full": "--out full: the folder is not empty: name a new one",
    "rummy --out file": "--out file: it is a file: name a new folder",
    "server": "there is a package theriac.games.server already",
}


@pytest.mark.parametrize(("typed", "said"), REFUSED.items())
def test_what_cannot_be_written_is_refused_in_one_sentence(
    typed: str,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    (tmp_path / "file").touch()
    if typed == "server":  # a folder of a game that is broken, so that it is not among the games
        monkeypatch.setattr("importlib.util.find_spec", lambda name: name)
    before = sorted(tmp_path.rglob("*"))
    outcome = call(capsys, "new-game", *typed.split())
    assert (outcome.status, outcome.out) == (2, "")
    assert said in outcome.err
    assert len(outcome.err.splitlines()) == 1
    assert sorted(tmp_path.rglob("*")) == before


def test_the_letters_come_from_the_name_and_avoid_those_taken() -> None:
    assert plan_game("rummy", "tricks", None, Path("x")).letters == "RUM"
    assert plan_game("sun_and_moon", "tricks", None, Path("x")).letters == "SUN"
    assert plan_game("poisoned", "tricks", None, Path("x")).letters == "POS"
    assert plan_game("go", "tricks", "GOO", Path("x")).letters == "GOO"


def test_in_a_clone_a_game_is_a_folder_of_theriac(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = plan_game("rummy", "map", None, None)
    assert here.module == "theriac.games.rummy"
    assert here.folder == Path(plan.__file__).parents[1] / "games" / "rummy"
    games = tmp_path / "src" / "theriac" / "games"
    # Where the function looks it up: collecting doctests may have loaded the module once more.
    monkeypatch.setitem(plan_game.__globals__, "_games", lambda: games)
    with pytest.raises(Fault, match=r"not a clone of the repository: name a folder .* --out"):
        plan_game("rummy", "map", None, None)
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "tests").mkdir()
    written = write_game(plan_game("rummy", "map", None, None))
    assert games / "rummy" / "rules.py" in written
    assert not (games / "rummy" / "pyproject.toml").exists()
    assert games / "rummy" / "tests" / "mutants.toml" in written
    with pytest.raises(Fault, match="exists already"):
        plan_game("rummy", "map", None, None)


@pytest.mark.parametrize("kind", KINDS)
def test_no_file_is_overwritten_and_no_placeholder_is_left(kind: str, tmp_path: Path) -> None:
    asked = plan_game("sun_and_moon", kind, None, tmp_path / "out")
    written = write_game(asked)
    assert tmp_path / "out" / "src" / "theriac_sun_and_moon" / "tests" / "cases.py" in written
    assert "mutants.toml" not in {path.name for path in written}, "it has no make mutants"
    for path in written:
        text = path.read_text("utf-8")
        assert re.findall("game_name|Game Title|ABC-", text) == [], path
    with pytest.raises(FileExistsError):
        write_game(asked)
