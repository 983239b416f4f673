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
    match = sit({1: "E7 S4 S10"}, face_up="S3 R4 S5 R9")
    assert not any(move.endswith("!") for move in match.legal())
    assert refusing_clause(match, "E7!") == "SHO-11"


@pytest.mark.parametrize("value", [1, "true", None])
def test_the_option_is_true_or_false(value: object) -> None:
    with pytest.raises(BadOption) as refused:
        theriac.new("shokoba", players=2, oversights=value)
    assert str(refused.value) == f"option oversights: {value} is not false or true (SHO-24)"


def test_a_card_that_can_capture_is_listed_with_each_capture_and_as_overlooked() -> None:
    match = sit({1: "E7 S6 S8"}, face_up="S3 R4 R3 R10", oversights=True)
    assert match.legal() == ["E7!", "E7=R3+R4", "E7=S3+R4", "S6!", "S6=S3+R3", "S8"]
    assert refusing_clause(match, "E7") == "SHO-11"
    assert refusing_clause(match, "S8!") == "SHO-24"


def test_one_may_still_capture() -> None:
    match = sit({1: "E7 S6 S8", 0: "S1 S2 S5"}, face_up="S3 R4 R3 R10", oversights=True)
    play(match, "E7=S3+R4")
    assert (match.to_act, shown(match, "captured")) == (0, [0, 3])
    assert match.legal() == ["S1", "S2", "S5"]


def test_an_overlooked_card_lies_on_the_table_and_only_claims_and_pass_follow() -> None:
    hands = {1: "E7 S6 S8", 2: "S10 S4 S5"}
    match = sit(hands, face_up="S3 R4 R3 R10", players=3, oversights=True)
    play(match, "E7!")
    assert (match.to_act, shown(match, "hands")) == (2, [3, 2, 3])
    assert shown(match, "open") == ["S3", "R4", "R3", "R10", "E7"]
    assert (shown(match, "captured"), shown(match, "last_capture")) == ([0, 0, 0], None)
    assert match.legal() == ["claim=R3+R4", "claim=S3+R4", "pass"]


def test_the_claimer_takes_the_missed_capture_and_the_card_laid_then_plays() -> None:
    hands = {1: "E7 S6 S8", 2: "S10 S4 S5"}
    match = sit(hands, face_up="S3 R4 R3 R10", players=3, oversights=True)
    play(match, "E7! claim=S3+R4")
    assert shown(match, "open") == ["R3", "R10"]
    assert shown(match, "captured") == [0, 0, 3]
    assert shown(match, "last_capture") == 2
    assert shown(match, "shokobas") == [0, 0, 0]
    assert (match.to_act, shown(match, "hands")) == (2, [3, 2, 3])
    assert match.legal() == ["S10!", "S10=R10", "S4", "S5"]
    play(match, "S10=R10")
    assert (match.to_act, shown(match, "captured")) == (0, [0, 0, 5])


def test_who_declines_leaves_the_card_on_the_table_and_plays() -> None:
    hands = {1: "E7 S6 S8", 2: "D7 S4 S10"}
    match = sit(hands, face_up="S3 R4 R3 R9", players=3, oversights=True)
    play(match, "E7! pass")
    assert shown(match, "open") == ["S3", "R4", "R3", "R9", "E7"]
    assert (shown(match, "captured"), shown(match, "last_capture")) == ([0, 0, 0], None)
    assert (match.to_act, shown(match, "hands")) == (2, [3, 2, 3])
    play(match, "D7=E7")
    assert shown(match, "open") == ["S3", "R4", "R3", "R9"]


def test_nobody_may_claim_later() -> None:
    hands = {1: "E7 S6 S8", 2: "S10 S2 R2", 0: "S9 S5 S1"}
    match = sit(hands, face_up="S3 R4 R3 R9", players=3, oversights=True)
    play(match, "E7! pass S2")
    assert match.to_act == 0
    for move in ("claim=S3+R4", "claim=R3+R4"):
        assert refusing_clause(match, move) == "SHO-24"
    assert refusing_clause(match, "pass") == "SHO-09"
    assert not any(move.startswith("claim") for move in match.legal())


def test_the_claimer_may_overlook_in_turn() -> None:
    hands = {1: "E7 S6 S8", 2: "S10 S4 S5", 0: "S1 S2 S9"}
    match = sit(hands, face_up="S3 R4 R3 R10", players=3, oversights=True)
    play(match, "E7! claim=S3+R4 S10!")
    assert (match.to_act, match.legal()) == (0, ["claim=R10", "pass"])


def test_a_claim_is_chosen_from_what_lay_there_before() -> None:
    match = sit({1: "S4 S8 S9"}, face_up="S2 R2 S10 R10", oversights=True)
    play(match, "S4!")
    assert match.legal() == ["claim=S2+R2", "pass"]
    assert refusing_clause(match, "claim=S4") == "SHO-10"


def test_a_claim_takes_the_card_laid_and_of_others_alike_the_one_longest_there() -> None:
    face_up = "S5 S2 S3 S10"
    match = sit({1: "S5 S8 S9"}, face_up=face_up, oversights=True)
    play(match, "S5! claim=S2+S3")
    assert shown(match, "open") == ["S5", "S10"]
    match = sit({1: "R5 S9 S8"}, {1: "S4"}, face_up="S5 S10 S5 S6", oversights=True)
    play(match, "R5! claim=S5")
    assert shown(match, "open") == ["S10", "S5", "S6"]
    match = sit({1: "S5 S8 S9"}, face_up="S10 S5 R10 S6", oversights=True)
    play(match, "S5! claim=S5")
    assert shown(match, "open") == ["S10", "R10", "S6"]
    assert shown(match, "captured") == [2, 0]


@pytest.mark.parametrize("exact_first", [False, True])
def test_exact_first_holds_for_claims_too(exact_first: bool) -> None:
    face_up = "S9 S4 S5 R9" if exact_first else "S9 S4 S5 R10"
    match = sit({1: "S9 S2 S3"}, face_up=face_up, oversights=True, exact_first=exact_first)
    play(match, "S9!")
    if exact_first:
        assert match.legal() == ["claim=R9", "claim=S9", "pass"]
        assert refusing_clause(match, "claim=S4+S5") == "SHO-13"
    else:
        assert match.legal() == ["claim=S4+S5", "claim=S9", "pass"]
        play(match, "claim=S4+S5")


@pytest.mark.clause("SHO-13")
def test_with_exact_first_the_laid_card_is_no_equal_card() -> None:
    match = sit({1: "S9 S2 S3"}, face_up="S4 S5 S10 R10", oversights=True, exact_first=True)
    play(match, "S9!")
    assert match.legal() == ["claim=S4+S5", "pass"]


@pytest.mark.clause("SHO-15")
def test_a_claim_that_clears_the_table_is_a_shokoba_for_the_claimer() -> None:
    hands = {1: "S10 S8 S9", 0: "R8 R9 S2"}
    match = sit(hands, face_up="S1 S2 S3 S4", oversights=True)
    play(match, "S10! claim=S1+S2+S3+S4")
    assert shown(match, "open") == []
    assert shown(match, "shokobas") == [1, 0]
    assert scores(match) == [1, 0]
    assert (match.to_act, match.legal()) == (0, ["R8", "R9", "S2"])


def test_a_claim_on_the_last_card_of_a_hand_comes_before_the_new_deal() -> None:
    hands = {1: "S5 S4 S3", 0: "S8 S2 S9"}, {1: "R1 R2 R3", 0: "R4 R5 R6"}
    match = sit(*hands, face_up="S10 R10 S10 R8", oversights=True)
    play(match, "S5 S8=R8 S4 S2 S3 S9!")
    assert (match.to_act, shown(match, "hands"), shown(match, "deck")) == (1, [0, 0], 30)
    assert match.legal() == ["claim=S2+S3+S4", "claim=S4+S5", "pass"]
    play(match, "claim=S4+S5")
    assert (match.to_act, shown(match, "hands"), shown(match, "deck")) == (1, [3, 3], 24)
    assert shown(match, "open") == ["S10", "R10", "S10", "S2", "S3"]
    assert shown(match, "captured") == [2, 3]
    assert match.view(1)["hand"] == ["R1", "R2", "R3"]


def test_declining_the_last_card_of_a_hand_lets_the_deal_go_on() -> None:
    hands = {1: "S5 S4 S3", 0: "S8 S2 S9"}, {1: "R1 R9 R3", 0: "R4 R5 R6"}
    match = sit(*hands, face_up="S10 R10 S10 R8", oversights=True)
    play(match, "S5 S8=R8 S4 S2 S3 S9! pass")
    assert (match.to_act, shown(match, "hands"), shown(match, "deck")) == (1, [3, 3], 24)
    assert "R9=S9" in match.legal()


@pytest.mark.clause("SHO-17")
def test_on_the_rounds_last_card_the_next_player_may_claim_without_a_turn() -> None:
    match = last_cards(
        {0: "S8"},
        "R1 S3 S5",
        piles=["12S 4R 1E 1D", "12S 4R 2E"],
        gems=[0, 8],
        last_capture=0,
        oversights=True,
    )
    play(match, "S8!")
    assert (match.view()["round"], match.to_act) == (1, 1)
    assert match.legal() == ["claim=S3+S5", "pass"]
    play(match, "claim=S3+S5")
    # Seat 1 has captured last: R1 is theirs too, and so are the most rubies.
    assert shown(match, "captured") == [18, 22]
    assert (match.winners(), scores(match)) == ([1], [1, 12])
    assert shown(match, "shokobas") == [0, 0]


def test_declining_the_rounds_last_card_ends_the_round() -> None:
    match = last_cards(
        {0: "S8"},
        "R1 S3 S5",
        piles=["12S 4R 1E 1D", "12S 4R 2E"],
        gems=[8, 0],
        last_capture=0,
        oversights=True,
    )
    play(match, "S8! pass")
    assert (match.view()["round"], match.over) == (1, True)
    assert shown(match, "captured") == [22, 18]
    assert (match.winners(), scores(match)) == ([0], [12, 1])


@pytest.mark.clause("SHO-18", "SHO-15")
def test_a_claim_of_the_rounds_last_card_can_be_a_shokoba() -> None:
    match = last_cards(
        {0: "S8"},
        "S3 S5",
        piles=["12S 4R 1E 1D", "12S 5R 2E"],
        gems=[0, 7],
        oversights=True,
        finish="after_round",
    )
    play(match, "S8! claim=S3+S5")
    assert shown(match, "shokobas") == [0, 1]
    assert (match.winners(), scores(match)) == ([1], [1, 12])


@pytest.mark.clause("SHO-02")
def test_in_teams_the_next_player_is_an_opponent() -> None:
    match = sit({1: "S10"}, face_up="S1 S2 S3 S4", players=4, teams=True, oversights=True)
    play(match, "S10!")
    assert match.to_act == 2
    play(match, "claim=S1+S2+S3+S4")
    assert shown(match, "captured") == [5, 0, 5, 0]
    assert shown(match, "shokobas") == [0, 0, 1, 0]
    assert scores(match) == [1, 0, 1, 0]


@pytest.mark.clause("SHO-23")
def test_in_a_tie_break_the_next_player_of_the_round_may_claim() -> None:
    second = a_deal({3: "E7 S8 S9"}, face_up="S3 S4 S10 R10", dealer=1, seats=[1, 3])
    match = ended_round(
        ["4S", "6S 9R 1D", "4S", "13S 3E"],
        gems=[4, 10, 4, 10],
        players=4,
        next_deals=[second],
        oversights=True,
    )
    play(match, "E7!")
    assert (match.to_act, match.legal()) == (1, ["claim=S3+S4", "pass"])
    play(match, "claim=S3+S4")
    assert shown(match, "captured") == [0, 3, 0, 0]
    assert (match.to_act, shown(match, "hands")) == (1, [0, 3, 0, 2])
