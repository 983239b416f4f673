"""Poison: the parts and the deal (POI-01, POI-02, POI-03, POI-04, POI-05, POI-06, POI-21)."""

from __future__ import annotations

import re
from collections import Counter

import pytest

import theriac
from theriac.faults import BadDeal, BadDeck
from theriac.game import find
from theriac.games.poison.tests.table_setting import (
    DECK,
    a_deal,
    options_refused,
    play,
    play_any,
    refused,
    shown,
    shuffled,
    sit,
    sit_small,
)

EVERY_TABLE = [(players, first) for players in (3, 4, 5, 6) for first in range(players)]


# The parts


@pytest.mark.clause("POI-01")
def test_fifty_cards_in_all() -> None:
    counts = Counter(DECK)
    assert counts.pop("X") == 8
    assert len(DECK) == 50
    for colour in "RBP":
        potions = {card: n for card, n in counts.items() if card[0] == colour}
        assert sum(potions.values()) == 14
        expected = {1: 3, 2: 3, 4: 2, 5: 3, 7: 3}
        assert potions == {f"{colour}{value}": n for value, n in expected.items()}
    assert {card[0] for card in counts} == set("RBP")


@pytest.mark.clause("POI-01")
@pytest.mark.parametrize("card", sorted(set(DECK)))
def test_a_potion_is_worth_its_number_and_poison_four(card: str) -> None:
    match = sit({1: card})
    play(match, f"{card}@2")
    worth = 4 if card == "X" else int(card[1])
    assert shown(match, "sums") == [0, worth, 0]


@pytest.mark.clause("POI-01")
@pytest.mark.parametrize("card", ["R3", "R0", "R01", "B6", "P10", "S5", "r5", "x", "X4", "R", "Z"])
def test_a_card_that_does_not_exist_is_refused(card: str) -> None:
    assert refused(sit(), f"{card}@1") == f"no card {card} is in the deck (POI-01)"


@pytest.mark.clause("POI-01")
def test_a_card_that_does_not_exist_comes_before_a_cauldron_that_does_not() -> None:
    assert refused(sit(), "R3@9") == "no card R3 is in the deck (POI-01)"


@pytest.mark.clause("POI-01")
def test_a_deck_of_other_cards_can_be_played_and_has_remarks() -> None:
    game = find("poison")
    assert game.check_deck(game.shipped) == ([], [])
    deck = theriac.new("poison", players=4, deck=["R3", "B1", "P1", "X"]).settings.text.deck
    faults, remarks = game.check_deck(deck)
    assert faults == []
    assert "1 poison cards instead of 8 (POI-01)" in remarks
    assert "1 red cards of value 3 instead of 0 (POI-01)" in remarks


@pytest.mark.clause("POI-01")
@pytest.mark.parametrize(
    ("deck", "why"),
    [
        (["Y1"] * 8, "card Y1: not R, B or P and a value, nor X"),
        (["X4"] * 8, "card X4: not R, B or P and a value, nor X"),
        (["R14"] * 8, "card R14: a value is 1 to 13"),
        (["R0"] * 8, "card R0: not R, B or P and a value, nor X"),
        (["X"] * 51, "51 cards: at most 50"),
        ("R1 R2 R3 R4 R5 R6 X X".split(), "red has 6 different values: at most 5"),
    ],
)
def test_a_deck_that_cannot_be_played_is_refused(deck: list[str], why: str) -> None:
    with pytest.raises(BadDeck, match=re.escape(why)):
        theriac.new("poison", players=4, deck=deck)


@pytest.mark.clause("POI-02")
def test_three_empty_cauldrons_when_a_round_begins() -> None:
    match = sit()
    assert (shown(match, "cauldrons"), shown(match, "sums")) == ([[], [], []], [0, 0, 0])
    play_any(match, 49)
    assert any(shown(match, "cauldrons"))
    play_any(match, 1)
    assert match.view()["round"] == 2
    assert (shown(match, "cauldrons"), shown(match, "sums")) == ([[], [], []], [0, 0, 0])


@pytest.mark.clause("POI-02")
@pytest.mark.parametrize("cauldron", ["0", "4", "9", "12", "01", "00003", "33333333333333333333"])
def test_there_is_no_fourth_cauldron(cauldron: str) -> None:
    match = sit({1: "R5"})
    assert refused(match, f"R5@{cauldron}") == "the cauldrons are 1, 2 and 3 (POI-02)"


@pytest.mark.clause("POI-02")
def test_a_cauldron_that_does_not_exist_comes_before_a_card_not_held() -> None:
    match = sit({2: "R5 R5 R5"})
    assert refused(match, "R5@4") == "the cauldrons are 1, 2 and 3 (POI-02)"


@pytest.mark.clause("POI-03")
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_three_to_six_can_play(players: int) -> None:
    assert sit(players=players).players == players
    assert len(shown(sit(players=players), "hands")) == players


@pytest.mark.clause("POI-03")
@pytest.mark.parametrize("players", [-1, 0, 1, 2, 7, 50, True, "4", 4.0, None])
def test_no_other_number_of_players(players: object) -> None:
    said = options_refused(players=players, first=0)
    assert said == f"option players: {players} is not 3, 4, 5 or 6 (POI-03)"


@pytest.mark.clause("POI-03")
def test_the_number_of_players_must_be_given() -> None:
    assert options_refused().endswith("(POI-03)")


# The deal


@pytest.mark.clause("POI-04")
@pytest.mark.parametrize(("players", "first"), EVERY_TABLE)
def test_the_first_dealer_is_chosen_and_then_the_next_to_the_left(players: int, first: int) -> None:
    match = sit(players=players, first=first)
    for number in range(players):
        assert match.view()["round"] == number + 1
        assert shown(match, "dealer") == (first + number) % players
        play_any(match, 38 if players == 3 else 50)
    assert match.over
    assert shown(match, "dealer") == (first - 1) % players


@pytest.mark.clause("POI-04")
@pytest.mark.parametrize("first", [-1, 4, "0", 0.0, True, None])
def test_the_first_dealer_is_a_seat(first: object) -> None:
    said = options_refused(players=4, first=first)
    assert said == f"option first: {first} is not a seat from 0 to 3"


@pytest.mark.clause("POI-04")
def test_without_a_seed_the_first_dealer_must_be_named() -> None:
    said = options_refused(players=4, deals=[DECK])
    assert said == "option first is missing: without a seed, name the first seat"


@pytest.mark.clause("POI-05")
@pytest.mark.parametrize(("players", "first"), EVERY_TABLE)
def test_all_cards_are_dealt_one_by_one_from_the_dealers_left(players: int, first: int) -> None:
    deal = shuffled(players)
    match = theriac.new("poison", players=players, first=first, deals=[deal])
    hands = 4 if players == 3 else players
    for place in range(players):
        seat = (first + 1 + place) % players
        assert match.view(seat)["hand"] == sorted(deal[place::hands])


@pytest.mark.clause("POI-05")
@pytest.mark.parametrize(
    ("players", "sizes"),
    [(4, [12, 13, 13, 12]), (5, [10, 10, 10, 10, 10]), (6, [8, 9, 9, 8, 8, 8])],
)
def test_some_may_hold_one_card_more(players: int, sizes: list[int]) -> None:
    assert shown(sit(players=players), "hands") == sizes


@pytest.mark.clause("POI-05")
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_a_deck_with_too_few_cards_for_a_hand_each_is_refused(players: int) -> None:
    hands = max(players, 4)
    said = options_refused(players=players, first=0, deck=["X"] * (hands - 1))
    needed = f"{hands} hands need at least {hands} cards"
    assert said == f"option deck: {needed}, not {hands - 1} (POI-05)"
    assert shown(sit_small("X " * hands, players=players), "hands") == [1] * players


@pytest.mark.clause("POI-06")
@pytest.mark.parametrize("first", [0, 1, 2])
def test_with_three_players_the_fourth_hand_is_taken_out_unseen(first: int) -> None:
    deal = shuffled(first)
    match = theriac.new("poison", players=3, first=first, deals=[deal], seed=bytes(32))
    hands: Counter[str] = Counter()
    for seat in range(3):
        hands.update(match.view(seat)["hand"])
    assert Counter(deal) - hands == Counter(deal[3::4])
    expected = [13, 13, 13]
    expected[first] = 12
    assert shown(match, "hands") == expected
    for view in (match.view(), *map(match.view, range(3))):
        assert set(view["table"]) == {"cauldrons", "sums", "taken", "hands", "dealer"}


@pytest.mark.clause("POI-06", "POI-14")
def test_with_three_players_a_round_has_38_moves_and_the_next_shuffle_is_of_all_cards() -> None:
    match = sit({-1: "X X X X X X X X"}, players=3)
    assert not any("X" in match.view(seat)["hand"] for seat in range(3))
    play_any(match, 37)
    assert (match.view()["round"], sum(shown(match, "hands"))) == (1, 1)
    play_any(match, 1)
    assert (match.view()["round"], sum(shown(match, "hands"))) == (2, 38)
    assert [Counter(deal) == Counter(DECK) for deal in match.dealt] == [True, True]


# Shuffles


@pytest.mark.clause("POI-21")
@pytest.mark.parametrize("players", [3, 4, 6])
def test_every_round_has_one_shuffle_of_all_cards(players: int) -> None:
    deals = [shuffled(number) for number in range(players)]
    match = theriac.new("poison", players=players, first=0, deals=[*deals, ["never asked for"]])
    hands = 4 if players == 3 else players
    for number in range(players):
        assert match.dealt == deals[: number + 1]
        assert match.view((number + 1) % players)["hand"] == sorted(deals[number][::hands])
        play_any(match, 38 if players == 3 else 50)
    assert match.over
    assert match.dealt == deals


@pytest.mark.clause("POI-21")
@pytest.mark.parametrize(
    ("deal", "why"),
    [
        ([*DECK[1:], "B4"], "deal 1: R1 is missing, B4 is extra (POI-21)"),
        (DECK[3:], "deal 1: R1 is missing (3 times) (POI-21)"),
        ([*DECK, "X", "X"], "deal 1: X is extra (2 times) (POI-21)"),
        ([*DECK[1:], "R3"], "deal 1: R3 is not a card of this deck (POI-21)"),
        ([*DECK[1:], "x"], "deal 1: x is not a card of this deck (POI-21)"),
    ],
)
def test_a_deal_is_all_cards_in_some_order(deal: list[str], why: str) -> None:
    with pytest.raises(BadDeal) as caught:
        theriac.new("poison", players=4, first=0, deals=[deal])
    assert str(caught.value) == why


@pytest.mark.clause("POI-21")
def test_a_round_without_a_shuffle_cannot_begin() -> None:
    match = theriac.new("poison", players=4, first=0, deals=[a_deal({})])
    play_any(match, 49)
    before = match.view()
    with pytest.raises(BadDeal) as caught:
        play_any(match, 1)
    assert str(caught.value) == (
        "shuffle 2 has neither a deal nor a seed: give one of them (POI-21)"
    )
    assert (match.view(), len(match.moves)) == (before, 49)
