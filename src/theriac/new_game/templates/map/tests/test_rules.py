"""Game Title: a test for each clause, which fails without it. To fill in: yours."""

from __future__ import annotations

import pytest

import theriac
from theriac.game import find

from .table_setting import options_refused, play, refused, shown, sit


@pytest.mark.clause("ABC-01")
def test_16_cards() -> None:
    deck = find("game_name").shipped
    assert dict(deck.counts) == {str(value): 4 for value in range(1, 5)}
    assert "not a number from 1 to 4" in options_refused(players=2, first=0, deck=["5"] * 9)


@pytest.mark.clause("ABC-02")
def test_two_to_four_play_and_share_the_end() -> None:
    for players in (2, 3, 4):
        assert theriac.new("game_name", players=players, seed=bytes(32)).players == players
    assert options_refused(players=5, first=0) == "option players: 5 is not 2, 3 or 4 (ABC-02)"
    match = sit("1 1 1 1 1")
    play(match, "1@b3 1@a3 1@d3 1@e3")
    assert match.results() == [0.5, 0.5]


@pytest.mark.clause("ABC-03")
def test_one_shuffle_of_all_cards() -> None:
    match = theriac.new("game_name", players=3, seed=bytes(32))
    assert [sorted(deal) for deal in match.dealt] == [sorted(find("game_name").shipped.cards())]


@pytest.mark.clause("ABC-04")
def test_a_card_in_the_middle_and_two_each() -> None:
    match = sit("2 1 1 3 2 4", first=1)
    assert shown(match, "grid") == [".....", ".....", "..2..", ".....", "....."]
    assert [match.view(seat)["hand"] for seat in range(2)] == [["1", "2"], ["1", "3"]]
    assert (match.to_act, shown(match, "left")) == (1, 1)
    assert "4 cards are not 5 to 25 (ABC-04)" in options_refused(players=2, first=0, deck=["1"] * 4)


@pytest.mark.clause("ABC-05")
def test_each_lays_a_card_of_the_hand_on_a_free_place() -> None:
    match = sit("2 1 1 3 2 4")
    assert refused(match, "2@b3") == "2 is not in hand (ABC-05)"
    assert refused(match, "1@c3") == "c3 is taken (ABC-05)"
    assert refused(match, "1@f3") == "a move is a card and a place, such as 3@b2 (ABC-05)"
    play(match, "1@b3")
    assert (match.to_act, shown(match, "grid")[2]) == (1, ".12..")


@pytest.mark.clause("ABC-06")
@pytest.mark.parametrize("place", ["b2", "e3", "a1", "e5"])
def test_a_card_is_laid_next_to_another(place: str) -> None:
    match = sit("2 1 1 3 2 4")
    assert refused(match, f"1@{place}") == f"no card lies next to {place} (ABC-06)"


@pytest.mark.clause("ABC-06")
def test_the_edges_of_the_grid_do_not_meet() -> None:
    match = sit("1 1 1 1 1 1")
    play(match, "1@d3 1@e3")
    assert refused(match, "1@a4") == "no card lies next to a4 (ABC-06)"


@pytest.mark.clause("ABC-07")
def test_neighbours_differ_by_one_at_most() -> None:
    match = sit("1 3 1 2 1 4")
    assert refused(match, "3@c2") == "a neighbour of c2 differs from 3 by more than 1 (ABC-07)"
    play(match, "2@c2 1@b3 3@b2") if "3@b2" in match.legal() else play(match, "2@c2 1@b3")
    assert "3@b2" not in match.legal()  # beside 2, but above 1
    assert "3@c1" in match.legal()


@pytest.mark.clause("ABC-08")
def test_a_player_draws_after_laying_a_card() -> None:
    match = sit("2 1 1 3 2 4")
    play(match, "1@b3")
    assert (match.view(0)["hand"], shown(match, "left")) == (["3", "4"], 0)
    play(match, "1@d3")
    assert shown(match, "hands") == [2, 1]


@pytest.mark.clause("ABC-09")
def test_lost_when_a_player_cannot_lay() -> None:
    match = sit("1 2 4 1 4")
    play(match, "1@b3")
    assert (match.over, match.results(), shown(match, "outcome")) == (True, [0, 0], "lost")
    assert sit("1 4 1 4 1").over


@pytest.mark.clause("ABC-10")
def test_won_when_all_cards_are_laid() -> None:
    match = sit("1 1 1 1 1")
    play(match, "1@b3 1@a3 1@d3")
    assert not match.over
    play(match, "1@e3")
    assert (match.over, shown(match, "outcome")) == (True, "won")
    assert match.view()["scores"] == [4, 4]
    assert refused(match, "1@c2") == "the game is over (ABC-10)"
