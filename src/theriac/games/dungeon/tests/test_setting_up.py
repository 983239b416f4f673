"""Knock, Knock! Dungeon!: setting up, options and shuffles.

KKD-03, KKD-04, KKD-05, KKD-06, KKD-07, KKD-08, KKD-33.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

import theriac
from theriac.faults import BadDeal
from theriac.games.dungeon.tests.table_setting import (
    CALM,
    DECK,
    GOES_ON,
    HANDS,
    KNIGHT,
    WON,
    at,
    ended,
    facing_the_knight,
    hands,
    lost,
    options_refused,
    order_of,
    play,
    refused,
    refusing_clause,
    shown,
    sit,
    tokens,
)
from theriac.match import Match

PLAYERS = [1, 2, 3, 4, 5, 6]
EVERY_TABLE = [(players, first) for players in PLAYERS for first in range(players)]
BASE = [card for card in DECK if "L" not in card and "K" not in card]


def sit_with_the_box(players: int, seed: int = 1, **options: Any) -> Match:
    """A game with the shipped deck."""
    options = {"first": 0, **options}
    return theriac.new("dungeon", players=players, seed=bytes([seed] * 32), **options)


# The pile


@pytest.mark.clause("KKD-03", "KKD-33")
@pytest.mark.parametrize("players", PLAYERS)
def test_without_the_adventure_no_tower_card_is_in_the_pile(players: int) -> None:
    match = sit_with_the_box(players)
    assert Counter(match.dealt[0]) == Counter(BASE)
    assert shown(match, "pile") == len(BASE) + 1 - players * HANDS[players] - 1


@pytest.mark.clause("KKD-03", "KKD-20")
@pytest.mark.parametrize("seed", range(4))
def test_the_black_knight_is_drawn_last(seed: int) -> None:
    """He is in no hand while a card is left in the pile, and then with the player who draws."""
    cards = ["0000", "0010", "0100"] * 5
    match = theriac.new(
        "dungeon", players=2, first=0, deck=[*cards, KNIGHT], seed=bytes([seed] * 32)
    )
    while shown(match, "pile") > 1:
        assert not any(KNIGHT in hand for hand in hands(match))
        match.play(match.legal()[0])
    actor = match.to_act
    match.play(match.legal()[0])
    assert shown(match, "pile") == 0
    assert match.to_act == actor
    assert KNIGHT in hands(match)[actor or 0]


@pytest.mark.clause("KKD-33", "KKD-03")
@pytest.mark.parametrize(
    ("deal", "why"),
    [
        ([*BASE, KNIGHT], "deal 1: 4444t3K is extra (KKD-33)"),
        (BASE[1:], "deal 1: 0000s is missing (KKD-33)"),
        ([*BASE[:-1], "1121c2L1"], "deal 1: 3223t3 is missing, 1121c2L1 is extra (KKD-33)"),
        ([*BASE, "fireball"], "deal 1: fireball is extra (KKD-33)"),
        ([*BASE, "0999"], "deal 1: 0999 is not a card of this deck (KKD-33)"),
        ([*BASE, ""], "deal 1: '' is not a card of this deck (KKD-33)"),
    ],
)
def test_the_first_shuffle_is_of_the_pile_without_the_black_knight(
    deal: list[str], why: str
) -> None:
    with pytest.raises(BadDeal) as caught:
        theriac.new("dungeon", players=2, first=0, deals=[deal])
    assert str(caught.value) == why


@pytest.mark.clause("KKD-33")
def test_outside_the_adventure_there_is_one_shuffle_only() -> None:
    match = sit(CALM, f"{CALM} {CALM}", knight="1111t3K")
    play(match, "0000@1,1 1111t3K@2,2 0000@3,3")
    assert ended(match) == WON
    assert len(match.dealt) == 1


# Hands and the first card


@pytest.mark.clause("KKD-04")
@pytest.mark.parametrize(("players", "first"), EVERY_TABLE)
def test_hands_are_dealt_one_at_a_time_from_the_first_player(players: int, first: int) -> None:
    deal = Random(players).sample(BASE, len(BASE))
    match = theriac.new("dungeon", players=players, first=first, deals=[deal])
    dealt = players * {1: 6, 6: 3}.get(players, 4)
    for place in range(players):
        seat = (first + place) % players
        assert match.view(seat)["hand"] == sorted(deal[place:dealt:players])
    assert match.to_act == first
    assert at(match, 0, 0)["card"] == deal[dealt]  # KKD-05
    assert match.view()["table"]["pile"] == len(BASE) - dealt - 1 + 1


@pytest.mark.clause("KKD-04")
@pytest.mark.parametrize("players", [0, 7, -1, "2", 2.0, True, None])
def test_one_to_six_can_play(players: object) -> None:
    said = options_refused(players=players)
    assert said == f"option players: {players} is not 1, 2, 3, 4, 5 or 6 (KKD-04)"


@pytest.mark.clause("KKD-04")
def test_the_first_player_is_an_option() -> None:
    assert options_refused(first=2) == "option first: 2 is not a seat from 0 to 1"
    assert sit(first=1).to_act == 1
    assert play(sit(CALM, "0000", first=1, players=3), f"0000@1,1 {KNIGHT}@2,2").to_act == 2


@pytest.mark.clause("KKD-05")
def test_the_next_card_of_the_pile_begins_the_fort() -> None:
    fort = shown(sit("1230"), "fort")
    assert fort == [
        {"card": "1230", "x": 0, "y": 0, "turned": False, "tokens": 0, "defeated": False,
         "frozen": False, "danger": 6}
    ]  # fmt: skip


@pytest.mark.clause("KKD-05")
def test_a_creature_that_begins_the_fort_gets_its_tokens() -> None:
    match = sit("3333t4")
    assert (tokens(match, 0, 0), shown(match, "supply")) == (4, 8)


@pytest.mark.clause("KKD-05")
@pytest.mark.parametrize("players", PLAYERS)
def test_the_first_card_turns_no_token(players: int) -> None:
    assert shown(sit("0000s", players=players), "talk") is True


@pytest.mark.clause("KKD-05")
@pytest.mark.parametrize("start", ["9999", "0000t3"])
def test_at_the_first_card_nothing_is_checked(start: str) -> None:
    """Neither a corridor above 5 nor a creature below 6."""
    match = sit(start)
    assert ended(match) == GOES_ON
    assert at(match, 0, 0)["defeated"] is False


@pytest.mark.clause("KKD-05", "KKD-17")
def test_a_creature_that_begins_the_fort_counts_as_laid_before_the_first_turn() -> None:
    match = sit("3333t2", "0000 0000", players=3)
    play(match, "0000@1,1")
    assert (tokens(match, 0, 0), shown(match, "supply")) == (1, 11)


@pytest.mark.clause("KKD-05", "KKD-12")
@pytest.mark.parametrize(("start", "over"), [("3333t12", False), ("3333t13", True)])
def test_a_first_creature_with_too_many_tokens_loses_the_game(start: str, over: bool) -> None:
    match = sit(start)
    assert match.over is over
    assert ended(match) == (lost(12) if over else GOES_ON)
    if over:
        assert (match.to_act, match.legal(), len(match.moves)) == (None, [], 0)
        assert (tokens(match, 0, 0), shown(match, "supply")) == (0, 12)
        assert refusing_clause(match, "0000@1,1") == "KKD-12"


# The token and the clock


@pytest.mark.clause("KKD-06", "KKD-13")
@pytest.mark.parametrize("players", PLAYERS)
def test_the_token_begins_at_talk_and_alone_it_stays_there(players: int) -> None:
    match = sit(CALM, "0000s 0000", players=players)
    assert shown(match, "talk") is True
    play(match, "0000s@1,1")
    assert shown(match, "talk") is (players == 1)


@pytest.mark.clause("KKD-07")
def test_the_clock_is_six_minutes_by_default() -> None:
    minutes = next(option for option in sit().game.options if option.name == "minutes")
    assert minutes.default == 6
    assert int(sit().settings.options.minutes) == 6
    assert int(sit(minutes=20).settings.options.minutes) == 20


@pytest.mark.clause("KKD-07")
@pytest.mark.parametrize(("minutes", "seconds"), [(0, None), (1, 60), (6, 360), (1440, 86_400)])
def test_the_clock_counts_seconds(minutes: int, seconds: int | None) -> None:
    assert sit(minutes=minutes).time_limit == seconds


@pytest.mark.clause("KKD-07")
@pytest.mark.parametrize("minutes", [-1, 1441, "6", 6.0, True, None, [6]])
def test_the_clock_gives_a_whole_number_of_minutes(minutes: object) -> None:
    said = options_refused(minutes=minutes)
    assert said == f"option minutes: {minutes} is not a whole number from 0 to 1440 (KKD-07)"


@pytest.mark.clause("KKD-07", "KKD-23")
@pytest.mark.parametrize("minutes", [None, 1, 6, 1440])
def test_with_a_clock_it_may_run_out(minutes: int | None) -> None:
    match = sit() if minutes is None else sit(minutes=minutes)
    assert "timeout" not in match.legal()
    play(match, "timeout")
    assert ended(match) == lost(23)


@pytest.mark.clause("KKD-07")
def test_without_a_clock_it_cannot_run_out() -> None:
    match = sit(minutes=0)
    assert refused(match, "timeout") == "this game has no clock (KKD-07)"
    assert len(match.legal()) == 4


# What is hidden


@pytest.mark.clause("KKD-08")
@pytest.mark.parametrize("players", PLAYERS)
def test_a_seat_sees_its_own_hand_and_of_the_others_only_how_many(players: int) -> None:
    match = sit_with_the_box(players)
    held = hands(match)
    for seat in range(players):
        view = match.view(seat)
        assert view["table"] == match.view()["table"]
        assert view["table"]["hands"] == [HANDS[players]] * players
        mine = {*held[seat], at(match, 0, 0)["card"]}
        others = {card for hand in held for card in hand} - mine
        words = str({**view, "legal": []})
        assert not any(f"'{card}'" in words for card in others)


@pytest.mark.clause("KKD-08", "KKD-25", "KKD-26")
def test_outside_the_adventure_spells_stay_in_the_box() -> None:
    assert shown(sit(), "spells") == []
    said = options_refused(spells=["ice"])
    assert said == "option spells: there are none outside the adventure (level 1 to 4) (KKD-25)"
    assert refusing_clause(sit("3333t3"), "ice@0,0") == "KKD-26"
    match = play(facing_the_knight("0000", knight="1111t3K"), "0000@2,2")
    assert (ended(match), shown(match, "spells")) == (WON, [])


def test_the_helpers_deal_is_laid_in_its_order() -> None:
    """A player who is to act holds the next card."""
    cards = [f"0{n:02}0" for n in range(20)]
    for players in (1, 2, 3):
        match = sit(CALM, " ".join(cards), players=players)
        assert match.dealt[0] == order_of(CALM, " ".join(cards), players)
        for n, card in enumerate(cards[:8]):
            play(match, f"{card}@{n + 1},{n + 1}")
