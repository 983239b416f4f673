"""Golden playthroughs: every view of a recorded game is as it was when it was recorded."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.contract.setups import GAMES, setups_of
from tests.playthroughs import digests, home, path_of
from theriac.game import Game
from theriac.record import parse, replay

PATHS = sorted(path for folder in {home(game) for game in GAMES} for path in folder.glob("*.json"))

each_path = pytest.mark.parametrize("path", PATHS, ids=[path.stem for path in PATHS])


@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
def test_every_set_of_options_has_a_playthrough(game: Game) -> None:
    """If not: python -m tests.playthroughs"""
    missing = [path_of(setup).name for setup in setups_of(game) if path_of(setup) not in PATHS]
    assert missing == []


@each_path
def test_every_view_is_unchanged(path: Path) -> None:
    record = parse(path.read_bytes())
    for n, (now, then) in enumerate(
        zip(digests(record, "cpu"), record["expect"]["each"], strict=True)
    ):
        assert now == then, f"{path.name}: something looks different after {n} moves"


@each_path
@pytest.mark.parametrize("speed", ["plain", "cpu"])
def test_the_end_is_unchanged(path: Path, speed: str) -> None:
    record = parse(path.read_bytes())
    match = replay(record, speed=speed)  # type: ignore[arg-type]
    assert match.view() == record["expect"]["end"]
    assert match.over
    assert match.record()["moves"] == record["moves"]
