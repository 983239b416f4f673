"""The cache of compiled rules: used by the next process, never stale."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import theriac
from theriac.cli.setup import remove_old
from theriac.engine.cache import cache_folder, cache_home
from theriac.game import Game
from theriac.testing.setups import GAMES

PACKAGE = Path(theriac.__file__).parent
#: Games of one folder have the same compiled rules.
BY_FOLDER = list({game.module: game for game in GAMES}.values())

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

PRINT_FOLDERS = """
from theriac.engine.cache import cache_folder
from theriac.game import all_games
print(*sorted({cache_folder(game.module).name for game in all_games().values()}))
"""


def run(source: str, *arguments: str, **environment: str) -> str:
    """The output of a new Python process."""
    done = subprocess.run(
        [sys.executable, "-c", source, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("game", BY_FOLDER, ids=[game.name for game in BY_FOLDER])
def test_the_second_start_compiles_nothing(game: Game, tmp_path: Path) -> None:
    """In a copy of the cache, to which no other test writes."""
    folder = cache_folder(game.module)
    if folder.exists():
        shutil.copytree(folder, tmp_path / folder.name, ignore=shutil.ignore_patterns("*.tmp.*"))
    # After `theriac setup` the first start is a second one already.
    starts = (run(COUNT_COMPILING, game.name, THERIAC_CACHE=str(tmp_path)) for _ in range(2))
    assert "0" in starts


def test_another_checkout_compiles_nothing(copy: Path, tmp_path: Path) -> None:
    """The same sources in another folder: a new environment, or a second clone."""
    game = BY_FOLDER[0]
    folder, cache = cache_folder(game.module), tmp_path / "cache"
    if folder.exists():
        shutil.copytree(folder, cache / folder.name, ignore=shutil.ignore_patterns("*.tmp.*"))
    run(COUNT_COMPILING, game.name, THERIAC_CACHE=str(cache))
    there = {"THERIAC_CACHE": str(cache), "PYTHONPATH": str(copy.parent)}
    assert run(COUNT_COMPILING, game.name, **there) == "0"


def test_no_two_games_have_the_same_symbols() -> None:
    """A process that loads both would call the rules of the first for the second."""
    for game in GAMES:
        match = theriac.new(game.name, players=game.players[0], seed=bytes(32), speed="cpu")
        list_at: Any = game.engine("cpu").list_at
        assert match.legal()
        assert list_at.overloads
        for compiled in list_at.overloads.values():
            assert game.folder.name in compiled.fndesc.mangled_name


def test_the_environment_sets_the_cache_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("THERIAC_CACHE", str(tmp_path))
    assert cache_home() == tmp_path
    assert cache_folder("theriac.games.poison").parent == tmp_path
    monkeypatch.delenv("THERIAC_CACHE")
    assert cache_home().name == "compiled"
    assert "theriac" in cache_home().parts


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the package, to be changed."""
    ignored = shutil.ignore_patterns("__pycache__", "tests")
    return Path(shutil.copytree(PACKAGE, tmp_path / "theriac", ignore=ignored))


@functools.cache
def folders_before() -> dict[str, str]:
    """The cache folder of each game's folder, in a package that is not changed."""
    return folders(PACKAGE)


def folders(package: Path) -> dict[str, str]:
    """The cache folder of each game's folder."""
    names = run(PRINT_FOLDERS, PYTHONPATH=str(package.parent)).split()
    return {name.rsplit("-", 1)[0]: name for name in names}


def change(path: Path) -> None:
    path.write_text(path.read_text() + "\n# changed\n")


def test_a_changed_rule_changes_no_folder_of_another_game_of_theriac(copy: Path) -> None:
    """Those of installed packages change: they may use rules of Theriac's games."""
    before = folders_before()
    name = GAMES[0].folder.name
    change(copy / "games" / name / "rules.py")
    after = folders(copy)
    installed = {game for game in before if not (copy / "games" / game).is_dir()}
    assert {game for game in before if before[game] != after[game]} == {name, *installed}


@pytest.mark.parametrize("file", ["loops.py", "chance.py", "build.py", "contract.py"])
def test_a_changed_engine_changes_all_folders(copy: Path, file: str) -> None:
    before = folders_before()
    change(copy / "engine" / file)
    after = folders(copy)
    assert {game for game in before if before[game] != after[game]} == set(before)


def test_a_file_without_rules_changes_no_folder(copy: Path) -> None:
    before = folders_before()
    change(copy / "record.py")
    change(copy / "games" / GAMES[0].folder.name / "deck.toml")
    assert folders(copy) == before


def test_equal_sources_have_the_same_folder(copy: Path) -> None:
    assert folders(copy) == folders_before()


def test_setup_removes_what_no_checkout_has_used_for_days(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Young code of other sources may belong to another checkout with the same cache."""
    monkeypatch.setenv("THERIAC_CACHE", str(tmp_path))
    name = cache_folder(GAMES[0].module).name.rpartition("-")[0]
    abandoned, young, foreign = f"{name}-{'0' * 16}", f"{name}-{'1' * 16}", f"else-{'0' * 16}"
    for folder in (abandoned, young, foreign):
        (tmp_path / folder).mkdir()
    for folder in (abandoned, foreign):
        os.utime(tmp_path / folder, (0, 0))
    assert remove_old() == [abandoned]
    assert {path.name for path in tmp_path.iterdir()} == {young, foreign}
