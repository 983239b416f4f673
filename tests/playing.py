"""Moves for tests that want a game to go on."""

from __future__ import annotations

from random import Random

from theriac.match import Match

#: Moves that are thought about where it matters.
_FEW = 30


def some_move(match: Match, random: Random) -> str:
    """Any move; where all play together and a wrong card ends the game, the best of a few."""
    legal = match.legal_numbers()
    move = random.choice(legal)
    if match.game.together:
        v = match.look(match.to_act)
        few = [random.choice(legal) for _ in range(_FEW)]
        move = max(few, key=lambda move: match.game.engine().advise(v, move))
    return match.settings.text.write(move)
