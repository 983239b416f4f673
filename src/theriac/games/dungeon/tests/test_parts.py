"""Knock, Knock! Dungeon!: the cards, the tokens, and own decks (KKD-01, KKD-02)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import theriac
from theriac.faults import BadDeck, BadOption
from theriac.game import find
from theriac.games.dungeon.tests.table_setting import (
    CALM,
    DECK,
    KNIGHT,
    at,
    danger,
    deck_refused,
    lay_out,
    shown,
    sit,
)
from theriac.games.dungeon.text import Face, read_face

FACES = [read_face(card) for card in DECK]
ENOUGH = [CALM] * 9


@pytest.mark.clause("KKD-01")
def test_sixty_three_cards_of_which_41_are_corridors_and_22_creatures() -> None:
    assert len(DECK) == 63
    assert sum(face.tokens == 0 for face in FACES) == 41
    assert sum(face.tokens > 0 for face in FACES) == 22


@pytest.mark.clause("KKD-01")
def test_one_creature_is_the_black_knight() -> None:
    assert [card for card in DECK if read_face(card).knight] == [KNIGHT]
    assert read_face(KNIGHT).tokens > 0


@pytest.mark.clause("KKD-01")
def test_twelve_time_tokens_four_spells_and_one_token_that_shows_talk() -> None:
    match = sit(spells=["fireball", "ice", "poison", "silence"], level=1)
    assert shown(match, "supply") == 12
    assert shown(match, "spells") == ["fireball", "ice", "poison", "silence"]
    assert shown(match, "talk") is True


@pytest.mark.clause("KKD-02")
def test_the_shipped_cards_are_as_the_facts_say() -> None:
    for card, face in zip(DECK, FACES, strict=True):
        total = sum(face.corners)
        assert max(face.corners) <= 4
        assert total > 5 if face.tokens else total == (0 if face.silent else 5), card
    assert {face.level for face in FACES} == {0, 1, 2, 3, 4}
    assert any(face.chests and not face.tokens for face in FACES)
    assert {face.corners for face in FACES if face.silent} == {(0, 0, 0, 0)}
    knight = read_face(KNIGHT)
    assert all(sum(face.corners) < sum(knight.corners) for face in FACES if face is not knight) or (
        sum(face.corners == knight.corners for face in FACES) == 1
    )


@pytest.mark.clause("KKD-02")
@pytest.mark.parametrize(
    ("card", "face"),
    [
        ("0122", Face((0, 1, 2, 2), 0, False, 0, 0, False)),
        ("0000s", Face((0, 0, 0, 0), 0, True, 0, 0, False)),
        ("1121c2L1", Face((1, 1, 2, 1), 0, False, 2, 1, False)),
        ("2332t3", Face((2, 3, 3, 2), 3, False, 0, 0, False)),
        ("4444t3K", Face((4, 4, 4, 4), 3, False, 0, 0, True)),
        ("9876t13sc99L4", Face((9, 8, 7, 6), 13, True, 99, 4, False)),
    ],
)
def test_the_text_of_a_card_says_what_is_on_it(card: str, face: Face) -> None:
    assert read_face(card) == face


@pytest.mark.clause("KKD-02")
def test_the_rules_use_what_the_cards_of_a_custom_deck_show() -> None:
    match = lay_out("1230", "4567t5@1,1")
    assert [at(match, *place)["card"] for place in ((0, 0), (1, 1))] == ["1230", "4567t5"]
    assert danger(match, 0, 0) == 1 + 2 + 3 + 4
    assert at(sit("4567t5"), 0, 0)["tokens"] == 5


@pytest.mark.clause("KKD-02")
@pytest.mark.parametrize(
    "card",
    ["", "012", "01222", "0122t0", "0122t", "0122t100", "0122c0", "0122c100", "0122L0", "0122L5",
     "0122st3", "0122c1t3", "0122L1c1", "0122KL1", "0122k", "0122S", "0122T3", " 0122", "0122 ",
     "0122\n", "０122", "-122", "0122t03", "0122r", "0122@0,0", "fireball"],
)  # fmt: skip
def test_a_text_that_is_not_a_card_is_refused(card: str) -> None:
    said = deck_refused([*ENOUGH, card, KNIGHT])
    assert said.startswith("option deck: card ")
    assert said.endswith(
        ": not one such as 0122, 0000s, 1121c2L1, 2332t3 or 4444t3K (up to 99 tokens or chests) "
        "(KKD-02)"
    )


@pytest.mark.clause("KKD-02")
@pytest.mark.parametrize("knights", [[], [KNIGHT, KNIGHT], [KNIGHT, "3333t3K"]])
def test_a_deck_holds_one_black_knight(knights: list[str]) -> None:
    said = deck_refused([*ENOUGH, *knights])
    assert said == (
        "option deck: a deck needs one Black Knight, a card with K such as 4444t3K (KKD-02)"
    )


@pytest.mark.clause("KKD-02")
@pytest.mark.parametrize("knight", ["4444K", "4444t3L1K", "4444sc1K"])
def test_the_black_knight_is_a_creature_and_in_no_tower(knight: str) -> None:
    said = deck_refused([*ENOUGH, knight])
    assert said == (
        f"option deck: card {knight}: the Black Knight is a creature and in no tower (KKD-02)"
    )


@pytest.mark.clause("KKD-02", "KKD-04")
@pytest.mark.parametrize(
    ("players", "needed"), [(1, 7), (2, 9), (3, 13), (4, 17), (5, 21), (6, 19)]
)
def test_a_deck_has_enough_cards_to_deal(players: int, needed: int) -> None:
    """A hand each, and the first card of the fort; the Black Knight is not dealt."""
    said = deck_refused([CALM] * (needed - 1) + [KNIGHT], players=players)
    assert said == (
        f"option deck: {needed - 1} cards beside the Black Knight, {needed} are dealt (KKD-02)"
    )
    match = sit(players=players)
    assert len(match.settings.given["deck"]) == needed + 1
    assert (sum(shown(match, "hands")), shown(match, "pile")) == (needed - 1, 1)


@pytest.mark.clause("KKD-02", "KKD-25")
def test_tower_cards_of_other_levels_are_not_there_to_be_dealt() -> None:
    deck = [CALM] * 8 + ["1111L2", KNIGHT]
    for level in (0, 1, 3):
        said = deck_refused(deck, level=level)
        assert said == "option deck: 8 cards beside the Black Knight, 9 are dealt (KKD-02)"
    assert theriac.new("dungeon", players=2, first=0, deck=deck, level=2, seed=bytes(32)).players


@pytest.mark.clause("KKD-02")
def test_a_fort_has_room_for_63_cards() -> None:
    """The box has no more."""
    said = deck_refused([CALM] * 40 + ["1000"] * 23 + [KNIGHT])
    assert said == "option deck: 64 cards, but a fort has room for 63 (KKD-02)"
    assert shown(sit(CALM, f"{CALM} " * 61), "pile") == 63 - 9
    others = ["1000L1"] * 30  # not in this game
    match = theriac.new(
        "dungeon", players=2, first=0, deck=[CALM] * 62 + others + [KNIGHT], seed=bytes(32)
    )
    assert shown(match, "pile") == 63 - 9


@pytest.mark.clause("KKD-02")
def test_too_many_cards_of_one_kind_or_too_many_kinds_are_refused() -> None:
    said = deck_refused([CALM] * 64 + [KNIGHT])
    assert said == "64 cards 0000: a fort has room for 63 (KKD-02)"
    said = deck_refused([CALM] * 200 + [KNIGHT])
    assert said == "200 cards 0000: a fort has room for 63 (KKD-02)"
    kinds = [f"{n:04}L{1 + n % 4}" for n in range(64)]
    said = deck_refused([*ENOUGH, *kinds, KNIGHT])
    assert said == "option deck: 66 different cards: at most 64 (KKD-02)"
    most = [*ENOUGH, *kinds[:62], KNIGHT]
    assert theriac.new("dungeon", players=2, first=0, deck=most, seed=bytes(32)).players == 2


@pytest.mark.clause("KKD-02")
@pytest.mark.parametrize("deck", ["0122", None, 12, [122], [None], [["0122"]], {}, {"cards": []}])
def test_a_deck_is_a_list_of_card_texts(deck: Any) -> None:
    with pytest.raises(BadDeck) as caught:
        theriac.new("dungeon", players=2, first=0, deck=deck)
    assert str(caught.value).startswith("option deck: a deck is a list of card texts")
    assert str(caught.value).endswith("(KKD-02)")


@pytest.mark.clause("KKD-02")
def test_everything_on_a_card_is_in_its_text_and_is_not_a_mark() -> None:
    deck = {"cards": [*ENOUGH, KNIGHT], "marks": {"chest": [CALM]}}
    with pytest.raises(BadDeck, match=r"option deck: mark chest: .*\(KKD-02\)"):
        theriac.new("dungeon", players=2, first=0, deck=deck)


@pytest.mark.clause("KKD-02")
def test_an_empty_deck_is_refused() -> None:
    assert deck_refused([]).endswith("(KKD-02)")


@pytest.mark.clause("KKD-01", "KKD-02")
def test_differences_of_a_custom_deck_from_the_box_are_reported() -> None:
    game = find("dungeon")
    text = game.text(type(game.shipped)(Counter([*ENOUGH, KNIGHT])))
    assert text.remarks() == [
        "9 empty corridors and 1 creatures instead of 41 and 22 (KKD-01)",
        *(f"no tower card of level {level} (KKD-02)" for level in (1, 2, 3, 4)),
        "no card with the talk/silence mark (KKD-02)",
    ]
    assert game.text(game.shipped).remarks() == []


@pytest.mark.clause("KKD-02")
def test_a_deck_is_an_option_and_by_default_the_shipped_one() -> None:
    match = theriac.new("dungeon", players=2, first=0, seed=bytes(32))
    assert set(match.dealt[0]) <= set(DECK)
    with pytest.raises(BadOption, match="option cards: dungeon has no option of that name"):
        theriac.new("dungeon", players=2, first=0, cards=DECK)
