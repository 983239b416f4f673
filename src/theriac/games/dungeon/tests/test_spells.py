"""Knock, Knock! Dungeon!: fireball, ice and poison (KKD-27, KKD-28, KKD-29)."""

from __future__ import annotations

from typing import Any

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
    places,
    play,
    refused,
    refusing_clause,
    shown,
    tokens,
    with_spells,
)
from theriac.match import Match

PILE = f"{CALM} " * 20
CORNERS = ["tl", "tr", "bl", "br"]


def armed(start: str, moves: str, then: str = "", *, more: str = "", **options: Any) -> Match:
    """A fort after these moves, with all spells; a win then draws the first spell that was used."""
    options = {"level": 1, "spells": ["fireball", "ice", "poison", "silence"], **options}
    return lay_out(start, moves, f"{then} {PILE}" if not more else then, more=more, **options)


def facing(knight: str, first: str, then: str, *, start: str = CALM, used: str = "") -> Match:
    """The Black Knight at 1,1 and another card `first` laid before him; used spells are drawn."""
    return armed(start, first, then, more=f"{knight}@1,1", knight=knight, won=used)


# Wrong targets


@pytest.mark.clause("KKD-27", "KKD-28", "KKD-29", "KKD-31")
@pytest.mark.parametrize("place", ["1,1", "2,2", "-1,-1", "1,0", "40,40", "999999999999,1"])
def test_a_spell_needs_a_standing_creature(place: str) -> None:
    """1,1 is a corridor, 2,2 a creature that was defeated, at the others lies no card."""
    match = armed("9999t9", "0000@1,1 0006t3@2,2 0000@3,3", "")
    assert at(match, 2, 2)["defeated"] is True
    said = refused(match, f"fireball@{place}")
    assert said == "fireball needs a standing creature, and not the Black Knight (KKD-27)"
    said = refused(match, f"ice@{place}")
    assert said == "ice needs a standing creature that is not frozen (KKD-28)"
    for corner in CORNERS:
        said = refused(match, f"poison@{place}:{corner}")
        assert said == "poison needs a standing creature (KKD-29)"
    assert [move for move in match.legal() if "@0,0" in move] == [
        "fireball@0,0", "ice@0,0", "poison@0,0:bl", "poison@0,0:br", "poison@0,0:tl",
        "poison@0,0:tr",
    ]  # fmt: skip


@pytest.mark.clause("KKD-27")
def test_the_black_knight_cannot_be_burnt() -> None:
    match = facing("0999t3K", "0000@-1,-1", "")
    assert refusing_clause(match, "fireball@1,1") == "KKD-27"
    assert "fireball@1,1" not in match.legal()


# Fireball


@pytest.mark.clause("KKD-27")
def test_a_fireball_takes_the_card_out_and_its_tokens_go_back() -> None:
    match = armed("9999t5", "9990t4@-1,-1", "")
    assert shown(match, "supply") == 12 - 4 - 4
    play(match, "fireball@0,0")
    assert [card["card"] for card in shown(match, "fort")] == ["9990t4"]
    assert (tokens(match, -1, -1), shown(match, "supply")) == (4, 8)
    assert shown(match, "spells") == ["ice", "poison", "silence"]


@pytest.mark.clause("KKD-27")
def test_the_corners_that_it_covered_show_again() -> None:
    match = armed("0003", "1999t9@1,1", "")
    assert danger(match, 0, 0) == 1
    play(match, "fireball@1,1")
    assert danger(match, 0, 0) == 3


@pytest.mark.clause("KKD-27")
def test_corners_that_covered_it_are_still_there() -> None:
    match = armed("9999t9", "1000@1,1", "")
    play(match, "fireball@0,0")
    assert (danger(match, 1, 1), at(match, 1, 1)["card"]) == (1, "1000")


@pytest.mark.clause("KKD-27", "KKD-14", "KKD-15", "KKD-16")
def test_after_a_fireball_nothing_is_checked() -> None:
    """A corridor goes up to 9 and a creature down to 0, and both stay as they are."""
    match = armed("0009", "0999t9@1,1", "0000")
    play(match, "fireball@1,1")
    assert (danger(match, 0, 0), ended(match)) == (9, GOES_ON)
    match = armed("0000t3", "9999t9@1,1", "0000")
    assert danger(match, 0, 0) == 9
    play(match, "fireball@1,1")
    assert (danger(match, 0, 0), at(match, 0, 0)["defeated"], tokens(match, 0, 0)) == (0, False, 2)
    play(match, "0000@-1,-1")
    assert at(match, 0, 0)["defeated"] is True  # now it is


@pytest.mark.clause("KKD-27", "KKD-17")
def test_a_burnt_creature_gives_no_alarm() -> None:
    match = armed("9999t2", "0000@1,1", "0000")
    play(match, "fireball@0,0 0000@2,2 0000@3,3")
    assert (ended(match), shown(match, "supply")) == (GOES_ON, 12)


@pytest.mark.clause("KKD-27", "KKD-11")
def test_the_place_is_free_again_and_places_that_touched_only_the_burnt_card_are_not() -> None:
    match = armed(CALM, "0999t9@1,1", "0010")
    assert places(match, "0010") == {"-1,-1", "1,-1", "-1,1", "2,0", "0,2", "2,2"}
    play(match, "fireball@1,1")
    assert places(match, "0010") == {"-1,-1", "1,-1", "-1,1", "1,1"}
    for place in ("2,0", "0,2", "2,2"):
        assert refusing_clause(match, f"0010@{place}") == "KKD-09"
    play(match, "0010@1,1")
    assert at(match, 1, 1)["card"] == "0010"


@pytest.mark.clause("KKD-27", "KKD-11")
def test_the_fort_may_fall_apart() -> None:
    """Cards go next to either part, and to the place between, and the order laid still holds."""
    match = armed(CALM, "0990t9@1,1 0005@2,2", "1000")
    play(match, "fireball@1,1")
    assert [(card["x"], card["y"]) for card in shown(match, "fort")] == [(0, 0), (2, 2)]
    assert places(match, "1000") == {
        "-1,-1", "1,-1", "-1,1", "1,1", "3,1", "1,3", "3,3"
    }  # fmt: skip
    play(match, "1000@1,1")
    assert (danger(match, 0, 0), danger(match, 2, 2)) == (1, 5)
    play(match, "0000@3,3")
    assert danger(match, 2, 2) == 0


@pytest.mark.clause("KKD-27")
def test_of_equal_cards_the_named_one_is_burnt() -> None:
    match = armed(CALM, "9990t4@-1,-1 0999t4@1,1 9990t4@-2,-2", "")
    play(match, "fireball@-1,-1")
    assert [(card["card"], card["x"], card["tokens"]) for card in shown(match, "fort")] == [
        ("0000", 0, 0), ("0999t4", 1, 3), ("9990t4", -2, 4)
    ]  # fmt: skip


@pytest.mark.clause("KKD-27")
def test_the_state_of_the_other_cards_is_kept() -> None:
    """Turned, defeated, frozen, tokens: the cards after the burnt one are still the same."""
    moves = "0006t3@1,1 0000@2,2 0001r@-1,-1 9990t3@-2,-2"
    match = armed("9999t6", moves, "", players=1)
    play(match, "ice@-2,-2")
    before = shown(match, "fort")
    assert [card["defeated"] for card in before] == [False, True, False, False, False]
    assert [card["turned"] for card in before] == [False, False, False, True, False]
    assert [card["frozen"] for card in before] == [False, False, False, False, True]
    play(match, "fireball@0,0")
    assert shown(match, "fort") == before[1:]


@pytest.mark.clause("KKD-27", "KKD-29")
@pytest.mark.parametrize("corner", range(4))
@pytest.mark.parametrize("burnt", ["0,0", "other"])
def test_a_poison_token_on_its_corner_goes_with_it(corner: int, burnt: str) -> None:
    """Two creatures share the poisoned corner: whichever is burnt, it counts again for the other.

    The card at 0,0 was laid first; the other shows 9 on the shared corner.
    """
    x, y = [(-1, -1), (1, -1), (-1, 1), (1, 1)][corner]
    match = armed("9999t6", f"9999t5@{x},{y}", "")
    play(match, f"poison@0,0:{CORNERS[corner]}")
    assert (danger(match, 0, 0), danger(match, x, y)) == (27, 27)
    play(match, "fireball@0,0" if burnt == "0,0" else f"fireball@{x},{y}")
    assert danger(match, *((x, y) if burnt == "0,0" else (0, 0))) == 36


@pytest.mark.clause("KKD-27", "KKD-29")
def test_a_poison_token_elsewhere_stays() -> None:
    match = armed("9999t6", "9990t5@-1,-1", "")
    play(match, "poison@0,0:br fireball@-1,-1")
    assert danger(match, 0, 0) == 27
    match = armed("9999t6", "9990t5@-1,-1", "")
    play(match, "poison@-1,-1:tl fireball@0,0")
    assert danger(match, -1, -1) == 18


# Ice


@pytest.mark.clause("KKD-28")
def test_a_frozen_creature_gives_its_tokens_back_and_no_alarm() -> None:
    match = armed("9999t2", "0000@1,1", "")
    play(match, "ice@0,0")
    assert (at(match, 0, 0)["frozen"], tokens(match, 0, 0), shown(match, "supply")) == (True, 0, 12)
    play(match, "0000@2,2 0000@3,3 0000@4,4")
    assert (ended(match), at(match, 0, 0)["frozen"]) == (GOES_ON, True)
    assert shown(match, "spells") == ["fireball", "poison", "silence"]


@pytest.mark.clause("KKD-28")
def test_a_frozen_creature_cannot_be_frozen_again() -> None:
    """The spell is not held twice, so it is checked in a list of what may be cast."""
    match = armed("9999t2", "0000@1,1", "")
    play(match, "ice@0,0")
    assert refusing_clause(match, "ice@0,0") == "KKD-26"
    assert not any(move.startswith("ice") for move in match.legal())
    # By the rules alone: with the spell in hand once more it would still be refused.
    engine = match.game.engine("plain")
    g = match._g.copy()
    move = match.settings.text.read("ice@0,0")
    assert engine.refuse(g, move) == 26
    g.spells |= 2
    assert engine.refuse(g, move) == 28


@pytest.mark.clause("KKD-28", "KKD-16")
def test_a_frozen_creature_can_be_defeated_and_is_a_corridor_then() -> None:
    match = armed("0006t2", "0000@-1,-1", "0000")
    play(match, "ice@0,0 0000@1,1")
    assert at(match, 0, 0)["defeated"] is True
    assert at(match, 0, 0)["frozen"] is False
    assert shown(match, "supply") == 12


@pytest.mark.clause("KKD-28", "KKD-22")
def test_the_black_knight_does_not_fall_while_another_frozen_creature_stands() -> None:
    match = facing("0006t3K", "9990t3@-1,-1", "0000")
    play(match, "ice@-1,-1 0000@2,2")
    assert danger(match, 1, 1) == 0
    assert (ended(match), at(match, 1, 1)["defeated"], tokens(match, 1, 1)) == (GOES_ON, False, 2)


@pytest.mark.clause("KKD-28", "KKD-17")
def test_a_black_knight_who_waits_for_a_frozen_creature_still_gives_the_alarm() -> None:
    match = facing("0006t2K", "9990t3@-1,-1", "0000 0000")
    play(match, "ice@-1,-1 0000@2,2")
    assert (ended(match), tokens(match, 1, 1)) == (GOES_ON, 1)
    play(match, "0000@3,3")
    assert ended(match) == lost(17)


@pytest.mark.clause("KKD-28", "KKD-22")
def test_he_falls_the_moment_the_last_frozen_creature_is_defeated() -> None:
    """The card that defeats it lies far from him."""
    match = facing("0006t3K", "6000t3@-1,-1", "0000 0000", used="ice")
    play(match, "ice@-1,-1 0000@2,2")
    assert ended(match) == GOES_ON
    play(match, "0000@-2,-2")
    assert ended(match) == WON
    assert (at(match, -1, -1)["defeated"], at(match, 1, 1)["defeated"]) == (True, True)


@pytest.mark.clause("KKD-28", "KKD-27", "KKD-22")
def test_he_falls_the_moment_the_last_frozen_creature_is_burnt() -> None:
    match = facing("0006t3K", "9990t3@-1,-1", "0000 0000", used="ice fireball")
    play(match, "ice@-1,-1 0000@2,2")
    assert ended(match) == GOES_ON
    play(match, "fireball@-1,-1")
    assert ended(match) == WON
    assert shown(match, "spells") == ["ice", "poison", "silence"]


@pytest.mark.clause("KKD-28", "KKD-29", "KKD-22")
def test_he_falls_the_moment_the_last_frozen_creature_is_poisoned() -> None:
    match = facing("0006t3K", "9000t3@-1,-1", "0000 0000", used="poison ice")
    play(match, "ice@-1,-1 0000@2,2 poison@-1,-1:tl")
    assert ended(match) == WON


@pytest.mark.clause("KKD-28")
@pytest.mark.parametrize("end", ["0000@-2,-2", "fireball@-1,-1", "poison@-1,-1:tl"])
def test_a_black_knight_at_six_does_not_fall_with_the_last_frozen_creature(end: str) -> None:
    match = facing("0006t3K", "6000t3@-1,-1", "0000 0000")
    play(match, f"ice@-1,-1 {end}")
    assert (ended(match), at(match, 1, 1)["defeated"]) == (GOES_ON, False)


@pytest.mark.clause("KKD-28", "KKD-22")
def test_one_card_may_defeat_the_frozen_creature_and_the_black_knight() -> None:
    """It covers both, in either order."""
    for knight, creature, where, at_knight in (
        ("0060t3K", "0006t3", "1,1", "2,0"),
        ("0006t3K", "0060t3", "-1,1", "-2,0"),
    ):
        side = "1,-1" if at_knight == "2,0" else "-1,-1"
        match = armed(
            creature, f"0000@{side}", "0000", more=f"{knight}@{at_knight}", knight=knight,
            won="ice",
        )  # fmt: skip
        play(match, f"ice@0,0 0000@{where}")
        assert ended(match) == WON, knight


@pytest.mark.clause("KKD-28", "KKD-22")
def test_defeating_a_creature_that_is_not_frozen_brings_no_knight_down_elsewhere() -> None:
    """He came to lie at 5, and is checked only when he is covered."""
    match = armed(CALM, "6000t3@-1,-1", "0000 0000", more="0005t4K@1,1", knight="0005t4K", won="")
    play(match, "0000@-2,-2")
    assert at(match, -1, -1)["defeated"] is True
    assert (danger(match, 1, 1), ended(match)) == (5, GOES_ON)


@pytest.mark.clause("KKD-27", "KKD-28")
def test_burning_a_creature_that_is_not_frozen_brings_no_knight_down() -> None:
    match = armed(CALM, "9990t3@-1,-1", "0000", more="0005t4K@1,1", knight="0005t4K")
    play(match, "fireball@-1,-1")
    assert (danger(match, 1, 1), ended(match)) == (5, GOES_ON)


@pytest.mark.clause("KKD-28")
def test_the_black_knight_may_be_frozen_and_then_falls_like_any_other() -> None:
    match = facing("0006t3K", "0000@-1,-1", "0000", used="ice")
    play(match, "ice@1,1")
    assert (at(match, 1, 1)["frozen"], shown(match, "supply")) == (True, 12)
    play(match, "0000@2,2")
    assert ended(match) == WON
    assert at(match, 1, 1)["frozen"] is False


@pytest.mark.clause("KKD-28", "KKD-17")
def test_a_frozen_black_knight_gives_no_alarm() -> None:
    match = facing("0999t1K", "0000@-1,-1", "0000")
    play(match, "ice@1,1 0000@-2,-2 0000@-3,-3")
    assert ended(match) == GOES_ON


@pytest.mark.clause("KKD-28", "KKD-27")
def test_a_frozen_creature_can_be_burnt() -> None:
    match = armed("9999t2", "0000@1,1", "")
    play(match, "ice@0,0 fireball@0,0")
    assert [card["card"] for card in shown(match, "fort")] == ["0000"]
    assert shown(match, "supply") == 12


# Poison


@pytest.mark.clause("KKD-29")
@pytest.mark.parametrize("corner", range(4))
@pytest.mark.parametrize("turned", ["", "r"])
def test_a_poisoned_corner_counts_0(corner: int, turned: str) -> None:
    """Named as the card lies."""
    match = armed(CALM, f"2345t5{turned}@1,1", "")
    digits = [2, 3, 4, 5][:: -1 if turned else 1]
    play(match, f"poison@1,1:{CORNERS[corner]}")
    assert danger(match, 1, 1) == 14 - digits[corner]
    assert shown(match, "spells") == ["fireball", "ice", "silence"]
    assert tokens(match, 1, 1) == 5


@pytest.mark.clause("KKD-29")
@pytest.mark.parametrize("corner", range(4))
def test_whatever_later_covers_the_corner_counts_0_for_both_cards(corner: int) -> None:
    x, y = [(-1, -1), (1, -1), (-1, 1), (1, 1)][corner]
    match = armed("3333t9", "0000@1,1" if corner == 0 else "0000@-1,-1", "9999")
    play(match, f"poison@0,0:{CORNERS[corner]}")
    before = danger(match, 0, 0)
    play(match, f"9999@{x},{y}")
    assert (danger(match, 0, 0), danger(match, x, y)) == (before, 27)
    assert ended(match) == GOES_ON


@pytest.mark.clause("KKD-29")
@pytest.mark.parametrize("corner", range(4))
@pytest.mark.parametrize("creature_first", [True, False])
def test_the_corner_counts_0_for_both_cards_that_share_it(
    corner: int, creature_first: bool
) -> None:
    """A corridor and a creature, whichever was laid first."""
    x, y = [(-1, -1), (1, -1), (-1, 1), (1, 1)][corner]
    start, other = ("9999t9", "5555") if creature_first else ("1111", "2222t9")
    match = armed(start, f"{other}@{x},{y}", "")
    place, named = ("0,0", corner) if creature_first else (f"{x},{y}", 3 - corner)
    play(match, f"poison@{place}:{CORNERS[named]}")
    assert (danger(match, 0, 0), danger(match, x, y)) == ((27, 15) if creature_first else (3, 6))


@pytest.mark.clause("KKD-29")
def test_poison_counts_until_the_fort_ends() -> None:
    """Also when the creature is defeated, and its card a corridor."""
    match = armed("0009t9", "0000@-1,-1", "9000")
    play(match, "poison@0,0:br")
    assert at(match, 0, 0)["defeated"] is True
    play(match, "9000@1,1")
    assert (danger(match, 0, 0), danger(match, 1, 1), ended(match)) == (0, 0, GOES_ON)


@pytest.mark.clause("KKD-29", "KKD-16")
@pytest.mark.parametrize(("creature", "beaten"), [("9122t3", True), ("9222t3", False)])
def test_a_creature_brought_to_five_or_less_is_defeated_at_once(
    creature: str, beaten: bool
) -> None:
    match = play(with_spells(creature), "poison@0,0:tl")
    assert at(match, 0, 0)["defeated"] is beaten
    assert shown(match, "supply") == (12 if beaten else 9)
    assert match.to_act == 0


@pytest.mark.clause("KKD-29", "KKD-16")
@pytest.mark.parametrize("share", ["later", "earlier"])
def test_another_creature_that_shares_the_corner_may_fall_too(share: str) -> None:
    match = armed("0006t4", "6000t5@1,1", "")
    assert (danger(match, 0, 0), danger(match, 1, 1)) == (6, 6)
    play(match, "poison@0,0:br" if share == "later" else "poison@1,1:tl")
    assert [at(match, *place)["defeated"] for place in ((0, 0), (1, 1))] == [True, True]
    assert shown(match, "supply") == 12


@pytest.mark.clause("KKD-29", "KKD-15")
def test_poison_looks_at_no_corridor_and_gives_no_alarm() -> None:
    match = armed("9999t9", "9999@1,1", "")
    play(match, "poison@0,0:br")
    assert (danger(match, 1, 1), ended(match)) == (27, GOES_ON)


@pytest.mark.clause("KKD-29", "KKD-22")
def test_poison_can_bring_the_black_knight_down() -> None:
    match = facing("0006t3K", "0000@-1,-1", "", used="poison")
    play(match, "poison@1,1:br")
    assert ended(match) == WON


@pytest.mark.clause("KKD-29", "KKD-22")
def test_poison_on_a_creature_beside_him_can_bring_the_black_knight_down() -> None:
    """They share the corner; the creature itself stands on."""
    match = armed("9996t5", "0000@-1,-1", "", more="6000t3K@1,1", knight="6000t3K", won="poison")
    assert danger(match, 1, 1) == 6
    play(match, "poison@0,0:br")
    assert ended(match) == WON
    assert at(match, 0, 0)["defeated"] is False


@pytest.mark.clause("KKD-29", "KKD-28")
def test_poison_does_not_bring_him_down_while_another_stands_frozen() -> None:
    match = facing("0006t3K", "9990t3@-1,-1", "")
    play(match, "ice@-1,-1 poison@1,1:br")
    assert (danger(match, 1, 1), ended(match)) == (0, GOES_ON)


@pytest.mark.clause("KKD-29", "KKD-14")
def test_poison_on_another_creature_does_not_check_a_black_knight_elsewhere() -> None:
    """He is at 5 or less, but only what shares the corner is checked."""
    match = armed(CALM, "9000t9@-1,-1", "", more="0005t3K@1,1", knight="0005t3K")
    assert danger(match, 1, 1) == 5
    play(match, "poison@-1,-1:tl")
    assert at(match, -1, -1)["defeated"] is True
    assert ended(match) == GOES_ON


@pytest.mark.clause("KKD-29")
@pytest.mark.parametrize("corner", ["", "TL", "lt", "0", "tl ", "top", "t"])
def test_poison_names_a_corner(corner: str) -> None:
    match = armed("9999t9", "0000@1,1", "")
    assert refusing_clause(match, f"poison@0,0:{corner}") == "KKD-09"
    assert refusing_clause(match, "poison@0,0") == "KKD-09"


@pytest.mark.clause("KKD-29", "KKD-28")
def test_a_frozen_creature_can_be_poisoned() -> None:
    match = armed("9000t9", "0000@1,1", "")
    play(match, "ice@0,0 poison@0,0:tl")
    assert (at(match, 0, 0)["defeated"], at(match, 0, 0)["frozen"]) == (True, False)
