"""Knock, Knock! Dungeon!: danger, corridors and creatures (KKD-14, KKD-15, KKD-16)."""

from __future__ import annotations

import pytest

from theriac.games.dungeon.tests.table_setting import (
    CALM,
    GOES_ON,
    WON,
    at,
    danger,
    ended,
    lay_out,
    lost,
    play,
    shown,
    tokens,
)

PILE = f"{CALM} " * 20
#: With the card at 0,0 all around the free place 2,0.
RING = "0000@1,1 0000@2,2 0000@3,1 0000@4,0 0000@3,-1 0000@2,-2 0000@1,-1"


@pytest.mark.clause("KKD-14")
def test_the_rulebooks_sums() -> None:
    """0 + 2 + 2 + 0 = 4 is quiet, 2 + 1 + 2 + 2 = 7 is the alarm."""
    quiet = lay_out("0221", "0122@1,1")
    assert (danger(quiet, 0, 0), ended(quiet)) == (0 + 2 + 2 + 0, GOES_ON)
    loud = lay_out("2121", "2012@1,1")
    assert (danger(loud, 0, 0), ended(loud)) == (2 + 1 + 2 + 2, lost(15))


@pytest.mark.clause("KKD-14")
def test_danger_is_the_sum_of_the_corners_that_a_card_shows() -> None:
    match = lay_out("0112", "1000@1,1 0002@-1,-1", PILE)
    assert danger(match, 0, 0) == 2 + 1 + 1 + 1
    assert at(match, 1, 1)["danger"] == 1


@pytest.mark.clause("KKD-14")
def test_the_card_just_laid_is_not_checked() -> None:
    """A corridor of 36 and a creature of 0 change nothing when they are laid."""
    match = lay_out(CALM, "0999@1,1")
    assert (danger(match, 1, 1), ended(match)) == (27, GOES_ON)
    match = lay_out(CALM, "0000t3@1,1")
    assert (at(match, 1, 1)["defeated"], tokens(match, 1, 1)) == (False, 3)


@pytest.mark.clause("KKD-14")
def test_cards_that_the_new_one_does_not_cover_are_not_checked() -> None:
    """They are at 9 and at 0, and the new card lies elsewhere."""
    match = lay_out(CALM, "0009@1,1", f"0000 {PILE}")
    play(match, "0000@-1,-1")
    assert (danger(match, 1, 1), ended(match)) == (9, GOES_ON)
    match = lay_out("0000t9", "0000@1,1", f"0000 {PILE}")
    assert at(match, 0, 0)["defeated"] is True
    match = lay_out(CALM, "0000t9@1,1", f"0000 {PILE}")
    play(match, "0000@-1,-1")
    assert at(match, 1, 1)["defeated"] is False
    play(match, "0000@2,2")
    assert at(match, 1, 1)["defeated"] is True


@pytest.mark.clause("KKD-14")
@pytest.mark.parametrize("place", ["-1,-1", "1,-1", "-1,1", "1,1"])
def test_a_card_is_checked_whichever_of_its_corners_is_covered(place: str) -> None:
    assert ended(lay_out("5111", f"5555@{place}")) == lost(15)
    assert at(lay_out("1111t3", f"0000@{place}"), 0, 0)["defeated"] is True


@pytest.mark.clause("KKD-14", "KKD-15")
@pytest.mark.parametrize(
    ("card", "end"),
    [("5555", GOES_ON), ("6000", lost(15)), ("0600", lost(15)), ("0060", lost(15)),
     ("0006", lost(15))],
)  # fmt: skip
def test_every_covered_card_is_checked(card: str, end: object) -> None:
    """The last card closes a ring and lies on four others, a corner on each."""
    match = lay_out(CALM, RING, f"{card} {PILE}", players=1)
    play(match, f"{card}@2,0")
    assert ended(match) == end


@pytest.mark.clause("KKD-14", "KKD-16")
@pytest.mark.parametrize("covered", range(4))
def test_every_covered_creature_is_checked(covered: int) -> None:
    """One of the four cards that the last one lies on is a creature of 6."""
    place = ["1,-1", "3,-1", "1,1", "3,1"][covered]
    creature = "".join("6" if i == 3 - covered else "0" for i in range(4)) + "t12"
    ring = RING.replace(f"0000@{place}", f"{creature}@{place}")
    match = lay_out(CALM, ring, f"0000 {PILE}", players=1)
    x, y = map(int, place.split(","))
    assert (danger(match, x, y), at(match, x, y)["defeated"]) == (6, False)
    play(match, "0000@2,0")
    assert (danger(match, x, y), at(match, x, y)["defeated"]) == (0, True)
    assert shown(match, "supply") == 12


@pytest.mark.clause("KKD-15")
@pytest.mark.parametrize(("corner", "end"), [(1, GOES_ON), (2, GOES_ON), (3, lost(15))])
def test_a_corridor_at_six_or_more_is_the_alarm(corner: int, end: object) -> None:
    match = lay_out("1110", f"{corner}000@1,1")
    assert (danger(match, 0, 0), ended(match)) == (3 + corner, end)


@pytest.mark.clause("KKD-15")
def test_a_card_that_lowers_a_corridor_to_six_still_gives_the_alarm() -> None:
    assert ended(lay_out("2229", "0000@1,1")) == lost(15)
    assert ended(lay_out("2219", "0000@1,1")) == GOES_ON


@pytest.mark.clause("KKD-15")
def test_after_the_alarm_nothing_more_happens() -> None:
    """No creature loses a token, no card is drawn, nobody is to act."""
    match = lay_out("0003", "3330t5@-1,-1", f"6000 {PILE}")
    play(match, "6000@1,1")
    assert ended(match) == lost(15)
    assert tokens(match, -1, -1) == 5
    assert (shown(match, "hands"), match.to_act, match.legal()) == ([4, 3], None, [])
    assert match.view()["winners"] == []


@pytest.mark.clause("KKD-15", "KKD-16", "KKD-22")
@pytest.mark.parametrize(("number", "end"), [(5, WON), (6, lost(15))])
@pytest.mark.parametrize("knight_first", [True, False])
def test_an_alarm_loses_even_if_the_black_knight_would_have_fallen(
    number: int, end: object, knight_first: bool
) -> None:
    """The last card brings the Black Knight to 0 and the corridor at 0,0 to 5 or 6.

    Whichever of them lies at its top left.
    """
    if knight_first:
        knight, card = "0006t3K", f"0{number}00"
        fort = lay_out(CALM, "0000@-1,-1", card, knight=knight, more=f"{knight}@-2,0", players=1)
        play(fort, f"{card}@-1,1")
    else:
        knight, card = "0060t3K", f"{number}000"
        fort = lay_out(CALM, "0000@1,-1", card, knight=knight, more=f"{knight}@2,0", players=1)
        play(fort, f"{card}@1,1")
    assert danger(fort, 0, 0) == number
    assert ended(fort) == end


# Creatures


@pytest.mark.clause("KKD-16")
@pytest.mark.parametrize(("corner", "beaten"), [(0, True), (2, True), (3, False), (4, False)])
def test_a_creature_at_five_or_less_is_defeated(corner: int, beaten: bool) -> None:
    match = lay_out("1119t5", f"{corner}000@1,1", PILE)
    assert danger(match, 0, 0) == 3 + corner
    assert at(match, 0, 0)["defeated"] is beaten
    assert (tokens(match, 0, 0), shown(match, "supply")) == ((0, 12) if beaten else (4, 8))
    assert ended(match) == GOES_ON


@pytest.mark.clause("KKD-16", "KKD-17")
def test_a_creature_can_be_defeated_when_it_has_one_token_left() -> None:
    """Danger is checked before the alarm."""
    match = lay_out("0006t1", "0000@1,1", PILE)
    assert (ended(match), shown(match, "supply")) == (GOES_ON, 12)


@pytest.mark.clause("KKD-16")
def test_one_card_may_defeat_several_creatures() -> None:
    match = lay_out("0006t6", "0000@1,-1 0060t6@2,0", f"0000 {PILE}", players=1)
    play(match, "0000@1,1")
    assert [at(match, *place)["defeated"] for place in ((0, 0), (2, 0))] == [True, True]
    assert shown(match, "supply") == 12


@pytest.mark.clause("KKD-16", "KKD-15")
@pytest.mark.parametrize(("corner", "end"), [(5, GOES_ON), (6, lost(15))])
def test_a_defeated_creature_is_an_empty_corridor(corner: int, end: object) -> None:
    match = lay_out("0006t3", "0000@1,1", f"000{corner} {PILE}")
    play(match, f"000{corner}@-1,-1")
    assert (danger(match, 0, 0), ended(match)) == (corner, end)
    assert at(match, 0, 0)["defeated"] is True


@pytest.mark.clause("KKD-16", "KKD-15")
def test_a_creature_at_six_or_more_keeps_fighting_and_is_no_corridor() -> None:
    match = lay_out("9999t3", "9000@1,1", PILE)
    assert (danger(match, 0, 0), ended(match), tokens(match, 0, 0)) == (36, GOES_ON, 2)


@pytest.mark.clause("KKD-16")
def test_a_defeated_creature_stays_in_the_fort() -> None:
    match = lay_out("0006t3", "0000@1,1", PILE)
    assert len(shown(match, "fort")) == 2
    assert at(match, 0, 0) == {
        "card": "0006t3", "x": 0, "y": 0, "turned": False, "tokens": 0, "defeated": True,
        "frozen": False, "danger": 0,
    }  # fmt: skip


@pytest.mark.clause("KKD-16", "KKD-12")
def test_tokens_given_back_can_be_used_again() -> None:
    match = lay_out("0006t12", "0000@1,1", f"3333t12 {PILE}")
    assert shown(match, "supply") == 12
    play(match, "3333t12@-1,-1")
    assert (ended(match), tokens(match, -1, -1)) == (GOES_ON, 12)
