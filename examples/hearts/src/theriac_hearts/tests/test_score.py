"""Hearts: the score and the end (HEA-17, HEA-18, HEA-19, HEA-20)."""

from __future__ import annotations

from typing import Any

import pytest

import theriac
from theriac.match import Match
from theriac_hearts.tests.table_setting import (
    deal_out,
    options_refused,
    play,
    play_any,
    refused,
    shown,
    sit,
    sit_small,
)

#: Seat 0 takes the queen and a heart, seat 2 two hearts.
THREE_TRICKS = "C2 CA C3 C4 DK D9 SQ H3 H2 S2 H9 S4"
THEIR_MOVES = "C2 CA C3 C4 D9 SQ H3 DK H2 S2 H9 S4"
#: Seat 0 has all the clubs and wins every trick.
ALL_TO_SEAT_0 = ["C2 C3 C4 C5", "H2 H3 H4 D2", "H5 H6 H7 D3", "H8 H9 H10 HJ"]


def two_tricks(others: str, **options: Any) -> Match:
    """Seat 1 wins two tricks; to the second, seats 2, 3 and 0 play these cards."""
    second, third, zeroth = others.split()
    match = sit_small(f"C2 CA C3 C4 {zeroth} D9 {second} {third}", **options)
    play(match, f"C2 CA C3 C4 D9 {others}")
    return match


def rounds_of(hands: list[str], rounds: int, **options: Any) -> Match:
    """A game in which every round deals the same hands to the seats."""
    deck = sorted(card for hand in hands for card in hand.split())
    deals = [deal_out(hands, dealer % 4) for dealer in range(rounds)]
    given = {"players": 4, "first": 0, "passing": "none", "deck": deck, **options}
    return theriac.new("hearts", deals=deals, **given)


@pytest.mark.clause("HEA-17")
def test_each_heart_costs_a_point_and_the_queen_of_spades_thirteen() -> None:
    match = sit_small(THREE_TRICKS)
    play(match, THEIR_MOVES)
    assert shown(match, "points") == [13 + 1, 0, 1 + 1, 0]
    assert match.view()["scores"] == [14, 0, 2, 0]
    assert match.sheet == {
        "round": 1,
        "taken": [14, 0, 2, 0],
        "moon": None,
        "scored": [14, 0, 2, 0],
        "totals": [14, 0, 2, 0],
    }


@pytest.mark.clause("HEA-17")
def test_other_cards_cost_nothing() -> None:
    match = two_tricks("SK SA CQ")
    assert shown(match, "points") == [0, 0, 0, 0]


@pytest.mark.clause("HEA-17")
@pytest.mark.parametrize("seed", range(5))
def test_all_points_of_a_round_are_26(seed: int) -> None:
    match = theriac.new("hearts", players=4, target=0, seed=bytes([seed] * 32))
    play_any(match, 64)
    assert match.over
    assert sum(shown(match, "points")) == 26


@pytest.mark.clause("HEA-18")
@pytest.mark.parametrize(
    ("moon", "scores"), [("others", [0, 26, 26, 26]), ("self", [-26, 0, 0, 0])]
)
def test_who_takes_all_points_shoots_the_moon(moon: str, scores: list[int]) -> None:
    ranks = "2 3 4 5 6 7 8 9 10 J Q K A".split()
    hands = {seat: " ".join(suit + rank for rank in ranks) for seat, suit in enumerate("CDSH")}
    match = sit(hands, moon=moon, target=0)
    play_any(match, 52)
    assert shown(match, "points") == [26, 0, 0, 0]
    assert match.view()["scores"] == scores
    assert match.sheet is not None
    assert (match.sheet["moon"], match.sheet["scored"]) == (0, scores)


@pytest.mark.clause("HEA-18")
@pytest.mark.parametrize(("moon", "scores"), [("others", [3, 0, 3, 3]), ("self", [0, -3, 0, 0])])
def test_in_a_smaller_deck_the_moon_is_worth_what_its_cards_cost(
    moon: str, scores: list[int]
) -> None:
    assert two_tricks("H2 H3 H4", moon=moon).view()["scores"] == scores


@pytest.mark.clause("HEA-18")
def test_a_deck_without_costly_cards_has_no_moon() -> None:
    match = two_tricks("D2 D3 D4")
    assert match.view()["scores"] == [0, 0, 0, 0]
    assert match.sheet is not None
    assert match.sheet["moon"] is None


@pytest.mark.clause("HEA-18")
def test_a_total_below_zero_is_shown_even_if_it_is_minus_one() -> None:
    match = two_tricks("H2 D3 D4", moon="self")
    assert match.view()["scores"] == [0, -1, 0, 0]
    assert match.view(2)["scores"] == [0, -1, 0, 0]


@pytest.mark.clause("HEA-19")
def test_the_game_ends_after_the_round_in_which_a_player_reaches_the_target() -> None:
    """Ten points each for three players, five times."""
    match = rounds_of(ALL_TO_SEAT_0, 5, target=50)
    for rounds in range(1, 6):
        assert not match.over
        assert match.view()["round"] == rounds
        play_any(match, 16)
        assert match.view()["scores"] == [0, 10 * rounds, 10 * rounds, 10 * rounds]
    assert match.over


@pytest.mark.clause("HEA-19")
def test_the_usual_target_is_100() -> None:
    match = rounds_of(ALL_TO_SEAT_0, 10)
    play_any(match, 9 * 16)
    assert (match.over, match.view()["scores"]) == (False, [0, 90, 90, 90])
    play_any(match, 16)
    assert (match.over, match.view()["scores"]) == (True, [0, 100, 100, 100])


@pytest.mark.clause("HEA-19")
@pytest.mark.parametrize("others", ["H2 H3 H4", "D2 D3 D4"])
def test_target_0_is_a_single_round_whatever_it_brought(others: str) -> None:
    match = two_tricks(others, moon="self")
    assert match.over
    assert refused(match, "C2") == "the game is over (HEA-19)"


@pytest.mark.clause("HEA-19")
@pytest.mark.parametrize("deck", ["C2 C3 C4 C5", "C2 C3 C4 H2"])
def test_a_deck_can_reach_the_target(deck: str) -> None:
    """With `moon` set to self, one costly card alone would lower a total every round."""
    given: dict[str, Any] = {"players": 4, "first": 0, "deck": deck.split()}
    assert options_refused(**given).endswith("use target 0 (a single round) (HEA-19)")
    assert theriac.new("hearts", **given, target=0, seed=bytes(32)).to_act is not None


@pytest.mark.clause("HEA-20")
def test_the_lowest_total_wins_and_equal_ones_share_the_win() -> None:
    match = sit_small(THREE_TRICKS)
    play(match, THEIR_MOVES)
    assert match.view()["winners"] == [1, 3]
    assert match.results() == [0, 0.5, 0, 0.5]
    assert two_tricks("H2 H3 H4").view()["winners"] == [1]
    assert two_tricks("H2 H3 H4", moon="self").view()["winners"] == [1]
    assert two_tricks("D2 D3 D4").results() == [0.25] * 4
