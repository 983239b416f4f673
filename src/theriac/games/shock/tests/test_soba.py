"""Anaphylaxis: the soba cards (SHK-46)."""

from __future__ import annotations

from typing import Any

import pytest

from theriac.games.shock.tests.table_setting import (
    DOORS,
    NUMBERS,
    own_deck,
    play,
    refusing_clause,
    shown,
    sit,
    sit_anyhow,
)
from theriac.match import Match

pytestmark = pytest.mark.clause("SHK-46")

#: Seat 0 leads H10 and wins two soba cards, another poison and a potion.
SOBA_AND_MORE = ["H10 S10", "S9 | SDC", "H7", "H9", "C5 | SDC"]


def sit_for_soba(hands: list[str], chest: str = "", **options: Any) -> Match:
    """A game with soba cards."""
    return sit("anaphylaxis", hands, "D2", chest, **{"soba": True, **options})


@pytest.mark.parametrize("soba", [False, True])
def test_two_soba_cards_are_a_shock(soba: bool) -> None:
    match = sit_for_soba(["H10 S10", "H9 S2", "H2 S9"], soba=soba)
    play(match, "H10 H9 H2")
    assert shown(match, "front")[0] == (["H9"] if soba else [])
    assert shown(match, "in_round")[0] is True
    play(match, "S10 S2 S9")
    assert shown(match, "front")[0] == (["H9", "S9"] if soba else [])
    assert shown(match, "in_round")[0] is not soba


def test_without_the_option_there_is_no_soba() -> None:
    match = sit("anaphylaxis", ["H10", "H9", "H2"])
    play(match, "H10 H9 H2")
    assert shown(match, "front") == [[], [], []]


@pytest.mark.parametrize("suit", "HSDC")
def test_the_nine_of_each_suit_is_soba_and_still_of_rank_nine(suit: str) -> None:
    """It beats the 8, and loses to the 10."""
    trump = "D2" if suit != "D" else "H2"
    for best, winner in ((8, 1), (10, 0)):
        hands = [f"{suit}{best}", f"{suit}9", f"{suit}3"]
        match = sit("anaphylaxis", hands, trump, soba=True)
        play(match, f"{suit}{best} {suit}9 {suit}3")
        assert shown(match, "leader") == winner
        assert shown(match, "front")[winner] == [f"{suit}9"]


def test_a_soba_card_must_follow_suit_like_any_other() -> None:
    match = sit_for_soba(["H10", "H3 S9", "H2"])
    play(match, "H10")
    assert refusing_clause(match, "S9") == "SHK-13"


def test_a_soba_card_has_no_jewel_even_if_the_nine_has_one() -> None:
    marks = {"jewel": "H9 H4", "soba": "H9 S9 D9 C9"}
    deck = own_deck(" ".join(NUMBERS), " ".join(DOORS), **marks)
    for soba in (False, True):
        match = sit_for_soba(["H9", "H4", "H2"], deck=deck, soba=soba)
        play(match, "H9 H4")
        assert [card["jewels"] for card in shown(match, "trick")] == [0 if soba else 1, 1]


def test_soba_lies_on_number_cards_only() -> None:
    match = sit_anyhow("anaphylaxis", soba=True)
    assert sorted(match.dealt[1]) == sorted(DOORS)


@pytest.mark.clause("SHK-26")
def test_a_potion_covers_the_soba_card_that_came_first() -> None:
    """Two soba cards are one choice, so that nothing is asked."""
    match = sit_for_soba(["H10 S10", "H9", "S9 | SDC", "C5 | SDC"])
    play(match, "H10 H9 S9 C5")
    assert "cure:soba" not in match.legal()
    assert (shown(match, "covered")[0], shown(match, "in_round")[0]) == (["H9"], True)


@pytest.mark.clause("SHK-26")
def test_two_potions_cover_two_soba_cards_unasked() -> None:
    match = sit_for_soba(["H10 S10", "S9 | SDC", "H9", "C7 | SDC", "C5 | SDC"])
    play(match, "H10 S9 H9 C7 C5")
    assert "cure:soba" not in match.legal()
    assert shown(match, "covered")[0] == ["S9", "H9"]


def test_the_first_soba_card_may_be_of_an_earlier_trick() -> None:
    """S9 came before H9, though hearts come before spades."""
    match = sit_for_soba(["H10 S10", "H9 S2", "C5 S9 | SDC"])
    play(match, "S10 S2 S9 H10 H9 C5")
    assert (shown(match, "front")[0], shown(match, "covered")[0]) == (["S9", "H9", "C5"], ["S9"])
    assert shown(match, "in_round")[0] is True


@pytest.mark.clause("SHK-25")
@pytest.mark.parametrize(("move", "covered", "still_in"), [
    ("cure:soba", ["S9"], True), ("cure:jellyfish", ["H7"], False),
])  # fmt: skip
def test_soba_is_one_of_the_kinds_to_choose_from(
    move: str, covered: list[str], still_in: bool
) -> None:
    match = sit_for_soba(SOBA_AND_MORE)
    play(match, "H10 S9 H7 H9 C5")
    assert match.legal() == ["cure:jellyfish", "cure:soba"]
    play(match, move)
    assert shown(match, "covered")[0] == covered
    assert shown(match, "in_round")[0] is still_in


@pytest.mark.clause("SHK-26")
def test_kinds_are_counted_again_after_each_cure() -> None:
    hands = ["H10 C10", "S9 C2 | SDC", "H7 C3", "H9 C4", "C7 C5 | SDC"]
    match = sit_for_soba(hands)
    play(match, "C10 C2 C3 C4 C5 H10 S9 H7 H9 C7 cure:soba")
    assert match.legal() == ["cure:jellyfish", "cure:soba"]
    play(match, "cure:soba")
    assert (shown(match, "covered")[0], shown(match, "in_round")[0]) == (["S9", "H9"], True)


@pytest.mark.clause("SHK-23")
def test_without_soba_in_front_it_cannot_be_cured() -> None:
    for soba in (False, True):
        match = sit_for_soba(["H10 S10", "H7", "S7 | SDC", "C5 | SDC"], soba=soba)
        play(match, "H10 H7 S7 C5")
        assert refusing_clause(match, "cure:soba") == "SHK-23"


def test_a_soba_card_face_down_counts_for_nothing() -> None:
    match = sit_for_soba(["H10 S10", "H3 S9", "H2 S2 | HS"])
    play(match, "H10 w~S9 H2")
    assert shown(match, "front") == [[], [], []]
