"""Knock, Knock! Dungeon!: imagined states are drawn uniformly from all that a view allows.

Hidden are the other hands and the pile without the Black Knight, of whom all know where he is.
Decks are so small that all ways to deal the unseen cards can be written down, each with the number
of its deals (equal cards are still different cards). How often each is imagined is
compared with its share by a chi-square test; the random numbers are the same each time.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from theriac.engine.records import records
from theriac.game import find
from theriac.games.dungeon.tests.table_setting import (
    ALL_SPELLS,
    CALM,
    KNIGHT,
    lay_out,
    play,
    shown,
    sit,
    with_spells,
)
from theriac.match import Match

#: Every other hand and the pile, each sorted.
Hidden = tuple[tuple[str, ...], ...]
SAMPLES = 4000
#: A p-value below this is not due to chance.
UNLIKELY = 1e-4
EIGHT = "0001 0010 0100 1000 0011 0101 1001 0110"
FOUR = "0001 " * 13 + "0010 0010 0110 0001 0001"
SIX = "0001 " * 18 + "0010 0110"
ALIKE = "0001 0010 0001 0010 0001 0010 0001 0010"


@dataclass
class Position:
    """A game up to a decision, and in how many ways its hidden cards can lie for each seat."""

    name: str
    ways: list[int]
    build: Callable[[], Match]

    @functools.cached_property
    def match(self) -> Match:
        return self.build()


def drawn_later() -> Match:
    return play(sit(CALM, f"{EIGHT} 1010 0200", first=1), "0001@1,1 0010@2,2 0100@3,3")


def a_card_burnt() -> Match:
    match = with_spells("3333t3", f"0001 0010 0001 0010 3333t3 {ALIKE}")
    return play(match, "0001@-1,-1 fireball@0,0")


def few_cards_left() -> Match:
    match = sit(CALM, EIGHT, knight="5555t9K")
    return play(match, "0001@1,1 5555t9K@-1,-1 0010@2,2 0100@3,3 1000@4,4")


def three_players(more: str) -> Match:
    return lay_out(CALM, "0001@1,1", f"0010 0010 0001 {ALIKE} {more}", players=3)


POSITIONS = [
    Position("two at the start", [15, 15], lambda: sit(CALM, f"{EIGHT} 1010 0200")),
    Position("cards alike", [6, 3], lambda: sit(CALM, f"{ALIKE} 0001 0110 0110")),
    Position("alone", [1], lambda: sit(CALM, f"{EIGHT} 0001 0010", players=1)),
    Position("alone after a mark", [1], lambda: lay_out(CALM, "0000s@1,1", EIGHT, players=1)),
    Position("three", [31, 49, 43], lambda: three_players("0110 0110 0001")),
    Position("four", [39, 16, 16, 10], lambda: sit(CALM, FOUR, players=4)),
    Position("six", [36] * 6, lambda: sit(CALM, SIX, players=6, first=4)),
    Position("the Black Knight waits", [1, 1], lambda: lay_out(CALM, "0001@1,1", EIGHT[5:])),
    Position("he waits and three play", [4, 4, 4], lambda: three_players("")),
    Position("he was drawn later", [1, 1], drawn_later),
    Position(
        "he is laid", [1, 1], lambda: lay_out(CALM, "0001@1,1", EIGHT[5:], more=f"{KNIGHT}@-1,-1")
    ),
    Position("a card was burnt", [5, 8], a_card_burnt),
    Position("few cards are left", [1, 1], few_cards_left),
]
each_position = pytest.mark.parametrize(
    "position", POSITIONS, ids=[position.name for position in POSITIONS]
)


# What a seat can know, from what is shown alone


def unseen_by(match: Match, seat: int) -> Counter[str]:
    """The cards of the game without those in the fort, in one's own hand and burnt."""
    view = match.view(seat)
    cards = Counter(match.settings.given["deck"])
    cards.subtract(entry["card"] for entry in view["table"]["fort"])
    cards.subtract(view["hand"])
    cards.subtract(burnt_in(match))
    cards.pop(table_knight(match))
    assert min(cards.values()) >= 0
    return +cards


def table_knight(match: Match) -> str:
    return next(card for card in match.settings.given["deck"] if card.endswith("K"))


def burnt_in(match: Match) -> list[str]:
    """In these games only the first card of the fort can have been burnt."""
    return ["3333t3"] if any(move.startswith("fireball") for move in match.moves) else []


def is_waiting(match: Match) -> bool:
    """Must the Black Knight be laid now?"""
    return any(move.startswith(table_knight(match)) for move in match.legal())


def room_for(match: Match, seat: int) -> list[int]:
    """How many unseen cards are in each other hand, and in the pile."""
    on_table = match.view(seat)["table"]
    sizes = list(on_table["hands"])
    laid = any(entry["card"] == table_knight(match) for entry in on_table["fort"])
    pile = on_table["pile"]
    if is_waiting(match):
        assert match.to_act is not None
        sizes[match.to_act] -= 1
    elif not laid:
        pile -= 1
    sizes[seat] = 0
    return [*sizes, pile]


def ways_to_deal(cards: Counter[str], sizes: list[int]) -> Iterator[tuple[Hidden, int]]:
    """Every way to deal the cards to groups of these sizes, and how many deals it represents."""
    if not sizes:
        assert not cards.total()
        yield (), 1
        return
    for group, ways in choices(sorted(cards), cards, sizes[0]):
        for rest, more in ways_to_deal(cards - Counter(group), sizes[1:]):
            yield (group, *rest), ways * more


def choices(kinds: list[str], cards: Counter[str], size: int) -> Iterator[tuple[Any, int]]:
    """Every group of this size, sorted, and how many groups of single cards look like it."""
    if not kinds:
        if size == 0:
            yield (), 1
        return
    kind, *others = kinds
    for n in range(min(cards[kind], size) + 1):
        for group, ways in choices(others, cards, size - n):
            yield (*[kind] * n, *group), ways * comb(cards[kind], n)


# What is imagined


def imagined(match: Match, seat: int, n: int = SAMPLES) -> Any:
    """States imagined by a seat."""
    engine = find("dungeon").engine("cpu")
    states = records(match.game.shape.state, n)
    chance = np.zeros(3, np.int64)
    engine.seed_stream(chance, 1, seat)
    engine.imagine_many(match.look(seat), chance, states)
    return states


def hidden_in(match: Match, seat: int, states: Any) -> Counter[Hidden]:
    """How often the hidden cards lie in each way."""
    names = match.settings.text.cards
    knight = names.index(table_knight(match))
    found: Counter[Hidden] = Counter()
    rows = zip(states.hands.tolist(), states.sizes.tolist(), states.undealt.tolist(), strict=True)
    for hands, sizes, undealt in rows:
        groups = []
        for other in range(match.players):
            hand = hands[other][: sizes[other]]
            assert hand == sorted(hand), "hands lie in ascending order"
            mine = other == seat
            groups.append(() if mine else tuple(names[kind] for kind in hand if kind != knight))
        pile = tuple(names[kind] for kind, n in enumerate(undealt) for _ in range(n))
        found[*map(sort, groups), sort(pile)] += 1
    return found


def sort(cards: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(cards))


def p_value(found: Counter[Hidden], weights: dict[Hidden, int]) -> float:
    """The probability that uniform draws differ this much from the shares; rare ways are pooled."""
    total = sum(weights.values())
    often = [way for way in weights if weights[way] * SAMPLES >= 5 * total]
    seen = [found[way] for way in often]
    expected = [weights[way] * SAMPLES / total for way in often]
    if len(often) < len(weights):
        seen.append(SAMPLES - sum(seen))
        expected.append(SAMPLES - sum(expected))
    return float(chisquare(seen, expected).pvalue) if len(seen) > 1 else 1.0


@each_position
def test_every_possible_deal_is_equally_likely(position: Position) -> None:
    match = position.match
    assert match.to_act is not None
    for seat in range(match.players):
        weights = dict(ways_to_deal(unseen_by(match, seat), room_for(match, seat)))
        assert len(weights) == position.ways[seat]
        found = hidden_in(match, seat, imagined(match, seat))
        assert set(found) <= set(weights), "a deal that cannot be"
        assert p_value(found, weights) > UNLIKELY, f"seat {seat}"


@each_position
def test_the_black_knight_is_where_all_know_he_is(position: Position) -> None:
    match = position.match
    knight = match.settings.text.cards.index(table_knight(match))
    for seat in range(match.players):
        states = imagined(match, seat, 50)
        assert (states.undealt[:, knight] == 0).all()
        holders = [
            other
            for other in range(match.players)
            if (states.hands[:, other, : match._g.sizes[other]] == knight).any(axis=1).all()
        ]
        assert holders == ([match.to_act] if is_waiting(match) else [])


@each_position
def test_an_imagined_state_looks_like_the_real_one(position: Position) -> None:
    match = position.match
    engine = find("dungeon").engine("cpu")
    again = engine.view()
    for seat in range(match.players):
        view = match.look(seat).copy()
        for state in imagined(match, seat, 20):
            engine.see(state, seat, again)
            for field in view.dtype.names:
                assert np.array_equal(view[field], again[field]), field
            assert state.shuffles.tolist() == match._g.shuffles.tolist()
            assert state.in_pile == match._g.in_pile == state.undealt.sum()


@each_position
def test_the_seat_to_act_has_the_same_moves_in_an_imagined_state(position: Position) -> None:
    match = position.match
    engine = find("dungeon").engine("cpu")
    assert match.to_act is not None
    moves = engine.moves()
    for state in imagined(match, match.to_act, 20):
        n = engine.list_legal(state, moves)
        assert moves[:n].tolist() == match.legal_numbers()


@pytest.mark.clause("KKD-26")
def test_in_an_imagined_state_a_spell_can_be_won() -> None:
    """Those not held are drawn, and each of them can be."""
    knight = "0006t3K"
    match = lay_out(
        CALM, "0000@-1,-1", CALM, more=f"{knight}@1,1", knight=knight, level=1,
        spells=ALL_SPELLS[:2],
    )  # fmt: skip
    engine = find("dungeon").engine("cpu")
    move = match.settings.text.read("0000@2,2")
    assert shown(match, "spells") == ["fireball", "ice"]
    for state in imagined(match, 1, 5):
        assert engine.step(state, move) == 0
        counts = np.zeros(match.game.shape.cards, np.int16)
        assert engine.list_pile(state, int(state.pile), counts) == 2
        assert counts[-4:].tolist() == [0, 0, 1, 1]
