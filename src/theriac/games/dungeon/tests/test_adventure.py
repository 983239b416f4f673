"""Knock, Knock! Dungeon!: the adventure and its spells.

KKD-25, KKD-26, KKD-30, KKD-31, KKD-32, KKD-33.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import theriac
from theriac import seal
from theriac.faults import BadDeal, BadOption
from theriac.games.dungeon.adventure import first_part, is_part, next_part
from theriac.games.dungeon.tests.table_setting import (
    ALL_SPELLS,
    CALM,
    DECK,
    GOES_ON,
    KNIGHT,
    WON,
    at,
    ended,
    facing_the_knight,
    hands,
    lay_out,
    lost,
    options_refused,
    play,
    refused,
    refusing_clause,
    shown,
    sit,
    tokens,
    with_spells,
)
from theriac.match import Match

PILE = f"{CALM} " * 20
WEAK = "0006t3K"
TOWERS = {0: 0, 1: 3, 2: 3, 3: 4, 4: 4}


def about_to_win(spells: list[str], won: str, level: int = 1, more: str = "") -> Match:
    """The next card, 0000 at 2,2, wins the fort; `won` is the shuffle of the spells not held."""
    match = facing_the_knight("0000", knight=WEAK, level=level, spells=spells, won=won)
    return play(match, more)


# KKD-25


@pytest.mark.clause("KKD-25", "KKD-03")
@pytest.mark.parametrize("level", [0, 1, 2, 3, 4])
def test_the_tower_cards_of_the_level_and_of_no_other_are_shuffled_in(level: int) -> None:
    match = theriac.new("dungeon", players=2, first=0, level=level, seed=bytes(32))
    towers = [card for card in DECK if f"L{level}" in card]
    base = [card for card in DECK if "L" not in card and "K" not in card]
    assert len(towers) == TOWERS[level]
    assert Counter(match.dealt[0]) == Counter([*base, *towers])
    assert shown(match, "level") == level
    assert shown(match, "pile") == len(base) + len(towers) + 1 - 9


@pytest.mark.clause("KKD-25")
@pytest.mark.parametrize("level", [-1, 5, "1", 1.0, True, None])
def test_the_level_is_0_to_4(level: object) -> None:
    assert options_refused(level=level) == (
        f"option level: {level} is not 0, 1, 2, 3 or 4 (KKD-25)"
    )


@pytest.mark.clause("KKD-25")
def test_the_base_game_is_the_default() -> None:
    assert shown(sit(), "level") == 0


@pytest.mark.clause("KKD-25")
@pytest.mark.parametrize("level", [1, 2, 3, 4])
@pytest.mark.parametrize("spells", [[], ["ice"], ["silence", "poison"], ALL_SPELLS])
def test_the_spells_held_at_the_start_are_an_option(level: int, spells: list[str]) -> None:
    match = sit("3333t3", level=level, spells=spells)
    assert shown(match, "spells") == sorted(spells)


@pytest.mark.clause("KKD-25")
@pytest.mark.parametrize(
    "spells", [["ice", "ice"], ["Ice"], ["sleep"], "ice", [1], None, True, ["fireball", ""], {}]
)
def test_each_spell_can_be_held_once(spells: object) -> None:
    said = options_refused(level=1, spells=spells)
    assert said.startswith("option spells: ")
    assert said.endswith(
        " is not a list of fireball, ice, poison or silence, each at most once (KKD-25)"
    )


@pytest.mark.clause("KKD-25", "KKD-08")
def test_at_level_0_spells_are_refused() -> None:
    for options in ({"spells": ["ice"]}, {"spells": ["ice"], "level": 0}):
        assert options_refused(**options) == (
            "option spells: there are none outside the adventure (level 1 to 4) (KKD-25)"
        )
    assert shown(sit(spells=[]), "spells") == []


# KKD-26


@pytest.mark.clause("KKD-26", "KKD-33")
@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_after_a_fort_won_a_spell_is_drawn(level: int) -> None:
    """Also after the fourth."""
    match = play(about_to_win([], "poison ice silence fireball", level), "0000@2,2")
    assert (ended(match), shown(match, "spells")) == (WON, ["poison"])
    assert match.dealt[1] == ["poison", "ice", "silence", "fireball"]
    assert match.view()["winners"] == [0, 1]


@pytest.mark.clause("KKD-26")
@pytest.mark.parametrize("drawn", ["fireball", "ice", "poison", "silence"])
def test_the_new_spell_is_the_first_that_is_not_held(drawn: str) -> None:
    box = [drawn, *(spell for spell in ALL_SPELLS if spell != drawn)]
    assert shown(play(about_to_win([], " ".join(box)), "0000@2,2"), "spells") == [drawn]
    held = next(spell for spell in ALL_SPELLS if spell != drawn)
    box.remove(held)
    match = play(about_to_win([held], " ".join(box)), "0000@2,2")
    assert shown(match, "spells") == sorted([held, drawn])


@pytest.mark.clause("KKD-26", "KKD-33")
@pytest.mark.parametrize(
    ("deal", "why"),
    [
        ("ice poison", "deal 2: silence is missing (KKD-33)"),
        ("fireball ice poison silence", "deal 2: fireball is extra (KKD-33)"),
        ("ice poison silence 0000", "deal 2: 0000 is extra (KKD-33)"),
        ("", "deal 2: ice is missing, poison is missing, silence is missing (KKD-33)"),
    ],
)
def test_the_second_shuffle_is_of_the_spells_not_held(deal: str, why: str) -> None:
    match = about_to_win(["fireball"], deal)
    before = match.view()
    with pytest.raises(BadDeal) as caught:
        match.play("0000@2,2")
    assert str(caught.value) == why
    assert match.view() == before


@pytest.mark.clause("KKD-26", "KKD-33")
def test_a_spell_can_come_from_the_seed_and_all_are_as_likely() -> None:
    deal = about_to_win([], "").dealt[0]
    options: dict[str, Any] = {"players": 2, "first": 0, "deck": [*deal, WEAK], "level": 1}
    drawn: Counter[str] = Counter()
    for number in range(80):
        seed = bytes([number] * 32)
        match = theriac.new("dungeon", deals=[deal], seed=seed, **options)
        play(match, f"0000@-1,-1 {WEAK}@1,1 0000@2,2")
        drawn.update(shown(match, "spells"))
    assert sum(drawn.values()) == 80
    assert all(drawn[spell] >= 8 for spell in ALL_SPELLS)


@pytest.mark.clause("KKD-33", "KKD-26")
def test_without_a_deal_or_a_seed_the_spell_cannot_be_drawn() -> None:
    match = about_to_win([], "")
    again = theriac.new("dungeon", deals=match.dealt, **match.settings.given)
    play(again, " ".join(match.moves))
    with pytest.raises(BadDeal, match=r"shuffle 2 has neither a deal nor a seed: .* \(KKD-33\)"):
        again.play("0000@2,2")
    assert ended(again) == GOES_ON


@pytest.mark.clause("KKD-26", "KKD-33")
def test_with_all_four_held_none_is_drawn_and_nothing_is_shuffled() -> None:
    match = play(about_to_win(ALL_SPELLS, "never asked for"), "0000@2,2")
    assert (ended(match), shown(match, "spells")) == (WON, ALL_SPELLS)
    assert len(match.dealt) == 1


@pytest.mark.clause("KKD-26")
def test_a_used_spell_goes_back_to_the_box_and_can_be_won_again() -> None:
    match = about_to_win(ALL_SPELLS, "ice", more="ice@1,1")
    assert shown(match, "spells") == ["fireball", "poison", "silence"]
    play(match, "0000@2,2")
    assert shown(match, "spells") == ALL_SPELLS
    assert match.dealt[1] == ["ice"]


@pytest.mark.clause("KKD-26")
def test_after_a_fort_lost_no_spell_is_drawn() -> None:
    match = play(about_to_win(["ice"], "never asked for"), "timeout")
    assert (ended(match), shown(match, "spells"), len(match.dealt)) == (lost(23), ["ice"], 1)


@pytest.mark.clause("KKD-26")
@pytest.mark.parametrize("spell", ["fireball@0,0", "ice@0,0", "poison@0,0:tl", "silence"])
def test_a_spell_that_is_not_held_is_refused(spell: str) -> None:
    name = spell.partition("@")[0]
    others = [other for other in ALL_SPELLS if other != name]
    for match in (sit("3333t3"), sit("3333t3", level=1, spells=others)):
        assert refused(match, spell) == f"the spell {name} is not held (KKD-26)"


@pytest.mark.clause("KKD-26")
@pytest.mark.parametrize("spell", ["fireball@9,9", "ice@1,1", "poison@0,1:tl"])
def test_a_spell_must_be_held_before_its_target_is_checked(spell: str) -> None:
    assert refusing_clause(sit(CALM, level=1), spell) == "KKD-26"


@pytest.mark.clause("KKD-26")
def test_a_used_spell_is_not_held_any_more() -> None:
    match = with_spells("9999t9", f"9990t3 0000s {PILE}")
    play(match, "9990t3@-1,-1 0000s@-2,-2")
    for n, spell in enumerate(["poison@0,0:br", "ice@-1,-1", "fireball@0,0", "silence"]):
        play(match, spell)
        assert len(shown(match, "spells")) == 3 - n
        assert refusing_clause(match, spell) == "KKD-26"


@pytest.mark.clause("KKD-26", "KKD-31")
def test_any_number_of_spells_may_be_used_in_one_turn() -> None:
    match = with_spells("9999t9", f"9990t3 0000s {PILE}", players=3)
    play(match, "9990t3@-1,-1 0000s@-2,-2")
    assert match.to_act == 2
    play(match, "silence ice@-1,-1 poison@0,0:br fireball@0,0")
    assert (match.to_act, shown(match, "spells"), shown(match, "hands")) == (2, [], [4, 4, 4])
    play(match, "0000@0,0")
    assert match.to_act == 0


# KKD-30


@pytest.mark.clause("KKD-30")
def test_the_sphere_of_silence_turns_the_token_back_to_talk() -> None:
    match = with_spells(CALM, f"0000s 0000s {PILE}")
    play(match, "0000s@1,1")
    assert shown(match, "talk") is False
    assert "silence" in match.legal()
    play(match, "silence")
    assert shown(match, "talk") is True
    assert shown(match, "spells") == ["fireball", "ice", "poison"]
    play(match, "0000s@2,2")
    assert shown(match, "talk") is False


@pytest.mark.clause("KKD-30")
@pytest.mark.parametrize("players", [1, 2])
def test_silence_is_refused_while_the_token_shows_talk(players: int) -> None:
    match = with_spells(CALM, f"0000s {PILE}", players=players)
    assert "silence" not in match.legal()
    assert refused(match, "silence") == "the token shows talk already (KKD-30)"
    play(match, "0000s@1,1")
    assert ("silence" in match.legal()) is (players == 2)  # KKD-06


@pytest.mark.clause("KKD-30")
@pytest.mark.parametrize("text", ["Silence", "silence@0,0", "silence:tl", "silence "])
def test_the_sphere_has_no_target(text: str) -> None:
    match = play(with_spells(CALM, f"0000s {PILE}"), "0000s@1,1")
    assert refusing_clause(match, text) == "KKD-09"


# KKD-31


@pytest.mark.clause("KKD-31")
def test_a_spell_does_not_end_a_turn() -> None:
    """Nothing is drawn and no creature loses a token."""
    match = with_spells("9999t9", f"0000 {PILE}")
    before = hands(match)
    play(match, "poison@0,0:br")
    assert (match.to_act, hands(match), tokens(match, 0, 0)) == (0, before, 9)
    play(match, "0000@1,1")
    assert (match.to_act, tokens(match, 0, 0)) == (1, 8)


@pytest.mark.clause("KKD-31")
def test_spells_are_for_any_turn_and_also_before_the_black_knight_is_laid() -> None:
    match = lay_out("9999t9", "0000@1,1", "0000", level=1, spells=ALL_SPELLS)
    assert KNIGHT in hands(match)[0]
    assert {move.partition("@")[0] for move in match.legal()} == {
        KNIGHT, "fireball", "ice", "poison"
    }  # fmt: skip
    play(match, "ice@0,0")
    assert (match.to_act, at(match, 0, 0)["frozen"]) == (0, True)
    assert refusing_clause(match, "0000@2,2") == "KKD-20"
    play(match, f"{KNIGHT}@2,2")
    assert match.to_act == 1
    play(match, "fireball@0,0")
    assert match.to_act == 1


@pytest.mark.clause("KKD-31")
def test_a_spell_in_a_record_is_a_move_like_any_other() -> None:
    match = play(with_spells("9999t9", f"0000 {PILE}"), "ice@0,0 0000@1,1 fireball@0,0")
    record = match.record()
    assert record["moves"] == ["ice@0,0", "0000@1,1", "fireball@0,0"]
    assert theriac.replay(record).view() == match.view()


# KKD-32


@pytest.mark.clause("KKD-32", "KKD-25", "KKD-26")
def test_the_adventure_is_four_forts_with_the_spells_carried_over() -> None:
    """What is saved between two forts is the next level and the spells held."""
    spells: list[str] = []
    for level, won in enumerate(["ice", "poison", "fireball", "silence"], start=1):
        box = [won, *(spell for spell in ALL_SPELLS if spell not in (won, *spells))]
        match = about_to_win(spells, " ".join(box), level)
        assert (shown(match, "level"), shown(match, "spells")) == (level, sorted(spells))
        play(match, "0000@2,2")
        assert ended(match) == WON
        spells = shown(match, "spells")
    assert spells == ALL_SPELLS


@pytest.mark.clause("KKD-32")
def test_each_fort_is_a_game_of_its_own() -> None:
    """Poison, silence and burnt cards of the last fort mean nothing in the next."""
    match = with_spells("9999t9", f"0000s {PILE}")
    play(match, "0000s@1,1 poison@0,0:br timeout")
    again = sit("9999t9", f"0000s {PILE}", level=2, spells=shown(match, "spells"))
    assert (shown(again, "talk"), at(again, 0, 0)["danger"], shown(again, "supply")) == (
        True,
        36,
        3,
    )


@pytest.mark.clause("KKD-32")
def test_after_a_lost_fort_the_last_save_can_be_resumed() -> None:
    """The same level with the same spells, whatever was used in the lost fort."""
    save: dict[str, Any] = {"level": 2, "spells": ["fireball", "ice"]}
    match = play(sit("9999t9", **save), "ice@0,0 timeout")
    assert (ended(match), shown(match, "spells")) == (lost(23), ["fireball"])
    again = sit("9999t9", **save)
    assert (shown(again, "level"), shown(again, "spells")) == (2, ["fireball", "ice"])


@pytest.mark.clause("KKD-32", "KKD-25")
def test_a_fort_won_leads_to_the_next_one_and_the_fourth_to_none() -> None:
    """The other options stay as they were."""
    given = first_part({"players": 2, "treasure": True})
    assert (given, is_part(given)) == ({"players": 2, "treasure": True, "level": 1}, True)
    for level, won in ((2, "ice"), (3, "poison"), (4, "silence")):
        held = given.get("spells", [])
        box = [won, *(spell for spell in ALL_SPELLS if spell not in (won, *held))]
        match = play(about_to_win(held, " ".join(box), level - 1), "0000@2,2")
        next_given = next_part(given, match.view()["table"])
        assert next_given is not None
        given = next_given
        assert given == {
            "players": 2, "treasure": True, "level": level, "spells": sorted([*held, won])
        }  # fmt: skip
    assert next_part(given, {"spells": ALL_SPELLS}) is None
    assert not is_part({"players": 2})


@pytest.mark.clause("KKD-25")
@pytest.mark.parametrize("option", [{"level": 2}, {"spells": ["ice"]}])
def test_an_adventure_begins_with_the_first_fort_and_no_spell(option: dict[str, object]) -> None:
    with pytest.raises(BadOption, match=r"leave it out.*\(KKD-25\)"):
        first_part({"players": 2, **option})


@pytest.mark.clause("KKD-26")
def test_the_seed_shuffles_the_spells_in_the_order_of_the_notation_page() -> None:
    options: dict[str, Any] = {"players": 1, "first": 0, "level": 1, "spells": ["ice"]}
    options["deck"] = ["0000"] * 8 + ["2211t3K"]
    match = theriac.new("dungeon", seed=bytes(range(32)), **options)
    for move in "0000@1,1 0000@2,2 2211t3K@3,3 0000@4,2".split():
        match.play(move)
    assert match.winners() == [0]
    spells = ["fireball", "poison", "silence"]
    assert match.dealt[1] == [spells[i] for i in seal.shuffle(bytes(range(32)), 2, 3)]
    assert set(match.view()["table"]["spells"]) == {"ice", match.dealt[1][0]}
