"""`imagine` gives states that fit the view, and all possible deals with equal probability."""

from __future__ import annotations

import math
from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from scipy.stats import chisquare

from theriac.engine.contract import NOBODY
from theriac.engine.records import records
from theriac.testing.dependence import Dependence
from theriac.testing.facts import Fact, HiddenFacts
from theriac.testing.information import Hidden, Position, secret_position, spread_positions
from theriac.testing.playing import match_at
from theriac.testing.profiles import often
from theriac.testing.setups import Setup, only
from theriac.testing.walk import Choices, Walk, choices, differing_fields

SAMPLES = 1000
#: The fewest and the most positions of a small deck in which a seat, each in turn, imagines deals,
#: and how many deals are gone through in all of them, about.
FEWEST, MOST = 4, 12
DEALS = 5000
MOST_SAMPLES = 20_000
#: Whether what every seat imagines is played to its end, or what one of them does.
EVERY_SEAT = often(False, True)


def hands_of(walk: Walk, g: Any) -> list[list[str]]:
    """The cards that each seat of a state sees in its own hand, in the order of their texts."""
    hands = []
    for seat in range(walk.players):
        walk.engine.see(g, seat, walk.v)
        hands.append(sorted(walk.setup.settings.text.hand(walk.v)))
    return hands


def piles_of(walk: Walk, g: Any) -> list[list[int]]:
    """How many of each card are left in each pile."""
    piles = []
    for pile in range(len(walk.game.shape.piles)):
        counts = np.zeros(walk.game.shape.cards, np.int16)
        walk.engine.list_pile(g, pile, counts)
        piles.append(counts.tolist())
    return piles


def imagined(walk: Walk, seat: int) -> Any:
    g = walk.engine.state()
    walk.see(seat)
    walk.engine.imagine(walk.v, walk.chance.random, g)
    return g


def cards_lie_right(walk: Walk, g: Any) -> None:
    """Hands and piles are as large as in the true state, and no card is there too often."""
    text = walk.setup.settings.text
    hands, true_hands = hands_of(walk, g), hands_of(walk, walk.g)
    assert [len(hand) for hand in hands] == [len(hand) for hand in true_hands]
    piles, true_piles = piles_of(walk, g), piles_of(walk, walk.g)
    assert [sum(pile) for pile in piles] == [sum(pile) for pile in true_piles]
    there = Counter(card for hand in hands for card in hand)
    # A hand may hold what is not dealt from the deck, such as cards to bid with.
    held = Counter(card for hand in true_hands for card in hand)
    for pile in piles:
        assert min(pile) >= 0
        there.update(dict(zip(text.cards, pile, strict=True)))
    assert there <= Counter(text.deck.counts) | held


@given(choices=choices())
def test_an_imagined_state_fits_the_view_and_plays_on(setup: Setup, choices: Choices) -> None:
    """The seat has the same legal moves; cards are conserved; what one of the seats imagines can be
    played to its end.
    """
    walk = Walk(setup.with_deck(choices.random), "cpu")
    walk.engine.seed_stream(walk.chance.random, 1, choices.below(1000))
    walk.stop_somewhere(choices)
    plays_on = choices.below(walk.players)
    for seat in range(walk.players):
        g = imagined(walk, seat)
        cards_lie_right(walk, g)
        if walk.g.to_act == seat:
            legal = walk.legal()
            n = walk.engine.list_legal(g, walk.moves)
            assert walk.moves[:n].tolist() == legal
        if seat == plays_on or EVERY_SEAT:
            play_on(walk, g, choices)


def play_on(walk: Walk, g: Any, choices: Choices) -> None:
    """Play an imagined state to its end, and check every state on the way."""
    other = Walk(walk.setup, "cpu")
    other.g = g
    allowed = other.engine.moves()
    for _ in other.steps(choices):
        if not other.over:
            legal = other.legal()
            assert len(set(legal)) == len(legal)
            listed = np.array(legal, np.int64)
            assert other.engine.list_by_refusing(g, listed, allowed) == len(legal)
    _, results = other.scores()
    if not walk.game.together or any(results):
        assert sum(results) == (pytest.approx(1) if g.to_act == NOBODY else 0)


def test_imagining_is_the_same_at_both_speeds(setup: Setup) -> None:
    fast, slow = Walk(setup, "cpu"), Walk(setup, "plain")
    fast.stop_somewhere(Choices([], 11))
    slow.g = fast.g
    for seat in range(fast.players):
        states = []
        for walk in (fast, slow):
            walk.engine.seed_stream(walk.chance.random, 2, seat)
            states.append(imagined(walk, seat))
        differ = differing_fields(*states)
        assert not differ, f"seat {seat}: imagine makes another {differ[0]} when compiled"


# Equally likely


def walk_to(position: Position) -> Walk:
    """The position at the compiled speed."""
    walk = Walk(position.setup, "cpu")
    walk.g = match_at(position.setup, position.deal, position.moves)._g
    return walk


def many_imagined(walk: Walk, seat: int, n: int) -> Any:
    """States that a seat imagines."""
    states = records(walk.game.shape.state, n)
    walk.engine.seed_stream(walk.chance.random, 3, seat)
    walk.see(seat)
    walk.engine.imagine_many(walk.v, walk.chance.random, states)
    return states


def sampled(walk: Walk, seat: int) -> Counter[Hidden]:
    """Where the hidden cards lie in many imagined states."""
    cards = walk.setup.settings.text.cards
    states = many_imagined(walk, seat, SAMPLES)
    # Of a small deck there are few states, and each is imagined often.
    times = Counter(g.tobytes() for g in states)
    found: Counter[Hidden] = Counter()
    for memory, g in {g.tobytes(): g for g in states}.items():
        pile = [
            card
            for counts in piles_of(walk, g)
            for card, n in zip(cards, counts, strict=True)
            for _ in range(n)
        ]
        found[*map(tuple, hands_of(walk, g)), tuple(sorted(pile))] += times[memory]
    return found


def surprise(found: Counter[Any], weights: Counter[Any]) -> float:
    """The p-value of a chi-squared test; rare outcomes are pooled."""
    total, samples = weights.total(), found.total()
    often = [h for h in weights if weights[h] * samples >= 5 * total]
    seen = [found[h] for h in often]
    expected = [weights[h] * samples / total for h in often]
    if len(often) < len(weights):
        seen.append(samples - sum(seen))
        expected.append(samples - sum(expected))
    return float(chisquare(seen, expected).pvalue) if len(seen) > 1 else 1.0


def how_many_positions(small: Setup) -> int:
    """The more, the fewer shuffles of the deck have to be gone through for each."""
    copies = Counter(small.given["deck"])
    shuffles = math.factorial(copies.total()) // math.prod(map(math.factorial, copies.values()))
    return min(MOST, max(FEWEST, DEALS // shuffles))


@pytest.mark.parametrize("number", range(often(1, 10)))
def test_all_possible_deals_are_equally_likely(small: Setup, number: int) -> None:
    positions = spread_positions(small, Random(f"{small} {number}"), how_many_positions(small))
    for part, position in enumerate(positions):
        walk = walk_to(position)
        seat = part % walk.players
        weights: Counter[Hidden] = Counter()
        for possible in position.possible(seat):
            weights[possible.hidden] += possible.weight
        found = sampled(walk, seat)
        assert set(found) <= set(weights), f"the referee rules this out: {example(found, weights)}"
        chance = surprise(found, weights)
        assert chance > 1e-4, f"seat {seat} after {position.moves}"


def example(found: Counter[Any], possible: Counter[Any]) -> Any:
    """One of the arrangements that were found and are not possible."""
    return next((one for one in found if one not in possible), None)


# Choices made in secret


def has_secret_moves(setup: Setup) -> bool:
    """Are there moves of which others get another text, with these options?"""
    text = setup.settings.text
    moves = text.catalogue().tolist()
    return (
        any(text.write_public(move) != text.write(move) for move in moves)
        and secret_position(setup, Random(1)) is not None
    )


def varying(facts: list[frozenset[Fact]]) -> frozenset[Fact]:
    """The facts that hold in some of these states, but not in all."""
    return frozenset.union(*facts) - frozenset.intersection(*facts)


@only(has_secret_moves)
@pytest.mark.parametrize("number", range(often(3, 20)))
def test_all_possible_choices_are_equally_likely(small: Setup, number: int) -> None:
    """In any field that the game depends on: a hand, and a choice that nobody else has seen."""
    position = secret_position(small, Random(f"{small} {number}"))
    assert position is not None
    walk = walk_to(position)
    facts, dependence = HiddenFacts(small.game.shape), Dependence(small.game)
    for seat in range(walk.players):
        possible = [
            (each.weight, match_at(small, each.deal, each.moves)._g)
            for each in position.possible(seat)
        ]
        differing = varying([facts.of(g) for _, g in possible])
        fields = [
            name
            for name in sorted({fact.place[0] for fact in differing})
            if any(dependence.depends_on(name, walk.g, g) for _, g in possible)
        ]
        weights: Counter[frozenset[Fact]] = Counter()
        for weight, g in possible:
            weights[facts.of(g, fields) & differing] += weight
        states = many_imagined(walk, seat, min(MOST_SAMPLES, max(SAMPLES, 20 * len(weights))))
        found = Counter(facts.of(g, fields) & differing for g in states)
        ruled_out = example(found, weights) or ()
        names = sorted({fact.place[0] for fact in ruled_out})
        assert set(found) <= set(weights), f"the referee rules this out: {names}, {ruled_out}"
        chance = surprise(found, weights)
        assert chance > 1e-4, f"seat {seat} after {position.moves}"
