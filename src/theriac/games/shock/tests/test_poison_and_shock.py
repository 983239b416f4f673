"""Shock!: poison and shock (SHK-19, SHK-20, SHK-21, SHK-22)."""

from __future__ import annotations

import pytest

from theriac.games.shock.tests.table_setting import (
    EDITIONS,
    POISONS,
    into_next_round,
    play,
    play_tricks,
    scores,
    shown,
    sit,
)

# Poisoned


@pytest.mark.clause("SHK-19", "SHK-20")
@pytest.mark.parametrize("game", EDITIONS)
def test_one_poison_of_each_kind_is_no_shock(game: str) -> None:
    match = sit(game, ["H10 S10", "H7 S3", "H3 S7"], "C2", "bee")
    play_tricks(match, "H10 H7 H3", "S10 S3 S7")
    assert shown(match, "front")[0] == ["H7", "S7"]
    assert shown(match, "middle") == ["bee"]
    assert shown(match, "in_round") == [True, True, True]


@pytest.mark.clause("SHK-19", "SHK-20", "SHK-21", "SHK-29", "SHK-32")
@pytest.mark.parametrize("game", EDITIONS)
@pytest.mark.parametrize("seven", POISONS)
def test_the_first_card_of_a_kind_shocks_only_the_one_with_that_seven_in_front(
    game: str, seven: str
) -> None:
    suit = seven[0]
    calm = "J2/1" if game == "shock" else "J2"
    hands = [f"{suit}3 C3", f"{suit}10 C4", f"{seven} C10"]
    match = sit(game, hands, "C2", f"{calm} {POISONS[seven]}")
    play_tricks(match, f"{suit}3 {suit}10 {seven}")
    before = shown(match, "on_bag")
    play(match, "C4 C10 C3")
    assert shown(match, "in_round") == [True, False, True]
    assert shown(match, "on_bag") == [before[0], 0, before[2] + 2 + 1]
    assert shown(match, "middle") == [POISONS[seven]]


@pytest.mark.clause("SHK-20", "SHK-21")
@pytest.mark.parametrize("game", EDITIONS)
def test_the_second_card_of_a_kind_shocks_everybody_still_in(game: str) -> None:
    """Seat 3 has left before with what it had; all others lose what is on the bag."""
    first = "J1/1 bee bee" if game == "shock" else "J1 bee bee"
    match = sit(game, ["H3 S5 C3", "H4 S4 C8", "H2 S3 C4", "H10 S2 C10"], "D2", first)
    play_tricks(match, "H3 H4 H2 H10")
    won = shown(match, "on_bag")[3]
    play(match, "w~S2 S5 S4 S3")
    if game == "shock":
        play(match, "stop")
    assert scores(match) == [0, 0, 0, won]
    assert (shown(match, "middle"), sum(shown(match, "on_bag")) > 0) == (["bee"], True)
    play(match, "C3 C8 C4 ~C10")
    assert match.view()["round"] == 2
    assert scores(match) == [0, 0, 0, won]


@pytest.mark.clause("SHK-19", "SHK-20", "SHK-24")
@pytest.mark.parametrize("game", EDITIONS)
def test_a_poison_won_meets_the_one_in_the_middle(game: str) -> None:
    match = sit(game, ["H10 H6", "H2 H7", "H3 H4"], chest="jellyfish")
    play_tricks(match, "H10 H2 H3", "H6 H7 H4")
    assert shown(match, "front") == [[], ["H7"], []]
    assert shown(match, "in_round") == [True, False, True]
    assert shown(match, "on_bag") == [2 + 1, 0, 0]


@pytest.mark.clause("SHK-20")
@pytest.mark.parametrize("game", EDITIONS)
def test_the_jewels_of_the_trick_that_shocks_are_lost_too(game: str) -> None:
    """H6, H7 and H4 brought two jewels; they go to nobody."""
    match = sit(game, ["H10 H6", "H2 H7", "H3 H4"], chest="jellyfish")
    play_tricks(match, "H10 H2 H3", "H6 H7 H4")
    assert sum(shown(match, "on_bag")) + sum(scores(match)) == 3


@pytest.mark.clause("SHK-20")
@pytest.mark.parametrize("game", EDITIONS)
def test_jewels_inside_the_bag_are_kept(game: str) -> None:
    """Seat 0 stores in round 1 what it won, and suffers a shock in round 2."""
    match = sit(game, ["H10 S10", "H2 S3", "H3 S4"])
    play_tricks(match, "H10 H2 H3")
    play(match, "w~S10 w~S3")
    match = into_next_round(match, "w~S4", ["H10", "H7", "H3"], "D2", "jellyfish", leader=0)
    assert scores(match) == [2 + 2, 0, 0]
    play(match, "H10 H7 H3")
    assert shown(match, "in_round") == [False, True, True]
    assert (scores(match), shown(match, "on_bag")) == ([4, 0, 0], [0, 0, 0])


@pytest.mark.clause("SHK-19", "SHK-46")
def test_two_number_cards_of_one_kind_are_a_shock_too() -> None:
    match = sit("anaphylaxis", ["H10 S10", "H9 S9", "H3 S4"], soba=True)
    play_tricks(match, "H10 H9 H3", "S10 S9 S4")
    assert shown(match, "in_round") == [False, True, True]


@pytest.mark.clause("SHK-21")
@pytest.mark.parametrize("game", EDITIONS)
def test_several_may_be_shocked_while_others_are_not(game: str) -> None:
    """With a second bee all four would be out: first only the one with the 7 is."""
    match = sit(game, ["D10 S3", "D7 S10", "D3 S4", "D4 S2"], "C2", "bee bee")
    play(match, "D10 D7 D3 D4")
    assert shown(match, "in_round") == [False, True, True, True]
    play(match, "S10 S4 S2 ~S3")
    assert match.view()["round"] == 2
    assert scores(match) == [0, 0, 0, 0]


# Out


@pytest.mark.clause("SHK-22", "SHK-28")
def test_a_player_who_is_out_gets_nothing_from_chest_cards() -> None:
    match = sit("shock", ["H10 S3", "H7 S10", "H3 S4", "H4 S2"], chest="jellyfish J3/1 J2/1")
    play(match, "H10 H7 H3 w~H4 S10 S4 ~S2 ~S3")
    # S10, S4 and two cards face down; J3/1 brings its winner 3 and only seat 2 beside it 1.
    assert shown(match, "on_bag") == [0, 1 + 1 + 1 + 1 + 3, 1, 0]
    assert scores(match) == [0, 0, 0, 0]


@pytest.mark.clause("SHK-22")
@pytest.mark.parametrize("game", EDITIONS)
def test_a_player_who_is_out_is_not_poisoned(game: str) -> None:
    """Seat 1 left with H7 in front: the jellyfish takes nothing from it."""
    calm = "J2/0" if game == "shock" else "J2"
    hands = ["H3 S3 C3", "H10 S10 C4", "H7 S4 C10"]
    match = sit(game, hands, chest=f"{calm} spider jellyfish")
    play_tricks(match, "H3 H10 H7")
    won = shown(match, "on_bag")[1]
    play_tricks(match, "w~S10 S4 S3", "C10 C3 ~C4")
    assert shown(match, "middle") == ["spider", "jellyfish"]
    assert (shown(match, "in_round"), scores(match)) == ([True, False, True], [0, won, 0])


@pytest.mark.clause("SHK-22")
@pytest.mark.parametrize("game", EDITIONS)
def test_the_cards_in_front_of_a_player_who_is_out_stay_open(game: str) -> None:
    """The question of the rulebook: they are left as they are until the end of the round."""
    hands = ["H10 S10 C3", "H7 S3 C4", "C5 S4 C10 | SDC"]
    match = sit(game, hands, "D2")
    play_tricks(match, "H10 H7 C5")
    play(match, "w~S10")
    for seat in (None, 0, 1, 2):
        at = match.view(seat)["table"]
        assert (at["front"][0], at["covered"][0]) == (["H7", "C5"], ["H7"])
    play_tricks(match, "S3 S4")
    assert shown(match, "front")[0] == ["H7", "C5"]


@pytest.mark.clause("SHK-22")
@pytest.mark.parametrize("game", EDITIONS)
def test_the_cards_in_front_of_a_shocked_player_stay(game: str) -> None:
    match = sit(game, ["H10 S3", "H7 S10", "H3 S4"], chest="jellyfish")
    play_tricks(match, "H10 H7 H3")
    assert shown(match, "in_round")[0] is False
    assert shown(match, "front") == [["H7"], [], []]
    play_tricks(match, "S10 S4 ~S3")
    assert shown(match, "front") == [["H7"], [], []]


@pytest.mark.clause("SHK-39", "SHK-22")
@pytest.mark.parametrize("game", EDITIONS)
def test_a_player_who_was_out_is_back_in_the_next_round(game: str) -> None:
    """The question of the rulebook: who dropped out or left returns in the next round."""
    match = sit(game, ["H10 S3", "H7 S10", "H3 S4", "H2 S2"], chest="jellyfish")
    play_tricks(match, "H10 H7 H3 w~H2")
    assert shown(match, "in_round") == [False, True, True, False]
    play(match, "w~S10 w~S4")
    assert match.view()["round"] == 2
    assert shown(match, "in_round") == [True, True, True, True]
    assert shown(match, "front") == [[], [], [], []]
