"""What would surely be so after a move, told from the VIEW of the seat that thinks of making it.

The rest of the position is imagined several times over from that VIEW, and the move is made in each
of them; what is equal in all is told. So nothing that the seat may not know can be told, and
nothing that hangs on a hidden card is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from theriac.engine.records import records
from theriac.match import Match
from theriac.position import Fields

#: How many positions are imagined for a move.
SAMPLES = 12


def foresee(table: Match, moves: Sequence[str]) -> dict[str, dict[str, Any]]:
    """For each move that is legal for the seat to act, what it surely leads to on the table."""
    legal = set(table.legal())
    return {move: _surely(table, move) for move in moves if move in legal}


def _surely(table: Match, move: str) -> dict[str, Any]:
    seat = table.to_act
    assert seat is not None
    engine, text = table.game.engine(table.speed), table.settings.text
    states = records(table.game.shape.state, SAMPLES)
    views = records(table.game.shape.view, SAMPLES)
    chance = engine.chance()
    engine.seed_stream(chance.random, 0, 0)
    engine.imagine_many(table.look(seat), chance.random, states)
    told = []
    for i in range(SAMPLES):
        engine.step_at(states, i, text.read(move))
        engine.see_at(states, i, seat, views)
        told.append(text.table(Fields(views[i : i + 1])))
    return agreed(told)


def agreed(tables: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """What all of them say.

    >>> agreed([{"sums": [7], "next": "R1"}, {"sums": [7], "next": "X"}])
    {'sums': [7]}
    """
    first, *others = tables
    return {
        key: value
        for key, value in first.items()
        if all(key in other and other[key] == value for other in others)
    }
