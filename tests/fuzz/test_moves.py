"""The move parser: any text is a legal move, or refused with a clause and without an effect."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.fuzz.texts import texts
from theriac.faults import Refused
from theriac.game import Game
from theriac.match import Match
from theriac.testing.clauses import clauses_in
from theriac.testing.playing import some_move
from theriac.testing.setups import GAMES, SETUPS, Setup, names

#: Parts of moves, and similar texts.
PARTS = "R B P X S E D r x 0 1 2 3 4 5 7 9 10 13 @ = + ! claim pass claim= ٣ é".split() + [
    " ",
    "\n",
]

near_moves = st.lists(st.sampled_from(PARTS), max_size=8).map("".join)


def try_text(match: Match, text: str) -> None:
    """Play a text; it is legal exactly if it is listed."""
    legal = match.legal()
    before = match._g.tobytes()
    moves = len(match.moves)
    try:
        match.play(text)
    except Refused as refused:
        assert text not in legal
        assert refused.clause in clauses_in(match.game.folder)
        assert refused.why
        assert "\n" not in str(refused)
        assert (match._g.tobytes(), len(match.moves)) == (before, moves)
    else:
        assert text in [*legal, match.clock_move]
        assert match.moves[-1] == text


def match_somewhere(setup: Setup, seed: int) -> Match:
    """A match after a random number of moves."""
    random = Random(seed)
    match = setup.match(seed)
    for _ in range(random.randrange(60)):
        if not match.over:
            match.play(some_move(match, random))
    return match


@pytest.mark.parametrize("setup", SETUPS, ids=names(SETUPS))
@given(tries=st.lists(near_moves | texts, min_size=1, max_size=30), seed=st.integers(0, 99))
@examples(3)
def test_any_text_as_a_move(setup: Setup, tries: list[str], seed: int) -> None:
    match = match_somewhere(setup, seed)
    for text in tries:
        try_text(match, text)


@pytest.mark.parametrize("setup", SETUPS, ids=names(SETUPS))
@given(data=st.data(), seed=st.integers(0, 99))
@examples(2)
def test_every_kind_of_move(setup: Setup, data: st.DataObject, seed: int) -> None:
    """Moves of the catalogue, legal now or not."""
    match = match_somewhere(setup, seed)
    text = match.settings.text
    catalogue = text.catalogue()
    for place in data.draw(st.lists(st.integers(0, len(catalogue) - 1), max_size=20)):
        try_text(match, text.write(int(catalogue[place])))


@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
@given(text=near_moves | texts)
@examples(60)
def test_reading_and_writing_agree(game: Game, text: str) -> None:
    """A number that is a move of the catalogue has exactly the text that was read."""
    known = game.settings({"players": game.players[0], "first": 0}).text
    number = known.read(text)
    assert -(2**63) <= number < 2**63
    if number in known.catalogue() or number == game.rule("clock_move")() >= 0:
        assert known.write(number) == text


@pytest.mark.parametrize("speed", ["plain", "cpu"])
@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
@given(moves=st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(-200, 5000), max_size=30))
@examples(10)
def test_any_number_can_be_checked(game: Game, speed: Any, moves: list[int]) -> None:
    settings = game.settings({"players": game.players[0], "first": 0})
    catalogue = settings.text.catalogue()
    clock = game.rule("clock_move")()
    engine = game.engine(speed)
    g, chance = engine.state(), engine.chance()
    engine.start_game(g, settings.options, chance, 1, 1)
    for move in moves:
        before = g.tobytes()
        clause = engine.refuse(g, move)
        assert (clause == 0) <= (move in catalogue or move == clock >= 0)
        assert g.tobytes() == before
