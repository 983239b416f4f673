"""`theriac play dungeon --adventure`: four forts in a row."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.command import new_table, process
from tests.forts import DUNGEON, HEX, LOSE, WIN, easy, play
from theriac.cli import adventure, clock
from theriac.game import find
from theriac.record import replay


def test_the_whole_adventure(tmp_path: Path) -> None:
    said, record = play(tmp_path, f"{WIN}\n" * 4, *easy(tmp_path, "--adventure"))
    assert said.out.count("the fort is won!") == 4
    assert "★ The whole adventure is won!" in said.out
    assert record["options"]["level"] == 4
    assert len(record["options"]["spells"]) == 3
    held = [set(part.split(". ")[0].split(", ")) for part in said.out.split("Spells held: ")[1:]]
    assert len(held) == 3
    assert "Next is fort 4 of 4" in said.out


def test_each_fort_has_its_own_seed_which_is_reproducible(tmp_path: Path) -> None:
    seeds = []
    for number in range(4):
        home = tmp_path / str(number)
        home.mkdir()
        _, record = play(home, f"{WIN}\n" * (number % 2 + 1), *easy(home, "--adventure"))
        assert record["moves"] == []
        seeds.append(record["seed"])
    assert seeds[0] == seeds[2]
    assert seeds[1] == seeds[3]
    assert len({*seeds, HEX}) == 3


def test_an_adventure_is_resumed_between_forts_and_within_one(tmp_path: Path) -> None:
    _, whole = play(tmp_path, f"{WIN}\n" * 4, *easy(tmp_path, "--adventure"))
    file = tmp_path / "game.json"
    file.unlink()
    said, record = play(tmp_path, WIN + "quit\n", *easy(tmp_path, "--adventure"))
    assert f"Continue with: theriac play --resume {file}" in said.out
    assert (record["options"]["level"], record["moves"]) == (2, [])
    assert len(record["options"]["spells"]) == 1
    assert record[clock.KEY] == 360
    _, record = play(tmp_path, "\n".join(WIN.split()[:2]) + "\n", "--resume", str(file))
    assert (record["options"]["level"], record["moves"]) == (2, WIN.split()[:2])
    rest = "\n".join(WIN.split()[2:])
    said, record = play(tmp_path, f"{rest}\n\n{WIN}\n{WIN}", "--resume", str(file))
    assert "★ The whole adventure is won!" in said.out
    assert {**record, clock.KEY: 0} == {**whole, clock.KEY: 0}


def test_a_lost_fort_ends_the_session_and_restarts_when_resumed(tmp_path: Path) -> None:
    said, lost = play(tmp_path, f"{WIN}\n{LOSE}", *easy(tmp_path, "--adventure"))
    assert "The adventure ends in fort 2." in said.out
    assert "Continue?" in said.out
    assert replay(lost, "plain").over
    said, again = play(tmp_path, "", "--resume", str(tmp_path / "game.json"))
    assert "Fort 2 was lost" in said.out
    assert again["options"] == lost["options"]
    assert again["moves"] == []
    assert again["seed"] != lost["seed"]
    assert again[clock.KEY] > 300


def test_a_won_fort_saved_before_the_next_is_resumed_with_the_next(tmp_path: Path) -> None:
    _, record = play(tmp_path, "", *easy(tmp_path, "--adventure"))
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record | {"moves": WIN.split(), clock.KEY: 50}))
    said, record = play(tmp_path, "no\n", "--resume", str(file))
    assert "Next is fort 2 of 4" in said.out
    assert record["options"]["level"] == 2
    assert record[clock.KEY] == 360


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["poison", "--adventure"], "poison has no adventure"),
        (["dungeon", "--adventure", "--set", "level=2"], "option level: leave it out"),
        (["dungeon", "--adventure", "--set", "spells=ice"], "option spells: leave it out"),
        (["dungeon", "--adventure", "--seat", "9"], "seat 9: there are seats 0 to 2"),
        (["--resume", "game.json", "--adventure"], "--adventure: leave it out: the file"),
    ],
)
def test_an_adventure_with_bad_options_is_refused(
    arguments: list[str], sentence: str, tmp_path: Path
) -> None:
    (tmp_path / "game.json").write_text(json.dumps(new_table(DUNGEON).record()))
    said = process(tmp_path, "play", *arguments)
    assert (said.status, said.out) == (2, "")
    assert sentence in said.err
    assert not list(tmp_path.glob("data/theriac/games/*.json"))


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        {},
        {"seed": "00", "begun": 1},
        {"seed": HEX, "begun": 0},
        {"seed": HEX, "begun": True},
        {"seed": HEX},
    ],
)
def test_a_bad_adventure_key_is_refused(value: Any, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps(new_table(DUNGEON, level=1).record() | {adventure.KEY: value}))
    said = process(tmp_path, "play", "--resume", str(file))
    assert (said.status, said.out) == (2, "")
    assert "game.json" in said.err
    assert len(said.err.splitlines()) == 1


@pytest.mark.parametrize("game", ["poison", "dungeon"])
def test_the_adventure_key_of_another_game_is_refused(game: str, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    value = {adventure.KEY: {"seed": HEX, "begun": 1}}
    file.write_text(json.dumps(new_table(find(game)).record() | value))
    said = process(tmp_path, "play", "--resume", str(file))
    assert said.status == 2
    assert "adventure" in said.err
