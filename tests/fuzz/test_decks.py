"""The deck parser: any input gives a playable deck or a `BadDeck`."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.fuzz.texts import texts
from theriac.deck import Deck, parse_deck
from theriac.faults import BadDeck, Fault
from theriac.game import Game
from theriac.match import Match
from theriac.testing.setups import GAMES

each_game = pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])

near_cards = st.from_regex(re.compile(r"[RBPSEDXrx][0-9]{0,3}", re.ASCII), fullmatch=True)
counts = st.dictionaries(near_cards | texts, st.integers(1, 45), max_size=12)
few_counts = st.dictionaries(near_cards, st.integers(1, 12), min_size=1, max_size=8)


def read(source: str) -> None:
    """Read and check a deck."""
    try:
        _, deck = parse_deck(source)
    except BadDeck as error:
        assert str(error)
        assert len(str(error)) < 500
    else:
        for game in GAMES:
            check(game, deck)


def check(game: Game, deck: Deck) -> None:
    """A deck is refused with a reason, or some number of players can play with it."""
    wrong, remarks = game.check_deck(deck)
    assert all(wrong)
    assert all(remarks)
    playing = [players for players in game.players if plays(game, deck, players)]
    assert bool(playing) != bool(wrong)


def plays(game: Game, deck: Deck, players: int) -> bool:
    """Can this many play with this deck? If so, twenty moves work."""
    try:
        options: dict[str, Any] = {"players": players, "first": 0, "deck": deck.cards()}
        match = Match(game, options, seed=bytes(32))
    except Fault:
        return False
    for number in range(20):
        if not match.over:
            legal = match.legal()
            assert legal
            match.play(legal[number % len(legal)])
            match.view(0)
    return True


@given(source=st.text())
@examples(40)
def test_any_text(source: str) -> None:
    read(source)


@pytest.mark.parametrize(
    "source",
    [
        "a = " + "[" * 5000,
        "[" * 5000,
        "a." * 5000 + "a = 1",
        "[cards]\nR1 = " + "9" * 5000,
        "[cards]\nR1 = 1e400",
        'game = "poison"\n[cards]\nR1 = 9223372036854775808',
        'game = "poison"\n[cards]\nR1 = true',
        'game = "poison"\n[cards]\nR1 = -1',
        'game = "poison"\n[cards]\nR1 = 0',
        'game = "poison"\n[cards.R1]\nx = 1',
        'game = "poison"\ncards = 3',
        'game = "poison"\nprovenance = 3\n[cards]\nR1 = 1',
        'game = "poison"\n[provenance]\ncounts = []\n[cards]\nR1 = 1',
        'game = "poison"\n[provenance]\ncounts = {a = 1}\n[cards]\nR1 = 1',
        'game = "poison"\n[cards]\n"" = 1',
        'game = "poison"\n[cards]\n"\\u0000" = 8',
        "game = 1979-05-27T07:32:00Z",
        "\x00",
    ],
)
def test_odd_sources(source: str) -> None:
    read(source)


@each_game
@given(data=st.data())
@examples(20)
def test_damaged_deck_files(game: Game, data: st.DataObject) -> None:
    """The shipped file with a line dropped, doubled or changed."""
    lines = (game.folder / game.deck_file).read_text(encoding="utf-8").splitlines()
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(lines) - 1))
        line = data.draw(texts | st.sampled_from([*lines, "R1 = 3", "X = 1000", "[cards]", ""]))
        lines[at : at + data.draw(st.integers(0, 1))] = [line]
    read("\n".join(lines))


@each_game
@given(deck=st.builds(Deck, counts) | st.builds(Deck, few_counts))
@examples(40)
def test_any_deck(game: Game, deck: Deck) -> None:
    check(game, deck)


@each_game
@given(data=st.data())
@examples(20)
def test_parts_of_the_shipped_deck(game: Game, data: st.DataObject) -> None:
    cards = game.shipped.cards()
    check(game, Deck.of(data.draw(st.lists(st.sampled_from(cards), max_size=50))))
