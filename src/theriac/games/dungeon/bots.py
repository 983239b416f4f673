"""Knock, Knock! Dungeon!: the heuristics of its bots."""

from __future__ import annotations

from typing import Any, Final

from theriac.engine.rule import rule
from theriac.games.dungeon.ending import result
from theriac.games.dungeon.fort import (
    beside,
    card_at,
    card_in,
    cell_at,
    corner_of,
    danger_if_laid,
    danger_of,
    is_standing,
    shown,
)
from theriac.games.dungeon.state import (
    ALARM,
    CAST_FIREBALL,
    CAST_ICE,
    CAST_POISON,
    CODE_UNIT,
    CORNERS,
    MIDDLE,
    NONE,
    SPAN,
)

#: What a move is worth that loses the game.
_LOST: Final = -1000.0


@rule
def advise(v: Any, move: int) -> float:
    """Never sound the alarm; bring creatures down, those with few tokens first, the Black Knight
    before all; lay high corners where they cover nothing, and low ones on what is dangerous.
    """
    code = move // CODE_UNIT
    u = move // SPAN % SPAN - MIDDLE
    w = move % SPAN - MIDDLE
    if code >= CAST_FIREBALL:
        return worth_of_spell(v, code, card_at(v, u, w))
    return worth_of_card(v, code // 2, code % 2, cell_at(u, w))


@rule
def worth_of_card(v: Any, kind: int, turned: int, cell: int) -> float:
    """What a card does to those it covers, to the creatures that keep waiting, and to the hand."""
    worth = 0.0
    for corner in range(CORNERS):
        i = card_in(v, beside(cell, corner))
        if i != NONE:
            worth += worth_of_covering(v, i, danger_if_laid(v, i, 3 - corner, kind, turned))
    for i in range(v.laid):
        if v.tokens[i] > 0:
            worth -= threat(danger_after(v, i, kind, turned, cell), v.tokens[i] - 1)
    danger = 0
    for corner in range(CORNERS):
        danger += corner_of(v, kind, turned, corner)
    if v.creature[kind] > v.supply:
        return _LOST
    if v.creature[kind] > 0:
        return worth - 4.0 - threat(danger, v.creature[kind])
    return worth + 1.0 * danger  # low cards are kept for creatures


@rule
def danger_after(v: Any, i: int, kind: int, turned: int, cell: int) -> int:
    """The danger of a card of the fort when another has been laid in this cell."""
    for corner in range(CORNERS):
        if card_in(v, beside(cell, corner)) == i:
            return danger_if_laid(v, i, 3 - corner, kind, turned)
    return danger_of(v, i)


@rule
def worth_of_covering(v: Any, i: int, danger: int) -> float:
    """What it is worth to bring a card of the fort to this danger."""
    if not is_standing(v, i):
        return _LOST if danger >= ALARM else 0.5 * (danger_of(v, i) - danger)
    if danger < ALARM:
        return 300.0 if v.kinds[i] == v.knight else 30.0
    return 3.0 * (danger_of(v, i) - danger)


@rule
def threat(danger: int, turns: int) -> float:
    """How bad a creature is, given the turns that the team has left to bring it down."""
    if danger < ALARM:
        return 0.0
    if turns == 0:
        return -_LOST
    return 2.0 * (danger - ALARM + 1) / turns


@rule
def worth_of_spell(v: Any, code: int, i: int) -> float:
    """Spells are for creatures that would give the alarm now, or fall at once."""
    if code in (CAST_FIREBALL, CAST_ICE):
        return 20.0 if v.tokens[i] == 1 else -20.0
    if i == NONE:
        return -20.0  # bots have nothing to say
    left = danger_of(v, i) - shown(v, i, code - CAST_POISON)
    if left < ALARM:
        return 300.0 if v.kinds[i] == v.knight else 25.0
    return -20.0


@rule
def advise_source(g: Any, view: Any) -> Any:
    """`advise` reads only public fields: the full state serves as well as a view."""
    return g


@rule
def prospect(g: Any, seat: int) -> float:
    """A fort is one round: there is nothing to estimate before its end."""
    return result(g, seat)
