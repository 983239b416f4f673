"""Poison: scoring and the end (POI-15, POI-16, POI-17, POI-18, POI-19, POI-20).

With potions of 13, a card played takes the one card of its colour that was there before.
"""

from __future__ import annotations

import numpy as np
import pytest

from theriac.games.poison.rules import round_points
from theriac.games.poison.state import BLUE, POISON, PURPLE, RED
from theriac.games.poison.tests.table_setting import (
    play,
    play_any,
    refused,
    shown,
    sit,
    sit_small,
)
from theriac.match import Match

#: The rulebook's example: what Sara, Richard, Charles and James have taken.
EXAMPLE = [
    {BLUE: 3, RED: 2, POISON: 1},
    {RED: 6, PURPLE: 2},
    {BLUE: 2, RED: 5, PURPLE: 6, POISON: 2},
    {BLUE: 6, RED: 1, PURPLE: 6, POISON: 4},
]


def scored(cards: str, moves: str) -> list[int]:
    """The scores after a round of four players, dealt by seat 0."""
    match = sit_small(cards, cards)
    play(match, moves)
    assert match.view()["round"] == 2
    scores: list[int] = match.view()["scores"]
    return scores


def in_turn(moves: str) -> tuple[str, str]:
    """Cards dealt in the order in which they are played, and the moves."""
    return " ".join(move.split("@")[0] for move in moves.split()), moves


@pytest.mark.clause("POI-15")
def test_the_round_ends_when_all_cards_have_been_played() -> None:
    match = sit()
    play_any(match, 49)
    assert (match.view()["round"], match.view()["scores"]) == (1, [0, 0, 0, 0])
    assert sum(shown(match, "hands")) == 1
    play_any(match, 1)
    assert match.view()["round"] == 2
    assert sum(match.view()["scores"]) > 0
    assert (shown(match, "taken"), sum(shown(match, "hands"))) == ([0, 0, 0, 0], 50)


@pytest.mark.clause("POI-15")
def test_cards_left_in_the_cauldrons_count_for_nobody() -> None:
    assert scored(*in_turn("R7@1 B7@2 P7@3 X@1")) == [0, 0, 0, 0]
    assert scored(*in_turn("X@1 X@2 X@3 X@1")) == [0, 0, 0, 0]
    # Seat 0 ends the round by taking three poison cards; its own, the fourth, stays.
    assert scored(*in_turn("X@1 X@1 X@1 X@1")) == [6, 0, 0, 0]


@pytest.mark.clause("POI-16")
def test_alone_with_the_most_of_a_colour_one_sets_it_aside() -> None:
    """Reds taken: seats 2, 3 and 0 one each, then seat 2 another."""
    assert scored(*in_turn("R13@1 R13@1 R13@1 R13@1 B13@2 R13@1 P13@3 X@2")) == [1, 0, 0, 1]


@pytest.mark.clause("POI-16")
def test_in_a_tie_for_the_most_nobody_does() -> None:
    """Reds taken: seats 0, 2, 3 two each, seat 1 one."""
    moves = " ".join(["R13@1"] * 8)
    assert scored(*in_turn(moves)) == [2, 1, 2, 2]


@pytest.mark.clause("POI-16")
def test_a_single_card_can_be_the_most() -> None:
    assert scored(*in_turn("R13@1 R13@1 B13@2 P13@3")) == [0, 0, 0, 0]
    assert scored(*in_turn("B13@2 B13@2 R13@1 R13@1")) == [0, 0, 0, 0]
    assert scored(*in_turn("P13@3 B13@2 R13@1 P13@3")) == [0, 0, 0, 0]


@pytest.mark.clause("POI-16")
def test_colours_are_set_aside_one_by_one() -> None:
    """Seat 2 has two reds to seat 3's one; blue and purple are ties."""
    moves = "R13@1 R13@1 B13@2 B13@2 B13@2 R13@1 R13@1 P13@3 P13@3 B13@2 P13@3 X@3"
    assert scored(*in_turn(moves)) == [2, 2, 1, 2]


@pytest.mark.clause("POI-17")
def test_poison_is_never_set_aside() -> None:
    assert scored(*in_turn("X@1 X@1 X@1 X@1")) == [6, 0, 0, 0]


@pytest.mark.clause("POI-18")
def test_a_point_a_card_and_two_for_poison() -> None:
    """Seat 0 takes X X R5; seat 1 takes R7: a tie in red, so all of it counts."""
    moves = "X@1 X@1 R5@1 R7@1 B1@2 B1@2 P1@3 P1@3 R7@1 B1@2 B1@2 B1@2"
    assert scored(*in_turn(moves)) == [2 + 2 + 1, 1, 0, 0]


@pytest.mark.clause("POI-16", "POI-17", "POI-18", "POI-19")
def test_the_rulebooks_scoring_example() -> None:
    match = sit(players=4)
    play_any(match, 49)
    put_taken(match, EXAMPLE)
    play(match, last_move_that_takes_nothing(match))
    assert match.view()["round"] == 2
    assert match.view()["scores"] == [7, 2, 17, 15]


@pytest.mark.clause("POI-19")
def test_the_rulebooks_scoring_example_by_the_rule_alone() -> None:
    got = np.zeros((6, 4), np.int16)
    for seat, cards in enumerate(EXAMPLE):
        for colour, n in cards.items():
            got[seat, colour] = n
    assert [round_points(got, 4, seat) for seat in range(4)] == [7, 2, 17, 15]


def put_taken(match: Match, piles: list[dict[int, int]]) -> None:
    """Replace the cards taken so far."""
    match._g.got[:] = 0
    for seat, cards in enumerate(piles):
        for colour, n in cards.items():
            match._g.got[seat, colour] = n
        match._g.taken[seat] = sum(cards.values())


def last_move_that_takes_nothing(match: Match) -> str:
    """A move after which only the cards put there have been taken."""
    for cauldron in range(3):
        match._g.sums[cauldron] = 0
    return match.legal()[0]


# The end of the game


@pytest.mark.clause("POI-20")
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_as_many_rounds_as_players(players: int) -> None:
    match = sit(players=players)
    play_any(match, players * (38 if players == 3 else 50) - 1)
    assert (match.over, match.view()["round"], match.winners()) == (False, players, [])
    play_any(match, 1)
    assert match.over
    view = match.view()
    assert (view["to_act"], view["round"], view["legal"]) == (None, players, [])
    lowest = min(view["scores"])
    assert view["winners"] == [s for s in range(players) if view["scores"][s] == lowest]


@pytest.mark.clause("POI-20")
def test_scores_add_up_and_the_lowest_total_wins() -> None:
    """Each round the dealer, last to play, takes three poison cards, except in the second."""
    match = sit_small(*["X X X X"] * 4)
    totals = []
    for moves in ["X@1 X@1 X@1 X@1", "X@1 X@2 X@3 X@1"] + ["X@2 X@2 X@2 X@2"] * 2:
        play(match, moves)
        totals.append(match.view()["scores"])
    assert totals == [[6, 0, 0, 0], [6, 0, 0, 0], [6, 0, 6, 0], [6, 0, 6, 6]]
    assert match.view()["winners"] == [1]
    assert match.results() == [0, 1, 0, 0]


@pytest.mark.clause("POI-20")
def test_equal_lowest_totals_share_the_win() -> None:
    match = sit_small(*["X X X X"] * 4)
    for moves in ["X@1 X@1 X@1 X@1"] * 2 + ["X@1 X@2 X@3 X@1"] * 2:
        play(match, moves)
    assert match.view()["scores"] == [6, 6, 0, 0]
    assert match.view()["winners"] == [2, 3]
    assert match.results() == [0, 0, 0.5, 0.5]


@pytest.mark.clause("POI-20")
def test_when_over_every_move_is_refused_and_the_last_round_stays_shown() -> None:
    match = sit_small(*["X X X R1"] * 4)
    for _ in range(4):
        play(match, "X@1 X@1 X@2 R1@3")
    assert match.over
    for move in ("X@1", "R1@3", "R9@1", "X@4", "pass", "no move at all", "R5@2"):
        assert refused(match, move) == "the game is over (POI-20)"
    assert shown(match, "cauldrons") == [["X", "X"], ["X"], ["R1"]]
    assert (shown(match, "sums"), shown(match, "hands")) == ([8, 4, 1], [0, 0, 0, 0])
    assert shown(match, "dealer") == 3
    assert match.view()["winners"] == [0, 1, 2, 3]
