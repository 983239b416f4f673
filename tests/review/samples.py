"""Finished games to review, and values computed by going through everything that can happen."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import numpy as np

from theriac.engine.contract import NATURE, NOBODY
from theriac.engine.records import Ints, records_over
from theriac.game import Game, find
from theriac.match import Match
from theriac.testing.setups import short_options

#: A deck of Poison that is soon played.
SMALL_DECK = "R1 R2 R4 R7 B1 B4 B5 B7 P1 P4 P7 P7 X X X".split()


@cache
def played(name: str, slip: float = 0.3, seed: int = 1) -> Match:
    """A finished game: mostly by heuristics, sometimes at random."""
    return play(find(name), short_options(find(name)), slip, seed)


def play(game: Game, options: dict[str, Any], slip: float, seed: int) -> Match:
    """The same with these options."""
    random = Random(seed)
    match = Match(game, options, seed=seed.to_bytes(32, "big"))
    while not match.over:
        legal = match.legal_numbers()
        if random.random() >= slip:
            legal = best_rated(match, legal)
        match.play(match.text.write(random.choice(legal)))
    return match


def best_rated(match: Match, legal: list[int]) -> list[int]:
    """The moves that the heuristics rate best."""
    ratings = np.zeros(len(legal))
    view = match.look(match.actor)
    match.game.engine().advise_moves(view, np.array(legal, np.int64), ratings)
    return [move for move, rating in zip(legal, ratings, strict=True) if rating == ratings.max()]


def small_poison(seed: int = 1, slip: float = 0.5) -> Match:
    """A short game of Poison."""
    options = {"players": 3, "first": 0, "deck": SMALL_DECK}
    return play(find("poison"), options, slip, seed)


def exact_values(game: Game, words: Ints, players: int) -> list[Fraction]:
    """The share of the win of each seat, by going through all cards and all ties."""
    engine = game.engine("plain")
    g = records_over(words.copy(), game.shape.state)[0]
    if g.to_act == NOBODY:
        results = np.zeros((1, players))
        states: Any = records_over(words.copy(), game.shape.state)
        engine.write_scores_all(states, players, np.zeros((1, players), np.int64), results, 0, 1)
        return [Fraction(share).limit_denominator(100) for share in results[0]]
    total, weight = [Fraction(0)] * players, 0
    for copies, after in successors(game, words):
        values = exact_values(game, after, players)
        total = [old + copies * value for old, value in zip(total, values, strict=True)]
        weight += copies
    return [value / weight for value in total]


def successors(game: Game, words: Ints) -> list[tuple[int, Ints]]:
    """What nature or the reference policy can do next, and how likely each is."""
    engine = game.engine("plain")
    g = records_over(words.copy(), game.shape.state)[0]
    found = []
    if g.to_act == NATURE:
        counts = np.zeros(game.shape.cards, np.int16)
        engine.list_pile(g, int(g.pile), counts)
        for card in np.flatnonzero(counts):
            after = words.copy()
            engine.deal(records_over(after, game.shape.state)[0], int(card))
            found.append((int(counts[card]), after))
        return found
    moves, view = engine.moves(), engine.view()
    n = engine.list_legal(g, moves)
    engine.see(g, int(g.to_act), view)
    ratings = np.zeros(n)
    engine.advise_moves(view, moves[:n], ratings)
    for move in moves[:n][ratings == ratings.max()]:
        after = words.copy()
        engine.play(records_over(after, game.shape.state)[0], int(move))
        found.append((1, after))
    return found
