"""Golden playthroughs: every view of a recorded game is as it was when it was recorded."""

from __future__ import annotations

from pathlib import Path

import pytest

from theriac.game import Game
from theriac.record import parse, replay
from theriac.testing.playthroughs import digests, missing_playthroughs


def test_every_set_of_options_has_a_playthrough(game: Game) -> None:
    missing = [path.name for path in missing_playthroughs(game)]
    assert not missing, f"python -m theriac.testing.playthroughs {game.name} writes {missing}"


def test_every_view_is_unchanged(path: Path) -> None:
    record = parse(path.read_bytes())
    for n, (now, then) in enumerate(
        zip(digests(record, "cpu"), record["expect"]["each"], strict=True)
    ):
        assert now == then, f"{path.name}: something looks different after {n} moves"


@pytest.mark.parametrize("speed", ["plain", "cpu"])
def test_the_end_is_unchanged(path: Path, speed: str) -> None:
    record = parse(path.read_bytes())
    match = replay(record, speed=speed)  # type: ignore[arg-type]
    assert match.view() == record["expect"]["end"]
    assert match.over
    assert match.round_count in (None, match.view()["round"]), "the last round is as announced"
    assert match.record()["moves"] == record["moves"]
