"""Hearts: the cards, the deal and the passing.

HEA-01, HEA-02, HEA-03, HEA-04, HEA-05, HEA-06, HEA-07, HEA-08, HEA-09.
"""

from __future__ import annotations

from collections import Counter

import pytest

import theriac
from theriac.engine.contract import SPECTATOR
from theriac_hearts.tests.table_setting import (
    DECK,
    GAME,
    options_refused,
    play,
    play_any,
    refused,
    shown,
    sit,
    sit_small,
)

PASS_FORM = "pass a card on, such as ~H10 or ~SQ (HEA-06)"


@pytest.mark.clause("HEA-01")
def test_there_are_thirteen_different_cards_in_each_of_four_suits() -> None:
    assert len(set(DECK)) == len(DECK) == 52
    assert Counter(card[0] for card in DECK) == {"C": 13, "D": 13, "S": 13, "H": 13}
    assert {card[1:] for card in DECK} == {*"23456789JQKA", "10"}


@pytest.mark.clause("HEA-01")
def test_a_deck_has_no_other_card_and_none_twice() -> None:
    four = {"players": 4, "first": 0}
    assert "H1" in options_refused(**four, deck=["C2", "C3", "C4", "H1"])
    twice = options_refused(**four, deck=["C2", "C3", "C4", "C4"])
    assert twice.endswith("card C4: 2 of them, but each card is there once (HEA-01)")


@pytest.mark.clause("HEA-02")
@pytest.mark.parametrize("players", [1, 2, 3, 5, 6])
def test_only_four_can_play(players: int) -> None:
    said = options_refused(players=players, first=0)
    assert said == f"option players: {players} is not 4 (HEA-02)"


@pytest.mark.clause("HEA-03")
def test_the_next_to_the_left_deals_the_next_round() -> None:
    match = sit_small("C2 C3 SQ H2", "C2 C3 SQ H2", "H2 SQ C3 C2", first=2, target=50)
    assert (shown(match, "dealer"), match.to_act) == (2, 3)
    play_any(match, 4)
    assert (match.view()["round"], shown(match, "dealer"), match.to_act) == (2, 3, 0)
    play_any(match, 4)
    assert (match.view()["round"], shown(match, "dealer"), match.to_act) == (3, 0, 0)


@pytest.mark.clause("HEA-04")
def test_every_round_has_one_shuffle_of_all_cards() -> None:
    match = theriac.new("hearts", players=4, first=0, passing="none", seed=bytes(32))
    for rounds in (1, 2, 3):
        assert len(match.dealt) == rounds
        assert sorted(match.dealt[-1]) == sorted(DECK)
        play_any(match, 52)


@pytest.mark.clause("HEA-05")
def test_all_cards_are_dealt_one_by_one_from_the_dealers_left() -> None:
    match = theriac.new("hearts", players=4, first=1, deals=[DECK])
    for seat, begin in ((2, 0), (3, 1), (0, 2), (1, 3)):
        assert match.view(seat)["hand"] == sorted(DECK[begin::4])
    assert shown(match, "hands") == [13] * 4


@pytest.mark.clause("HEA-05")
def test_a_deck_gives_four_equal_hands() -> None:
    for deck in (["C2"], ["C2", "C3", "C4"], ["C2", "C3", "C4", "C5", "C6"]):
        said = options_refused(players=4, first=0, deck=deck)
        assert said == f"option deck: {len(deck)} cards do not give four equal hands (HEA-05)"


@pytest.mark.clause("HEA-06")
def test_each_in_turn_from_the_dealers_left_chooses_three_cards() -> None:
    match = sit(passing="left", first=1)
    for seat in (2, 3, 0, 1):
        for chosen in range(3):
            assert (match.to_act, shown(match, "chosen")[seat]) == (seat, chosen)
            assert shown(match, "asked") == "pass"
            assert match.legal() == [f"~{card}" for card in match.view(seat)["hand"]]
            play_any(match, 1)
            if seat != 1 or chosen < 2:
                assert shown(match, "hands")[seat] == 12 - chosen
    assert shown(match, "asked") == "card"
    assert shown(match, "hands") == [13] * 4


@pytest.mark.clause("HEA-06")
def test_a_card_must_be_in_hand_to_be_passed_on_and_is_not_played_yet() -> None:
    match = sit({0: "SQ H5", 1: "C2"}, passing="left")
    assert refused(match, "~C2") == "C2 is not in hand (HEA-06)"
    assert refused(match, "SQ") == "cards are passed on first: ~SQ passes that card (HEA-06)"
    play(match, "~SQ")
    assert refused(match, "~SQ") == "SQ is not in hand (HEA-06)"
    for text in ("", "~", "pass", "~~SQ", "~S1", "~sq", "~H5 ", "~H5+~SQ"):
        assert refused(match, text) == PASS_FORM


@pytest.mark.clause("HEA-06")
def test_nothing_is_passed_on_later() -> None:
    match = sit({0: "C2 SQ"})
    assert refused(match, "~SQ") == "no cards are passed on now (HEA-06)"


@pytest.mark.clause("HEA-07")
def test_a_small_hand_is_passed_on_whole() -> None:
    match = sit_small("C2 C3 C4 C5 D2 D3 D4 D5", passing="left")
    play(match, "~C2 ~D2 ~C3 ~D3 ~C4 ~D4 ~C5 ~D5")
    hands = [match.view(seat)["hand"] for seat in range(4)]
    assert hands == [["C5", "D5"], ["C2", "D2"], ["C3", "D3"], ["C4", "D4"]]
    assert match.to_act == 1


@pytest.mark.clause("HEA-08")
@pytest.mark.parametrize(("passing", "step"), [("left", 1), ("across", 2), ("right", 3)])
def test_cards_go_where_the_option_says(passing: str, step: int) -> None:
    match = sit(passing=passing)
    given = []
    for seat in range(4):
        given.append(match.view(seat)["hand"][:3])
        play(match, " ".join(f"~{card}" for card in given[seat]))
    for seat in range(4):
        hand = match.view(seat)["hand"]
        assert set(given[seat - step]) < set(hand)
        assert not set(given[seat]) & set(hand)
        assert match.recall(seat)["received"] == given[seat - step]


@pytest.mark.clause("HEA-08")
def test_the_usual_cycle_is_left_right_across_and_nowhere() -> None:
    match = theriac.new("hearts", players=4, first=0, target=100, seed=bytes(32))
    found = []
    for _ in range(5):
        found.append(shown(match, "passing"))
        play_any(match, 52 if found[-1] == "none" else 64)
    assert found == ["left", "right", "across", "none", "left"]


@pytest.mark.clause("HEA-08")
def test_without_passing_the_first_trick_begins_at_once() -> None:
    match = sit({2: "C2"})
    assert (shown(match, "asked"), shown(match, "passing"), match.to_act) == ("card", "none", 2)


@pytest.mark.clause("HEA-09")
def test_nobody_sees_a_passed_card_before_all_have_chosen() -> None:
    """What the others get to see is the same, whatever was chosen."""
    seen = []
    for chosen in ("~SQ ~SK ~SA", "~H5 ~H6 ~H7"):
        match = sit({0: "SQ SK SA H5 H6 H7"}, passing="left")
        play(match, chosen)
        seen.append([match.look(viewer).tobytes() for viewer in (1, 2, 3, SPECTATOR)])
        assert match.recall(0)["passed"] == sorted(chosen.replace("~", "").split())
        waiting = {"to_pass": 3, "passed": [], "received": [], "voids": [[]] * 4}
        assert match.recall(1) == waiting
    assert seen[0] == seen[1]


@pytest.mark.clause("HEA-09")
def test_only_giver_and_receiver_know_what_was_passed() -> None:
    seen = []
    for swapped in (False, True):
        # Seat 0 passes three cards across: hearts, or high spades.
        mine, theirs = ("H5 H6 H7", "SQ SK SA")[:: -1 if swapped else 1]
        match = sit(
            {
                0: f"{mine} D2 D3 D4 D5 D6 D7 D8 D9 D10 DJ",
                1: f"{theirs} C3 C4 C5 C6 C7 C8 C9 C10 CJ CQ",
                2: "C2 S2 S3 S4 S5 S6 S7 S8 S9 S10 SJ H2 H3",
            },
            passing="across",
        )
        play(match, " ".join(f"~{card}" for card in mine.split()))
        play(match, "~C3 ~C4 ~C5 ~S2 ~S3 ~S4 ~CK ~CA ~DQ")
        seen.append(match.look(3).tobytes())
        assert match.recall(2)["received"] == sorted(mine.split())
        assert match.recall(3)["received"] == ["C3", "C4", "C5"]
    assert seen[0] == seen[1]


@pytest.mark.clause("HEA-09")
def test_the_public_text_of_a_passed_card_hides_it() -> None:
    text = GAME.shipped_text
    assert text.write_public(text.read("~SQ")) == "~"
    assert text.write_public(text.read("SQ")) == "SQ"


@pytest.mark.clause("HEA-06")
def test_a_view_tells_a_board_how_many_cards_are_still_to_be_passed() -> None:
    match = sit(passing="left")
    seat = match.to_act
    left = []
    while match.to_act == seat:
        left.append(match.recall(seat)["to_pass"])
        match.play(match.legal()[0])
    assert left == [3, 2, 1]
    assert match.recall(seat)["to_pass"] == match.recall(SPECTATOR)["to_pass"] == 0
    hands_of_two = " ".join(DECK[:8])
    assert sit_small(hands_of_two, passing="left").recall(0)["to_pass"] == 2
    assert sit(passing="none").recall(0)["to_pass"] == 0
