"""Finished games to review, and values computed by going through everything that can happen."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import numpy as np

from theriac.bots import bot
from theriac.bots.simple import is_slip
from theriac.engine.contract import NATURE, NOBODY
from theriac.engine.records import Floats, Ints, records_over
from theriac.game import Game, find
from theriac.match import Match
from theriac.review.playouts import SLIP
from theriac.testing.setups import short_options

#: A deck of Poison that is soon played.
SMALL_DECK = "R1 R2 R4 R7 B1 B4 B5 B7 P1 P4 P7 P7 X X X".split()


@cache
def played(name: str, slip: float = 0.3, seed: int = 1) -> Match:
    """A finished game: mostly by heuristics, sometimes at random."""
    return play(find(name), short_options(find(name)), slip, seed)


@cache
def played_with_all_cards(name: str) -> Match:
    """The same with the game's own deck: the networks that ship with games know no other."""
    return play(find(name), {"players": find(name).usual_players}, slip=0.3, seed=1)


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


def small_poison_by_policy(seed: int) -> Match:
    """A short game of Poison by the reference policy."""
    player = bot(f"greedy:slip={SLIP}", seed=1)
    options = {"players": 3, "first": 0, "deck": SMALL_DECK}
    match = Match(find("poison"), options, seed=seed.to_bytes(32, "big"))
    while not match.over:
        player.play(match)
    return match


def exact_values(game: Game, words: Ints, players: int, slip: float = SLIP) -> list[Fraction]:
    """The share of the win of each seat, by going through all cards, ties and slips."""
    engine = game.engine("plain")
    g = records_over(words.copy(), game.shape.state)[0]
    if g.to_act == NOBODY:
        results = np.zeros((1, players))
        states: Any = records_over(words.copy(), game.shape.state)
        engine.write_scores_all(states, players, np.zeros((1, players), np.int64), results, 0, 1)
        return [Fraction(share).limit_denominator(100) for share in results[0]]
    total = [Fraction(0)] * players
    for chance, after in successors(game, words, slip):
        values = exact_values(game, after, players, slip)
        total = [old + chance * value for old, value in zip(total, values, strict=True)]
    return total


def successors(game: Game, words: Ints, slip: float) -> list[tuple[Fraction, Ints]]:
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
            found.append((Fraction(int(counts[card]), int(counts.sum())), after))
        return found
    moves, view = engine.moves(), engine.view()
    n = engine.list_legal(g, moves)
    engine.see(g, int(g.to_act), view)
    ratings = np.zeros(n)
    engine.advise_moves(view, moves[:n], ratings)
    for move, chance in zip(moves[:n], policy_chances(ratings, slip), strict=True):
        if chance:
            after = words.copy()
            engine.play(records_over(after, game.shape.state)[0], int(move))
            found.append((chance, after))
    return found


def policy_chances(ratings: Floats, slip: float) -> list[Fraction]:
    """How likely `greedy` with slips is to play each move, by their ratings."""
    best, slips = ratings == ratings.max(), is_slip(ratings)
    return [
        (1 - Fraction(slip)) * Fraction(int(best[i]), int(best.sum()))
        + Fraction(slip) * Fraction(int(slips[i]), int(slips.sum()))
        for i in range(len(ratings))
    ]
