"""Shokoba: further rounds of those who share the most gems (SHO-23)."""

from __future__ import annotations

from typing import Any

import pytest

from theriac.games.shokoba.tests.table_setting import (
    a_deal,
    ended_round,
    lay_any,
    play,
    play_any,
    put_last_cards,
    scores,
    shown,
    sit,
)
from theriac.match import Match

pytestmark = pytest.mark.clause("SHO-23")

#: Piles that earn two players two gems each, three or four players one each, and others none.
TIED_PILES = {
    (2, 2): ["10S 9R 1D", "17S 3E"],
    (2, 3): ["6S 9R 1D", "13S 3E", "8S"],
    (2, 4): ["6S 9R 1D", "13S 3E", "4S", "4S"],
    (3, 3): ["11S 1D", "11S 3E", "5S 9R"],
    (3, 4): ["9S 1D", "9S 3E", "3S 9R", "6S"],
    (4, 4): ["5S 1D", "5S 3E", "4S 9R", "13S"],
}
SPLITS = [
    (2, [0, 1]),
    (3, [0, 1]), (3, [0, 2]), (3, [1, 2]), (3, [0, 1, 2]),
    (4, [0, 1]), (4, [0, 2]), (4, [0, 3]), (4, [1, 2]), (4, [1, 3]), (4, [2, 3]),
    (4, [0, 1, 2]), (4, [0, 1, 3]), (4, [0, 2, 3]), (4, [1, 2, 3]), (4, [0, 1, 2, 3]),
]  # fmt: skip
TIES = [(players, tied, dealer) for players, tied in SPLITS for dealer in range(players)]
#: The gems that tied seats share, by their number.
SHARED = {2: 12, 3: 11, 4: 11}


def tie(players: int, tied: list[int], dealer: int = 0, **options: Any) -> Match:
    """The first round has left these seats with the same gems, beyond the target; others have 4."""
    seats = [*tied, *(seat for seat in range(players) if seat not in tied)]
    earned = TIED_PILES[len(tied), players]
    piles = [earned[seats.index(seat)] for seat in range(players)]
    gems = [10 if seat in tied else 4 for seat in range(players)]
    return ended_round(piles, gems=gems, players=players, first=dealer, **options)


def clockwise(seats: list[int], seat: int) -> int:
    """The first of these seats to the left of a seat."""
    return next((other for other in seats if other > seat), seats[0])


@pytest.mark.parametrize(("players", "tied", "dealer"), TIES)
def test_the_tied_alone_play_on(players: int, tied: list[int], dealer: int) -> None:
    match = tie(players, tied, dealer)
    most = SHARED[len(tied)]
    gems = [most if seat in tied else 4 for seat in range(players)]
    assert (match.over, match.view()["round"], scores(match)) == (False, 2, gems)
    assert shown(match, "dealer") == clockwise(tied, dealer)
    assert shown(match, "hands") == [3 if seat in tied else 0 for seat in range(players)]
    assert shown(match, "deck") == 40 - 4 - 3 * len(tied)
    assert len(shown(match, "open")) == 4
    assert shown(match, "captured") == shown(match, "shokobas") == [0] * players
    acting = clockwise(tied, clockwise(tied, dealer))
    for _ in range(35):
        assert match.to_act == acting
        play_any(match, 1)
        acting = clockwise(tied, acting)
        view = match.view()
        assert (view["over"], view["round"]) == (False, 2)
        for seat in set(range(players)) - set(tied):
            assert [view["table"][key][seat] for key in ("hands", "captured", "shokobas")] == [
                0
            ] * 3
            assert view["scores"][seat] == 4
    play_any(match, 1)
    assert match.over or match.view()["round"] == 3


def test_the_example_of_two_players_with_twelve_gems() -> None:
    """The rulebook's; after a tie-break round one is ahead and has won."""
    match = tie(3, [0, 2])
    assert scores(match) == [12, 4, 12]
    put_last_cards(match, {2: "S1"}, piles=["13S 5R 2E 1D", "", "13S 4R 1E"], last_capture=0)
    play(match, "S1")
    assert (match.over, match.winners(), scores(match)) == (True, [0], [17, 4, 12])
    assert match.view()["round"] == 2
    assert match.results() == [1, 0, 0]
    assert shown(match, "captured") == [22, 0, 18]


def test_players_who_are_still_tied_play_another_round() -> None:
    match = tie(4, [1, 3], dealer=0)
    assert shown(match, "dealer") == 1
    piles = ["", "12S 5R 1E 1D", "", "14S 4R 2E"]
    put_last_cards(match, {1: "S1"}, piles=piles, last_capture=1)
    play(match, "S1")
    assert (match.over, match.view()["round"], scores(match)) == (False, 3, [4, 14, 4, 14])
    assert (shown(match, "dealer"), match.to_act) == (3, 1)
    assert shown(match, "hands") == [0, 3, 0, 3]
    put_last_cards(match, {3: "S1"}, piles=["", "14S 4R 2E", "", "12S 5R 1E 1D"], last_capture=1)
    play(match, "S1")
    assert (match.over, match.winners(), scores(match)) == (True, [1], [4, 17, 4, 16])
    assert match.view()["round"] == 3


def test_one_of_three_tied_ahead_has_won() -> None:
    match = tie(4, [0, 1, 3], dealer=3)
    assert scores(match) == [11, 11, 4, 11]
    piles = ["12S 4R 1D", "9S 4R", "", "5S 1R 3E"]
    put_last_cards(match, {0: "S1"}, piles=piles, last_capture=0)
    play(match, "S1")
    # Seat 0: the diamond, sapphires and cards; seat 3: emeralds; rubies are tied.
    assert (match.winners(), scores(match)) == ([0], [14, 11, 4, 12])


def test_another_round_is_between_those_who_then_share_the_most() -> None:
    match = tie(4, [0, 1, 3], dealer=3)
    assert (shown(match, "dealer"), match.to_act) == (0, 1)
    piles = ["12S 4R 1D", "9S 4R", "", "5S 1R 3E"]
    with_two_shokobas = [11, 11, 4, 13]
    put_last_cards(match, {0: "S1"}, piles=piles, gems=with_two_shokobas, last_capture=0)
    play(match, "S1")
    assert (match.over, match.view()["round"], scores(match)) == (False, 3, [14, 11, 4, 14])
    assert shown(match, "hands") == [3, 0, 0, 3]
    assert (shown(match, "dealer"), match.to_act) == (3, 0)
    play_any(match, 35)
    assert (match.over, match.view()["round"], scores(match)[1:3]) == (False, 3, [11, 4])


@pytest.mark.clause("SHO-21")
@pytest.mark.parametrize("finish", ["at_once", "after_round"])
def test_a_shokoba_does_not_end_a_tie_break_round(finish: str) -> None:
    second = a_deal({0: "S10 S8 S9", 2: "S1 R8 R9"}, face_up="S1 S2 S3 S4", dealer=2, seats=[0, 2])
    match = tie(3, [0, 2], finish=finish, next_deals=[second])
    play(match, "S10=S1+S2+S3+S4")
    assert shown(match, "shokobas") == [1, 0, 0]
    assert (match.over, match.to_act, scores(match)) == (False, 2, [13, 4, 12])
    put_last_cards(match, {2: "S1"}, piles=["13S 4R 1E", "", "13S 5R 2E 1D"], last_capture=0)
    play(match, "S1")
    # Sapphires are seat 0's, who was ahead; all else makes seat 2 the winner.
    assert (match.winners(), scores(match)) == ([2], [14, 4, 16])


@pytest.mark.clause("SHO-21", "SHO-24")
def test_a_claimed_shokoba_does_not_end_a_tie_break_round() -> None:
    second = a_deal({0: "S10 S8 S9", 2: "S1 R8 R9"}, face_up="S1 S2 S3 S4", dealer=2, seats=[0, 2])
    match = tie(3, [0, 2], oversights=True, next_deals=[second])
    play(match, "S10! claim=S1+S2+S3+S4")
    assert (match.over, match.to_act, scores(match)) == (False, 2, [12, 4, 13])


@pytest.mark.clause("SHO-25")
def test_every_tie_break_round_is_a_deal_of_its_own() -> None:
    second = a_deal({1: "S1 S2 S3", 3: "S4 S5 S6"}, face_up="S8 S9", dealer=1, seats=[1, 3])
    third = a_deal({1: "R1 R2 R3", 3: "R4 R5 R6"}, face_up="S10 R10", dealer=3, seats=[1, 3])
    match = tie(4, [1, 3], next_deals=[second, third])
    assert match.view(1)["hand"] == ["S1", "S2", "S3"]
    assert match.view(3)["hand"] == ["S4", "S5", "S6"]
    assert (match.view(0)["hand"], match.view(2)["hand"]) == ([], [])
    assert shown(match, "open")[:2] == ["S8", "S9"]
    piles = ["", "12S 5R 1E 1D", "", "14S 4R 2E"]
    put_last_cards(match, {1: "S1"}, piles=piles, last_capture=1)
    play(match, "S1")
    assert match.view(1)["hand"] == ["R1", "R2", "R3"]
    assert match.view(3)["hand"] == ["R4", "R5", "R6"]
    assert shown(match, "open")[:2] == ["S10", "R10"]


@pytest.mark.clause("SHO-02")
@pytest.mark.parametrize("dealer", range(4))
@pytest.mark.parametrize("nine_cards", [False, True])
def test_two_tied_teams_play_with_all_four_by_the_same_options(
    dealer: int, nine_cards: bool
) -> None:
    piles = ["10S 9R 1D", "17S 3E"]
    match = ended_round(
        piles, gems=[10, 10], players=4, first=dealer, teams=True, nine_cards=nine_cards
    )
    assert (match.over, match.view()["round"], scores(match)) == (False, 2, [12, 12, 12, 12])
    assert (shown(match, "dealer"), match.to_act) == ((dealer + 1) % 4, (dealer + 2) % 4)
    assert shown(match, "hands") == [9 if nine_cards else 3] * 4
    for turn in range(36):
        assert match.to_act == (dealer + 2 + turn) % 4
        play_any(match, 1)
    assert match.over or match.view()["round"] == 3


@pytest.mark.clause("SHO-02")
def test_a_team_ahead_after_a_tie_break_round_wins_together() -> None:
    match = ended_round(["10S 9R 1D", "17S 3E"], gems=[10, 10], players=4, teams=True)
    put_last_cards(match, {1: "S1"}, piles=["12S 4R 1E", "14S 5R 2E 1D"], last_capture=3)
    play(match, "S1")
    assert (match.winners(), scores(match)) == ([1, 3], [12, 17, 12, 17])


def test_the_other_options_hold_in_a_tie_break() -> None:
    second = a_deal({0: "R9 S2 S3"}, face_up="S9 S5 S4 R10", dealer=2, seats=[0, 2])
    match = tie(3, [0, 2], next_deals=[second], exact_first=True, oversights=True)
    assert match.legal() == ["R9!", "R9=S9", "S2", "S3"]


@pytest.mark.clause("SHO-21")
def test_a_tie_below_the_target_is_an_ordinary_round() -> None:
    match = ended_round(["6S 9R 1D", "13S 3E", "8S"], gems=[8, 8, 4], players=3)
    assert (scores(match), shown(match, "hands")) == ([10, 10, 4], [3, 3, 3])
    assert (match.view()["round"], shown(match, "dealer"), match.to_act) == (2, 1, 2)


@pytest.mark.clause("SHO-21")
def test_in_a_round_after_a_tie_below_the_target_a_shokoba_still_ends_the_game() -> None:
    second = a_deal({2: "S10"}, face_up="S1 S2 S3 S4", dealer=1, seats=[0, 1, 2])
    match = ended_round(
        ["6S 9R 1D", "13S 3E", "8S"], gems=[8, 8, 10], players=3, next_deals=[second]
    )
    play(match, "S10=S1+S2+S3+S4")
    assert (match.winners(), scores(match)) == ([2], [10, 10, 11])


@pytest.mark.clause("SHO-03")
@pytest.mark.parametrize("target", [16, 21])
def test_a_tie_is_one_at_the_chosen_target(target: int) -> None:
    piles = ["6S 9R 1D", "13S 3E", "8S"]
    below = ended_round(piles, gems=[target - 3] * 2 + [4], players=3, target=target)
    assert (scores(below), shown(below, "hands")) == ([target - 1] * 2 + [4], [3, 3, 3])
    there = ended_round(piles, gems=[target - 2] * 2 + [4], players=3, target=target)
    assert (scores(there), shown(there, "hands")) == ([target] * 2 + [4], [3, 3, 0])


def test_ties_can_be_reached_by_play_alone() -> None:
    """Reached by moves only: nobody captures, so the gems stay as they are."""
    match = sit(players=3, oversights=True, finish="after_round")
    match._g.gems[:3] = [12, 3, 12]
    for number in (1, 2):
        assert (match.over, match.view()["round"], scores(match)) == (False, number, [12, 3, 12])
        lay_any(match, 36)
        assert shown(match, "hands") == [3, 0, 3]
