"""Knock, Knock! Dungeon!: the stored games show every way in which a game ends."""

from __future__ import annotations

import json
from typing import Any

import pytest

from theriac.games.dungeon.tests.chosen_games import CHOSEN, GAME, SPELLS, Chosen


def kept(chosen: Chosen) -> dict[str, Any]:
    path = GAME.folder / "tests" / "playthroughs" / f"dungeon-{chosen.name}.json"
    record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return record


@pytest.mark.parametrize("chosen", CHOSEN, ids=[chosen.name for chosen in CHOSEN])
def test_a_kept_game_ends_as_its_name_says(chosen: Chosen) -> None:
    record = kept(chosen)
    end = record["expect"]["end"]
    assert end["table"]["why"] == chosen.why
    assert {name: record["options"][name] for name in chosen.options} == chosen.options
    assert len(record["expect"]["each"]) == len(record["moves"]) + 1 > 6


@pytest.mark.clause("KKD-12", "KKD-15", "KKD-17", "KKD-21", "KKD-22", "KKD-23")
def test_every_way_to_end_is_kept() -> None:
    ends = {f"KKD-{number}" for number in (12, 15, 17, 21, 22, 23)}
    assert {kept(chosen)["expect"]["end"]["table"]["why"] for chosen in CHOSEN} == ends


def test_spells_turned_cards_and_treasure_are_among_the_kept_games() -> None:
    moves = {move for chosen in CHOSEN for move in kept(chosen)["moves"]}
    names = {move.partition("@")[0] for move in moves}
    assert set(SPELLS) <= names
    assert any(name.endswith("r") for name in names)
    assert any(kept(chosen)["expect"]["end"]["scores"][0] > 0 for chosen in CHOSEN)
