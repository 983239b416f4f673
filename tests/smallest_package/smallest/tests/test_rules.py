"""The clauses of the smallest game."""

from __future__ import annotations

import pytest

from smallest import GAMES
from theriac.faults import Refused
from theriac.match import Match


def begin(*deals: str) -> Match:
    given = {"players": 2, "first": 0}
    return Match(GAMES[0], given, deals=[deal.split() for deal in deals], speed="plain")


@pytest.mark.clause("SMA-01", "SMA-02")
def test_two_cards_each_are_dealt_in_turn() -> None:
    match = begin("C1 C4 C2 C5 C3 C6")
    assert (match.view(0)["hand"], match.view(1)["hand"]) == (["C1", "C2"], ["C4", "C5"])


@pytest.mark.clause("SMA-03")
def test_a_card_must_be_in_hand() -> None:
    with pytest.raises(Refused) as refused:
        begin("C1 C4 C2 C5 C3 C6").play("C4")
    assert refused.value.clause == "SMA-03"


@pytest.mark.clause("SMA-04", "SMA-05")
def test_the_higher_cards_win_two_rounds() -> None:
    match = begin("C1 C4 C2 C5 C3 C6", "C1 C4 C2 C5 C3 C6")
    for move in "C1 C4 C5 C2 C1 C5 C4 C2".split():
        match.play(move)
    assert match.over
    assert match.view()["scores"] == [2, 2]
    assert match.results() == [0.5, 0.5]
