"""Game Title: a test for each clause, which fails without it. To fill in: yours."""

from __future__ import annotations

import pytest

import theriac
from theriac.game import find

from .table_setting import options_refused, play, refused, shown, sit

#: Two cards for each of three players: seat 0 has R1 G5, seat 1 R3 B2, seat 2 R2 Y1.
SIX = "R1 R3 R2 G5 B2 Y1"


@pytest.mark.clause("ABC-01")
def test_24_cards() -> None:
    deck = find("game_name").shipped
    assert sorted(deck.cards()) == sorted(f"{suit}{n}" for suit in "RGBY" for n in range(1, 7))
    assert "not R, G, B or Y" in options_refused(players=3, first=0, deck=["R1", "R2", "Q1"])
    assert "each card is there once" in options_refused(players=3, first=0, deck=["R1"] * 3)


@pytest.mark.clause("ABC-02")
def test_three_or_four_play() -> None:
    for players in (3, 4):
        assert theriac.new("game_name", players=players, seed=bytes(32)).players == players
    assert options_refused(players=5, first=0) == "option players: 5 is not 3 or 4 (ABC-02)"


@pytest.mark.clause("ABC-03", "ABC-04")
def test_each_player_deals_one_round_from_a_shuffle_of_all_cards() -> None:
    match = sit("R1 R2 R3", "R2 R3 R1", "R3 R1 R2")
    dealers = []
    for moves in ("R1 R2 R3", "R2 R3 R1", "R3 R1 R2"):
        dealers.append(shown(match, "dealer"))
        play(match, moves)
    assert (dealers, match.over, match.view()["round"]) == ([2, 0, 1], True, 3)


@pytest.mark.clause("ABC-05")
def test_all_cards_are_dealt_from_the_dealers_left() -> None:
    match = sit(SIX)
    assert [match.view(seat)["hand"] for seat in range(3)] == [
        ["G5", "R1"],
        ["B2", "R3"],
        ["R2", "Y1"],
    ]
    assert "do not give 3 equal hands (ABC-05)" in options_refused(
        players=3, first=0, deck=["R1", "R2", "R3", "R4"]
    )


@pytest.mark.clause("ABC-06")
@pytest.mark.parametrize("dealer", range(3))
def test_the_dealers_left_leads(dealer: int) -> None:
    assert sit(SIX, first=dealer).to_act == (dealer + 1) % 3


@pytest.mark.clause("ABC-07")
def test_each_plays_one_card_of_the_hand() -> None:
    match = sit(SIX)
    assert refused(match, "R3") == "R3 is not in hand (ABC-07)"
    assert refused(match, "R6") == "a move is a card, such as R5 (ABC-07)"
    play(match, "R1")
    assert (match.to_act, shown(match, "hands")) == (1, [1, 2, 2])


@pytest.mark.clause("ABC-08")
def test_follow_suit() -> None:
    match = sit(SIX)
    play(match, "R1")
    assert refused(match, "B2") == "red was led, and you have some: follow suit (ABC-08)"
    play(match, "R3 R2 B2")
    assert match.legal() == ["Y1"]


@pytest.mark.clause("ABC-09")
def test_the_highest_of_the_suit_led_wins() -> None:
    match = sit(SIX)
    play(match, "R1 R3 R2")
    assert (match.to_act, shown(match, "won")) == (1, [0, 1, 0])
    play(match, "B2 Y1 G5")
    assert match.view()["scores"] == [0, 2, 0]


@pytest.mark.clause("ABC-10")
@pytest.mark.parametrize("points", [1, 2])
def test_a_trick_is_a_point_and_the_last_one_may_be_two(points: int) -> None:
    match = sit(SIX, last_trick=points)
    play(match, "R1 R3 R2")
    assert match.view()["scores"] == [0, 1, 0]
    play(match, "B2 Y1 G5")
    assert match.view()["scores"] == [0, 1 + points, 0]


@pytest.mark.clause("ABC-11")
def test_the_most_points_win_and_equal_ones_share() -> None:
    match = sit("R1 R2 R3", "R2 R3 R1", "R3 R1 R2")
    play(match, "R1 R2 R3 R2 R3 R1 R3 R1 R2")
    assert match.view()["scores"] == [0, 0, 3]
    assert match.results() == [0, 0, 1]
    assert refused(match, "R1") == "the game is over (ABC-11)"
    tied = sit("R1 R2 R3", "R1 R2 R3", "R1 R2 R3")
    play(tied, "R1 R2 R3 R1 R2 R3 R1 R2 R3")
    assert tied.results() == pytest.approx([1 / 3, 1 / 3, 1 / 3])
