"""Shokoba: the end of a round (SHO-17, SHO-18, SHO-19, SHO-20)."""

from __future__ import annotations

from typing import Any

import pytest

import theriac
from theriac.games.shokoba.tests.table_setting import (
    DECK,
    SEED,
    ended_round,
    last_cards,
    lay_any,
    play,
    scores,
    shown,
    sit,
)

# The cards left on the table


@pytest.mark.clause("SHO-17")
def test_the_round_ends_when_the_last_hand_is_played() -> None:
    match = last_cards(
        {1: "S2", 2: "S5", 0: "S9"}, piles=["8S 3R 1D", "8S 3R", "8S 3R 3E"], players=3
    )
    for move in ("S2", "S5"):
        play(match, move)
        assert (match.view()["round"], scores(match)) == (1, [0, 0, 0])
    play(match, "S9")
    assert match.view()["round"] == 2
    assert shown(match, "hands") == [3, 3, 3]
    assert shown(match, "captured") == [0, 0, 0]
    assert len(shown(match, "open")) == 4


@pytest.mark.clause("SHO-17")
@pytest.mark.parametrize("last_capture", [0, 1])
def test_the_last_to_have_captured_takes_the_cards_left_without_a_shokoba(
    last_capture: int,
) -> None:
    match = last_cards(
        {0: "S1"},
        "R10 S9",
        piles=["12S 4R 1E 1D", "13S 4R 2E"],
        gems=[8, 8],
        last_capture=last_capture,
    )
    play(match, "S1")
    assert shown(match, "open") == []
    assert shown(match, "captured") == ([21, 19] if last_capture == 0 else [18, 22])
    assert shown(match, "last_capture") == last_capture
    assert shown(match, "shokobas") == [0, 0]
    assert scores(match) == ([12, 9] if last_capture == 0 else [9, 12])


@pytest.mark.clause("SHO-17")
def test_a_player_who_captures_with_the_last_card_takes_the_cards_left() -> None:
    match = last_cards(
        {0: "S8"},
        "S3 R10 S5",
        piles=["12S 4R 1E 1D", "12S 4R 2E"],
        gems=[8, 8],
        last_capture=1,
    )
    play(match, "S8=S3+S5")
    assert shown(match, "open") == []
    assert shown(match, "captured") == [22, 18]
    assert (shown(match, "last_capture"), shown(match, "shokobas")) == (0, [0, 0])
    assert scores(match) == [12, 9]


@pytest.mark.clause("SHO-17")
def test_the_cards_left_count_for_the_gems() -> None:
    piles = ["13S 4R 1E", "13S 4R 2E"]
    for last_capture, expected in ((0, [4, 1]), (1, [0, 5])):
        match = last_cards({0: "S1"}, "D7 R10", piles=piles, last_capture=last_capture)
        play(match, "S1")
        assert scores(match) == expected


@pytest.mark.clause("SHO-17", "SHO-02")
def test_in_teams_the_cards_left_go_to_the_team_of_the_last_to_have_captured() -> None:
    match = last_cards(
        {0: "S1"},
        "R10 S9",
        piles=["12S 4R 1E 1D", "13S 4R 2E"],
        gems=[8, 8],
        last_capture=3,
        players=4,
        teams=True,
    )
    play(match, "S1")
    assert shown(match, "captured") == [18, 22, 18, 22]
    assert scores(match) == [9, 12, 9, 12]


@pytest.mark.clause("SHO-17", "SHO-24")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_if_nobody_captured_the_cards_go_to_nobody(players: int) -> None:
    match = sit(players=players, oversights=True)
    match._g.gems[0] = 11
    lay_any(match, 36)
    assert match.over
    assert sorted(shown(match, "open")) == sorted(DECK)
    assert shown(match, "captured") == [0] * players
    assert shown(match, "last_capture") is None
    assert scores(match) == [11, 0, 0, 0][:players]
    assert match.view()["round"] == 1


# The last card


@pytest.mark.clause("SHO-18", "SHO-15")
def test_the_last_card_that_captures_everything_exactly_is_a_shokoba() -> None:
    match = last_cards(
        {0: "S8"},
        "S3 S5",
        piles=["12S 4R 1E 1D", "12S 5R 2E"],
        gems=[8, 8],
        last_capture=1,
    )
    play(match, "S8=S3+S5")
    assert shown(match, "shokobas") == [1, 0]
    assert shown(match, "captured") == [21, 19]
    # Beside it the diamond, sapphires and cards; rubies and emeralds are seat 1's.
    assert scores(match) == [12, 10]


@pytest.mark.clause("SHO-18", "SHO-17")
def test_a_last_card_that_only_adds_to_what_is_left_is_none() -> None:
    match = last_cards({0: "S8"}, piles=["13S 4R 1E 1D", "13S 5R 2E"], gems=[9, 8], last_capture=0)
    play(match, "S8")
    assert shown(match, "open") == []
    assert shown(match, "shokobas") == [0, 0]
    assert scores(match) == [11, 10]


# The gems of a round


def earned(piles: list[str], **options: Any) -> list[int]:
    """The gems that these piles earn."""
    return scores(ended_round(piles, **options))


@pytest.mark.clause("SHO-19")
@pytest.mark.parametrize(
    ("piles", "gems"),
    [
        (["9S 3R 1E 1D", "9S 3R 1E", "9S 3R 1E"], [2, 0, 0]),  # the diamond; cards
        (["9S 3R 1E", "9S 3R 1E", "9S 3R 1E 1D"], [0, 0, 2]),
        (["9S 3R 1D", "9S 3R 2E", "9S 3R 1E"], [1, 2, 0]),  # emeralds and cards
        (["9S 2R 1E 1D", "9S 3R 1E", "9S 4R 1E"], [1, 0, 2]),  # rubies and cards
        (["8S 3R 1E 1D", "10S 3R 1E", "9S 3R 1E"], [1, 2, 0]),  # sapphires and cards
        (["9S 4R 1D", "9S 3R 2E", "9S 2R 1E"], [2, 1, 0]),  # cards tied, 14 to 14
        (["9S 4R 1E", "10S 3R 1E", "8S 2R 1E 1D"], [1, 1, 1]),
        (["9S 3R", "9S 3R 3E 1D", "9S 3R"], [0, 3, 0]),
        (["10S 2R", "7S 5R 3E", "10S 2R 1D"], [0, 3, 1]),  # the most sapphires tied
        (["14S 1R", "13S 4R 1E 1D", "4R 2E"], [1, 2, 1]),  # the most rubies tied
        (["1S", "26S 9R 3E 1D", ""], [0, 5, 0]),
    ],
)
def test_one_gem_for_the_diamond_and_for_the_most_of_each_and_none_in_a_tie(
    piles: list[str], gems: list[int]
) -> None:
    assert earned(piles, players=3) == gems


@pytest.mark.clause("SHO-19")
@pytest.mark.parametrize(
    ("piles", "gems"),
    [
        (["20S", "7S 9R 3E 1D"], [1, 3]),  # cards tied, 20 to 20
        (["14S 5R 2E 1D", "13S 4R 1E"], [5, 0]),
        (["13S 5R 1E 1D", "14S 4R 2E"], [2, 2]),
    ],
)
def test_the_gems_of_a_round_for_two(piles: list[str], gems: list[int]) -> None:
    assert earned(piles) == gems


@pytest.mark.clause("SHO-19")
@pytest.mark.parametrize(
    ("piles", "gems"),
    [
        (["7S 3R 1E", "7S 3R 1E", "7S 3R 1E", "6S 1D"], [0, 0, 0, 1]),
        (["6S", "6S 3R", "8S 3R 1E 1D", "7S 3R 2E"], [0, 0, 3, 1]),
    ],
)
def test_the_gems_of_a_round_for_four(piles: list[str], gems: list[int]) -> None:
    assert earned(piles, players=4) == gems


@pytest.mark.clause("SHO-19")
def test_a_tie_among_those_behind_costs_nobody_anything() -> None:
    assert earned(["7S 2R", "7S 2R", "13S 5R 3E 1D"], players=3) == [0, 0, 5]


@pytest.mark.clause("SHO-19", "SHO-02")
def test_in_teams_partners_cards_and_gems_count_together() -> None:
    """Seats 0 and 2 take an emerald each, seat 3 one: only together do they have the most."""
    match = last_cards(
        {1: "R1", 2: "E7", 3: "E7", 0: "E7"},
        "S3 S4 S2 S5 D7 S9 S9",
        piles=["11S 4R", "10S 4R"],
        players=4,
        teams=True,
    )
    play(match, "R1 E7=S3+S4 E7=D7 E7=S2+S5")
    # Left are R1, S9 and S9 for seat 0: 17 sapphires, 5 rubies and 24 cards.
    assert scores(match) == [4, 1, 4, 1]


@pytest.mark.clause("SHO-19")
def test_gems_are_kept_from_round_to_round() -> None:
    match = ended_round(["14S 5R 1E 1D", "13S 4R 2E"], gems=[3, 4])
    assert scores(match) == [3 + 4, 4 + 1]


# The rulebook's example


@pytest.mark.clause("SHO-20", "SHO-19")
def test_the_scoring_example_by_its_piles() -> None:
    piles = ["1D 4R 8S", "2E 1R 8S", "1E 4R 11S"]
    assert earned(piles, players=3) == [1, 1, 2]


@pytest.mark.clause("SHO-20", "SHO-19", "SHO-17")
def test_the_scoring_example_as_a_whole_round() -> None:
    """Kim, John and Pat, who deals: a round at whose end they have just those cards."""
    deal = """
        S8 R1 S3  S1 S10 S9  S8 S2 E7   S8 S10 R9 S5
        R3 S4 S5  S2 S9 R5  S4 R4 S3
        D7 E7 S5  S6 R8 S3  S1 S9 S2
        S6 E7 S6  R10 S1 S10  R6 S4 R2
    """
    moves = """
        S8=S8 R1 S9=R9     S1=R1 S10=S10 E7   S8 S2 S3
        S2=S2 R4 S3=S3     S4=R4 S9 S5=S5     R3 S4 R5
        D7=R3+S4 E7=E7 S5=R5   S6 R8=S8 S3    S1 S9=S3+S6 S2
        R6 S1=S1 R2=S2     S6=R6 E7 S6        R10 S4
    """
    match = theriac.new("shokoba", players=3, first=2, deals=[deal.split()], seed=SEED)
    play(match, moves)
    assert shown(match, "captured") == [13, 11, 10]
    assert shown(match, "open") == ["S9", "E7", "S6", "R10", "S4"]
    assert scores(match) == [0, 0, 0]
    play(match, "S10=R10")
    assert scores(match) == [1, 1, 2]
    assert (match.view()["round"], shown(match, "dealer")) == (2, 0)
