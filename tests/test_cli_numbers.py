"""`theriac count`, `bench` and `setup`."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.command import SEED, call
from theriac.cli import setup
from theriac.engine.cache import cache_folder
from theriac.engine.entry_points import ENTRY_POINTS
from theriac.game import all_games
from theriac.match import Match
from theriac.record import replay

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THERIAC_JIT", "0")


def count_by_playing(match: Match, depth: int) -> list[int]:
    """How many positions there are at each depth, counted with `Match`."""
    if depth == 0:
        return [1]
    below = [0] * depth
    for move in match.legal():
        after = replay({**match.record(), "moves": [*match.moves, move]})
        below = [a + b for a, b in zip(below, count_by_playing(after, depth - 1), strict=True)]
    return [1, *below]


@pytest.mark.parametrize("name", list(all_games()))
def test_with_a_seed_only_moves_are_counted(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    game = all_games()[name]
    match = Match(game, {"players": game.players[0]}, seed=SEED)
    depth = 2 if len(match.legal()) < 40 else 1  # each position is a game replayed from the start
    arguments = ("--depth", depth, "--players", game.players[0], "--seed", SEED.hex(), "--json")
    shown = json.loads(call(capsys, "count", name, *arguments).out)
    assert shown["counts"] == count_by_playing(match, depth)
    assert (shown["game"], shown["depth"]) == (name, depth)


def test_a_seed_fixes_the_shuffles_made_at_the_start(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The game is so small that its next round is reached; nature chooses its first card again."""
    deck = tmp_path / "deck.toml"
    deck.write_text('game = "poison"\n[cards]\nR1 = 2\nX = 2\n')
    arguments = ("--players", 4, "--seed", SEED.hex(), "--deck", deck, "--json")
    shown = json.loads(call(capsys, "count", "poison", "--depth", 5, *arguments).out)
    cards = ["R1", "R1", "X", "X"]
    match = Match(all_games()["poison"], {"players": 4, "deck": cards}, seed=SEED)
    assert shown["counts"][:5] == count_by_playing(match, 4)
    assert shown["counts"][5] == 2 * shown["counts"][4]


def test_without_a_seed_nature_is_counted_too(capsys: pytest.CaptureFixture[str]) -> None:
    for name, game in all_games().items():
        shown = json.loads(call(capsys, "count", name, "--depth", 1, "--json").out)
        first = Match(game, {"players": shown["players"]}, seed=SEED).dealt[0]
        assert shown["counts"] == [1, len(set(first))]


def test_counting_for_a_person(capsys: pytest.CaptureFixture[str]) -> None:
    said = call(capsys, "count", "poison", "--depth", 0)
    assert (said.status, said.out.split()) == (0, ["depth", "0", "1"])


@pytest.mark.parametrize("name", list(all_games()))
def test_bench_for_a_program(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = call(capsys, "bench", name, "--seconds", 0.1, "--json")
    report = json.loads(said.out)
    assert report["game"] == name
    assert report["players"] in all_games()[name].players
    assert report["moves_per_second"] > report["games_per_second"] > 0
    assert report["moves"] >= report["games"] >= report["repeats"] > 0
    assert report["seconds"] >= 0.1
    assert report["speed"] == "plain"
    assert {"python", "numba", "numpy", "cores", "processor"} <= set(report["machine"])


def test_bench_for_a_person(capsys: pytest.CaptureFixture[str]) -> None:
    said = call(capsys, "bench", "poison", "--seconds", 0.1, "--players", 3)
    assert said.status == 0
    assert "Poison, 3 players:" in said.out
    assert "moves" in said.out


def test_setup_compiles_once_and_tidies_up(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THERIAC_CACHE", str(tmp_path))
    game = next(iter(all_games().values()))
    old = tmp_path / f"{game.folder.name}-{'0' * 16}"
    for folder in (old, tmp_path / "others-0123456789abcdef", tmp_path / f"{game.folder.name}-x"):
        folder.mkdir()
    os.utime(old, (0, 0))
    done: list[Any] = []

    def fake_compilation(firsts: list[Any]) -> Iterator[str]:
        """Compiling takes minutes, so this writes one file per game instead."""
        for game in firsts:
            folder = cache_folder(game.module)
            folder.mkdir(exist_ok=True)
            (folder / "play.nbc").touch()
            done.append(game.folder)
            yield f"{game.name}: play"

    monkeypatch.setattr(setup, "warm_all", fake_compilation)
    first = call(capsys, "setup")
    assert first.status == 0
    folders = {game.folder for game in all_games().values()}
    assert f"Compiled {len(folders)} functions into {tmp_path}" in first.out
    assert old.name in first.out
    assert not old.exists()
    assert len(list(tmp_path.iterdir())) == 2 + len(folders)
    second = call(capsys, "setup")
    assert "Nothing to compile" in second.out
    assert "Removed" not in second.out
    assert sorted(done) == sorted([*folders, *folders])


def test_setup_compiles_on_several_processes() -> None:
    """For one game that is compiled already: its steps come from another process."""
    game = all_games()["poison"]
    assert list(setup.warm_all([game])) == [f"poison: {name}" for name in ENTRY_POINTS]
    with pytest.raises(KeyError, match="chess"):
        list(setup.warm_all([replace(game, name="chess")]))
