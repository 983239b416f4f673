"""Shokoba: a turn (SHO-09 to SHO-16)."""

from __future__ import annotations

import pytest

from theriac.games.shokoba.tests.table_setting import play, refusing_clause, scores, shown, sit

# One card


@pytest.mark.clause("SHO-09")
def test_a_turn_is_one_hand_card() -> None:
    table = sit({1: "S4 S5 S6", 0: "S8 S9 S10"}, face_up="R10 R9 R8 E7")
    play(table, "S5")
    assert table.view(1)["hand"] == ["S4", "S6"]
    assert (table.to_act, shown(table, "hands")) == (0, [3, 2])
    play(table, "S8=R8")
    assert table.view(0)["hand"] == ["S10", "S9"]
    assert (table.to_act, shown(table, "hands")) == (1, [2, 2])


@pytest.mark.clause("SHO-09")
def test_one_of_two_equal_cards_stays_in_hand() -> None:
    table = sit({1: "S4 S4 S6"}, face_up="R10 R9 R8 E7")
    assert table.legal() == ["S4", "S6"]
    play(table, "S4")
    assert table.view(1)["hand"] == ["S4", "S6"]


@pytest.mark.clause("SHO-09")
@pytest.mark.parametrize("move", ["pass", "", "S4+S5", "S4 S5", "R4", "S9"])
def test_no_turn_is_without_a_card_or_with_another_than_ones_own(move: str) -> None:
    table = sit({1: "S4 S5 S6", 0: "S9 S9 S9"}, face_up="R10 R9 R8 E7")
    assert refusing_clause(table, move) == "SHO-09"


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
    table = sit({1: "D7 R8 R9"}, face_up=face_up)
    assert [move for move in table.legal() if move.startswith("D7")] == [f"D7={captured}"]


@pytest.mark.clause("SHO-10")
def test_a_card_captures_its_value_in_any_gem() -> None:
    table = sit({1: "E7 S5 R9"}, face_up="D7 R5 S8 S10")
    assert table.legal() == ["E7=D7", "R9", "S5=R5"]


@pytest.mark.clause("SHO-10")
def test_the_captured_cards_and_the_card_played_go_to_the_pile() -> None:
    table = sit({1: "E7 S4 S5", 0: "S8 S9 S10"}, face_up="S3 R10 R4 R9")
    play(table, "E7=S3+R4")
    assert shown(table, "captured") == [0, 3]
    assert shown(table, "open") == ["R10", "R9"]
    assert table.view(1)["hand"] == ["S4", "S5"]
    assert shown(table, "last_capture") == 1
    play(table, "S9=R9")
    assert shown(table, "captured") == [2, 3]
    assert shown(table, "open") == ["R10"]
    assert shown(table, "last_capture") == 0


@pytest.mark.clause("SHO-10")
def test_captured_cards_are_out_of_play() -> None:
    table = sit({1: "S4 S5 S3", 0: "S8 R3 S10"}, face_up="R10 R4 R9 E7")
    play(table, "S4=R4 S8 S5 R3")
    assert "S3=R3" in table.legal()
    assert refusing_clause(table, "S3=R4") == "SHO-10"
    assert refusing_clause(table, "S4") == "SHO-09"


@pytest.mark.clause("SHO-10")
@pytest.mark.parametrize("captured", ["S3", "S3+R3", "S2+S4", "S8", "S1+S2+S3+R3"])
def test_a_sum_must_be_exact_and_lie_on_the_table(captured: str) -> None:
    table = sit({1: "E7 R10 R9"}, face_up="S1 S2 S3 R3")
    assert refusing_clause(table, f"E7={captured}") == "SHO-10"
    assert table.legal() == ["E7=S1+S3+R3", "R10", "R9=S1+S2+S3+R3"]


@pytest.mark.clause("SHO-10")
def test_one_card_does_not_count_twice_in_a_sum() -> None:
    table = sit({1: "S6 S4 R10"}, face_up="S3 S2 S8 S9")
    assert refusing_clause(table, "S6=S3+S3") == "SHO-10"
    assert refusing_clause(table, "S4=S2+S2") == "SHO-10"
    assert table.legal() == ["R10=S2+S8", "S4", "S6"]


@pytest.mark.clause("SHO-10")
def test_many_small_cards_add_up() -> None:
    table = sit({1: "S1 S8 S10", 0: "R9 S9 R10"}, face_up="S2 R2 S2 S2")
    play(table, "S1 R9=S1+S2+S2+S2+R2")
    assert shown(table, "captured") == [6, 0]
    assert shown(table, "open") == []


# Must and may


@pytest.mark.clause("SHO-11", "SHO-14")
def test_one_may_lay_a_card_though_another_could_capture() -> None:
    table = sit({1: "S4 S5 S6"}, face_up="R4 S10 R10 S10")
    assert table.legal() == ["S4=R4", "S5", "S6"]
    play(table, "S5")
    assert shown(table, "captured") == [0, 0]


@pytest.mark.clause("SHO-11")
@pytest.mark.parametrize("face_up", ["R9 S10 R10 S10", "S4 R5 S10 R10"])
def test_a_card_that_can_capture_must(face_up: str) -> None:
    table = sit({1: "S9 S6 S8"}, face_up=face_up)
    assert "S9" not in table.legal()
    assert refusing_clause(table, "S9") == "SHO-11"


# Choosing


@pytest.mark.clause("SHO-12", "SHO-13")
def test_a_nine_may_take_the_nine_or_the_five_and_the_four() -> None:
    """The rulebook's example, without the advanced rule."""
    table = sit({1: "R9 S2 S3"}, face_up="S9 S5 S4 R10")
    assert table.legal() == ["R9=S4+S5", "R9=S9", "S2", "S3"]
    play(table, "R9=S4+S5")
    assert shown(table, "open") == ["S9", "R10"]
    assert shown(table, "captured") == [0, 3]


@pytest.mark.clause("SHO-12", "SHO-10")
def test_one_card_makes_one_capture() -> None:
    table = sit({1: "R9 S2 S3"}, face_up="S9 S5 S4 R10")
    assert refusing_clause(table, "R9=S4+S5+S9") == "SHO-10"
    play(table, "R9=S9")
    assert shown(table, "open") == ["S5", "S4", "R10"]
    assert shown(table, "captured") == [0, 2]


@pytest.mark.clause("SHO-12")
def test_different_gems_are_different_captures() -> None:
    table = sit({1: "S5 S9 S10"}, face_up="R3 S2 R2 S3")
    choices = [move for move in table.legal() if move.startswith("S5")]
    assert choices == ["S5=R2+R3", "S5=R2+S3", "S5=S2+R3", "S5=S2+S3"]


@pytest.mark.clause("SHO-12")
def test_cards_alike_are_one_choice() -> None:
    table = sit({1: "S5 R4 R6"}, face_up="S2 S2 S3 S2")
    assert table.legal() == ["R4=S2+S2", "R6=S2+S2+S2", "S5=S2+S3"]


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
    table = sit({1: "S5 S4 R10"}, face_up="R3 R2 S3 S2")
    assert refusing_clause(table, other_order) == "SHO-12"
    assert move in table.legal()
    play(table, move)


@pytest.mark.clause("SHO-12")
def test_of_cards_alike_the_one_longest_there_is_taken() -> None:
    table = sit({1: "R9 S2 S3"}, face_up="S4 S10 R5 S4")
    play(table, "R9=S4+R5")
    assert shown(table, "open") == ["S10", "S4"]


# Exact first


@pytest.mark.clause("SHO-13", "SHO-12")
@pytest.mark.parametrize("exact_first", [False, True])
def test_the_example_of_a_hand_of_two_six_and_ten(exact_first: bool) -> None:
    """The French rulebook's: on the table are 1, 2, 4, 7 and 10."""
    hands = {1: "S1 S9 S9", 0: "S2 S6 S10"}
    table = sit(hands, face_up="R2 S4 E7 R10", exact_first=exact_first)
    play(table, "S1")
    assert shown(table, "open") == ["R2", "S4", "E7", "R10", "S1"]
    second, third, fourth, first = "S6=R2+S4", "S10=S1+R2+E7", "S10=R10", "S2=R2"
    if exact_first:
        assert table.legal() == sorted([first, second, fourth])
        assert refusing_clause(table, third) == "SHO-13"
    else:
        assert table.legal() == sorted([first, second, third, fourth])
        play(table, third)


@pytest.mark.clause("SHO-13")
def test_with_exact_first_the_nine_must_take_the_nine() -> None:
    """The rulebook's example: on the table are 9, 5 and 4."""
    table = sit({1: "R9 S2 S3"}, face_up="S9 S5 S4 R10", exact_first=True)
    assert table.legal() == ["R9=S9", "S2", "S3"]
    assert refusing_clause(table, "R9=S4+S5") == "SHO-13"
    play(table, "R9=S9")
    assert shown(table, "open") == ["S5", "S4", "R10"]


@pytest.mark.clause("SHO-13")
def test_with_exact_first_any_equal_card_may_be_chosen() -> None:
    table = sit({1: "S9 S2 S3"}, face_up="S9 R9 S5 S4", exact_first=True)
    assert table.legal() == ["S2", "S3", "S9=R9", "S9=S9"]


@pytest.mark.clause("SHO-13")
def test_with_exact_first_a_sum_counts_where_no_card_is_equal() -> None:
    table = sit({1: "S9 S2 S3"}, face_up="S6 R3 S5 S4", exact_first=True)
    assert table.legal() == ["S2", "S3=R3", "S9=R3+S6", "S9=S4+S5"]


@pytest.mark.clause("SHO-13", "SHO-11")
def test_with_exact_first_a_card_that_can_capture_must() -> None:
    table = sit({1: "S9 S2 S3"}, face_up="R9 S5 S4 S10", exact_first=True)
    assert refusing_clause(table, "S9") == "SHO-11"


# Laying


@pytest.mark.clause("SHO-14")
def test_a_card_that_captures_nothing_stays_on_the_table() -> None:
    table = sit({1: "S2 S5 S6", 0: "R2 S9 R1"}, face_up="S10 R10 S8 R8")
    play(table, "S2")
    assert shown(table, "open") == ["S10", "R10", "S8", "R8", "S2"]
    assert shown(table, "captured") == [0, 0]
    assert shown(table, "last_capture") is None
    play(table, "R1")
    assert shown(table, "open") == ["S10", "R10", "S8", "R8", "S2", "R1"]


@pytest.mark.clause("SHO-14", "SHO-10")
def test_a_card_laid_can_be_captured_from_then_on() -> None:
    table = sit({1: "S2 S5 S6", 0: "R2 S9 R1"}, face_up="S10 R10 S8 R8")
    play(table, "S2")
    assert "R2=S2" in table.legal()
    play(table, "R2=S2")
    assert shown(table, "open") == ["S10", "R10", "S8", "R8"]


# SHOKOBA


@pytest.mark.clause("SHO-15")
def test_capturing_every_card_on_the_table_wins_a_gem_at_once() -> None:
    table = sit({1: "S10 S8 S9"}, face_up="S4 S1 S3 S2")
    play(table, "S10=S1+S2+S3+S4")
    assert shown(table, "open") == []
    assert shown(table, "shokobas") == [0, 1]
    assert scores(table) == [0, 1]


@pytest.mark.clause("SHO-15")
def test_after_a_shokoba_the_next_player_can_only_lay_a_card() -> None:
    table = sit({1: "S10 S8 S9", 0: "S1 R1 E7"}, face_up="S4 S1 S3 S2", oversights=True)
    play(table, "S10=S1+S2+S3+S4")
    assert table.legal() == ["E7", "R1", "S1"]
    play(table, "S1")
    assert shown(table, "open") == ["S1"]


@pytest.mark.clause("SHO-15")
def test_a_capture_that_leaves_a_card_is_no_shokoba() -> None:
    table = sit({1: "R9 S8 S10"}, face_up="S4 S1 S3 S2")
    play(table, "R9=S2+S3+S4")
    assert shown(table, "open") == ["S1"]
    assert shown(table, "shokobas") == [0, 0]
    assert scores(table) == [0, 0]


@pytest.mark.clause("SHO-15")
def test_a_single_card_alone_on_the_table_is_a_shokoba_too() -> None:
    hands = {1: "S10 S1 S9", 0: "S5 R1 E7"}
    table = sit(hands, face_up="S4 S1 S3 S2")
    play(table, "S10=S1+S2+S3+S4 R1 S1=R1")
    assert shown(table, "shokobas") == [0, 2]
    assert scores(table) == [0, 2]


@pytest.mark.clause("SHO-15", "SHO-02")
def test_a_shokoba_stands_at_the_seat_and_its_gem_is_the_teams() -> None:
    table = sit({1: "S10"}, face_up="S4 S1 S3 S2", players=4, teams=True)
    play(table, "S10=S1+S2+S3+S4")
    assert shown(table, "shokobas") == [0, 1, 0, 0]
    assert shown(table, "last_capture") == 1
    assert scores(table) == [0, 1, 0, 1]
