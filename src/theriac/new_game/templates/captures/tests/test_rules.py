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
    assert "not a number from 1 to 7" in options_refused(players=2, first=0, deck=["8"] * 6)
    assert "use at most 100" in options_refused(players=2, first=0, deck=["1"] * 102)


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
def test_four_cards_are_open_and_three_dealt_to_each() -> None:
    match = sit("1 1 2 7 1 2 3 4 5 6 7 7", first=1)
    assert shown(match, "open") == ["1", "1", "2", "7"]
    assert [match.view(seat)["hand"] for seat in range(2)] == [["2", "4", "6"], ["1", "3", "5"]]
    assert (match.to_act, shown(match, "left")) == (1, 2)


@pytest.mark.clause("ABC-05")
def test_empty_hands_get_three_more_or_what_is_left() -> None:
    match = sit("7 7 7 7 1 1 2 2 3 3 4 5")
    play(match, "1= 1=1 2= 2=2 3= 3=3")
    assert [match.view(seat)["hand"] for seat in range(2)] == [["4"], ["5"]]
    assert shown(match, "left") == 0
    assert "do not give 4 open cards and 2 equal hands (ABC-05)" in options_refused(
        players=2, first=0, deck=["1"] * 7
    )


@pytest.mark.clause("ABC-06")
def test_each_plays_a_card_of_the_hand() -> None:
    match = sit("7 7 7 7 1 2")
    assert refused(match, "2=") == "2 is not in hand (ABC-06)"
    assert refused(match, "1=2+3") == (
        "a move is a card and what it takes, such as 5=, 5=5 or 5=2+3 (ABC-06)"
    )
    play(match, "1=")
    assert (match.to_act, shown(match, "hands")) == (1, [0, 1])


@pytest.mark.clause("ABC-07")
@pytest.mark.parametrize(
    ("move", "left", "points"),
    [
        ("5=5", ["1", "2", "3"], 2),
        ("5=2+3", ["1", "5"], 3),
    ],
)
def test_a_card_takes_an_equal_one_or_a_pair(move: str, left: list[str], points: int) -> None:
    match = sit("1 2 3 5 5 1")
    assert match.legal() == ["5=2+3", "5=5"]
    assert refused(match, "5=1+4") == "what it would take does not lie open (ABC-07)"
    play(match, move)
    assert (shown(match, "open"), match.view()["scores"]) == (left, [points, 0])


@pytest.mark.clause("ABC-07")
def test_a_pair_may_be_two_equal_cards() -> None:
    assert sit("1 2 2 7 4 4").legal() == ["4=2+2"]
    assert sit("1 2 7 7 4 4").legal() == ["4="]


@pytest.mark.clause("ABC-08")
def test_a_card_that_can_take_must() -> None:
    match = sit("1 1 1 7 1 4")
    assert refused(match, "1=") == "1 can take something, so it must (ABC-08)"
    play(match, "1=1 4=")
    assert shown(match, "open") == ["1", "1", "4", "7"]


@pytest.mark.clause("ABC-09")
def test_the_game_ends_when_all_cards_are_played() -> None:
    match = sit("7 7 7 7 1 2")
    play(match, "1=")
    assert not match.over
    play(match, "2=")
    assert (match.over, match.view()["scores"]) == (True, [0, 0])
    assert refused(match, "1=") == "the game is over (ABC-09)"


@pytest.mark.clause("ABC-10")
def test_the_most_points_win_and_equal_ones_share() -> None:
    match = sit("7 7 7 7 7 2")
    play(match, "7=7 2=")
    assert (match.view()["scores"], match.results()) == ([2, 0], [1, 0])
    tied = sit("7 7 7 7 1 2")
    play(tied, "1= 2=")
    assert tied.results() == [0.5, 0.5]
