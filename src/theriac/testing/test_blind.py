"""Hidden information: what a seat cannot know changes no byte of what it is sent."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given

from theriac.engine.contract import SPECTATOR
from theriac.faults import Refused, listed
from theriac.game import Game
from theriac.match import Match
from theriac.testing.information import spread_positions
from theriac.testing.playing import match_at
from theriac.testing.setups import Setup, setups_of
from theriac.testing.walk import Choices, Walk, choices, differing_fields

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
    together = json.dumps(match.common_view() | match.own_view(seat))
    sent = [match.look(seat).tobytes(), json.dumps(match.view(seat)), together]
    sent.append(match.to_act == seat)
    if match.to_act == seat:
        legal = set(match.legal())
        sent += ["legal" if text in legal else answer(match, text) for text in texts]
    return sent


def answer(match: Match, text: str) -> str:
    """The refusal of a text that is not a legal move."""
    with pytest.raises(Refused) as refused:
        match.play(text)
    return str(refused.value)


def all_texts(setup: Setup, most: int = 100) -> list[str]:
    """Every move (or a sample, if there are many), and texts that are not moves."""
    text = setup.settings.text
    moves = text.catalogue().tolist()
    return [text.write(move) for move in moves[:: 1 + len(moves) // most]] + ODD_TEXTS


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
        view = match.look(seat).copy()
        walk.engine.imagine(view, walk.chance.random, match._g)
        differ = differing_fields(view, match.look(seat))
        assert not differ, (
            f"imagine gives a state that seat {seat} would see differently, in "
            f"{listed(differ, 'and')}: either imagine does not fill it, or the seat must not see it"
        )
        assert sent(match, seat, texts) == before


def memory_of(g: Any) -> Any:
    """The bytes of a state."""
    return memoryview(g.tobytes())


def test_something_is_hidden(game: Game) -> None:
    """If nothing were hidden, the tests here would prove nothing."""
    hidden = any(hides_something(setup) for setup in setups_of(game))
    assert hidden, "no seat has anything hidden: is a private field open, in STATE and in VIEW?"


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


def leaks(seat: int, one: Match, other: Match, texts: list[str]) -> str:
    """What gives a seat away which of two deals that it cannot tell apart it is; "" if nothing."""
    fields = differing_fields(one.look(seat), other.look(seat))
    if fields:
        where = listed([f"VIEW.{name}" for name in fields], "and")
        return (
            f"seat {seat} sees {listed(fields, 'and')} differ between deals that it cannot tell "
            f"apart: {where} {'leaks' if len(fields) == 1 else 'leak'} what is hidden"
        )
    if sent(one, seat, texts) != sent(other, seat, texts):
        return f"seat {seat}: text.py tells deals apart that the seat cannot: table, or a refusal"
    return ""


def test_deals_that_a_seat_cannot_tell_apart_look_the_same(small: Setup) -> None:
    """The referee, which has no views, decides which deals those are. Each seat has a position of
    its own.
    """
    random = Random(str(small))
    texts = all_texts(small)
    for seat, position in enumerate(spread_positions(small, random, small.given["players"])):
        true = match_at(small, position.deal, position.moves)
        found = list(position.possible(seat))
        assert position.deal in [possible.deal for possible in found]
        for other in random.sample(found, min(10, len(found))):
            leak = leaks(seat, true, match_at(small, other.deal, other.moves), texts)
            assert not leak, f"{leak}; after {position.moves}"


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
