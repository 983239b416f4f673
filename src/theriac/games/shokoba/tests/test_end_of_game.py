"""Shokoba: the end of the game (SHO-21, SHO-22)."""

from __future__ import annotations

from typing import Any

import pytest

import theriac
from theriac.faults import BadOption
from theriac.games.shokoba.tests.table_setting import (
    ended_round,
    last_cards,
    play,
    refusing_clause,
    scores,
    shown,
    sit,
)

#: Seat 0 or its team earns four gems, the other one.
ONE_AHEAD = ["14S 5R 1E 1D", "13S 4R 2E"]

# At once


@pytest.mark.clause("SHO-21")
def test_a_shokoba_that_reaches_the_target_ends_the_game_there_and_then() -> None:
    match = sit({1: "S4 S9 S8", 0: "S2 S3 S5"}, face_up="S1 R1 S1 S1")
    match._g.gems[:2] = [10, 10]
    play(match, "S4=S1+S1+S1+R1")
    assert match.view() == {
        "game": "shokoba",
        "over": True,
        "to_act": None,
        "round": 1,
        "scores": [10, 11],
        "winners": [1],
        "legal": [],
        "table": {
            "open": [],
            "captured": [0, 5],
            "hands": [3, 2],
            "deck": 30,
            "dealer": 0,
            "shokobas": [0, 1],
            "last_capture": 1,
        },
    }
    assert match.view(1)["hand"] == ["S8", "S9"]
    assert refusing_clause(match, "S8") == "SHO-21"


@pytest.mark.clause("SHO-21")
def test_a_shokoba_on_the_rounds_last_card_ends_the_game_without_scoring_the_round() -> None:
    match = last_cards({0: "S8"}, "S3 S5", piles=["12S 4R 1E", "12S 5R 2E 1D"], gems=[10, 10])
    play(match, "S8=S3+S5")
    assert (match.over, match.winners(), scores(match)) == (True, [0], [11, 10])
    assert (match.view()["round"], shown(match, "captured")) == (1, [20, 20])


@pytest.mark.clause("SHO-21", "SHO-24")
def test_a_claimed_shokoba_ends_the_game_before_the_claimers_own_turn() -> None:
    hands = {1: "S10 S8 S9", 0: "R8 R9 S2"}
    match = sit(hands, face_up="S1 S2 S3 S4", oversights=True)
    match._g.gems[:2] = [10, 10]
    play(match, "S10! claim=S1+S2+S3+S4")
    assert (match.over, match.to_act, match.legal()) == (True, None, [])
    assert (match.winners(), scores(match)) == ([0], [11, 10])
    assert shown(match, "hands") == [3, 2]


@pytest.mark.clause("SHO-21", "SHO-24")
def test_a_claimed_shokoba_on_the_rounds_last_card_ends_the_game_unscored() -> None:
    piles = ["12S 4R 1E 1D", "12S 5R 2E"]
    match = last_cards({0: "S8"}, "S3 S5", piles=piles, gems=[10, 10], oversights=True)
    play(match, "S8! claim=S3+S5")
    assert (match.over, match.winners(), scores(match)) == (True, [1], [10, 11])
    assert shown(match, "captured") == [18, 22]
    assert refusing_clause(match, "pass") == "SHO-21"


@pytest.mark.clause("SHO-21", "SHO-24")
def test_a_claimed_shokoba_on_the_last_card_of_a_hand_ends_the_game_before_the_deal() -> None:
    hands = {1: "R10 S4 S3", 0: "S10 S2 S9"}
    match = sit(hands, face_up="S10 R1 S1 S8", oversights=True)
    match._g.gems[:2] = [3, 10]
    play(match, "R10=S10 S10=S1+R1+S8 S4 S2 S3")
    assert shown(match, "open") == ["S4", "S2", "S3"]
    play(match, "S9! claim=S2+S3+S4")
    assert (match.over, match.winners(), scores(match)) == (True, [1], [4, 11])
    assert (shown(match, "hands"), shown(match, "deck")) == ([0, 0], 30)


@pytest.mark.clause("SHO-21", "SHO-02")
def test_a_teams_total_counts_and_both_partners_win() -> None:
    """Seat 2 and then seat 0 clear the table."""
    hands = {2: "S5", 3: "R10", 0: "S10"}
    match = sit(hands, face_up="S1 S1 S1 S2", players=4, first=1, teams=True)
    match._g.gems[:2] = [9, 8]
    play(match, "S5=S1+S1+S1+S2 R10")
    assert (match.over, scores(match)) == (False, [10, 8, 10, 8])
    play(match, "S10=R10")
    assert (match.over, scores(match)) == (True, [11, 8, 11, 8])
    assert (match.winners(), match.results()) == ([0, 2], [0.5, 0, 0.5, 0])
    assert shown(match, "shokobas") == [1, 0, 1, 0]


@pytest.mark.clause("SHO-21")
def test_below_the_target_the_game_continues() -> None:
    match = sit({1: "S4 S9 S8", 0: "S2 S3 S5"}, face_up="S1 R1 S1 S1")
    match._g.gems[:2] = [10, 9]
    play(match, "S4=S1+S1+S1+R1")
    assert (match.over, match.winners(), scores(match)) == (False, [], [10, 10])
    assert match.results() == [0, 0]


@pytest.mark.clause("SHO-21")
@pytest.mark.parametrize("finish", ["at_once", "after_round"])
@pytest.mark.parametrize(("before", "over"), [(6, False), (7, True), (8, True)])
def test_the_gems_of_a_round_can_reach_the_target(finish: str, before: int, over: bool) -> None:
    match = ended_round(ONE_AHEAD, gems=[before, 3], finish=finish)
    assert scores(match) == [before + 4, 4]
    assert (match.over, match.winners()) == (over, [0] if over else [])
    assert match.view()["round"] == (1 if over else 2)


@pytest.mark.clause("SHO-21", "SHO-02")
def test_the_gems_of_a_round_are_a_teams() -> None:
    match = ended_round(ONE_AHEAD, gems=[7, 3], players=4, teams=True)
    assert (match.winners(), scores(match)) == ([0, 2], [11, 4, 11, 4])
    assert match.results() == [0.5, 0, 0.5, 0]


# After the round


@pytest.mark.clause("SHO-21")
@pytest.mark.parametrize("value", ["later", "At_once", True, 0, None])
def test_finish_is_at_once_or_after_round(value: object) -> None:
    with pytest.raises(BadOption) as refused:
        theriac.new("shokoba", players=2, finish=value)
    assert str(refused.value) == (
        f'option finish: {value} is not "at_once" or "after_round" (SHO-21)'
    )


@pytest.mark.clause("SHO-21")
@pytest.mark.parametrize(("options", "over"), [
    ({}, True), ({"finish": "at_once"}, True), ({"finish": "after_round"}, False),
])  # fmt: skip
def test_with_after_round_the_target_is_not_checked_before(
    options: dict[str, Any], over: bool
) -> None:
    match = sit({1: "S4 S9 S8", 0: "S2 S3 S5"}, face_up="S1 R1 S1 S1", **options)
    match._g.gems[:2] = [3, 10]
    play(match, "S4=S1+S1+S1+R1")
    assert (match.over, scores(match)) == (over, [3, 11])
    assert match.to_act == (None if over else 0)


@pytest.mark.clause("SHO-21", "SHO-22")
def test_with_after_round_the_most_gems_win_and_not_the_first_to_reach_the_target() -> None:
    match = last_cards(
        {1: "S8", 0: "S1"},
        "S3 S5",
        piles=["12S 5R 2E 1D", "11S 4R 1E"],
        gems=[8, 10],
        last_capture=0,
        finish="after_round",
    )
    play(match, "S8=S3+S5")
    assert (match.over, scores(match)) == (False, [8, 11])
    play(match, "S1")
    # Sapphires are 12 to 15; the diamond, emeralds, rubies and cards are seat 0's.
    assert shown(match, "captured") == [20, 20]
    assert (match.winners(), scores(match)) == ([1], [11, 12])


@pytest.mark.clause("SHO-21", "SHO-24")
@pytest.mark.parametrize("finish", ["at_once", "after_round"])
def test_finish_counts_a_claimed_shokoba(finish: str) -> None:
    piles = ["12S 4R 1E 1D", "12S 5R 2E"]
    match = last_cards(
        {0: "S8"}, "S3 S5", piles=piles, gems=[10, 10], oversights=True, finish=finish
    )
    play(match, "S8! claim=S3+S5")
    expected = [10, 11] if finish == "at_once" else [11, 15]
    assert (match.winners(), scores(match)) == ([1], expected)


# Several at once


@pytest.mark.clause("SHO-22")
@pytest.mark.parametrize(
    ("finish", "gems", "total", "winners"),
    [
        ("at_once", [10, 10], [14, 11], [0]),
        ("after_round", [10, 10], [14, 11], [0]),
        ("after_round", [8, 12], [12, 13], [1]),
    ],
)
def test_of_several_who_reach_the_target_the_most_gems_win(
    finish: str, gems: list[int], total: list[int], winners: list[int]
) -> None:
    match = ended_round(ONE_AHEAD, gems=gems, finish=finish)
    assert (match.over, match.winners(), scores(match)) == (True, winners, total)
    assert match.results() == [float(seat in winners) for seat in (0, 1)]
    assert match.view()["round"] == 1


@pytest.mark.clause("SHO-22", "SHO-23")
def test_a_tie_behind_the_one_with_the_most_is_no_tie() -> None:
    match = ended_round(["10S 3R 3E 1D", "8S 3R", "9S 3R"], gems=[9, 10, 10], players=3)
    assert (match.winners(), scores(match)) == ([0], [13, 10, 10])


@pytest.mark.clause("SHO-22", "SHO-02")
def test_of_two_teams_beyond_the_target_the_one_with_the_most_wins() -> None:
    options: dict[str, Any] = {"players": 4, "teams": True}
    match = ended_round(ONE_AHEAD, gems=[9, 10], **options)
    assert (match.winners(), scores(match)) == ([0, 2], [13, 11, 13, 11])
