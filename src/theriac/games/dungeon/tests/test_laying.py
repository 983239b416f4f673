"""Knock, Knock! Dungeon!: where and how a card is laid (KKD-09, KKD-10, KKD-11, KKD-12, KKD-13)."""

from __future__ import annotations

import pytest

from theriac.games.dungeon.state import CODE_UNIT
from theriac.games.dungeon.tests.table_setting import (
    CALM,
    GOES_ON,
    KNIGHT,
    at,
    danger,
    ended,
    hands,
    lay_out,
    lost,
    places,
    play,
    refused,
    refusing_clause,
    shown,
    sit,
    tokens,
    with_spells,
)

#: A card whose corners all differ, and the neighbours that cover them: top left, top right, …
ODD = "0123"
NEIGHBOURS = [(-1, -1), (1, -1), (-1, 1), (1, 1)]
PILE = f"{CALM} " * 20


# Where


@pytest.mark.clause("KKD-09", "KKD-11")
def test_a_card_goes_diagonally_from_the_first_one() -> None:
    match = sit(CALM, "1000")
    assert places(match, "1000") == {"-1,-1", "1,-1", "-1,1", "1,1"}


@pytest.mark.clause("KKD-09", "KKD-11")
def test_the_places_of_a_fort_are_those_diagonal_to_a_card_and_free() -> None:
    """Three cards in a corner; the place 0,2 touches two of them, 2,0 one, …"""
    match = lay_out(CALM, "0000@1,1 0000@-1,1", "1000" + " 0000" * 20)
    expected = {"-1,-1", "1,-1", "2,0", "2,2", "0,2", "-2,0", "-2,2"}
    assert places(match, "1000") == expected


@pytest.mark.clause("KKD-09")
@pytest.mark.parametrize("place", ["1,0", "0,1", "-1,0", "0,-1", "2,1", "1,2", "2,2", "2,0", "9,9"])
def test_a_place_that_covers_no_corner_or_two_of_a_card_is_refused(place: str) -> None:
    said = refused(sit(CALM, ODD), f"{ODD}@{place}")
    assert said == "that place covers no corner of the fort, or more than one of a card (KKD-09)"


@pytest.mark.clause("KKD-11")
@pytest.mark.parametrize("turned", ["", "r"])
def test_a_place_that_is_taken_is_refused(turned: str) -> None:
    match = lay_out(CALM, "0000@1,1", f"{ODD} {PILE}")
    for place in ("0,0", "1,1"):
        said = refused(match, f"{ODD}{turned}@{place}")
        assert said == "a card lies there already (KKD-11)"


@pytest.mark.clause("KKD-09")
def test_a_card_may_cover_corners_of_several_cards() -> None:
    """The card at 2,0 lies at the bottom right of 1,-1 and at the bottom left of 3,-1."""
    match = lay_out(CALM, "0000@1,-1 0000@2,-2 0000@3,-1", f"{ODD} {PILE}")
    play(match, f"{ODD}@2,0")
    assert [danger(match, *place) for place in ((1, -1), (3, -1), (0, 0), (2, -2))] == [0, 1, 0, 0]


@pytest.mark.clause("KKD-09", "KKD-11")
def test_one_card_covers_four() -> None:
    """A ring of eight cards around a free place."""
    ring = "0000@1,1 0000@2,2 0000@3,1 0000@4,0 0000@3,-1 0000@2,-2 0000@1,-1"
    match = lay_out(CALM, ring, f"{ODD} {PILE}", players=1)
    play(match, f"{ODD}@2,0")
    assert ended(match) == GOES_ON
    assert [danger(match, *place) for place in ((1, -1), (3, -1), (1, 1), (3, 1))] == [0, 1, 2, 3]
    assert danger(match, 2, 0) == 0 + 1 + 2 + 3


@pytest.mark.clause("KKD-09")
def test_a_card_never_goes_under_another() -> None:
    """At each shared corner the card just laid is seen."""
    match = lay_out("4444t9", "0000@1,1")
    assert (danger(match, 0, 0), danger(match, 1, 1)) == (12, 0)


@pytest.mark.clause("KKD-09")
def test_each_turn_one_card_of_the_hand_is_laid() -> None:
    match = sit(CALM, f"{ODD} 1000 {PILE}", players=3)
    assert [ODD in hand for hand in hands(match)] == [True, False, False]
    play(match, f"{ODD}@1,1")
    assert at(match, 1, 1)["card"] == ODD
    assert not any(ODD in hand for hand in hands(match))
    assert (match.to_act, shown(match, "hands")) == (1, [4, 4, 4])
    play(match, "1000@2,2")
    assert match.to_act == 2


@pytest.mark.clause("KKD-09")
def test_of_two_equal_cards_one_is_laid() -> None:
    match = sit(CALM, "1000 0000 1000 0000 2000 0000 2000 0000")
    assert hands(match)[0] == ["1000", "1000", "2000", "2000"]
    assert len(match.legal()) == len(set(match.legal())) == 2 * 2 * 4
    play(match, "1000@1,1")
    assert hands(match)[0] == ["1000", "2000", "2000", KNIGHT]


# Turned


@pytest.mark.clause("KKD-10", "KKD-11")
@pytest.mark.parametrize("corner", range(4))
def test_a_card_lies_upright_or_turned_by_180_degrees(corner: int) -> None:
    """Laid on corner k of the first card, it shows there its own opposite corner; turned, k."""
    x, y = NEIGHBOURS[corner]
    digits = [int(digit) for digit in ODD]
    upright = lay_out(CALM, f"{ODD}@{x},{y}")
    assert (danger(upright, 0, 0), at(upright, x, y)["turned"]) == (digits[3 - corner], False)
    turned = lay_out(CALM, f"{ODD}r@{x},{y}")
    assert (danger(turned, 0, 0), at(turned, x, y)["turned"]) == (digits[corner], True)
    assert danger(upright, x, y) == danger(turned, x, y) == sum(digits)


@pytest.mark.clause("KKD-10", "KKD-11")
@pytest.mark.parametrize("corner", range(4))
@pytest.mark.parametrize("turned", [False, True])
def test_a_covered_corner_is_that_of_the_card_as_it_lies(corner: int, turned: bool) -> None:
    """The card with four different corners lies below, at 1,1; one of its corners is covered."""
    x, y = NEIGHBOURS[corner]
    place = f"{1 + x},{1 + y}"
    digits = [1, 0, 2, 2][:: -1 if turned else 1]
    match = lay_out(CALM, f"1022{'r' if turned else ''}@1,1", f"0000 {PILE}")
    if place == "0,0":
        assert danger(match, 1, 1) == 5  # it lies on that corner
    else:
        play(match, f"0000@{place}")
        assert danger(match, 1, 1) == 5 - digits[corner]


@pytest.mark.clause("KKD-10")
@pytest.mark.parametrize(
    ("card", "same"),
    [("0000", True), ("1221", True), ("1111c2", True), ("0330t3", True), ("0122", False),
     ("1212", False), ("0110", True), ("0011", False), ("1001", True), ("1000", False),
     ("0100", False), ("2112s", True)],
)  # fmt: skip
def test_a_card_that_looks_the_same_turned_is_written_unturned_only(card: str, same: bool) -> None:
    match = sit(CALM, card)
    assert (f"{card}r@1,1" in match.legal()) is not same
    assert f"{card}@1,1" in match.legal()
    if same:
        said = refused(match, f"{card}r@1,1")
        assert said == f"{card} looks the same turned: write it without r (KKD-09)"
    else:
        play(match, f"{card}r@1,1")
        assert at(match, 1, 1)["turned"] is True


@pytest.mark.clause("KKD-10")
def test_a_card_that_looks_the_same_turned_is_refused_turned_by_its_number_too() -> None:
    """A move given as a number can be one that no text expresses."""
    match = sit(CALM, "1221")
    upright = match.settings.text.read("1221@1,1")
    assert match.game.engine().refuse(match._g, upright) == 0
    assert match.game.engine().refuse(match._g, upright + CODE_UNIT) == 9


@pytest.mark.clause("KKD-10")
@pytest.mark.parametrize("turn", ["l", "R", "rr", "90", "'", "-", " r"])
def test_there_is_no_other_way_to_turn_a_card(turn: str) -> None:
    assert refusing_clause(sit(CALM, ODD), f"{ODD}{turn}@1,1") == "KKD-09"


# Shared corners


@pytest.mark.clause("KKD-11")
@pytest.mark.parametrize("corner", range(4))
def test_a_shared_corner_shows_the_card_laid_later_for_both(corner: int) -> None:
    x, y = NEIGHBOURS[corner]
    below = "".join("3" if i == corner else "0" for i in range(4))
    above = "".join("2" if i == 3 - corner else "1" for i in range(4))
    match = lay_out(below, f"{above}@{x},{y}")
    assert danger(match, 0, 0) == 2
    assert danger(match, x, y) == 2 + 1 + 1 + 1


@pytest.mark.clause("KKD-11")
def test_a_corner_covered_long_ago_stays_covered() -> None:
    match = lay_out("0003", "0000@1,1 0000@-1,-1 0000@2,2", PILE)
    assert [danger(match, *place) for place in ((0, 0), (1, 1), (-1, -1))] == [0, 0, 0]


@pytest.mark.clause("KKD-11", "KKD-27")
def test_when_a_fireball_has_left_no_card_the_fort_begins_again_at_0_0() -> None:
    match = with_spells("3333t3", f"{ODD} {PILE}")
    play(match, "fireball@0,0")
    assert shown(match, "fort") == []
    assert set(match.legal()) >= {f"{ODD}@0,0", f"{ODD}r@0,0"}
    assert {move.partition("@")[2] for move in match.legal()} == {"0,0"}
    for place in ("1,1", "-1,1", "2,0", "0,1"):
        assert refusing_clause(match, f"{ODD}@{place}") == "KKD-09"
    play(match, f"{ODD}r@0,0")
    assert at(match, 0, 0)["turned"] is True
    assert places(match, "0000") == {"-1,-1", "1,-1", "-1,1", "1,1"}


# Creatures and the talk/silence mark


@pytest.mark.clause("KKD-12")
def test_a_creature_gets_its_tokens_from_the_supply() -> None:
    match = lay_out(CALM, "3333t4@1,1", f"3330t5 {PILE}")
    assert (tokens(match, 1, 1), shown(match, "supply")) == (4, 8)
    play(match, "3330t5@-1,-1")
    assert (tokens(match, -1, -1), tokens(match, 1, 1), shown(match, "supply")) == (5, 3, 4)


@pytest.mark.clause("KKD-12")
def test_a_corridor_gets_no_tokens() -> None:
    match = lay_out(CALM, "1121c2@1,1")
    assert (tokens(match, 1, 1), shown(match, "supply")) == (0, 12)


@pytest.mark.clause("KKD-12")
@pytest.mark.parametrize(("second", "end"), [("0004t7", GOES_ON), ("0004t8", lost(12))])
def test_without_enough_tokens_the_game_is_lost(second: str, end: object) -> None:
    """Five of twelve are gone: seven are enough for a creature of seven."""
    match = lay_out(CALM, "0004t5@1,1", f"{second} {PILE}")
    play(match, f"{second}@-1,-1")
    assert ended(match) == end
    if match.over:
        assert (tokens(match, -1, -1), tokens(match, 1, 1), shown(match, "supply")) == (0, 5, 7)
        assert shown(match, "hands") == [4, 3]  # nothing was drawn


@pytest.mark.clause("KKD-12")
def test_too_few_tokens_lose_before_anything_else_is_checked() -> None:
    """The token is not flipped, nobody is defeated, no creature loses a token."""
    match = lay_out(CALM, "0006t9@1,1", f"0000t9s {PILE}")
    play(match, "0000t9s@2,2")
    assert ended(match) == lost(12)
    assert shown(match, "talk") is True
    assert (at(match, 1, 1)["defeated"], tokens(match, 1, 1)) == (False, 9)


@pytest.mark.clause("KKD-12", "KKD-15")
def test_too_few_tokens_come_before_the_alarm_of_a_corridor() -> None:
    match = lay_out(CALM, "6000t9@-1,-1", f"9000t4 {PILE}")
    play(match, "9000t4@1,1")
    assert danger(match, 0, 0) >= 6
    assert ended(match) == lost(12)
    match = lay_out(CALM, "6000t9@-1,-1", f"9000t3 {PILE}")
    play(match, "9000t3@1,1")
    assert ended(match) == lost(15)


@pytest.mark.clause("KKD-12", "KKD-22")
def test_too_few_tokens_come_before_a_win() -> None:
    """The second creature would have brought the Black Knight down."""
    for creature, end in (("0000t8", lost(12)), ("0000t7", ("won", "KKD-22"))):
        match = lay_out(CALM, "0000@-1,-1", creature, knight="0006t5K", more="0006t5K@1,1")
        play(match, f"{creature}@2,2")
        assert ended(match) == end


@pytest.mark.clause("KKD-12", "KKD-16")
def test_tokens_that_a_creature_gives_back_come_too_late_for_the_card_that_defeats_it() -> None:
    for creature, end in (("0000t5", lost(12)), ("0000t4", GOES_ON)):
        match = lay_out(CALM, "0006t8@1,1", f"{creature} {PILE}")
        play(match, f"{creature}@2,2")
        assert ended(match) == end


@pytest.mark.clause("KKD-13")
@pytest.mark.parametrize("players", [2, 3, 6])
def test_the_talk_silence_mark_flips_the_token(players: int) -> None:
    match = sit(CALM, f"0000s 0000 0000s 0000s {PILE} {PILE}", players=players)
    talk = []
    for n, card in enumerate(["0000s", "0000", "0000s", "0000s"]):
        play(match, f"{card}@{n + 1},{n + 1}")
        talk.append(shown(match, "talk"))
    assert talk == [False, False, True, False]


@pytest.mark.clause("KKD-13")
def test_a_creature_with_the_mark_flips_the_token_too() -> None:
    assert shown(lay_out(CALM, "0330t3s@1,1"), "talk") is False


@pytest.mark.clause("KKD-13", "KKD-15")
def test_the_token_is_flipped_before_danger_is_checked() -> None:
    match = lay_out("0003", "9000s@1,1")
    assert ended(match) == lost(15)
    assert shown(match, "talk") is False


@pytest.mark.clause("KKD-13", "KKD-31")
def test_silence_changes_no_legal_moves() -> None:
    """Whether the players talk is up to them: the same moves are legal."""
    loud = lay_out(CALM, "0000@1,1", f"{ODD} {PILE}")
    silent = lay_out(CALM, "0000s@1,1", f"{ODD} {PILE}")
    assert silent.legal() == loud.legal()
