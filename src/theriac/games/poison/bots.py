"""Poison: the heuristics of its bots."""

from __future__ import annotations

import math
from typing import Any, Final

from theriac.engine.contract import NOBODY
from theriac.engine.rule import rule
from theriac.games.poison.rules import has_most, is_too_much, result
from theriac.games.poison.state import CAULDRONS, COLOURS, POISON, SLOTS

#: About how many points players are apart after one round.
_POINTS_PER_ROUND: Final = 4.0


@rule
def advise(v: Any, move: int) -> float:
    """Take nothing if possible, and then the least; leave little room for the next players, but
    not so little that one will have to take it oneself; keep low cards for later.
    """
    card = move // CAULDRONS
    cauldron = move % CAULDRONS
    if is_too_much(v, cauldron, card):
        return -10.0 * harm(v, cauldron) + 0.1 * v.values[card]
    worth = 0.3 * v.values[card]
    if card // SLOTS == POISON:
        worth += 2.0 if leads(v, v.colours[cauldron]) else 0.5
    return worth + 0.05 * (v.sums[cauldron] + v.values[card])


@rule
def harm(v: Any, cauldron: int) -> float:
    """The points that taking this cauldron would cost: none for a colour one leads in."""
    points = 2.0 * v.potions[cauldron, POISON]
    for colour in range(COLOURS):
        n = v.potions[cauldron, colour]
        if n > 0 and leads(v, colour):
            points -= 0.5
        else:
            points += n
    return points


@rule
def leads(v: Any, colour: int) -> bool:
    """Has this seat taken the most cards of a colour so far?"""
    return colour >= 0 and has_most(v.got, v.players, v.to_act, colour)


@rule
def advise_source(g: Any, view: Any) -> Any:
    """`advise` reads only public fields: the full state serves as well as a view."""
    return g


@rule
def prospect(g: Any, seat: int) -> float:
    """Fewer points are better, and count for less the more rounds are to come."""
    if g.to_act == NOBODY:
        return result(g, seat)
    scale = _POINTS_PER_ROUND * math.sqrt(g.players + 1 - g.rounds)
    total = 0.0
    for other in range(g.players):
        total += math.exp((g.scores[seat] - g.scores[other]) / scale)
    return 1.0 / total
