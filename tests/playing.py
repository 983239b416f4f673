"""Moves for tests that want a game to go on."""

from __future__ import annotations

from random import Random

from theriac.table import Table

#: Moves that are thought about where it matters.
_FEW = 30


def some_move(table: Table, random: Random) -> str:
    """Any move; where all play together and a wrong card ends the game, the best of a few."""
    legal = table.legal_numbers()
    move = random.choice(legal)
    if table.game.together:
        v = table.look(table.to_act)
        few = [random.choice(legal) for _ in range(_FEW)]
        move = max(few, key=lambda move: table.game.engine().advise(v, move))
    return table.settings.text.write(move)
