"""Shokoba: what each seat may know (SHO-02, SHO-16)."""

from __future__ import annotations

from typing import Any

import pytest

from theriac.engine.contract import SPECTATOR
from theriac.faults import Fault
from theriac.games.shokoba.tests.table_setting import last_cards, play, sit

TABLE = {"open", "captured", "hands", "deck", "dealer", "shokobas", "last_capture"}
COMMON = {"game", "over", "to_act", "round", "scores", "winners", "legal", "table"}


def test_the_referees_view_of_a_table() -> None:
    match = sit({1: "E7 S4 S10", 2: "S1 S9 R8"}, face_up="S3 R4 S5 R9", players=3)
    play(match, "E7=S3+R4 S1")
    assert match.view() == {
        "game": "shokoba",
        "over": False,
        "to_act": 0,
        "round": 1,
        "scores": [0, 0, 0],
        "winners": [],
        "legal": match.legal(),
        "table": {
            "open": ["S5", "R9", "S1"],
            "captured": [0, 3, 0],
            "hands": [3, 2, 2],
            "deck": 27,
            "dealer": 0,
            "shokobas": [0, 0, 0],
            "last_capture": 1,
        },
    }


@pytest.mark.clause("SHO-16")
@pytest.mark.parametrize("seat", [None, 0, 1])
def test_a_pile_shows_how_many_cards_but_not_which_not_even_to_its_owner(
    seat: int | None,
) -> None:
    match = sit({1: "E7 S4 S10", 0: "S8 S9 S10"}, face_up="S3 R4 S5 R9")
    play(match, "E7=S3+R4 S9=R9")
    view = match.view(seat)
    assert set(view) == COMMON | ({"hand"} if seat is not None else set())
    assert set(view["table"]) == TABLE
    assert view["table"]["captured"] == [2, 3]
    assert view["table"]["open"] == ["S5"]
    words = str(view)
    assert not any(f"'{card}'" in words for card in ("E7", "S3", "R4", "R9"))


@pytest.mark.clause("SHO-02")
def test_a_seat_sees_its_own_hand_sorted_and_no_other() -> None:
    hands = {1: "S2 R8 S10", 2: "E7 R9 R6", 3: "S5 R5 D7", 0: "S4 R4 S1"}
    match = sit(hands, face_up="S8 S9 R2 R3", players=4)
    for seat, cards in hands.items():
        view = match.view(seat)
        assert view["hand"] == sorted(cards.split())
        others = [card for other in hands if other != seat for card in hands[other].split()]
        words = str({**view, "legal": []})
        assert not any(f"'{card}'" in words for card in others)
        assert view["table"]["hands"] == [3, 3, 3, 3]
    assert match.view(1)["hand"] == ["R8", "S10", "S2"]


@pytest.mark.clause("SHO-02")
def test_partners_do_not_see_each_others_hands() -> None:
    hands = {1: "S2 R8 S10", 3: "S5 R5 D7"}
    match = sit(hands, face_up="S8 S9 R2 R3", players=4, teams=True)
    assert match.view(1)["hand"] == ["R8", "S10", "S2"]
    words = str(match.view(1))
    assert not any(f"'{card}'" in words for card in hands[3].split())


@pytest.mark.clause("SHO-02")
def test_legal_moves_are_listed_only_to_the_seat_that_acts() -> None:
    match = sit({1: "S2 R8 S10"}, face_up="S8 S9 R6 R3", players=3)
    assert match.view(1)["legal"] == match.legal() == ["R8=S8", "S10", "S2"]
    assert match.view(0)["legal"] == match.view(2)["legal"] == []


@pytest.mark.clause("SHO-24")
def test_a_claim_is_listed_only_to_the_next_player() -> None:
    match = sit({1: "R8"}, face_up="S8 S9 R6 R3", players=3, oversights=True)
    play(match, "R8!")
    assert match.view(2)["legal"] == ["claim=S8", "pass"]
    assert match.view(0)["legal"] == match.view(1)["legal"] == []
    for seat in range(3):
        assert match.view(seat)["table"]["open"] == ["S8", "S9", "R6", "R3", "R8"]


@pytest.mark.clause("SHO-16")
def test_at_the_end_all_see_the_same_table_and_their_own_cards() -> None:
    match = last_cards(
        {1: "S10 S9", 0: "S8 R8"},
        "S10",
        piles=["11S 4R 1E 1D", "12S 4R 2E"],
        gems=[3, 10],
    )
    play(match, "S10=S10")
    views = [match.view(seat) for seat in (0, 1)]
    assert [view.pop("hand") for view in views] == [["R8", "S8"], ["S9"]]
    assert views == [match.view(), match.view()]
    assert (views[0]["over"], views[0]["to_act"], views[0]["legal"]) == (True, None, [])
    assert (views[0]["winners"], views[0]["scores"]) == ([1], [3, 11])


@pytest.mark.parametrize("seat", [-1, 2])
def test_there_is_no_view_from_a_seat_that_is_not_there(seat: int) -> None:
    with pytest.raises(Fault, match=f"seat {seat}: there are seats 0 to 1"):
        sit().view(seat)


@pytest.mark.clause("SHO-02", "SHO-03")
@pytest.mark.parametrize(
    ("options", "sides"),
    [({"players": 3}, [[0], [1], [2]]), ({"players": 4, "teams": True}, [[0, 2], [1, 3]])],
)
def test_a_view_tells_a_board_who_counts_together(
    options: dict[str, Any], sides: list[list[int]]
) -> None:
    match = sit(target=16, **options)
    for seat in (1, SPECTATOR):
        assert match.recall(seat) == {"sides": sides, "target": 16}
