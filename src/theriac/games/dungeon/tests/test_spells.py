"""Knock, Knock! Dungeon!: fireball, ice and poison (KKD-27 to KKD-29)."""

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
from theriac.table import Table

PILE = f"{CALM} " * 20
CORNERS = ["tl", "tr", "bl", "br"]


def armed(start: str, moves: str, then: str = "", *, more: str = "", **options: Any) -> Table:
    """A fort after these moves, with all spells; a win then draws the first spell that was used."""
    options = {"level": 1, "spells": ["fireball", "ice", "poison", "silence"], **options}
    return lay_out(start, moves, f"{then} {PILE}" if not more else then, more=more, **options)


def facing(knight: str, first: str, then: str, *, start: str = CALM, used: str = "") -> Table:
    """The Black Knight at 1,1 and another card `first` laid before him; used spells are drawn."""
    return armed(start, first, then, more=f"{knight}@1,1", knight=knight, won=used)


# Wrong targets


@pytest.mark.clause("KKD-27", "KKD-28", "KKD-29", "KKD-31")
@pytest.mark.parametrize("place", ["1,1", "2,2", "-1,-1", "1,0", "40,40", "999999999999,1"])
def test_a_spell_needs_a_standing_creature(place: str) -> None:
    """1,1 is a corridor, 2,2 a creature that was defeated, at the others lies no card."""
    table = armed("9999t9", "0000@1,1 0006t3@2,2 0000@3,3", "")
    assert at(table, 2, 2)["defeated"] is True
    said = refused(table, f"fireball@{place}")
    assert said == "fireball needs a standing creature, and not the Black Knight (KKD-27)"
    said = refused(table, f"ice@{place}")
    assert said == "ice needs a standing creature that is not frozen (KKD-28)"
    for corner in CORNERS:
        said = refused(table, f"poison@{place}:{corner}")
        assert said == "poison needs a standing creature (KKD-29)"
    assert [move for move in table.legal() if "@0,0" in move] == [
        "fireball@0,0", "ice@0,0", "poison@0,0:bl", "poison@0,0:br", "poison@0,0:tl",
        "poison@0,0:tr",
    ]  # fmt: skip


@pytest.mark.clause("KKD-27")
def test_the_black_knight_cannot_be_burnt() -> None:
    table = facing("0999t3K", "0000@-1,-1", "")
    assert refusing_clause(table, "fireball@1,1") == "KKD-27"
    assert "fireball@1,1" not in table.legal()


# Fireball


@pytest.mark.clause("KKD-27")
def test_a_fireball_takes_the_card_out_and_its_tokens_go_back() -> None:
    table = armed("9999t5", "9990t4@-1,-1", "")
    assert shown(table, "supply") == 12 - 4 - 4
    play(table, "fireball@0,0")
    assert [card["card"] for card in shown(table, "fort")] == ["9990t4"]
    assert (tokens(table, -1, -1), shown(table, "supply")) == (4, 8)
    assert shown(table, "spells") == ["ice", "poison", "silence"]


@pytest.mark.clause("KKD-27")
def test_the_corners_that_it_covered_show_again() -> None:
    table = armed("0003", "1999t9@1,1", "")
    assert danger(table, 0, 0) == 1
    play(table, "fireball@1,1")
    assert danger(table, 0, 0) == 3


@pytest.mark.clause("KKD-27")
def test_corners_that_covered_it_are_still_there() -> None:
    table = armed("9999t9", "1000@1,1", "")
    play(table, "fireball@0,0")
    assert (danger(table, 1, 1), at(table, 1, 1)["card"]) == (1, "1000")


@pytest.mark.clause("KKD-27", "KKD-14", "KKD-15", "KKD-16")
def test_after_a_fireball_nothing_is_looked_at() -> None:
    """A corridor goes up to 9 and a creature down to 0, and both stay as they are."""
    table = armed("0009", "0999t9@1,1", "0000")
    play(table, "fireball@1,1")
    assert (danger(table, 0, 0), ended(table)) == (9, GOES_ON)
    table = armed("0000t3", "9999t9@1,1", "0000")
    assert danger(table, 0, 0) == 9
    play(table, "fireball@1,1")
    assert (danger(table, 0, 0), at(table, 0, 0)["defeated"], tokens(table, 0, 0)) == (0, False, 2)
    play(table, "0000@-1,-1")
    assert at(table, 0, 0)["defeated"] is True  # now it is


@pytest.mark.clause("KKD-27", "KKD-17")
def test_a_burnt_creature_gives_no_alarm() -> None:
    table = armed("9999t2", "0000@1,1", "0000")
    play(table, "fireball@0,0 0000@2,2 0000@3,3")
    assert (ended(table), shown(table, "supply")) == (GOES_ON, 12)


@pytest.mark.clause("KKD-27", "KKD-11")
def test_the_place_is_free_again_and_places_that_touched_only_the_burnt_card_are_not() -> None:
    table = armed(CALM, "0999t9@1,1", "0010")
    assert places(table, "0010") == {"-1,-1", "1,-1", "-1,1", "2,0", "0,2", "2,2"}
    play(table, "fireball@1,1")
    assert places(table, "0010") == {"-1,-1", "1,-1", "-1,1", "1,1"}
    for place in ("2,0", "0,2", "2,2"):
        assert refusing_clause(table, f"0010@{place}") == "KKD-09"
    play(table, "0010@1,1")
    assert at(table, 1, 1)["card"] == "0010"


@pytest.mark.clause("KKD-27", "KKD-11")
def test_the_fort_may_fall_apart() -> None:
    """Cards go next to either part, and to the place between, and the order laid still holds."""
    table = armed(CALM, "0990t9@1,1 0005@2,2", "1000")
    play(table, "fireball@1,1")
    assert [(card["x"], card["y"]) for card in shown(table, "fort")] == [(0, 0), (2, 2)]
    assert places(table, "1000") == {
        "-1,-1", "1,-1", "-1,1", "1,1", "3,1", "1,3", "3,3"
    }  # fmt: skip
    play(table, "1000@1,1")
    assert (danger(table, 0, 0), danger(table, 2, 2)) == (1, 5)
    play(table, "0000@3,3")
    assert danger(table, 2, 2) == 0


@pytest.mark.clause("KKD-27")
def test_of_cards_alike_the_named_one_is_burnt() -> None:
    table = armed(CALM, "9990t4@-1,-1 0999t4@1,1 9990t4@-2,-2", "")
    play(table, "fireball@-1,-1")
    assert [(card["card"], card["x"], card["tokens"]) for card in shown(table, "fort")] == [
        ("0000", 0, 0), ("0999t4", 1, 3), ("9990t4", -2, 4)
    ]  # fmt: skip


@pytest.mark.clause("KKD-27")
def test_what_is_known_of_the_other_cards_stays_with_them() -> None:
    """Turned, defeated, frozen, tokens: the cards after the burnt one are still the same."""
    moves = "0006t3@1,1 0000@2,2 0001r@-1,-1 9990t3@-2,-2"
    table = armed("9999t6", moves, "", players=1)
    play(table, "ice@-2,-2")
    before = shown(table, "fort")
    assert [card["defeated"] for card in before] == [False, True, False, False, False]
    assert [card["turned"] for card in before] == [False, False, False, True, False]
    assert [card["frozen"] for card in before] == [False, False, False, False, True]
    play(table, "fireball@0,0")
    assert shown(table, "fort") == before[1:]


@pytest.mark.clause("KKD-27", "KKD-29")
@pytest.mark.parametrize("corner", range(4))
@pytest.mark.parametrize("burnt", ["0,0", "other"])
def test_a_poison_token_on_its_corner_goes_with_it(corner: int, burnt: str) -> None:
    """Two creatures share the poisoned corner: whichever is burnt, it counts again for the other.

    The card at 0,0 was laid first; the other shows 9 on the shared corner.
    """
    x, y = [(-1, -1), (1, -1), (-1, 1), (1, 1)][corner]
    table = armed("9999t6", f"9999t5@{x},{y}", "")
    play(table, f"poison@0,0:{CORNERS[corner]}")
    assert (danger(table, 0, 0), danger(table, x, y)) == (27, 27)
    play(table, "fireball@0,0" if burnt == "0,0" else f"fireball@{x},{y}")
    assert danger(table, *((x, y) if burnt == "0,0" else (0, 0))) == 36


@pytest.mark.clause("KKD-27", "KKD-29")
def test_a_poison_token_elsewhere_stays() -> None:
    table = armed("9999t6", "9990t5@-1,-1", "")
    play(table, "poison@0,0:br fireball@-1,-1")
    assert danger(table, 0, 0) == 27
    table = armed("9999t6", "9990t5@-1,-1", "")
    play(table, "poison@-1,-1:tl fireball@0,0")
    assert danger(table, -1, -1) == 18


# Ice


@pytest.mark.clause("KKD-28")
def test_a_frozen_creature_gives_its_tokens_back_and_no_alarm() -> None:
    table = armed("9999t2", "0000@1,1", "")
    play(table, "ice@0,0")
    assert (at(table, 0, 0)["frozen"], tokens(table, 0, 0), shown(table, "supply")) == (True, 0, 12)
    play(table, "0000@2,2 0000@3,3 0000@4,4")
    assert (ended(table), at(table, 0, 0)["frozen"]) == (GOES_ON, True)
    assert shown(table, "spells") == ["fireball", "poison", "silence"]


@pytest.mark.clause("KKD-28")
def test_a_frozen_creature_cannot_be_frozen_again() -> None:
    """The spell is not held twice, so it is looked at in a list of what may be cast."""
    table = armed("9999t2", "0000@1,1", "")
    play(table, "ice@0,0")
    assert refusing_clause(table, "ice@0,0") == "KKD-26"
    assert not any(move.startswith("ice") for move in table.legal())
    # By the rules alone: with the spell in hand once more it would still be refused.
    engine = table.game.engine("plain")
    g = table._g.copy()
    move = table.settings.text.read("ice@0,0")
    assert engine.refuse(g, move) == 26
    g.spells |= 2
    assert engine.refuse(g, move) == 28


@pytest.mark.clause("KKD-28", "KKD-16")
def test_a_frozen_creature_can_be_defeated_and_is_a_corridor_then() -> None:
    table = armed("0006t2", "0000@-1,-1", "0000")
    play(table, "ice@0,0 0000@1,1")
    assert at(table, 0, 0)["defeated"] is True
    assert at(table, 0, 0)["frozen"] is False
    assert shown(table, "supply") == 12


@pytest.mark.clause("KKD-28", "KKD-22")
def test_the_black_knight_does_not_fall_while_another_frozen_creature_stands() -> None:
    table = facing("0006t3K", "9990t3@-1,-1", "0000")
    play(table, "ice@-1,-1 0000@2,2")
    assert danger(table, 1, 1) == 0
    assert (ended(table), at(table, 1, 1)["defeated"], tokens(table, 1, 1)) == (GOES_ON, False, 2)


@pytest.mark.clause("KKD-28", "KKD-17")
def test_a_black_knight_who_waits_for_a_frozen_creature_still_gives_the_alarm() -> None:
    table = facing("0006t2K", "9990t3@-1,-1", "0000 0000")
    play(table, "ice@-1,-1 0000@2,2")
    assert (ended(table), tokens(table, 1, 1)) == (GOES_ON, 1)
    play(table, "0000@3,3")
    assert ended(table) == lost(17)


@pytest.mark.clause("KKD-28", "KKD-22")
def test_he_falls_the_moment_the_last_frozen_creature_is_defeated() -> None:
    """The card that defeats it lies far from him."""
    table = facing("0006t3K", "6000t3@-1,-1", "0000 0000", used="ice")
    play(table, "ice@-1,-1 0000@2,2")
    assert ended(table) == GOES_ON
    play(table, "0000@-2,-2")
    assert ended(table) == WON
    assert (at(table, -1, -1)["defeated"], at(table, 1, 1)["defeated"]) == (True, True)


@pytest.mark.clause("KKD-28", "KKD-27", "KKD-22")
def test_he_falls_the_moment_the_last_frozen_creature_is_burnt() -> None:
    table = facing("0006t3K", "9990t3@-1,-1", "0000 0000", used="ice fireball")
    play(table, "ice@-1,-1 0000@2,2")
    assert ended(table) == GOES_ON
    play(table, "fireball@-1,-1")
    assert ended(table) == WON
    assert shown(table, "spells") == ["ice", "poison", "silence"]


@pytest.mark.clause("KKD-28", "KKD-29", "KKD-22")
def test_he_falls_the_moment_the_last_frozen_creature_is_poisoned() -> None:
    table = facing("0006t3K", "9000t3@-1,-1", "0000 0000", used="poison ice")
    play(table, "ice@-1,-1 0000@2,2 poison@-1,-1:tl")
    assert ended(table) == WON


@pytest.mark.clause("KKD-28")
@pytest.mark.parametrize("end", ["0000@-2,-2", "fireball@-1,-1", "poison@-1,-1:tl"])
def test_a_black_knight_at_six_does_not_fall_with_the_last_frozen_creature(end: str) -> None:
    table = facing("0006t3K", "6000t3@-1,-1", "0000 0000")
    play(table, f"ice@-1,-1 {end}")
    assert (ended(table), at(table, 1, 1)["defeated"]) == (GOES_ON, False)


@pytest.mark.clause("KKD-28", "KKD-22")
def test_one_card_may_defeat_the_frozen_creature_and_the_black_knight() -> None:
    """It covers both, in either order."""
    for knight, creature, where, at_knight in (
        ("0060t3K", "0006t3", "1,1", "2,0"),
        ("0006t3K", "0060t3", "-1,1", "-2,0"),
    ):
        side = "1,-1" if at_knight == "2,0" else "-1,-1"
        table = armed(
            creature, f"0000@{side}", "0000", more=f"{knight}@{at_knight}", knight=knight,
            won="ice",
        )  # fmt: skip
        play(table, f"ice@0,0 0000@{where}")
        assert ended(table) == WON, knight


@pytest.mark.clause("KKD-28", "KKD-22")
def test_defeating_a_creature_that_is_not_frozen_brings_no_knight_down_elsewhere() -> None:
    """He came to lie at 5, and is looked at only when he is covered."""
    table = armed(CALM, "6000t3@-1,-1", "0000 0000", more="0005t4K@1,1", knight="0005t4K", won="")
    play(table, "0000@-2,-2")
    assert at(table, -1, -1)["defeated"] is True
    assert (danger(table, 1, 1), ended(table)) == (5, GOES_ON)


@pytest.mark.clause("KKD-27", "KKD-28")
def test_burning_a_creature_that_is_not_frozen_brings_no_knight_down() -> None:
    table = armed(CALM, "9990t3@-1,-1", "0000", more="0005t4K@1,1", knight="0005t4K")
    play(table, "fireball@-1,-1")
    assert (danger(table, 1, 1), ended(table)) == (5, GOES_ON)


@pytest.mark.clause("KKD-28")
def test_the_black_knight_may_be_frozen_and_then_falls_like_any_other() -> None:
    table = facing("0006t3K", "0000@-1,-1", "0000", used="ice")
    play(table, "ice@1,1")
    assert (at(table, 1, 1)["frozen"], shown(table, "supply")) == (True, 12)
    play(table, "0000@2,2")
    assert ended(table) == WON
    assert at(table, 1, 1)["frozen"] is False


@pytest.mark.clause("KKD-28", "KKD-17")
def test_a_frozen_black_knight_gives_no_alarm() -> None:
    table = facing("0999t1K", "0000@-1,-1", "0000")
    play(table, "ice@1,1 0000@-2,-2 0000@-3,-3")
    assert ended(table) == GOES_ON


@pytest.mark.clause("KKD-28", "KKD-27")
def test_a_frozen_creature_can_be_burnt() -> None:
    table = armed("9999t2", "0000@1,1", "")
    play(table, "ice@0,0 fireball@0,0")
    assert [card["card"] for card in shown(table, "fort")] == ["0000"]
    assert shown(table, "supply") == 12


# Poison


@pytest.mark.clause("KKD-29")
@pytest.mark.parametrize("corner", range(4))
@pytest.mark.parametrize("turned", ["", "r"])
def test_a_poisoned_corner_counts_0(corner: int, turned: str) -> None:
    """Named as the card lies."""
    table = armed(CALM, f"2345t5{turned}@1,1", "")
    digits = [2, 3, 4, 5][:: -1 if turned else 1]
    play(table, f"poison@1,1:{CORNERS[corner]}")
    assert danger(table, 1, 1) == 14 - digits[corner]
    assert shown(table, "spells") == ["fireball", "ice", "silence"]
    assert tokens(table, 1, 1) == 5


@pytest.mark.clause("KKD-29")
@pytest.mark.parametrize("corner", range(4))
def test_whatever_later_covers_the_corner_counts_0_for_both_cards(corner: int) -> None:
    x, y = [(-1, -1), (1, -1), (-1, 1), (1, 1)][corner]
    table = armed("3333t9", "0000@1,1" if corner == 0 else "0000@-1,-1", "9999")
    play(table, f"poison@0,0:{CORNERS[corner]}")
    before = danger(table, 0, 0)
    play(table, f"9999@{x},{y}")
    assert (danger(table, 0, 0), danger(table, x, y)) == (before, 27)
    assert ended(table) == GOES_ON


@pytest.mark.clause("KKD-29")
@pytest.mark.parametrize("corner", range(4))
@pytest.mark.parametrize("creature_first", [True, False])
def test_the_corner_counts_0_for_both_cards_that_share_it(
    corner: int, creature_first: bool
) -> None:
    """A corridor and a creature, whichever was laid first."""
    x, y = [(-1, -1), (1, -1), (-1, 1), (1, 1)][corner]
    start, other = ("9999t9", "5555") if creature_first else ("1111", "2222t9")
    table = armed(start, f"{other}@{x},{y}", "")
    place, named = ("0,0", corner) if creature_first else (f"{x},{y}", 3 - corner)
    play(table, f"poison@{place}:{CORNERS[named]}")
    assert (danger(table, 0, 0), danger(table, x, y)) == ((27, 15) if creature_first else (3, 6))


@pytest.mark.clause("KKD-29")
def test_poison_counts_until_the_fort_ends() -> None:
    """Also when the creature is defeated, and its card a corridor."""
    table = armed("0009t9", "0000@-1,-1", "9000")
    play(table, "poison@0,0:br")
    assert at(table, 0, 0)["defeated"] is True
    play(table, "9000@1,1")
    assert (danger(table, 0, 0), danger(table, 1, 1), ended(table)) == (0, 0, GOES_ON)


@pytest.mark.clause("KKD-29", "KKD-16")
@pytest.mark.parametrize(("creature", "beaten"), [("9122t3", True), ("9222t3", False)])
def test_a_creature_brought_to_five_or_less_is_defeated_at_once(
    creature: str, beaten: bool
) -> None:
    table = play(with_spells(creature), "poison@0,0:tl")
    assert at(table, 0, 0)["defeated"] is beaten
    assert shown(table, "supply") == (12 if beaten else 9)
    assert table.to_act == 0


@pytest.mark.clause("KKD-29", "KKD-16")
@pytest.mark.parametrize("share", ["later", "earlier"])
def test_another_creature_that_shares_the_corner_may_fall_too(share: str) -> None:
    table = armed("0006t4", "6000t5@1,1", "")
    assert (danger(table, 0, 0), danger(table, 1, 1)) == (6, 6)
    play(table, "poison@0,0:br" if share == "later" else "poison@1,1:tl")
    assert [at(table, *place)["defeated"] for place in ((0, 0), (1, 1))] == [True, True]
    assert shown(table, "supply") == 12


@pytest.mark.clause("KKD-29", "KKD-15")
def test_poison_looks_at_no_corridor_and_gives_no_alarm() -> None:
    table = armed("9999t9", "9999@1,1", "")
    play(table, "poison@0,0:br")
    assert (danger(table, 1, 1), ended(table)) == (27, GOES_ON)


@pytest.mark.clause("KKD-29", "KKD-22")
def test_poison_can_bring_the_black_knight_down() -> None:
    table = facing("0006t3K", "0000@-1,-1", "", used="poison")
    play(table, "poison@1,1:br")
    assert ended(table) == WON


@pytest.mark.clause("KKD-29", "KKD-22")
def test_poison_on_a_creature_beside_him_can_bring_the_black_knight_down() -> None:
    """They share the corner; the creature itself stands on."""
    table = armed("9996t5", "0000@-1,-1", "", more="6000t3K@1,1", knight="6000t3K", won="poison")
    assert danger(table, 1, 1) == 6
    play(table, "poison@0,0:br")
    assert ended(table) == WON
    assert at(table, 0, 0)["defeated"] is False


@pytest.mark.clause("KKD-29", "KKD-28")
def test_poison_does_not_bring_him_down_while_another_stands_frozen() -> None:
    table = facing("0006t3K", "9990t3@-1,-1", "")
    play(table, "ice@-1,-1 poison@1,1:br")
    assert (danger(table, 1, 1), ended(table)) == (0, GOES_ON)


@pytest.mark.clause("KKD-29", "KKD-14")
def test_poison_on_another_creature_does_not_look_at_a_black_knight_elsewhere() -> None:
    """He is at 5 or less, but only what shares the corner is looked at."""
    table = armed(CALM, "9000t9@-1,-1", "", more="0005t3K@1,1", knight="0005t3K")
    assert danger(table, 1, 1) == 5
    play(table, "poison@-1,-1:tl")
    assert at(table, -1, -1)["defeated"] is True
    assert ended(table) == GOES_ON


@pytest.mark.clause("KKD-29")
@pytest.mark.parametrize("corner", ["", "TL", "lt", "0", "tl ", "top", "t"])
def test_poison_names_a_corner(corner: str) -> None:
    table = armed("9999t9", "0000@1,1", "")
    assert refusing_clause(table, f"poison@0,0:{corner}") == "KKD-09"
    assert refusing_clause(table, "poison@0,0") == "KKD-09"


@pytest.mark.clause("KKD-29", "KKD-28")
def test_a_frozen_creature_can_be_poisoned() -> None:
    table = armed("9000t9", "0000@1,1", "")
    play(table, "ice@0,0 poison@0,0:tl")
    assert (at(table, 0, 0)["defeated"], at(table, 0, 0)["frozen"]) == (True, False)
