"""Shokoba: the score sheet of a round shows what the scores are made of (SHO-17, SHO-19)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import theriac
from theriac.games.shokoba.tests.table_setting import last_cards
from theriac.match import Match

SETTINGS: list[dict[str, Any]] = [
    {"players": 2},
    {"players": 3, "oversights": True},
    {"players": 4, "teams": True, "nine_cards": True, "finish": "after_round"},
]


def gained(before: list[int], match: Match) -> list[int]:
    """What each seat has more than before."""
    return [now - then for now, then in zip(match.view()["scores"], before, strict=True)]


@pytest.mark.clause("SHO-19", "SHO-02")
@pytest.mark.parametrize("options", SETTINGS)
def test_the_sheet_adds_up_to_the_scores(options: dict[str, Any]) -> None:
    match = theriac.new("shokoba", first=0, seed=bytes([7] * 32), **options)
    random = Random(7)
    start, rounds = [0] * match.players, 0
    while not match.over:
        number = match.view()["round"]
        match.play(random.choice(match.legal()))
        if match.view()["round"] == number and not match.over:
            continue
        rounds += 1
        sheet = match.sheet
        assert sheet is not None and sheet["round"] == number
        more = gained(start, match)
        for i, seats in enumerate(sheet["sides"]):
            given = sum(line["got"] == i for line in sheet["lines"])
            called = sum(sheet["shokobas"][seat] for seat in seats)
            assert given + called == sheet["won"][i] == more[seats[0]]
            assert sheet["gems"][i] == match.view()["scores"][seats[0]]
        if sheet["scored"]:
            counts = {line["for"]: sum(line["counts"]) for line in sheet["lines"]}
            assert counts == {
                "diamond": 1,
                "emeralds": 3,
                "rubies": 9,
                "sapphires": 27,
                "cards": 40,
            }
        start = match.view()["scores"]
    assert rounds > 1


@pytest.mark.clause("SHO-17")
def test_the_sheet_shows_the_cards_left_and_who_took_them() -> None:
    match = last_cards({0: "S2"}, "S5 R9", piles=["12S 4R 1E 1D", "13S 4R 2E"], last_capture=1)
    match.play("S2")
    assert match.sheet is not None
    assert (match.sheet["left"], match.sheet["last_capture"]) == (["S5", "R9", "S2"], 1)


@pytest.mark.clause("SHO-21")
def test_a_round_that_a_shokoba_ends_has_no_lines() -> None:
    match = last_cards({0: "S5"}, "S2 R3", piles=["12S 4R 1E 1D", "13S 4R 2E"], gems=[10, 0])
    match.play("S5=S2+R3")
    assert match.over and match.sheet is not None
    assert match.sheet["scored"] is False
    assert (match.sheet["lines"], match.sheet["left"]) == ([], [])
    assert (match.sheet["won"], match.sheet["gems"]) == ([1, 0], [11, 0])


def test_a_position_before_the_end_of_a_round_keeps_the_sheet_before() -> None:
    assert theriac.new("shokoba", players=2, first=0, seed=bytes(32)).sheet is None
    match = theriac.new("shokoba", players=2, first=0, seed=bytes(32))
    while match.view()["round"] == 1:
        match.play(match.legal()[0])
    sheet = match.sheet
    match.play(match.legal()[0])
    assert sheet is not None and match.sheet is sheet
