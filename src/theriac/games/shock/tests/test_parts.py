"""Shock!: the cards, the jewels, and custom decks.

SHK-01, SHK-02, SHK-03, SHK-04, SHK-05, SHK-06.
"""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

import theriac
from theriac.deck import Deck
from theriac.faults import BadDeck, BadOption
from theriac.game import find
from theriac.games.shock.tests.table_setting import (
    EDITIONS,
    NUMBERS,
    POISONS,
    POTIONS,
    chest_of,
    own_deck,
    play,
    play_tricks,
    scores,
    shown,
    sit,
    sit_anyhow,
)
from theriac.match import Match

FEW = "H2 H3 H4 S2 S3 S4 D2"
FEW_CHEST = "jellyfish jellyfish spider bee J1/0"
FEW_DOORS = "jellyfish jellyfish spider bee J1"


def sit_with(game: str, deck: Any, players: int = 3) -> None:
    """Try to begin a game with a custom deck."""
    theriac.new(game, players=players, first=0, deck=deck)


# The cards of the box


@pytest.mark.clause("SHK-01")
@pytest.mark.parametrize("game", EDITIONS)
def test_each_of_the_44_number_cards_is_there_once(game: str) -> None:
    assert len(NUMBERS) == 44
    assert sorted(sit_anyhow(game, 5).dealt[0]) == sorted(NUMBERS)


@pytest.mark.clause("SHK-02", "SHK-03", "SHK-14")
@pytest.mark.parametrize("game", EDITIONS)
@pytest.mark.parametrize("suit", "HSDC")
def test_the_marks_of_each_number_card(game: str, suit: str) -> None:
    """An even rank gets a jewel; three of the 7s, 5♣ and 7♣ go in front of the winner."""
    for rank in range(1, 12):
        card, best = f"{suit}{rank}", f"{suit}{11 if rank < 11 else 9}"
        others = "HSDC".replace(suit, "")
        trump = f"{others[0]}11"
        spare = [f"{others[1]}3", f"{others[2]}3", f"{others[2]}1"]
        hands = [best, card, *(f"{one} | {others}" for one in spare)]
        match = sit(game, hands, trump)
        play(match, f"{best} {card}")
        assert shown(match, "trick")[1] == {"seat": 1, "card": card, "jewels": 1 - rank % 2}
        play_tricks(match, " ".join(spare))
        assert shown(match, "leader") == (0 if rank < 11 else 1)
        special = [card] if card in ("H7", "S7", "D7", "C5", "C7") else []
        assert shown(match, "front")[shown(match, "leader")] == special


@pytest.mark.clause("SHK-02", "SHK-19")
@pytest.mark.parametrize("game", EDITIONS)
@pytest.mark.parametrize("card", POISONS)
@pytest.mark.parametrize("kind", POISONS.values())
def test_the_poison_on_each_seven(game: str, card: str, kind: str) -> None:
    suit = card[0]
    trump = "C2"
    match = sit(game, [f"{suit}10", card, f"{suit}3"], trump, kind)
    play(match, f"{suit}10 {card} {suit}3")
    assert shown(match, "in_round")[0] is (POISONS[card] != kind)


@pytest.mark.clause("SHK-02", "SHK-23")
@pytest.mark.parametrize("game", EDITIONS)
@pytest.mark.parametrize("potion", POTIONS)
def test_the_potions_on_the_five_and_the_seven_of_clubs(game: str, potion: str) -> None:
    match = sit(game, ["H10", "H7", f"{potion} | SDC"])
    play(match, f"H10 H7 {potion}")
    assert shown(match, "front")[0] == ["H7", potion]
    assert shown(match, "covered")[0] == ["H7"]


@pytest.mark.clause("SHK-04", "SHK-05")
@pytest.mark.parametrize("game", EDITIONS)
def test_the_chest_and_the_doors(game: str) -> None:
    cards = sit_anyhow(game).dealt[1]
    assert sorted(cards) == sorted(chest_of(game))
    assert [cards.count(kind) for kind in POISONS.values()] == [2, 2, 2]
    assert shown(sit_anyhow(game), "chest_left") == len(cards) == (24 if game == "shock" else 12)


@pytest.mark.clause("SHK-03", "SHK-04", "SHK-05")
@pytest.mark.parametrize(("file", "lost"), [
    ("deck.toml", {"jewels", "chest"}), ("anaphylaxis.toml", {"jewels", "doors"}),
])  # fmt: skip
def test_facts_lost_from_the_rulebook_are_marked_as_reconstructed(
    file: str, lost: set[str]
) -> None:
    source = (find("shock").folder / file).read_text(encoding="utf-8")
    provenance = tomllib.loads(source)["provenance"]
    assert {fact for fact, source in provenance.items() if source == "reconstructed"} == lost


@pytest.mark.clause("SHK-05", "SHK-32")
@pytest.mark.parametrize(("door", "jewels"), [
    ("J1", 1), ("J2", 2), ("J3", 3), ("bee", 1), ("spider", 1), ("jellyfish", 1),
])  # fmt: skip
def test_the_jewels_of_each_door(door: str, jewels: int) -> None:
    match = sit("anaphylaxis", ["H9", "H3", "H5"], chest=door)
    play(match, "H9 H3 H5")
    assert shown(match, "on_bag") == [jewels, 0, 0]


@pytest.mark.clause("SHK-04", "SHK-28", "SHK-29")
@pytest.mark.parametrize(("card", "large", "small"), [
    ("J1/1", 1, 1), ("J2/0", 2, 0), ("J2/1", 2, 1), ("J3/0", 3, 0), ("J3/1", 3, 1), ("J4/1", 4, 1),
    ("bee", 1, 0), ("spider", 1, 0), ("jellyfish", 1, 0),
])  # fmt: skip
def test_the_jewels_of_each_chest_card(card: str, large: int, small: int) -> None:
    match = sit("shock", ["H9", "H3", "H5"], chest=card)
    play(match, "H9 H3 H5")
    assert shown(match, "on_bag") == [large, small, small]


@pytest.mark.clause("SHK-06")
@pytest.mark.parametrize(("game", "chest", "rounds", "total"), [
    ("shock", "J9/9 " * 12, 1, 3 * 108),
    ("anaphylaxis", "jellyfish spider bee" + " J9" * 200, 5, 180),
])  # fmt: skip
def test_the_jewels_never_run_out(game: str, chest: str, rounds: int, total: int) -> None:
    """The boxes hold jewels worth 280 and 120; more are won."""
    numbers = "H2 H3 H4 H5 S2 S3 S4 S5 D2 D3 D4 D5 C2"
    match = sit_anyhow(game, deck=own_deck(numbers, chest))
    while not match.over and match.view()["round"] <= rounds:
        match.play(next(move for move in match.legal() if "~" not in move))
    assert sum(scores(match)) == total


# Custom decks


def sit_with_few(numbers: str, chest: str, **marks: str) -> Match:
    """Two cards each, dealt in this order, and then the trump."""
    deck = own_deck(FEW, FEW_CHEST, **marks)
    deals = [numbers.split(), chest.split()]
    return theriac.new("shock", players=3, first=0, deck=deck, deals=deals)


@pytest.mark.clause("SHK-03")
def test_a_custom_deck_says_which_cards_show_a_jewel() -> None:
    match = sit_with_few(
        "H4 H3 H2 S2 S3 S4 D2", "bee J1/0 jellyfish jellyfish spider", jewel="H3 S2 bee"
    )
    play(match, "H4 H3 H2")
    assert shown(match, "on_bag") == [1 + 1, 0, 0]
    play(match, "open open")
    assert shown(match, "on_bag") == [2 + 1 + 0, 0, 0]  # this jellyfish shows none


@pytest.mark.clause("SHK-02")
def test_a_custom_deck_says_which_cards_are_poisons_and_potions() -> None:
    marks = {"spider": "H2", "bee": "H3", "potion": "S4"}
    match = sit_with_few("H4 S4 H2 S2 S3 H3 D2", "J1/0 spider bee jellyfish jellyfish", **marks)
    play(match, "H4 S4 H2")
    assert (shown(match, "front")[0], shown(match, "covered")[0]) == (["S4", "H2"], ["H2"])
    play(match, "open")
    assert shown(match, "in_round") == [True, True, True]


@pytest.mark.clause("SHK-08")
@pytest.mark.parametrize(("numbers", "size"), [
    ("H2 H3 H4 S2", 1), (FEW, 2), ("H2 H3 H4 S2 S3 S4 D2 D3 D4", 2),
    ("H2 H3 H4 S2 S3 S4 D2 D3 D4 C2", 3), ("H1 H11 S1 S11 " + FEW, 2),
])  # fmt: skip
def test_with_few_cards_hands_are_smaller(numbers: str, size: int) -> None:
    match = sit_anyhow("shock", deck=own_deck(numbers, FEW_CHEST + " J1/0" * 9))
    assert shown(match, "hands") == [size] * 3


@pytest.mark.clause("SHK-01")
def test_a_deck_may_be_a_plain_list_of_cards() -> None:
    match = sit_anyhow("shock", deck=[*FEW.split(), *FEW_CHEST.split()])
    assert sorted(match.dealt[0]) == sorted(FEW.split())


@pytest.mark.clause("SHK-01")
@pytest.mark.parametrize(("deck", "said"), [
    (FEW.split() + ["H2"], "option deck: card H2: 2 of them, but a number card is there once"),
    (["H12"], "option deck: card H12: not one such as H7, jellyfish, J3/1"),
    (["J2"], "option deck: card J2: not one such as H7, jellyfish, J3/1"),
    (["soba"], "option deck: card soba: not one such as H7, jellyfish, J3/1"),
    ([f"J{i}/{j}" for i in range(2) for j in range(7)],
     "option deck: 14 different jewel cards: at most 13"),
    ([1], "option deck: a deck is a list of card texts"),
    ({"cards": ["H2"]},
     "option deck: a deck is a list of card texts, or an object with cards and marks"),
    ({"cards": ["H2"], "marks": []}, "option deck: marks must be a table: [marks]"),
    ({"cards": ["H2"], "marks": {"jewel": "H2"}},
     "option deck: mark jewel: give a list of card texts"),
    (own_deck(FEW, FEW_CHEST, jewel="J1/0"), "mark jewel: J1/0 is not a number card"),
    (own_deck(FEW, FEW_CHEST, potion="bee"), "mark potion: bee is not a number card"),
    (own_deck(FEW, FEW_CHEST, mint="H2"),
     "option deck: mark mint: use jewel, potion, jellyfish, spider, bee or soba"),
    (own_deck(FEW, FEW_CHEST, bee="H2", potion="H2"),
     "card H2: a number card cannot be two of poison and potion at once"),
    (own_deck(FEW, FEW_CHEST, bee="H2", spider="H3 H2"),
     "card H2: a number card cannot be two of poison and potion at once"),
    (own_deck(FEW, FEW_CHEST, bee="H2 H3 H4 H5 H6 H8 H9 S2 S3 S4 S5"),
     "at most 10 number cards can be poisons or potions"),
    (own_deck(FEW, "bee " * 13), "at most 12 poison cards"),
])  # fmt: skip
def test_a_bad_deck_is_refused(deck: Any, said: str) -> None:
    with pytest.raises(BadDeck) as refused:
        sit_with("shock", deck)
    assert str(refused.value) == f"{said} (SHK-01)"


@pytest.mark.clause("SHK-01")
def test_chest_cards_are_not_doors() -> None:
    with pytest.raises(BadDeck) as refused:
        sit_with("anaphylaxis", ["J3/1"])
    said = "option deck: card J3/1: not one such as H7, jellyfish, J2 (SHK-01)"
    assert str(refused.value) == said


@pytest.mark.clause("SHK-08")
@pytest.mark.parametrize(("players", "numbers", "in_play"), [
    (3, "H2 H3 H4", 3),
    (3, "H1 H11 H2 H3", 2),
    (4, "H11 H1 H2 H3 H4", 4),
    (5, "H11 H1 H2 H3 H4", 5),
])  # fmt: skip
def test_a_deck_with_too_few_number_cards_is_refused(
    players: int, numbers: str, in_play: int
) -> None:
    with pytest.raises(BadOption) as refused:
        sit_with("shock", own_deck(numbers, FEW_CHEST), players)
    assert str(refused.value) == (
        f"option deck: at least {players + 1} number cards of the ranks in play are needed, not "
        f"{in_play} (SHK-08)"
    )


@pytest.mark.clause("SHK-31", "SHK-32", "SHK-44")
@pytest.mark.parametrize(("game", "players", "numbers", "chest", "said"), [
    ("shock", 3, FEW, "J1/0 " * 5, "5 chest cards could run out (SHK-31)"),
    ("shock", 3, FEW, "J1/0 J1/0 bee jellyfish spider", "5 chest cards could run out (SHK-31)"),
    ("anaphylaxis", 3, FEW, "bee spider J1 J1", "a door card of each poison is needed (SHK-44)"),
    ("anaphylaxis", 3, FEW, "bee spider spider", "a door card of each poison is needed (SHK-44)"),
    ("anaphylaxis", 3, FEW + " D3 D4 C2", "bee spider jellyfish",
     "3 door cards are too few for 3 tricks (SHK-32)"),
])  # fmt: skip
def test_a_deck_that_could_run_short_is_refused(
    game: str, players: int, numbers: str, chest: str, said: str
) -> None:
    with pytest.raises(BadOption) as refused:
        sit_with(game, own_deck(numbers, chest), players)
    assert str(refused.value) == f"option deck: {said}"


@pytest.mark.clause("SHK-31", "SHK-32")
@pytest.mark.parametrize(("game", "chest"), [
    ("shock", "J1/0 " * 6), ("shock", "J1/0 bee bee"), ("anaphylaxis", "bee spider jellyfish"),
])  # fmt: skip
def test_a_deck_that_just_suffices_is_played_with(game: str, chest: str) -> None:
    """Two tricks a round: six chest cards, or a poison twice; two doors and the lost one."""
    match = sit_anyhow(game, deck=own_deck(FEW, chest))
    while not match.over:
        match.play(next((move for move in match.legal() if "~" not in move), match.legal()[0]))
    assert match.view()["round"] == 5


@pytest.mark.clause("SHK-01", "SHK-04", "SHK-05")
def test_the_shipped_decks_are_as_the_rulebooks_say_and_others_are_remarked_on() -> None:
    for game in EDITIONS:
        assert find(game).check_deck(find(game).shipped) == ([], [])
    for game, chest, others in (
        ("shock", FEW_CHEST, "1 jewel cards instead of 18 (SHK-04)"),
        ("anaphylaxis", FEW_DOORS, "1 doors with jewels only instead of 6 (SHK-05)"),
    ):
        clause = "SHK-04" if game == "shock" else "SHK-05"
        assert find(game).check_deck(Deck.of([*FEW.split(), *chest.split()])) == ([], [
            "7 number cards instead of 44 (SHK-01)",
            f"1 spider cards instead of 2 ({clause})",
            f"1 bee cards instead of 2 ({clause})",
            others,
        ])  # fmt: skip
