"""Moves and positions for tests that play a game."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from theriac.match import Match
from theriac.testing.advised import best_advised
from theriac.testing.setups import Setup

#: How many moves are compared in a game that a wrong card ends.
_COMPARED = 30


def some_move(match: Match, random: Random) -> str:
    """A random move; in a cooperative game, where a wrong card ends the game, the best of some."""
    legal = match.legal_numbers()
    move = random.choice(legal)
    if match.game.together:
        v = match.look(match.to_act)
        some = [random.choice(legal) for _ in range(_COMPARED)]
        move = best_advised(match.game.engine(match.speed), v, some)
    return match.settings.text.write(move)


def match_at(setup: Setup, deal: list[str], moves: Sequence[str]) -> Match:
    """A game with a written deal, compiled, after these moves."""
    match = Match(setup.game, setup.given, deals=[deal], speed="cpu")
    for move in moves:
        match.play(move)
    return match
