"""Shokoba: the oversight and its claim (SHO-24)."""

from __future__ import annotations

import pytest

import theriac
from theriac.faults import BadOption
from theriac.games.shokoba.tests.table_setting import (
    a_deal,
    ended_round,
    last_cards,
    play,
    refusing_clause,
    scores,
    shown,
    sit,
)

pytestmark = pytest.mark.clause("SHO-24")


def test_without_the_option_nothing_may_be_overlooked() -> None:
    table = sit({1: "E7 S4 S10"}, face_up="S3 R4 S5 R9")
    assert not any(move.endswith("!") for move in table.legal())
    assert refusing_clause(table, "E7!") == "SHO-11"


@pytest.mark.parametrize("value", [1, "true", None])
def test_the_option_is_true_or_false(value: object) -> None:
    with pytest.raises(BadOption) as refused:
        theriac.new("shokoba", players=2, oversights=value)
    assert str(refused.value) == f"option oversights: {value} is not false or true (SHO-24)"


def test_a_card_that_can_capture_is_listed_with_each_capture_and_as_overlooked() -> None:
    table = sit({1: "E7 S6 S8"}, face_up="S3 R4 R3 R10", oversights=True)
    assert table.legal() == ["E7!", "E7=R3+R4", "E7=S3+R4", "S6!", "S6=S3+R3", "S8"]
    assert refusing_clause(table, "E7") == "SHO-11"
    assert refusing_clause(table, "S8!") == "SHO-24"


def test_one_may_still_capture() -> None:
    table = sit({1: "E7 S6 S8", 0: "S1 S2 S5"}, face_up="S3 R4 R3 R10", oversights=True)
    play(table, "E7=S3+R4")
    assert (table.to_act, shown(table, "captured")) == (0, [0, 3])
    assert table.legal() == ["S1", "S2", "S5"]


def test_an_overlooked_card_lies_on_the_table_and_only_claims_and_pass_follow() -> None:
    hands = {1: "E7 S6 S8", 2: "S10 S4 S5"}
    table = sit(hands, face_up="S3 R4 R3 R10", players=3, oversights=True)
    play(table, "E7!")
    assert (table.to_act, shown(table, "hands")) == (2, [3, 2, 3])
    assert shown(table, "open") == ["S3", "R4", "R3", "R10", "E7"]
    assert (shown(table, "captured"), shown(table, "last_capture")) == ([0, 0, 0], None)
    assert table.legal() == ["claim=R3+R4", "claim=S3+R4", "pass"]


def test_the_claimer_takes_the_missed_capture_and_the_card_laid_then_plays() -> None:
    hands = {1: "E7 S6 S8", 2: "S10 S4 S5"}
    table = sit(hands, face_up="S3 R4 R3 R10", players=3, oversights=True)
    play(table, "E7! claim=S3+R4")
    assert shown(table, "open") == ["R3", "R10"]
    assert shown(table, "captured") == [0, 0, 3]
    assert shown(table, "last_capture") == 2
    assert shown(table, "shokobas") == [0, 0, 0]
    assert (table.to_act, shown(table, "hands")) == (2, [3, 2, 3])
    assert table.legal() == ["S10!", "S10=R10", "S4", "S5"]
    play(table, "S10=R10")
    assert (table.to_act, shown(table, "captured")) == (0, [0, 0, 5])


def test_who_declines_leaves_the_card_on_the_table_and_plays() -> None:
    hands = {1: "E7 S6 S8", 2: "D7 S4 S10"}
    table = sit(hands, face_up="S3 R4 R3 R9", players=3, oversights=True)
    play(table, "E7! pass")
    assert shown(table, "open") == ["S3", "R4", "R3", "R9", "E7"]
    assert (shown(table, "captured"), shown(table, "last_capture")) == ([0, 0, 0], None)
    assert (table.to_act, shown(table, "hands")) == (2, [3, 2, 3])
    play(table, "D7=E7")
    assert shown(table, "open") == ["S3", "R4", "R3", "R9"]


def test_nobody_may_claim_later() -> None:
    hands = {1: "E7 S6 S8", 2: "S10 S2 R2", 0: "S9 S5 S1"}
    table = sit(hands, face_up="S3 R4 R3 R9", players=3, oversights=True)
    play(table, "E7! pass S2")
    assert table.to_act == 0
    for move in ("claim=S3+R4", "claim=R3+R4"):
        assert refusing_clause(table, move) == "SHO-24"
    assert refusing_clause(table, "pass") == "SHO-09"
    assert not any(move.startswith("claim") for move in table.legal())


def test_the_claimer_may_overlook_in_turn() -> None:
    hands = {1: "E7 S6 S8", 2: "S10 S4 S5", 0: "S1 S2 S9"}
    table = sit(hands, face_up="S3 R4 R3 R10", players=3, oversights=True)
    play(table, "E7! claim=S3+R4 S10!")
    assert (table.to_act, table.legal()) == (0, ["claim=R10", "pass"])


def test_a_claim_is_chosen_from_what_lay_there_before() -> None:
    table = sit({1: "S4 S8 S9"}, face_up="S2 R2 S10 R10", oversights=True)
    play(table, "S4!")
    assert table.legal() == ["claim=S2+R2", "pass"]
    assert refusing_clause(table, "claim=S4") == "SHO-10"


def test_a_claim_takes_the_card_laid_and_of_others_alike_the_one_longest_there() -> None:
    face_up = "S5 S2 S3 S10"
    table = sit({1: "S5 S8 S9"}, face_up=face_up, oversights=True)
    play(table, "S5! claim=S2+S3")
    assert shown(table, "open") == ["S5", "S10"]
    table = sit({1: "R5 S9 S8"}, {1: "S4"}, face_up="S5 S10 S5 S6", oversights=True)
    play(table, "R5! claim=S5")
    assert shown(table, "open") == ["S10", "S5", "S6"]
    table = sit({1: "S5 S8 S9"}, face_up="S10 S5 R10 S6", oversights=True)
    play(table, "S5! claim=S5")
    assert shown(table, "open") == ["S10", "R10", "S6"]
    assert shown(table, "captured") == [2, 0]


@pytest.mark.parametrize("exact_first", [False, True])
def test_exact_first_holds_for_claims_too(exact_first: bool) -> None:
    face_up = "S9 S4 S5 R9" if exact_first else "S9 S4 S5 R10"
    table = sit({1: "S9 S2 S3"}, face_up=face_up, oversights=True, exact_first=exact_first)
    play(table, "S9!")
    if exact_first:
        assert table.legal() == ["claim=R9", "claim=S9", "pass"]
        assert refusing_clause(table, "claim=S4+S5") == "SHO-13"
    else:
        assert table.legal() == ["claim=S4+S5", "claim=S9", "pass"]
        play(table, "claim=S4+S5")


@pytest.mark.clause("SHO-13")
def test_with_exact_first_the_laid_card_is_no_equal_card() -> None:
    table = sit({1: "S9 S2 S3"}, face_up="S4 S5 S10 R10", oversights=True, exact_first=True)
    play(table, "S9!")
    assert table.legal() == ["claim=S4+S5", "pass"]


@pytest.mark.clause("SHO-15")
def test_a_claim_that_clears_the_table_is_a_shokoba_for_the_claimer() -> None:
    hands = {1: "S10 S8 S9", 0: "R8 R9 S2"}
    table = sit(hands, face_up="S1 S2 S3 S4", oversights=True)
    play(table, "S10! claim=S1+S2+S3+S4")
    assert shown(table, "open") == []
    assert shown(table, "shokobas") == [1, 0]
    assert scores(table) == [1, 0]
    assert (table.to_act, table.legal()) == (0, ["R8", "R9", "S2"])


def test_a_claim_on_the_last_card_of_a_hand_comes_before_the_new_deal() -> None:
    hands = {1: "S5 S4 S3", 0: "S8 S2 S9"}, {1: "R1 R2 R3", 0: "R4 R5 R6"}
    table = sit(*hands, face_up="S10 R10 S10 R8", oversights=True)
    play(table, "S5 S8=R8 S4 S2 S3 S9!")
    assert (table.to_act, shown(table, "hands"), shown(table, "deck")) == (1, [0, 0], 30)
    assert table.legal() == ["claim=S2+S3+S4", "claim=S4+S5", "pass"]
    play(table, "claim=S4+S5")
    assert (table.to_act, shown(table, "hands"), shown(table, "deck")) == (1, [3, 3], 24)
    assert shown(table, "open") == ["S10", "R10", "S10", "S2", "S3"]
    assert shown(table, "captured") == [2, 3]
    assert table.view(1)["hand"] == ["R1", "R2", "R3"]


def test_declining_the_last_card_of_a_hand_lets_the_deal_go_on() -> None:
    hands = {1: "S5 S4 S3", 0: "S8 S2 S9"}, {1: "R1 R9 R3", 0: "R4 R5 R6"}
    table = sit(*hands, face_up="S10 R10 S10 R8", oversights=True)
    play(table, "S5 S8=R8 S4 S2 S3 S9! pass")
    assert (table.to_act, shown(table, "hands"), shown(table, "deck")) == (1, [3, 3], 24)
    assert "R9=S9" in table.legal()


@pytest.mark.clause("SHO-17")
def test_on_the_rounds_last_card_the_next_player_may_claim_without_a_turn() -> None:
    table = last_cards(
        {0: "S8"},
        "R1 S3 S5",
        piles=["12S 4R 1E 1D", "12S 4R 2E"],
        gems=[0, 8],
        last_capture=0,
        oversights=True,
    )
    play(table, "S8!")
    assert (table.view()["round"], table.to_act) == (1, 1)
    assert table.legal() == ["claim=S3+S5", "pass"]
    play(table, "claim=S3+S5")
    # Seat 1 has captured last: R1 is theirs too, and so are the most rubies.
    assert shown(table, "captured") == [18, 22]
    assert (table.winners(), scores(table)) == ([1], [1, 12])
    assert shown(table, "shokobas") == [0, 0]


def test_declining_the_rounds_last_card_ends_the_round() -> None:
    table = last_cards(
        {0: "S8"},
        "R1 S3 S5",
        piles=["12S 4R 1E 1D", "12S 4R 2E"],
        gems=[8, 0],
        last_capture=0,
        oversights=True,
    )
    play(table, "S8! pass")
    assert (table.view()["round"], table.over) == (1, True)
    assert shown(table, "captured") == [22, 18]
    assert (table.winners(), scores(table)) == ([0], [12, 1])


@pytest.mark.clause("SHO-18", "SHO-15")
def test_a_claim_of_the_rounds_last_card_can_be_a_shokoba() -> None:
    table = last_cards(
        {0: "S8"},
        "S3 S5",
        piles=["12S 4R 1E 1D", "12S 5R 2E"],
        gems=[0, 7],
        oversights=True,
        finish="after_round",
    )
    play(table, "S8! claim=S3+S5")
    assert shown(table, "shokobas") == [0, 1]
    assert (table.winners(), scores(table)) == ([1], [1, 12])


@pytest.mark.clause("SHO-02")
def test_in_teams_the_next_player_is_an_opponent() -> None:
    table = sit({1: "S10"}, face_up="S1 S2 S3 S4", players=4, teams=True, oversights=True)
    play(table, "S10!")
    assert table.to_act == 2
    play(table, "claim=S1+S2+S3+S4")
    assert shown(table, "captured") == [5, 0, 5, 0]
    assert shown(table, "shokobas") == [0, 0, 1, 0]
    assert scores(table) == [1, 0, 1, 0]


@pytest.mark.clause("SHO-23")
def test_in_a_tie_break_the_next_player_of_the_round_may_claim() -> None:
    second = a_deal({3: "E7 S8 S9"}, face_up="S3 S4 S10 R10", dealer=1, seats=[1, 3])
    table = ended_round(
        ["4S", "6S 9R 1D", "4S", "13S 3E"],
        gems=[4, 10, 4, 10],
        players=4,
        next_deals=[second],
        oversights=True,
    )
    play(table, "E7!")
    assert (table.to_act, table.legal()) == (1, ["claim=S3+S4", "pass"])
    play(table, "claim=S3+S4")
    assert shown(table, "captured") == [0, 3, 0, 0]
    assert (table.to_act, shown(table, "hands")) == (1, [0, 3, 0, 2])
