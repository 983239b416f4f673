"""Game Title: a test for each clause, which fails without it. To fill in: yours."""

from __future__ import annotations

import pytest

import theriac
from theriac.game import find

from .table_setting import options_refused, play, refused, shown, sit


@pytest.mark.clause("ABC-01")
def test_28_cards() -> None:
    deck = find("game_name").shipped
    assert dict(deck.counts) == {str(value): 4 for value in range(1, 8)}
    assert "not a number from 1 to 7" in options_refused(players=2, first=0, deck=["1", "8"])
    assert "use at most 100" in options_refused(players=2, first=0, deck=["1"] * 101)


@pytest.mark.clause("ABC-02")
def test_two_to_four_play() -> None:
    for players in (2, 3, 4):
        assert theriac.new("game_name", players=players, seed=bytes(32)).players == players
    assert options_refused(players=5, first=0) == "option players: 5 is not 2, 3 or 4 (ABC-02)"


@pytest.mark.clause("ABC-03")
def test_one_shuffle_of_all_cards() -> None:
    match = theriac.new("game_name", players=3, seed=bytes(32))
    while not match.over:
        match.play(match.legal()[0])
    assert [sorted(deal) for deal in match.dealt] == [sorted(find("game_name").shipped.cards())]


@pytest.mark.clause("ABC-04")
def test_all_cards_are_dealt_from_the_player_who_begins() -> None:
    match = sit("1 2 3 4 5", first=1)
    assert [match.view(seat)["hand"] for seat in range(2)] == [["2", "4"], ["1", "3", "5"]]
    assert match.to_act == 1


@pytest.mark.clause("ABC-05")
def test_each_lays_a_card_of_the_hand_onto_any_pile() -> None:
    match = sit("1 2 3 4")
    assert match.legal() == ["1@1", "1@2", "3@1", "3@2"]
    assert refused(match, "2@1") == "2 is not in hand (ABC-05)"
    assert refused(match, "1@3") == "a move is a card and a pile, such as 5@2 (ABC-05)"
    play(match, "3@2")
    assert (match.to_act, shown(match, "sums"), shown(match, "hands")) == (1, [0, 3], [1, 2])


@pytest.mark.clause("ABC-06")
def test_a_pile_of_more_than_13_is_taken_and_the_new_card_stays() -> None:
    match = sit("7 6 1 5")
    play(match, "7@1 6@1")
    assert (shown(match, "sums"), match.view()["scores"]) == ([13, 0], [0, 0])
    play(match, "1@1")
    assert (shown(match, "sums"), shown(match, "heights")) == ([1, 0], [1, 0])
    assert match.view()["scores"] == [2, 0]


@pytest.mark.clause("ABC-07")
def test_the_game_ends_when_all_cards_are_laid() -> None:
    match = sit("1 2 3")
    play(match, "1@1 2@1")
    assert not match.over
    play(match, "3@1")
    assert (match.over, match.view()["scores"]) == (True, [0, 0])
    assert refused(match, "1@1") == "the game is over (ABC-07)"


@pytest.mark.clause("ABC-08")
def test_the_fewest_points_win_and_equal_ones_share() -> None:
    match = sit("7 7 1 1")
    play(match, "7@1 7@1 1@2 1@2")
    assert (match.view()["scores"], match.results()) == ([0, 1], [1, 0])
    tied = sit("1 2")
    play(tied, "1@1 2@1")
    assert tied.results() == [0.5, 0.5]
