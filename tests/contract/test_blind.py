"""Hidden information: what a seat cannot know changes no byte of what it is sent."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given

from tests.contract.information import Position, random_position
from tests.contract.setups import GAMES, SETUPS, Setup, names, reduced, setups_of
from tests.contract.walk import Choices, Walk, choices
from theriac.engine.contract import SPECTATOR
from theriac.faults import Refused
from theriac.game import Game
from theriac.match import Match

SMALL = [setup for game in GAMES for setup in reduced(game)]
ODD_TEXTS = [
    "",
    " ",
    "?",
    "@",
    "=",
    "!",
    "pass",
    "claim=",
    "X@",
    "0",
    "-1",
    "e7",
    "R1@1 ",
    "\ud800",
]


def sent(match: Match, seat: int, texts: list[str]) -> list[Any]:
    """Everything that a seat is sent: its view as bytes and as text, and its refusals."""
    sent = [match.look(seat).tobytes(), json.dumps(match.view(seat)), match.to_act == seat]
    if match.to_act == seat:
        sent += [answer(match, text) for text in texts]
    return sent


def answer(match: Match, text: str) -> str:
    """The refusal of a text; a legal move is not played."""
    if text in match.legal():
        return "legal"
    with pytest.raises(Refused) as refused:
        match.play(text)
    return str(refused.value)


def all_texts(setup: Setup, most: int = 100) -> list[str]:
    """Every move (or a sample, if there are many), and texts that are no moves."""
    text = setup.settings.text
    moves = text.catalogue().tolist()
    return [text.write(move) for move in moves[:: 1 + len(moves) // most]] + ODD_TEXTS


@pytest.mark.parametrize("setup", SETUPS, ids=names(SETUPS))
@given(choices=choices())
def test_a_view_of_an_imagined_state_is_the_same_view(setup: Setup, choices: Choices) -> None:
    setup = setup.with_deck(choices.random)
    walk = Walk(setup, "cpu")
    walk.engine.seed_stream(walk.chance.random, 4, choices.below(1000))
    match = setup.match(0, speed="cpu")
    walk.stop_somewhere(choices)
    texts = all_texts(setup, 20)
    for seat in range(walk.players):
        match._memory[:] = memory_of(walk.g)
        before = sent(match, seat, texts)
        walk.engine.imagine(match.look(seat), walk.chance.random, match._g)
        assert sent(match, seat, texts) == before


def memory_of(g: Any) -> Any:
    """The bytes of a state."""
    return memoryview(g.tobytes())


@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
def test_something_is_hidden(game: Game) -> None:
    """If nothing were hidden, the tests here would prove nothing."""
    assert any(hides_something(setup) for setup in setups_of(game))


def hides_something(setup: Setup) -> bool:
    """Does another seat's view differ in a state that the seat to act imagines?"""
    walk = Walk(setup, "cpu")
    walk.stop_somewhere(Choices([], 8), most=10)
    seat = int(walk.g.to_act)
    other = (seat + 1) % walk.players
    true = walk.see(other)
    walk.see(seat)
    walk.engine.imagine(walk.v, walk.chance.random, walk.g)
    return walk.see(other) != true


def table_at(position: Position, deal: list[str]) -> Match:
    """The same moves after another shuffle."""
    match = Match(position.setup.game, position.setup.given, deals=[deal], speed="cpu")
    for move in position.moves:
        match.play(move)
    return match


@pytest.mark.parametrize("setup", SMALL, ids=names(SMALL))
def test_deals_that_a_seat_cannot_tell_apart_look_the_same(setup: Setup) -> None:
    """The referee, which has no views, decides which deals those are."""
    random = Random(str(setup))
    position = random_position(setup, random)
    texts = all_texts(setup)
    for seat in range(setup.given["players"]):
        expected = sent(table_at(position, position.deal), seat, texts)
        deals = [deal for deal, _, _ in position.possible(seat)]
        assert position.deal in deals
        for deal in random.sample(deals, min(10, len(deals))):
            assert sent(table_at(position, deal), seat, texts) == expected


@pytest.mark.parametrize("setup", SETUPS, ids=names(SETUPS))
def test_a_spectator_sees_no_hand(setup: Setup) -> None:
    """A state that any seat imagines looks the same to a spectator."""
    walk = Walk(setup, "cpu")
    walk.stop_somewhere(Choices([], 9))
    views = []
    for seat in range(walk.players):
        g = walk.engine.state()
        walk.see(seat)
        walk.engine.imagine(walk.v, walk.chance.random, g)
        walk.engine.see(g, SPECTATOR, walk.v)
        views.append(walk.v.tobytes())
    assert len(set(views)) == 1
