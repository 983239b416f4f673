"""Shokoba: a turn (SHO-09, SHO-10, SHO-11, SHO-12, SHO-13, SHO-14, SHO-15, SHO-16)."""

from __future__ import annotations

import pytest

from theriac.games.shokoba.tests.table_setting import play, refusing_clause, scores, shown, sit

# One card


@pytest.mark.clause("SHO-09")
def test_a_turn_is_one_hand_card() -> None:
    match = sit({1: "S4 S5 S6", 0: "S8 S9 S10"}, face_up="R10 R9 R8 E7")
    play(match, "S5")
    assert match.view(1)["hand"] == ["S4", "S6"]
    assert (match.to_act, shown(match, "hands")) == (0, [3, 2])
    play(match, "S8=R8")
    assert match.view(0)["hand"] == ["S10", "S9"]
    assert (match.to_act, shown(match, "hands")) == (1, [2, 2])


@pytest.mark.clause("SHO-09")
def test_one_of_two_equal_cards_stays_in_hand() -> None:
    match = sit({1: "S4 S4 S6"}, face_up="R10 R9 R8 E7")
    assert match.legal() == ["S4", "S6"]
    play(match, "S4")
    assert match.view(1)["hand"] == ["S4", "S6"]


@pytest.mark.clause("SHO-09")
@pytest.mark.parametrize("move", ["pass", "", "S4+S5", "S4 S5", "R4", "S9"])
def test_a_turn_needs_a_card_of_ones_own_hand(move: str) -> None:
    match = sit({1: "S4 S5 S6", 0: "S9 S9 S9"}, face_up="R10 R9 R8 E7")
    assert refusing_clause(match, move) == "SHO-09"


# What a card captures


@pytest.mark.clause("SHO-10")
@pytest.mark.parametrize(
    ("face_up", "captured"),
    [
        ("E7 S8 S9 S10", "E7"),
        ("S4 S3 S9 S10", "S3+S4"),
        ("S5 S2 S9 S10", "S2+S5"),
        ("S2 R2 S3 S10", "S2+R2+S3"),
        ("S2 S2 S2 S1", "S1+S2+S2+S2"),
    ],
)
def test_a_seven_captures_a_seven_or_cards_that_add_up_to_seven(
    face_up: str, captured: str
) -> None:
    match = sit({1: "D7 R8 R9"}, face_up=face_up)
    assert [move for move in match.legal() if move.startswith("D7")] == [f"D7={captured}"]


@pytest.mark.clause("SHO-10")
def test_a_card_captures_its_value_in_any_gem() -> None:
    match = sit({1: "E7 S5 R9"}, face_up="D7 R5 S8 S10")
    assert match.legal() == ["E7=D7", "R9", "S5=R5"]


@pytest.mark.clause("SHO-10")
def test_the_captured_cards_and_the_card_played_go_to_the_pile() -> None:
    match = sit({1: "E7 S4 S5", 0: "S8 S9 S10"}, face_up="S3 R10 R4 R9")
    play(match, "E7=S3+R4")
    assert shown(match, "captured") == [0, 3]
    assert shown(match, "open") == ["R10", "R9"]
    assert match.view(1)["hand"] == ["S4", "S5"]
    assert shown(match, "last_capture") == 1
    play(match, "S9=R9")
    assert shown(match, "captured") == [2, 3]
    assert shown(match, "open") == ["R10"]
    assert shown(match, "last_capture") == 0


@pytest.mark.clause("SHO-10")
def test_captured_cards_are_out_of_play() -> None:
    match = sit({1: "S4 S5 S3", 0: "S8 R3 S10"}, face_up="R10 R4 R9 E7")
    play(match, "S4=R4 S8 S5 R3")
    assert "S3=R3" in match.legal()
    assert refusing_clause(match, "S3=R4") == "SHO-10"
    assert refusing_clause(match, "S4") == "SHO-09"


@pytest.mark.clause("SHO-10")
@pytest.mark.parametrize("captured", ["S3", "S3+R3", "S2+S4", "S8", "S1+S2+S3+R3"])
def test_a_sum_must_be_exact_and_lie_on_the_table(captured: str) -> None:
    match = sit({1: "E7 R10 R9"}, face_up="S1 S2 S3 R3")
    assert refusing_clause(match, f"E7={captured}") == "SHO-10"
    assert match.legal() == ["E7=S1+S3+R3", "R10", "R9=S1+S2+S3+R3"]


@pytest.mark.clause("SHO-10")
def test_one_card_does_not_count_twice_in_a_sum() -> None:
    match = sit({1: "S6 S4 R10"}, face_up="S3 S2 S8 S9")
    assert refusing_clause(match, "S6=S3+S3") == "SHO-10"
    assert refusing_clause(match, "S4=S2+S2") == "SHO-10"
    assert match.legal() == ["R10=S2+S8", "S4", "S6"]


@pytest.mark.clause("SHO-10")
def test_many_small_cards_add_up() -> None:
    match = sit({1: "S1 S8 S10", 0: "R9 S9 R10"}, face_up="S2 R2 S2 S2")
    play(match, "S1 R9=S1+S2+S2+S2+R2")
    assert shown(match, "captured") == [6, 0]
    assert shown(match, "open") == []


# Must and may


@pytest.mark.clause("SHO-11", "SHO-14")
def test_a_player_may_lay_a_card_though_another_could_capture() -> None:
    match = sit({1: "S4 S5 S6"}, face_up="R4 S10 R10 S10")
    assert match.legal() == ["S4=R4", "S5", "S6"]
    play(match, "S5")
    assert shown(match, "captured") == [0, 0]


@pytest.mark.clause("SHO-11")
@pytest.mark.parametrize("face_up", ["R9 S10 R10 S10", "S4 R5 S10 R10"])
def test_a_card_that_can_capture_must(face_up: str) -> None:
    match = sit({1: "S9 S6 S8"}, face_up=face_up)
    assert "S9" not in match.legal()
    assert refusing_clause(match, "S9") == "SHO-11"


# Choosing


@pytest.mark.clause("SHO-12", "SHO-13")
def test_a_nine_may_take_the_nine_or_the_five_and_the_four() -> None:
    """The rulebook's example, without the advanced rule."""
    match = sit({1: "R9 S2 S3"}, face_up="S9 S5 S4 R10")
    assert match.legal() == ["R9=S4+S5", "R9=S9", "S2", "S3"]
    play(match, "R9=S4+S5")
    assert shown(match, "open") == ["S9", "R10"]
    assert shown(match, "captured") == [0, 3]


@pytest.mark.clause("SHO-12", "SHO-10")
def test_one_card_makes_one_capture() -> None:
    match = sit({1: "R9 S2 S3"}, face_up="S9 S5 S4 R10")
    assert refusing_clause(match, "R9=S4+S5+S9") == "SHO-10"
    play(match, "R9=S9")
    assert shown(match, "open") == ["S5", "S4", "R10"]
    assert shown(match, "captured") == [0, 2]


@pytest.mark.clause("SHO-12")
def test_different_gems_are_different_captures() -> None:
    match = sit({1: "S5 S9 S10"}, face_up="R3 S2 R2 S3")
    choices = [move for move in match.legal() if move.startswith("S5")]
    assert choices == ["S5=R2+R3", "S5=R2+S3", "S5=S2+R3", "S5=S2+S3"]


@pytest.mark.clause("SHO-12")
def test_equal_cards_are_one_choice() -> None:
    match = sit({1: "S5 R4 R6"}, face_up="S2 S2 S3 S2")
    assert match.legal() == ["R4=S2+S2", "R6=S2+S2+S2", "S5=S2+S3"]


@pytest.mark.clause("SHO-10", "SHO-12")
def test_a_card_that_lies_there_once_is_captured_once() -> None:
    match = sit({1: "S4 R10 R9"}, face_up="S2 S8 S5 E7")
    assert refusing_clause(match, "S4=S2+S2") == "SHO-10"


@pytest.mark.clause("SHO-12")
@pytest.mark.parametrize(
    ("move", "other_order"),
    [
        ("S5=R2+S3", "S5=S3+R2"),
        ("S4=S2+R2", "S4=R2+S2"),
        ("R10=S2+R2+S3+R3", "R10=S2+R2+R3+S3"),
    ],
)
def test_captured_cards_are_named_in_one_order(move: str, other_order: str) -> None:
    match = sit({1: "S5 S4 R10"}, face_up="R3 R2 S3 S2")
    assert refusing_clause(match, other_order) == "SHO-12"
    assert move in match.legal()
    play(match, move)


@pytest.mark.clause("SHO-12")
def test_of_equal_cards_the_oldest_on_the_table_is_taken() -> None:
    match = sit({1: "R9 S2 S3"}, face_up="S4 S10 R5 S4")
    play(match, "R9=S4+R5")
    assert shown(match, "open") == ["S10", "S4"]


# Exact first


@pytest.mark.clause("SHO-13", "SHO-12")
@pytest.mark.parametrize("exact_first", [False, True])
def test_the_example_of_a_hand_of_two_six_and_ten(exact_first: bool) -> None:
    """The French rulebook's: on the table are 1, 2, 4, 7 and 10."""
    hands = {1: "S1 S9 S9", 0: "S2 S6 S10"}
    match = sit(hands, face_up="R2 S4 E7 R10", exact_first=exact_first)
    play(match, "S1")
    assert shown(match, "open") == ["R2", "S4", "E7", "R10", "S1"]
    second, third, fourth, first = "S6=R2+S4", "S10=S1+R2+E7", "S10=R10", "S2=R2"
    if exact_first:
        assert match.legal() == sorted([first, second, fourth])
        assert refusing_clause(match, third) == "SHO-13"
    else:
        assert match.legal() == sorted([first, second, third, fourth])
        play(match, third)


@pytest.mark.clause("SHO-13")
def test_with_exact_first_the_nine_must_take_the_nine() -> None:
    """The rulebook's example: on the table are 9, 5 and 4."""
    match = sit({1: "R9 S2 S3"}, face_up="S9 S5 S4 R10", exact_first=True)
    assert match.legal() == ["R9=S9", "S2", "S3"]
    assert refusing_clause(match, "R9=S4+S5") == "SHO-13"
    play(match, "R9=S9")
    assert shown(match, "open") == ["S5", "S4", "R10"]


@pytest.mark.clause("SHO-13")
def test_with_exact_first_any_equal_card_may_be_chosen() -> None:
    match = sit({1: "S9 S2 S3"}, face_up="S9 R9 S5 S4", exact_first=True)
    assert match.legal() == ["S2", "S3", "S9=R9", "S9=S9"]


@pytest.mark.clause("SHO-13")
def test_with_exact_first_a_sum_counts_where_no_card_is_equal() -> None:
    match = sit({1: "S9 S2 S3"}, face_up="S6 R3 S5 S4", exact_first=True)
    assert match.legal() == ["S2", "S3=R3", "S9=R3+S6", "S9=S4+S5"]


@pytest.mark.clause("SHO-13", "SHO-11")
def test_with_exact_first_a_card_that_can_capture_must() -> None:
    match = sit({1: "S9 S2 S3"}, face_up="R9 S5 S4 S10", exact_first=True)
    assert refusing_clause(match, "S9") == "SHO-11"


# Laying


@pytest.mark.clause("SHO-14")
def test_a_card_that_captures_nothing_stays_on_the_table() -> None:
    match = sit({1: "S2 S5 S6", 0: "R2 S9 R1"}, face_up="S10 R10 S8 R8")
    play(match, "S2")
    assert shown(match, "open") == ["S10", "R10", "S8", "R8", "S2"]
    assert shown(match, "captured") == [0, 0]
    assert shown(match, "last_capture") is None
    play(match, "R1")
    assert shown(match, "open") == ["S10", "R10", "S8", "R8", "S2", "R1"]


@pytest.mark.clause("SHO-14", "SHO-10")
def test_a_card_laid_can_be_captured_from_then_on() -> None:
    match = sit({1: "S2 S5 S6", 0: "R2 S9 R1"}, face_up="S10 R10 S8 R8")
    play(match, "S2")
    assert "R2=S2" in match.legal()
    play(match, "R2=S2")
    assert shown(match, "open") == ["S10", "R10", "S8", "R8"]


# SHOKOBA


@pytest.mark.clause("SHO-15")
def test_capturing_every_card_on_the_table_wins_a_gem_at_once() -> None:
    match = sit({1: "S10 S8 S9"}, face_up="S4 S1 S3 S2")
    play(match, "S10=S1+S2+S3+S4")
    assert shown(match, "open") == []
    assert shown(match, "shokobas") == [0, 1]
    assert scores(match) == [0, 1]


@pytest.mark.clause("SHO-15")
def test_after_a_shokoba_the_next_player_can_only_lay_a_card() -> None:
    match = sit({1: "S10 S8 S9", 0: "S1 R1 E7"}, face_up="S4 S1 S3 S2", oversights=True)
    play(match, "S10=S1+S2+S3+S4")
    assert match.legal() == ["E7", "R1", "S1"]
    play(match, "S1")
    assert shown(match, "open") == ["S1"]


@pytest.mark.clause("SHO-15")
def test_a_capture_that_leaves_a_card_is_no_shokoba() -> None:
    match = sit({1: "R9 S8 S10"}, face_up="S4 S1 S3 S2")
    play(match, "R9=S2+S3+S4")
    assert shown(match, "open") == ["S1"]
    assert shown(match, "shokobas") == [0, 0]
    assert scores(match) == [0, 0]


@pytest.mark.clause("SHO-15")
def test_a_single_card_alone_on_the_table_is_a_shokoba_too() -> None:
    hands = {1: "S10 S1 S9", 0: "S5 R1 E7"}
    match = sit(hands, face_up="S4 S1 S3 S2")
    play(match, "S10=S1+S2+S3+S4 R1 S1=R1")
    assert shown(match, "shokobas") == [0, 2]
    assert scores(match) == [0, 2]


@pytest.mark.clause("SHO-15", "SHO-02")
def test_a_shokoba_stands_at_the_seat_and_its_gem_is_the_teams() -> None:
    match = sit({1: "S10"}, face_up="S4 S1 S3 S2", players=4, teams=True)
    play(match, "S10=S1+S2+S3+S4")
    assert shown(match, "shokobas") == [0, 1, 0, 0]
    assert shown(match, "last_capture") == 1
    assert scores(match) == [0, 1, 0, 1]


@pytest.mark.clause("SHO-16", "SHO-02")
def test_partners_have_one_pile() -> None:
    match = sit({1: "R8", 2: "S1", 3: "R9"}, face_up="S8 S9 R6 R10", players=4, teams=True)
    play(match, "R8=S8 S1 R9=S9")
    assert shown(match, "captured") == [0, 4, 0, 4]
