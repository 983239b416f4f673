"""Compiled rules on disk: found again by the next start, never served stale."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import theriac
from tests.contract.setups import GAMES
from theriac.engine.cache import cache_folder, cache_home
from theriac.game import Game

PACKAGE = Path(theriac.__file__).parent

COUNT_COMPILING = """
import sys
from numba.core import event
from theriac.game import find

class Count(event.Listener):
    names = []
    def on_start(self, event):
        self.names.append(str(event.data["dispatcher"]))
    def on_end(self, event):
        pass

game = find(sys.argv[1])
settings = game.settings({"players": game.players[0], "first": 0})
event.register("numba:compile", Count())
text = settings.text
for name in game.engine("cpu").warm(settings.options, text.catalogue(), text.actions):
    pass
print(len(Count.names), *Count.names)
"""

TELL_FOLDERS = """
from theriac.engine.cache import cache_folder
from theriac.game import all_games
print(*sorted({cache_folder(game.folder.name).name for game in all_games().values()}))
"""


def run(source: str, *arguments: str, **environment: str) -> str:
    """What a fresh Python prints."""
    done = subprocess.run(
        [sys.executable, "-c", source, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
def test_the_second_start_compiles_nothing(game: Game, tmp_path: Path) -> None:
    """In a copy of the cache, which no other test writes to."""
    folder = cache_folder(game.folder.name)
    if folder.exists():
        shutil.copytree(folder, tmp_path / folder.name, ignore=shutil.ignore_patterns("*.tmp.*"))
    run(COUNT_COMPILING, game.name, THERIAC_CACHE=str(tmp_path))
    assert run(COUNT_COMPILING, game.name, THERIAC_CACHE=str(tmp_path)) == "0"


def test_the_cache_lies_where_the_environment_says(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("THERIAC_CACHE", str(tmp_path))
    assert cache_home() == tmp_path
    assert cache_folder("poison").parent == tmp_path
    monkeypatch.delenv("THERIAC_CACHE")
    assert cache_home().name == "compiled"
    assert "theriac" in cache_home().parts


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the package to change."""
    ignored = shutil.ignore_patterns("__pycache__", "tests")
    return Path(shutil.copytree(PACKAGE, tmp_path / "theriac", ignore=ignored))


def folders(package: Path) -> dict[str, str]:
    """The cache folder of each game's folder."""
    told = run(TELL_FOLDERS, PYTHONPATH=str(package.parent)).split()
    return {name.rsplit("-", 1)[0]: name for name in told}


def change(path: Path) -> None:
    path.write_text(path.read_text() + "\n# changed\n")


def test_a_changed_rule_has_another_folder_and_leaves_other_games_alone(copy: Path) -> None:
    before = folders(copy)
    name = GAMES[0].folder.name
    change(copy / "games" / name / "rules.py")
    after = folders(copy)
    assert {game for game in before if before[game] != after[game]} == {name}


@pytest.mark.parametrize("file", ["loops.py", "chance.py", "build.py", "contract.py"])
def test_a_changed_engine_has_other_folders_for_all(copy: Path, file: str) -> None:
    before = folders(copy)
    change(copy / "engine" / file)
    after = folders(copy)
    assert {game for game in before if before[game] != after[game]} == set(before)


def test_what_is_no_rule_changes_no_folder(copy: Path) -> None:
    before = folders(copy)
    change(copy / "record.py")
    change(copy / "games" / GAMES[0].folder.name / "deck.toml")
    assert folders(copy) == before


def test_a_copy_of_the_same_sources_has_the_same_folder(copy: Path) -> None:
    assert folders(copy) == folders(PACKAGE)
