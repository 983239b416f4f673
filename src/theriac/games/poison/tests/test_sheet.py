"""Poison: the score sheet of a round shows its points (POI-15, POI-16, POI-17, POI-18)."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

import theriac
from theriac.engine.contract import SPECTATOR
from theriac.games.poison.tests.table_setting import play, sit, sit_small


def line(name: str, count: int, points: int, *, aside: bool = False) -> dict[str, Any]:
    """A line of a seat."""
    return {"for": name, "count": count, "aside": aside, "points": points}


@pytest.mark.clause("POI-13", "POI-15", "POI-16", "POI-17", "POI-18")
def test_the_sheet_says_what_each_seat_took_and_why_it_counts() -> None:
    """Seat 0 takes X X R5, and seat 1 R7: a tie in red. Seat 2 takes three reds of its own."""
    match = sit_small(*["X X R5 R7 B1 B1 P1 P1 R7 B1 B1 B1"] * 4)
    play(match, "X@1 X@1 R5@1 R7@1 B1@2 B1@2 P1@3 P1@3 R7@1 B1@2 B1@2")
    assert match.sheet is None
    play(match, "B1@2")
    none = [line("red", 0, 0), line("blue", 0, 0), line("purple", 0, 0), line("poison", 0, 0)]
    assert match.sheet == {
        "round": 1,
        "rounds": 4,
        "left": ["R7", "B1", "B1", "B1", "B1", "B1", "P1", "P1"],
        "seats": [
            {
                "cards": ["X", "X", "R5"],
                "lines": [line("red", 1, 1), *none[1:3], line("poison", 2, 4)],
                "points": 5,
                "total": 5,
            },
            {"cards": ["R7"], "lines": [line("red", 1, 1), *none[1:]], "points": 1, "total": 1},
            {"cards": [], "lines": none, "points": 0, "total": 0},
            {"cards": [], "lines": none, "points": 0, "total": 0},
        ],
    }


@pytest.mark.clause("POI-16")
def test_a_colour_that_a_seat_has_most_of_is_set_aside() -> None:
    """Reds taken: seats 2, 3 and 0 one each, then seat 2 another."""
    match = sit_small(*["R13 R13 R13 R13 B13 R13 P13 X"] * 4)
    play(match, "R13@1 R13@1 R13@1 R13@1 B13@2 R13@1 P13@3 X@2")
    assert match.sheet is not None
    assert [seat["lines"][0] for seat in match.sheet["seats"]] == [
        line("red", 1, 1),
        line("red", 0, 0),
        line("red", 2, 0, aside=True),
        line("red", 1, 1),
    ]
    # The last card has taken, too.
    assert match.sheet["seats"][0]["cards"] == ["R13", "B13"]
    assert match.sheet["seats"][0]["lines"][1] == line("blue", 1, 0, aside=True)


@pytest.mark.parametrize("options", [{"players": 3}, {"players": 6, "open_piles": True}])
def test_every_sheet_adds_up(options: dict[str, Any]) -> None:
    match = theriac.new("poison", first=0, seed=bytes([5] * 32), **options)
    random, before, rounds = Random(5), [0] * match.players, 0
    while not match.over:
        number, piles = match.view()["round"], match.view()["table"].get("piles")
        match.play(random.choice(match.legal()))
        if match.view()["round"] == number and not match.over:
            assert (match.sheet["round"] if match.sheet else 0) == number - 1
            continue
        rounds += 1
        sheet = match.sheet
        assert sheet is not None and sheet["round"] == number
        played = Counter(sheet["left"])
        for seat, scored in enumerate(sheet["seats"]):
            assert sum(each["points"] for each in scored["lines"]) == scored["points"]
            assert sum(each["count"] for each in scored["lines"]) == len(scored["cards"])
            assert before[seat] + scored["points"] == scored["total"]
            assert piles is None or scored["cards"][: len(piles[seat])] == piles[seat]
            played += Counter(scored["cards"])
        before = match.view()["scores"]
        assert [scored["total"] for scored in sheet["seats"]] == before
        assert played <= Counter(match.text.deck.cards())
        assert played.total() == (38 if match.players == 3 else 50)
    assert rounds == match.players


@pytest.mark.clause("POI-13")
def test_before_the_round_is_scored_nobody_sees_taken_cards() -> None:
    match = sit()
    while match.view()["round"] == 1:
        for seat in (*range(4), SPECTATOR):
            assert "piles" not in match.view_from(seat)["table"]
        assert match.sheet is None
        match.play(match.legal()[0])
    assert match.sheet is not None
    sheet = match.sheet
    match.play(match.legal()[0])
    assert match.sheet is sheet, "the sheet is that of the round before"
