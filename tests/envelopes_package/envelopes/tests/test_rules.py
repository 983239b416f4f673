"""The clauses of Envelopes."""

from __future__ import annotations

import pytest

from envelopes import GAMES
from theriac.faults import Refused
from theriac.match import Match

DEAL = "C1 C4 C2 C5 C3 C6 C7"


def begin(deal: str = DEAL, deck: list[str] | None = None) -> Match:
    given = {"players": 3, "first": 0, **({"deck": deck} if deck else {})}
    return Match(GAMES[0], given, deals=[deal.split()], speed="plain")


@pytest.mark.clause("ENV-01", "ENV-02")
def test_two_cards_each_are_dealt_in_turn() -> None:
    hands = [begin().view(seat)["hand"] for seat in range(3)]
    assert hands == [["C1", "C5"], ["C3", "C4"], ["C2", "C6"]]
    few = begin("C5 C1 C3 C2", ["C1", "C2", "C3", "C5"])
    assert [few.view(seat)["hand"] for seat in range(3)] == [["C5"], ["C1"], ["C3"]]


@pytest.mark.clause("ENV-03")
def test_a_card_must_be_in_hand() -> None:
    with pytest.raises(Refused) as refused:
        begin().play("C4")
    assert refused.value.clause == "ENV-03"


@pytest.mark.clause("ENV-04")
def test_nobody_sees_what_others_have_chosen() -> None:
    one, other = begin(), begin()
    one.play("C1")
    other.play("C5")
    assert one.recall(0) == {"choice": "C1"}
    for seat in (1, 2):
        assert one.look(seat).tobytes() == other.look(seat).tobytes()
        assert one.recall(seat) == {"choice": None}


@pytest.mark.clause("ENV-05", "ENV-06")
def test_the_highest_card_wins_a_point() -> None:
    match = begin()
    for move in "C5 C4 C2".split():
        match.play(move)
    assert match.view()["table"]["opened"] == ["C5", "C4", "C2"]
    assert match.view()["scores"] == [1, 0, 0]
    for move in "C1 C3 C6".split():
        match.play(move)
    assert match.over
    assert match.results() == [0.5, 0, 0.5]
