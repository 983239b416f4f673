"""Shokoba: the parts and the deal.

SHO-01, SHO-02, SHO-03, SHO-04, SHO-05, SHO-06, SHO-07, SHO-08, SHO-25.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

import theriac
from theriac.faults import BadDeal, BadDeck, BadOption
from theriac.games.shokoba.tests.table_setting import (
    DECK,
    SEED,
    play,
    play_any,
    put_last_cards,
    shown,
    sit,
)

EVERY_TABLE = [(players, first) for players in (2, 3, 4) for first in range(players)]


def shuffled(number: int) -> list[str]:
    """All 40 cards in some order, the same every time."""
    return random.Random(number).sample(DECK, 40)


def options_refused(**options: Any) -> str:
    """The error for options that the game refuses."""
    with pytest.raises(BadOption) as refused:
        theriac.new("shokoba", **{"players": 2, "first": 0, "seed": SEED, **options})
    return str(refused.value)


def deck_refused(deck: list[str], **options: Any) -> str:
    """The error for a deck that cannot be played."""
    with pytest.raises((BadDeck, BadOption)) as refused:
        theriac.new("shokoba", **{"players": 2, "first": 0, "seed": SEED, **options}, deck=deck)
    return str(refused.value)


# The cards


@pytest.mark.clause("SHO-01")
def test_the_deck_has_forty_cards_of_four_gems() -> None:
    (deal,) = theriac.new("shokoba", players=2, seed=SEED).dealt
    assert len(deal) == 40
    assert Counter(card[0] for card in deal) == {"D": 1, "E": 3, "R": 9, "S": 27}


@pytest.mark.clause("SHO-01")
def test_the_sevens_are_the_diamond_and_the_emeralds() -> None:
    (deal,) = theriac.new("shokoba", players=2, seed=SEED).dealt
    assert Counter(card for card in deal if card.endswith("7")) == {"D7": 1, "E7": 3}
    for value in (1, 2, 3, 4, 5, 6, 8, 9, 10):
        assert (deal.count(f"R{value}"), deal.count(f"S{value}")) == (1, 3)


@pytest.mark.clause("SHO-01")
@pytest.mark.parametrize(
    ("deck", "why"),
    [
        ([*DECK, "S1"], "41 cards: at most 40 (SHO-01)"),
        ([*DECK[1:], "D7"], "2 diamonds: at most 1 (SHO-01)"),
        ([*DECK[1:], "D1"], "2 diamonds: at most 1 (SHO-01)"),
    ],
)
def test_a_deck_with_too_many_cards_or_diamonds_is_refused(deck: list[str], why: str) -> None:
    assert deck_refused(deck) == why


@pytest.mark.clause("SHO-01")
@pytest.mark.parametrize("card", ["S11", "S0", "X1", "s1", "S01", ""])
def test_a_deck_with_another_kind_of_card_is_refused(card: str) -> None:
    said = deck_refused([*DECK[1:], card])
    assert "not S, R, E or D and a value from 1 to 10" in said


@pytest.mark.clause("SHO-01")
def test_a_deck_with_another_kind_of_card_is_refused_by_the_clause() -> None:
    assert deck_refused([*DECK[1:], "X1"]).endswith("(SHO-01)")


# Players and teams


@pytest.mark.clause("SHO-02")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_two_three_or_four_play_each_for_themselves(players: int) -> None:
    hands = {1: "S1", 2: "S2", 3: "S3"}
    match = sit(hands, face_up="R1 R2 R3 R10", players=players)
    play(match, " ".join(["S1=R1", "S2=R2", "S3=R3"][: players - 1]))
    assert shown(match, "captured") == [0, *[2] * (players - 1)]


@pytest.mark.clause("SHO-02")
@pytest.mark.parametrize("players", [0, 1, 5, "2", 2.0, True, None])
def test_no_other_number_of_players_is_taken(players: object) -> None:
    said = options_refused(players=players)
    assert said == f"option players: {players} is not 2, 3 or 4 (SHO-02)"


@pytest.mark.clause("SHO-02")
def test_the_number_of_players_is_required() -> None:
    with pytest.raises(BadOption, match=r"option players is missing: .* \(SHO-02\)"):
        theriac.new("shokoba", first=0, seed=SEED)


@pytest.mark.clause("SHO-02")
@pytest.mark.parametrize("players", [2, 3])
def test_teams_need_four_players(players: int) -> None:
    said = options_refused(players=players, teams=True)
    assert said == f"option teams: needs 4 players, not {players} (SHO-02)"


@pytest.mark.clause("SHO-02")
@pytest.mark.parametrize("value", [1, "true", None])
def test_teams_are_true_or_false(value: object) -> None:
    said = options_refused(players=4, teams=value)
    assert said == f"option teams: {value} is not false or true (SHO-02)"


@pytest.mark.clause("SHO-02")
def test_nobody_may_talk_while_a_game_in_teams_is_played() -> None:
    hands = {1: "S1", 2: "S2", 3: "S3"}
    match = sit(hands, face_up="R1 R2 R3 R10", players=4, teams=True)
    assert match.silence == "SHO-02" and not match.game.gestures_in_silence
    play(match, "S1=R1")
    assert match.silence == "SHO-02"
    assert sit(hands, face_up="R1 R2 R3 R10", players=4).silence is None


@pytest.mark.clause("SHO-02", "SHO-19")
def test_partners_sit_opposite_and_have_one_pile() -> None:
    hands = {1: "S1", 2: "S2", 3: "S3"}
    match = sit(hands, face_up="R1 R2 R3 R10", players=4, teams=True)
    play(match, "S1=R1")
    assert shown(match, "captured") == [0, 2, 0, 2]
    play(match, "S2=R2")
    assert shown(match, "captured") == [2, 2, 2, 2]
    play(match, "S3=R3")
    assert shown(match, "captured") == [2, 4, 2, 4]


# The target


@pytest.mark.clause("SHO-03", "SHO-21")
@pytest.mark.parametrize(
    ("options", "target"),
    [({}, 11), ({"target": 11}, 11), ({"target": 16}, 16), ({"target": 21}, 21)],
)
@pytest.mark.parametrize("short_by", [1, 2])
def test_the_target_is_eleven_sixteen_or_twenty_one(
    options: dict[str, int], target: int, short_by: int
) -> None:
    match = sit({1: "S10"}, face_up="S1 S2 S3 S4", **options)
    match._g.gems[1] = target - short_by
    play(match, "S10=S1+S2+S3+S4")
    assert match.over == (short_by == 1)


@pytest.mark.clause("SHO-03")
@pytest.mark.parametrize("target", [0, 1, 12, 20, "11", 11.0, True])
def test_no_other_target_is_taken(target: object) -> None:
    assert options_refused(target=target) == (
        f"option target: {target} is not 11, 16 or 21 (SHO-03)"
    )


# Who deals


@pytest.mark.clause("SHO-04")
@pytest.mark.parametrize(("players", "first"), EVERY_TABLE)
def test_the_first_dealer_stays_for_the_round_then_the_next_to_the_left(
    players: int, first: int
) -> None:
    match = sit(players=players, first=first)
    for _ in range(36):
        assert (match.view()["round"], shown(match, "dealer")) == (1, first)
        play_any(match, 1)
    assert (match.view()["round"], shown(match, "dealer")) == (2, (first + 1) % players)


@pytest.mark.clause("SHO-04")
@pytest.mark.parametrize("first", [-1, 3, "0", True, 1.0, None])
def test_the_first_dealer_is_a_seat(first: object) -> None:
    said = options_refused(players=3, first=first)
    assert said == f"option first: {first} is not a seat from 0 to 2"


# The deal


@pytest.mark.clause("SHO-05", "SHO-04")
@pytest.mark.parametrize(("players", "first"), EVERY_TABLE)
def test_three_cards_each_one_by_one_from_the_dealers_left_then_four_face_up(
    players: int, first: int
) -> None:
    deal = shuffled(players)
    match = theriac.new("shokoba", players=players, first=first, deals=[deal])
    dealt = 3 * players
    for place in range(players):
        seat = (first + 1 + place) % players
        assert match.view(seat)["hand"] == sorted(deal[place:dealt:players])
    assert shown(match, "open") == deal[dealt : dealt + 4]
    assert shown(match, "hands") == [3] * players
    assert shown(match, "deck") == 40 - dealt - 4


@pytest.mark.clause("SHO-06")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_with_all_hands_empty_three_more_each_and_none_to_the_table(players: int) -> None:
    deal = shuffled(10 + players)
    match = theriac.new("shokoba", players=players, first=0, deals=[deal])
    play_any(match, 3 * players - 1)
    assert shown(match, "hands") == [1] + [0] * (players - 1)
    assert shown(match, "deck") == 36 - 3 * players
    last = match.legal()[0]
    before = shown(match, "open")
    play(match, last)
    assert shown(match, "hands") == [3] * players
    assert shown(match, "deck") == 36 - 6 * players
    second = deal[3 * players + 4 : 6 * players + 4]
    for seat in range(players):
        hand = second[(seat - 1) % players :: players]
        assert match.view(seat)["hand"] == sorted(hand)
    played, _, captured = last.partition("=")
    left = Counter(before) - Counter(captured.split("+"))
    assert Counter(shown(match, "open")) == left + Counter([] if captured else [played])


@pytest.mark.clause("SHO-06", "SHO-17")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_hands_are_dealt_until_the_deck_is_used_up(players: int) -> None:
    match = sit(players=players)
    left = []
    for _ in range(36):
        assert match.view()["round"] == 1
        if shown(match, "hands") == [3] * players:
            left.append(shown(match, "deck"))
        play_any(match, 1)
    assert left == list(range(36 - 3 * players, -1, -3 * players))
    assert match.view()["round"] == 2


@pytest.mark.clause("SHO-06")
@pytest.mark.parametrize(("players", "cards"), [(2, 39), (2, 12), (2, 4), (3, 28), (4, 22)])
def test_a_deck_that_does_not_come_out_even_is_refused(players: int, cards: int) -> None:
    said = deck_refused(DECK[:cards], players=players)
    assert said.startswith(f"option deck: {cards} cards do not come out even")
    assert said.endswith("(SHO-06)")


@pytest.mark.clause("SHO-07")
@pytest.mark.parametrize(("players", "first"), EVERY_TABLE)
def test_the_dealers_left_starts_every_hand_and_play_goes_clockwise(
    players: int, first: int
) -> None:
    match = sit(players=players, first=first)
    for turn in range(36):
        assert match.to_act == (first + 1 + turn) % players
        play_any(match, 1)
    assert match.to_act == (first + 2) % players


# Nine cards at once


@pytest.mark.clause("SHO-08")
@pytest.mark.parametrize("first", [0, 3])
def test_nine_cards_each_at_once_one_by_one_and_the_last_four_face_up(first: int) -> None:
    deal = shuffled(first)
    options: dict[str, Any] = {"players": 4, "teams": True, "nine_cards": True}
    match = theriac.new("shokoba", first=first, deals=[deal], **options)
    for place in range(4):
        seat = (first + 1 + place) % 4
        assert match.view(seat)["hand"] == sorted(deal[place:36:4])
    assert shown(match, "open") == deal[36:]
    assert (shown(match, "hands"), shown(match, "deck")) == ([9, 9, 9, 9], 0)


@pytest.mark.clause("SHO-08", "SHO-17")
def test_with_nine_cards_the_round_is_one_hand() -> None:
    match = sit(players=4, teams=True, nine_cards=True)
    play_any(match, 35)
    assert (match.view()["round"], shown(match, "hands")) == (1, [1, 0, 0, 0])
    play_any(match, 1)
    assert (match.view()["round"], shown(match, "hands")) == (2, [9, 9, 9, 9])


@pytest.mark.clause("SHO-08")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_nine_cards_are_for_teams_only(players: int) -> None:
    said = options_refused(players=players, nine_cards=True)
    assert said == "option nine_cards: is for teams only (SHO-08)"


@pytest.mark.clause("SHO-08")
def test_nine_cards_need_the_whole_deck() -> None:
    said = deck_refused(DECK[:28], players=4, teams=True, nine_cards=True)
    assert said == "option deck: nine cards each need 40 cards, not 28 (SHO-08)"


@pytest.mark.clause("SHO-08", "SHO-13")
@pytest.mark.parametrize("nine_cards", [False, True])
@pytest.mark.parametrize("exact_first", [False, True])
def test_the_two_advanced_rules_are_separate_options(nine_cards: bool, exact_first: bool) -> None:
    match = sit(
        {1: "S9"},
        face_up="R9 S5 S4 S10",
        players=4,
        teams=True,
        nine_cards=nine_cards,
        exact_first=exact_first,
    )
    assert shown(match, "hands") == [9 if nine_cards else 3] * 4
    assert ("S9=S4+S5" in match.legal()) == (not exact_first)


@pytest.mark.clause("SHO-08", "SHO-13")
@pytest.mark.parametrize("option", ["nine_cards", "exact_first"])
def test_advanced_rules_are_true_or_false(option: str) -> None:
    clause = {"nine_cards": "SHO-08", "exact_first": "SHO-13"}[option]
    said = options_refused(players=4, teams=True, **{option: 1})
    assert said == f"option {option}: 1 is not false or true ({clause})"


def test_an_option_that_does_not_exist_is_refused() -> None:
    assert options_refused(seven_cards=True).startswith(
        "option seven_cards: shokoba has no option of that name"
    )


# Shuffles


@pytest.mark.clause("SHO-25")
def test_every_round_has_one_shuffle_of_all_cards() -> None:
    deals = [shuffled(1), shuffled(2), shuffled(3)]
    match = theriac.new("shokoba", players=3, first=0, deals=deals)
    for number in (1, 2, 3):
        deal = deals[number - 1]
        assert (match.view()["round"], match.dealt) == (number, deals[:number])
        assert match.view((number) % 3)["hand"] == sorted(deal[0:9:3])
        if number < 3:
            play_any(match, 36)


@pytest.mark.clause("SHO-25")
@pytest.mark.parametrize(
    ("deal", "why"),
    [
        ([*DECK[1:], "S2"], "deal 1: S1 is missing, S2 is extra (SHO-25)"),
        (DECK[2:], "deal 1: S1 is missing, S2 is missing (SHO-25)"),
        ([*DECK, "D7"], "deal 1: D7 is extra (SHO-25)"),
        (DECK[:-4], "deal 1: E7 is missing (3 times), D7 is missing (SHO-25)"),
        ([*DECK[1:], "S7"], "deal 1: S7 is not a card of this deck (SHO-25)"),
        ([*DECK[1:], "s1"], "deal 1: s1 is not a card of this deck (SHO-25)"),
    ],
)
def test_a_deal_is_a_permutation_of_all_cards(deal: list[str], why: str) -> None:
    with pytest.raises(BadDeal) as refused:
        theriac.new("shokoba", players=2, first=0, deals=[deal])
    assert str(refused.value) == why


@pytest.mark.clause("SHO-25")
@pytest.mark.parametrize(
    ("deals", "why"),
    [
        ([DECK, DECK[1:]], "deal 2: S1 is missing (SHO-25)"),
        ([DECK], "shuffle 2 has neither a deal nor a seed: give one of them (SHO-25)"),
    ],
)
def test_a_bad_second_deal_leaves_the_last_move_unplayed(deals: list[list[str]], why: str) -> None:
    match = theriac.new("shokoba", players=2, first=0, deals=deals)
    play_any(match, 35)
    before = match.view()
    with pytest.raises(BadDeal) as refused:
        play_any(match, 1)
    assert str(refused.value) == why
    assert (match.view(), len(match.moves)) == (before, 35)


@pytest.mark.clause("SHO-25")
def test_the_seeds_second_shuffle_is_the_same_whatever_was_dealt_first() -> None:
    written = sit({1: "S1"}, players=2)
    seeded = theriac.new("shokoba", players=2, first=0, seed=SEED)
    for match in (written, seeded):
        put_last_cards(match, {0: "S1"}, piles=["13S 4R 1E 1D", "13S 5R 2E"])
        play(match, "S1")
    assert written.dealt[1] == seeded.dealt[1]
    assert written.dealt[0] != seeded.dealt[0]
