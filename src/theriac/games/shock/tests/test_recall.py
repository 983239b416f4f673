"""Shock!: what a board receives besides the table: what all know, and how the rounds ended."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from theriac.engine.contract import SPECTATOR
from theriac.games.shock.tests.table_setting import (
    EDITIONS,
    play,
    play_tricks,
    scores,
    sit,
    sit_anyhow,
)
from theriac.match import Match


@pytest.mark.parametrize("game", EDITIONS)
def test_recall_has_the_question_the_voids_and_the_cards_revealed(game: str) -> None:
    match = sit(game, ["H10 S4", "S7 | SDC", "H3 S5"], chest="bee")
    assert match.recall() == {
        "marks": match.recall()["marks"],
        "asked": "card",
        "winner": None,
        "best": None,
        "blood": [[], [], []],
        "opened": 0,
        "poison_jewels": 1,
        "voids": [[], [], []],
        "revealed": {},
    }
    play(match, "H10 S7 H3")
    shown = match.recall()
    assert shown["voids"] == [[], ["H"], []]
    assert (shown["winner"], shown["opened"], shown["revealed"]) == (0, 1, {"bee": 1})
    assert shown["asked"] == ("chest" if game == "shock" else "card")


@pytest.mark.clause("SHK-15")
def test_the_best_card_of_a_trick_is_known_while_it_lies() -> None:
    match = sit("shock", ["H3", "H10", "H4"])
    best = [match.recall()["best"]]
    for move in ("H3", "H10", "H4"):
        play(match, move)
        best.append(match.recall()["best"])
    assert best == [None, 0, 1, None]


@pytest.mark.clause("SHK-19")
def test_the_blood_of_a_seat_has_its_own_poisons_and_those_of_the_middle() -> None:
    match = sit("shock", ["S3", "S8", "S7"], chest="bee J1/1")
    play(match, "S3 S8 S7")
    assert match.recall()["blood"] == [["bee"], ["spider", "bee"], ["bee"]]


@pytest.mark.clause("SHK-25")
def test_a_potion_is_asked_about() -> None:
    match = sit("shock", ["H3", "H10", "H7", "S7 | SDC", "C5 | SDC"])
    play(match, "H3 H10 H7 S7 C5")
    assert match.recall()["asked"] == "potion"


@pytest.mark.clause("SHK-46")
@pytest.mark.parametrize("soba", [False, True])
def test_the_marks_are_those_played_with(soba: bool) -> None:
    marks = sit_anyhow("anaphylaxis", soba=soba).recall()["marks"]
    assert marks["soba"] == (["H9", "S9", "D9", "C9"] if soba else [])
    assert (marks["jellyfish"], marks["potion"]) == (["H7"], ["C5", "C7"])
    assert "H2" in marks["jewel"] and "H3" not in marks["jewel"]


def some_move(match: Match, chance: Random) -> str:
    """Any legal move, but seldom withdrawing."""
    staying = [move for move in match.legal() if not move.startswith("w")]
    return chance.choice(staying if staying and chance.random() < 0.95 else match.legal())


@pytest.mark.clause("SHK-10", "SHK-34")
@pytest.mark.parametrize("game", EDITIONS)
@pytest.mark.parametrize("seed", [1, 2])
def test_recalled_cards_are_known_to_everybody(game: str, seed: int) -> None:
    match, chance = sit_anyhow(game, 3 + seed), Random(seed)
    while not match.over:
        shown = match.recall(SPECTATOR)
        assert all(match.recall(seat) == shown for seat in range(match.players))
        match.play(some_move(match, chance))


@pytest.mark.clause("SHK-38", "SHK-20", "SHK-33")
@pytest.mark.parametrize("game", EDITIONS)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_sheet_shows_what_went_into_the_bags(game: str, seed: int) -> None:
    match, chance = sit_anyhow(game, 3 + seed % 3), Random(seed)
    assert match.sheet is None
    rounds, ways, fates, at_start = 0, set(), set(), scores(match)
    while not match.over:
        before, inside = match.view(), scores(match)
        move = some_move(match, chance)
        match.play(move)
        if match.view()["round"] == before["round"] and not match.over:
            continue
        rounds += 1
        sheet: dict[str, Any] | None = match.sheet
        assert sheet is not None and sheet["round"] == before["round"]
        for seat, end in enumerate(sheet["seats"]):
            ways.add(end["how"])
            more = scores(match)[seat] - inside[seat]
            was_in = before["table"]["in_round"][seat]
            assert (end["how"] == "out") is (end["stored"] is None) is (not was_in)
            assert end["stored"] in (None, more)
            assert end["how"] != "withdrew" or (before["to_act"], move[0]) == (seat, "w")
            assert end["how"] != "shock" or more == 0
            assert end["how"] in (None, "out", end["fate"])
            assert end["tricks"] + end["chest"] == end["bagged"] + end["lost"]
            assert end["bagged"] == scores(match)[seat] - at_start[seat]
            assert not end["bagged"] or end["fate"] != "shock"
            assert not end["lost"] or end["fate"] == "shock"
            fates.add(end["fate"])
        at_start = scores(match)
    assert rounds == 5
    assert fates == {"withdrew", "stayed", "shock"}
    assert {"out", "stayed"} <= ways or "shock" in ways


def ended(how: str, *, tricks: int = 0, chest: int = 0, lost: int = 0) -> dict[str, Any]:
    """A seat of a sheet, with nothing put into the bag."""
    jewels = {"tricks": tricks, "chest": chest, "lost": lost, "bagged": 0}
    return {"how": how, "stored": 0, "fate": how, **jewels}


@pytest.mark.clause("SHK-20", "SHK-33", "SHK-38")
def test_a_sheet_has_the_whole_round_of_a_seat_that_was_out_before() -> None:
    match = sit("shock", ["H10 S10 D5", "H4 S4 D4", "H3 S3 D3"], chest="J3/1 J2/0 bee")
    play_tricks(match, "H10 H4 H3")
    play(match, "S10")
    play(match, "w~S4")
    play(match, "w~S3")
    while match.view()["round"] == 1:
        play(match, "stop" if "stop" in match.legal() else match.legal()[0])
    assert match.sheet is not None
    first, second, third = match.sheet["seats"]
    assert (second["how"], second["fate"], second["stored"]) == ("out", "withdrew", None)
    assert (second["tricks"], second["chest"], second["bagged"], second["lost"]) == (0, 1, 1, 0)
    assert third["fate"] == "withdrew" and third["bagged"] == 1
    assert first["fate"] == "stayed" and first["bagged"] == first["tricks"] + first["chest"]


def test_reading_a_sheet_late_changes_nothing() -> None:
    match = sit_anyhow("anaphylaxis", 3)
    at_once = sit_anyhow("anaphylaxis", 3)
    while match.view()["round"] < 3:
        move = match.legal()[0]
        match.play(move)
        at_once.play(move)
    for _ in range(4):
        match.play(match.legal()[0])
    before = [match.drawn, *(match.view(seat) for seat in (None, 0, 1, 2))]
    assert match.sheet == at_once.sheet
    assert [match.drawn, *(match.view(seat) for seat in (None, 0, 1, 2))] == before
    match.play(match.legal()[0])


@pytest.mark.clause("SHK-20", "SHK-38")
def test_a_sheet_of_a_round_that_ended_with_a_shock() -> None:
    match = sit("shock", ["H10 S10", "H4 S4", "H3 S3"], chest="bee J3/1 bee")
    play_tricks(match, "H10 H4 H3")
    play(match, "S10 S4 S3 open")
    assert match.sheet == {
        "round": 1,
        "winner": 0,
        "revealed": "bee",
        # Two tricks with two jewels each; the chest had a bee, J3/1 and the other bee.
        "seats": [
            ended("shock", tricks=4, chest=1 + 3 + 1, lost=9),
            *[ended("shock", chest=1, lost=1)] * 2,
        ],
    }
