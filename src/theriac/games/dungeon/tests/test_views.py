"""Knock, Knock! Dungeon!: what a replay shows, and what each seat may know (KKD-08)."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest

import theriac
from theriac.engine.contract import REFEREE, SPECTATOR
from theriac.faults import Fault
from theriac.game import find
from theriac.games.dungeon.tests.table_setting import (
    CALM,
    KNIGHT,
    hands,
    lay_out,
    places,
    play,
    sit,
    with_spells,
)
from theriac.match import Match

PILE = f"{CALM} " * 20
COMMON = {"game", "over", "to_act", "round", "scores", "winners", "legal", "table"}


def test_recall_has_the_places_and_the_poisoned_corner() -> None:
    match = with_spells("0006t3", f"9990t4s 0122 0100 {PILE}", level=3, first=1, minutes=7)
    play(match, "9990t4s@-1,-1 0122r@1,1")
    known = match.recall()
    free = {f"{one['x']},{one['y']}" for one in known.pop("places")}
    assert free == places(match, match.view(match.to_act)["hand"][0])
    assert known == {
        "alarm": 6, "minutes": 7, "knight_is_due": False, "poisoned": None, "alarmed": [],
    }  # fmt: skip
    play(match, "poison@-1,-1:tl")
    assert match.recall()["poisoned"] == {"x": -1, "y": -1, "corner": "tl"}


@pytest.mark.parametrize(
    ("moves", "culprit"),
    [("4000@1,1", {"x": 0, "y": 0}), ("9990t1@-1,-1 0000@1,1", {"x": -1, "y": -1})],
    ids=["KKD-15", "KKD-17"],
)
def test_recall_has_the_cards_that_lost_the_game(moves: str, culprit: dict[str, int]) -> None:
    assert lay_out("0122", moves, PILE).recall()["alarmed"] == [culprit]


def test_the_referees_view_of_a_table() -> None:
    match = with_spells("0006t3", f"9990t4s 0122 0100 {PILE}", level=3, first=1)
    play(match, "9990t4s@-1,-1 ice@-1,-1 0122r@1,1")
    assert match.view() == {
        "game": "dungeon",
        "over": False,
        "to_act": 1,
        "round": 1,
        "scores": [0, 0],
        "winners": [],
        "legal": match.legal(),
        "table": {
            "fort": [
                {"card": "0006t3", "x": 0, "y": 0, "turned": False, "tokens": 0, "defeated": True,
                 "frozen": False, "danger": 2},
                {"card": "9990t4s", "x": -1, "y": -1, "turned": False, "tokens": 0,
                 "defeated": False, "frozen": True, "danger": 27},
                {"card": "0122", "x": 1, "y": 1, "turned": True, "tokens": 0, "defeated": False,
                 "frozen": False, "danger": 5},
            ],
            "pile": 14,
            "supply": 12,
            "talk": False,
            "hands": [4, 4],
            "spells": ["fireball", "poison", "silence"],
            "level": 3,
            "outcome": None,
            "why": None,
        },
    }  # fmt: skip


def test_the_view_at_the_end() -> None:
    match = lay_out(CALM, "0000@-1,-1", CALM, knight="0006t3K", more="0006t3K@1,1 0000@2,2")
    view = match.view()
    shown = (view["over"], view["to_act"], view["round"], view["winners"], view["legal"])
    assert shown == (True, None, 1, [0, 1], [])
    assert (view["table"]["outcome"], view["table"]["why"]) == ("won", "KKD-22")
    for seat in range(2):
        mine = match.view(seat)
        del mine["hand"]
        assert mine == view


@pytest.mark.clause("KKD-08")
@pytest.mark.parametrize("players", [1, 2, 3, 4, 5, 6])
def test_a_seat_sees_all_that_lies_open_and_its_own_hand_sorted(players: int) -> None:
    match = theriac.new("dungeon", players=players, first=0, seed=bytes(32))
    held = hands(match)
    for seat in range(players):
        view = match.view(seat)
        assert set(view) == COMMON | {"hand"}
        assert view["hand"] == sorted(held[seat])
        assert view["table"] == match.view()["table"]
        assert view["legal"] == (match.legal() if seat == 0 else [])
    assert match.legal() == sorted(set(match.legal()))


@pytest.mark.parametrize("seat", [-1, 2])
def test_there_is_no_view_from_an_unknown_seat(seat: int) -> None:
    with pytest.raises(Fault, match=f"seat {seat}: there are seats 0 to 1"):
        sit().view(seat)


# Nothing more than it may


def other_deal(match: Match, seat: int, random: Random) -> list[str]:
    """The same deal, but the cards in the other hands and in the pile have changed places."""
    order = list(match.dealt[0])
    players = match.players
    dealt = players * {1: 6, 6: 3}.get(players, 4)
    hidden = [i for i in range(dealt) if (i % players) != seat]
    hidden += range(dealt + 1, len(order))
    cards = [order[i] for i in hidden]
    random.shuffle(cards)
    for i, card in zip(hidden, cards, strict=True):
        order[i] = card
    return order


@pytest.mark.clause("KKD-08")
@pytest.mark.parametrize("players", [1, 2, 3, 4, 5, 6])
def test_a_view_does_not_depend_on_the_other_hands_or_the_pile(players: int) -> None:
    """Every byte of it, at the start of a game."""
    random = Random(players)
    match = theriac.new("dungeon", players=players, first=0, seed=bytes([players] * 32))
    for seat in range(players):
        again = theriac.new(
            "dungeon", players=players, first=0, deals=[other_deal(match, seat, random)]
        )
        assert again.dealt != match.dealt
        assert again.look(seat).tobytes() == match.look(seat).tobytes()
        assert again.view(seat) == match.view(seat)


def some_moves(match: Match, random: Random, most: int) -> None:
    """A game that lasts a while: moves that do not lose at once, if any is found."""
    engine = match.game.engine()
    for _ in range(most):
        if match.over:
            return
        few = random.sample(match.legal_numbers(), min(30, len(match.legal_numbers())))
        v = match.look(match.to_act)
        match.play(match.settings.text.write(max(few, key=lambda move: engine.advise(v, move))))


@pytest.mark.clause("KKD-08")
@pytest.mark.parametrize("players", [1, 2, 4, 6])
def test_an_imagined_state_looks_the_same(players: int) -> None:
    """Also in the middle of a game with spells."""
    engine = find("dungeon").engine()
    random = Random(players)
    chance, g, again = engine.chance(), engine.state(), engine.view()
    engine.seed_stream(chance.random, 1, players)
    match = theriac.new(
        "dungeon", players=players, first=0, level=2, seed=bytes([players] * 32),
        spells=["fireball", "ice", "poison", "silence"],
    )  # fmt: skip
    for _ in range(6):
        if match.over:
            break
        for seat in range(players):
            v = match.look(seat).copy()
            engine.imagine(v, chance.random, g)
            engine.see(g, seat, again)
            for field in v.dtype.names:
                assert np.array_equal(v[field], again[field]), field
            assert_all_cards(match, g)
        some_moves(match, random, 3)


def assert_all_cards(match: Match, g: Any) -> None:
    """Every card is in one place."""
    there = Counter(g.kinds[: g.laid].tolist())
    for seat in range(match.players):
        there.update(g.hands[seat, : g.sizes[seat]].tolist())
    for kind in range(len(g.undealt)):
        there[kind] += int(g.undealt[kind]) + int(g.burnt[kind])
        expected = int(g.deck[kind]) + (kind == g.knight and g.knight_is > 0)
        assert there[kind] == expected
    assert int(g.undealt.sum()) == int(g.in_pile) == int(match._g.in_pile)


@pytest.mark.clause("KKD-08")
def test_a_view_remembers_no_card_that_left_the_fort_but_that_it_was_burnt() -> None:
    """What lies unused behind the fort and the list of places is not in it."""
    match = with_spells("9999t9", f"0000 0110 {PILE}")
    play(match, "0000@1,1 0110@2,2 fireball@0,0")
    v = match.look(0)
    assert int(v.laid) == 2
    for name in ("kinds", "turned", "us", "vs", "tokens", "defeated", "frozen"):
        assert not np.asarray(v[name])[2:].any(), name
    for name in ("place_us", "place_vs"):
        assert not np.asarray(v[name])[int(v.places) :].any(), name
    assert int(v.burnt.sum()) == 1


@pytest.mark.clause("KKD-08")
@pytest.mark.parametrize("seat", [SPECTATOR, REFEREE])
@pytest.mark.parametrize("players", [1, 2, 5, 6])
def test_an_spectator_and_the_referee_see_no_hand(seat: int, players: int) -> None:
    match = theriac.new("dungeon", players=players, first=0, seed=bytes(32))
    v = find("dungeon").engine().view()
    find("dungeon").engine().see(match._g, seat, v)
    assert not v.hand.any()


@pytest.mark.clause("KKD-08", "KKD-19")
def test_a_view_remembers_no_card_that_left_the_hand() -> None:
    match = sit(CALM, "0001 0000s 1111 2222 0011 3333", players=1, knight="5555t9K")
    play(match, "0000s@1,1 0001@2,2 5555t9K@3,3 0011@-1,-1")
    v = match.look(0)
    assert (int(v.sizes[0]), v.hand[3:].tolist()) == (3, [0, 0, 0])


@pytest.mark.clause("KKD-08", "KKD-20")
def test_the_others_do_not_see_the_hand_of_the_player_who_drew_the_black_knight() -> None:
    match = lay_out(CALM, "0000@1,1", "0000 0123")
    assert match.view(0)["hand"] == ["0000", "0000", "0123", KNIGHT]
    assert "0123" not in str({**match.view(1), "legal": []})
