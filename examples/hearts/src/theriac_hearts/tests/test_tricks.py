"""Hearts: the tricks (HEA-10, HEA-11, HEA-12, HEA-13, HEA-14, HEA-15, HEA-16)."""

from __future__ import annotations

from typing import Any

import pytest

from theriac.match import Match
from theriac_hearts.tests.table_setting import (
    options_refused,
    play,
    play_any,
    refused,
    shown,
    sit,
    sit_small,
)

FORM = "a move is a card, such as H10 or SQ (HEA-11)"
NOT_BROKEN = "hearts are not broken yet, and you have other suits to lead (HEA-14)"


@pytest.mark.clause("HEA-10")
@pytest.mark.parametrize("seat", range(4))
def test_who_has_the_2_of_clubs_leads_it(seat: int) -> None:
    match = sit({seat: "C2 C3 D4"})
    assert (match.to_act, shown(match, "leader"), match.legal()) == (seat, seat, ["C2"])
    assert refused(match, "C3") == "the 2 of clubs leads to the first trick (HEA-10)"
    assert refused(match, "D4") == "the 2 of clubs leads to the first trick (HEA-10)"


@pytest.mark.clause("HEA-10")
def test_the_2_of_clubs_leads_from_the_hand_it_was_passed_to() -> None:
    match = sit({0: "C2 D2 D3"}, passing="left")
    play(match, "~C2 ~D2 ~D3")
    play_any(match, 9)
    assert (match.to_act, match.legal()) == (1, ["C2"])


@pytest.mark.clause("HEA-10")
def test_a_deck_needs_the_2_of_clubs() -> None:
    said = options_refused(players=4, first=0, deck=["C3", "C4", "C5", "C6"])
    assert said.startswith("option deck: it needs the 2 of clubs, C2")
    assert said.endswith("(HEA-10)")


@pytest.mark.clause("HEA-11")
def test_each_plays_one_card_clockwise() -> None:
    match = sit({2: "C2", 3: "C9", 0: "C5", 1: "C7"})
    for seat, card in ((2, "C2"), (3, "C9"), (0, "C5"), (1, "C7")):
        assert match.to_act == seat
        before = match.view(seat)["hand"]
        play(match, card)
        assert sorted([*match.view(seat)["hand"], card]) == before
    assert shown(match, "last_trick") == [
        {"seat": 2, "card": "C2"},
        {"seat": 3, "card": "C9"},
        {"seat": 0, "card": "C5"},
        {"seat": 1, "card": "C7"},
    ]
    assert shown(match, "hands") == [12] * 4


@pytest.mark.clause("HEA-11")
@pytest.mark.parametrize(
    "text", ["", "pass", "2C", "c2", "C2 ", " C2", "C02", "C1", "C2+C3", "H11"]
)
def test_a_move_is_a_card(text: str) -> None:
    assert refused(sit({0: "C2"}), text) == FORM


@pytest.mark.clause("HEA-11")
def test_a_card_must_be_in_hand() -> None:
    match = sit({0: "C2", 1: "C3"})
    assert refused(match, "C3") == "C3 is not in hand (HEA-11)"
    play(match, "C2 C3")
    assert refused(match, "C3") == "C3 is not in hand (HEA-11)"


@pytest.mark.clause("HEA-12")
def test_the_suit_led_must_be_followed() -> None:
    match = sit({0: "C2", 1: "C5 C9 D7 S3"})
    play(match, "C2")
    assert all(card.startswith("C") for card in match.legal())
    assert refused(match, "D7") == "clubs were led, and you have some: follow suit (HEA-12)"
    assert refused(match, "S3") == "clubs were led, and you have some: follow suit (HEA-12)"
    play(match, "C9")


@pytest.mark.clause("HEA-12")
def test_who_cannot_follow_plays_any_card() -> None:
    match = sit_small("C2 C3 C4 C5 D2 S3 H4 SQ D3 S2 H2 D5")
    play(match, "C2 C3 C4 C5")
    assert (match.to_act, match.legal()) == (3, ["D5", "SQ"])
    play(match, "D5 D3")
    assert match.legal() == ["S2", "S3"]
    play(match, "S2")
    assert match.legal() == ["H2", "H4"]


SPADES_AND_HEARTS = "SQ S3 S4 S5 S6 S7 S8 H2 H3 H4 H5 H6 H7"
ALL_COSTLY = "SQ H2 H3 H4 H5 H6 H7 H8 H9 H10 HJ HQ HK"


@pytest.mark.clause("HEA-13")
def test_no_points_in_the_first_trick() -> None:
    match = sit({0: "C2", 1: SPADES_AND_HEARTS})
    play(match, "C2")
    assert match.legal() == ["S3", "S4", "S5", "S6", "S7", "S8"]
    for card in ("SQ", "H2"):
        said = f"{card} costs points: not in the first trick, while you have other cards (HEA-13)"
        assert refused(match, card) == said


@pytest.mark.clause("HEA-13")
def test_points_in_the_first_trick_when_there_is_nothing_else() -> None:
    match = sit({0: "C2", 1: ALL_COSTLY})
    play(match, "C2")
    assert match.legal() == sorted(ALL_COSTLY.split())


@pytest.mark.clause("HEA-13")
def test_points_in_the_second_trick() -> None:
    match = sit({0: "C2 D3", 1: f"C3 {SPADES_AND_HEARTS[:-3]}", 2: "C4", 3: "C5 D5"})
    play(match, "C2 C3 C4 C5 D5 D3")
    assert {"SQ", "H2"} < set(match.legal())


def unbroken(**options: Any) -> Match:
    """Seat 1 leads to the second trick, and has hearts and other cards."""
    match = sit({0: "C2", 1: "CA H2 H3 D2 SQ", 2: "C4 D4", 3: "C5 D5"}, **options)
    play(match, "C2 CA C4 C5")
    return match


@pytest.mark.clause("HEA-14")
def test_hearts_are_not_led_before_they_are_broken() -> None:
    match = unbroken()
    assert (match.to_act, shown(match, "broken")) == (1, False)
    assert not [card for card in match.legal() if card.startswith("H")]
    assert {"D2", "SQ"} < set(match.legal())
    assert refused(match, "H2") == NOT_BROKEN


@pytest.mark.clause("HEA-14")
def test_hearts_are_led_when_there_is_nothing_else() -> None:
    match = sit_small("C2 CA C4 C5 D2 H2 D3 D4 D5 H3 D6 D7")
    play(match, "C2 CA C4 C5")
    assert (match.to_act, match.legal(), shown(match, "broken")) == (1, ["H2", "H3"], False)


@pytest.mark.clause("HEA-14", "HEA-15")
def test_hearts_are_led_once_a_heart_was_played() -> None:
    match = sit_small("C2 C5 C4 C3 D2 D9 S3 D7 H5 H2 S6 H4 H7 S9 S8 H9")
    play(match, "C2 C5 C4 C3")
    assert (match.to_act, match.legal()) == (1, ["D9", "S9"])
    play(match, "D9 S3 D7 D2")
    assert (match.to_act, shown(match, "broken"), match.legal()) == (1, False, ["S9"])
    play(match, "S9 S6")
    assert not shown(match, "broken")
    play(match, "H4")
    assert shown(match, "broken")
    play(match, "H5")
    assert (match.to_act, match.legal()) == (1, ["H2"])


@pytest.mark.clause("HEA-15")
def test_other_cards_do_not_break_hearts() -> None:
    match = unbroken()
    play(match, "D2 D4 D5")
    assert not shown(match, "broken")


@pytest.mark.clause("HEA-15")
@pytest.mark.parametrize("breaks", [False, True])
def test_the_queen_breaks_hearts_by_option_only(breaks: bool) -> None:
    match = unbroken(queen_breaks=breaks)
    assert not shown(match, "broken")
    play(match, "SQ")
    assert shown(match, "broken") is breaks


@pytest.mark.clause("HEA-16")
def test_the_highest_card_of_the_suit_led_wins_and_leads_next() -> None:
    match = sit({0: "C2", 1: "C10", 2: "CJ", 3: "C9"})
    play(match, "C2 C10 CJ C9")
    assert (match.to_act, shown(match, "leader"), shown(match, "tricks")) == (2, 2, [0, 0, 1, 0])


@pytest.mark.clause("HEA-16")
def test_another_suit_never_wins() -> None:
    match = sit_small("C2 C3 C4 C5 DA SA HA D2")
    play(match, "C2 C3 C4 C5")
    play(match, "D2 DA SA HA")
    assert shown(match, "tricks") == [1, 0, 0, 1]


@pytest.mark.clause("HEA-16")
@pytest.mark.parametrize("rank", range(12))
def test_ranks_ascend_from_2_to_ace(rank: int) -> None:
    ranks = "2 3 4 5 6 7 8 9 10 J Q K A".split()
    low, high = f"D{ranks[rank]}", f"D{ranks[rank + 1]}"
    match = sit_small(f"C2 CK CQ CJ S2 {low} {high} S3")
    play(match, f"C2 CK CQ CJ {low}")
    play(match, f"{high} S3 S2")
    assert shown(match, "tricks") == [0, 1, 1, 0]
