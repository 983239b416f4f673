"""Knock, Knock! Dungeon!: what the creatures do: fights, the Black Knight, the alarm.

Rulings say what is checked first (KKD-15), and when the Black Knight falls (KKD-22, KKD-28).
"""

from __future__ import annotations

from typing import Any

from theriac.engine.rule import rule
from theriac.games.dungeon.ending import end, win
from theriac.games.dungeon.fort import beside, card_in, cell_of, danger_of, is_standing
from theriac.games.dungeon.state import ALARM, CORNERS, LOST, NONE


@rule
def check_covered(g: Any) -> None:
    """KKD-14, KKD-15, KKD-16: check every card that the last one partly covers, corridors first."""
    new = cell_of(g, g.laid - 1)
    for corner in range(CORNERS):
        i = card_in(g, beside(new, corner))
        if i != NONE and is_too_dangerous(g, i):
            end(g, LOST, 15)
            return
    knight = False
    thawed = 0
    for corner in range(CORNERS):
        i = card_in(g, beside(new, corner))
        if i != NONE and is_standing(g, i):
            knight = knight or g.kinds[i] == g.knight
            thawed += fight(g, i)
    if knight or thawed > 0:
        fight_knight(g)


@rule
def is_too_dangerous(g: Any, i: int) -> bool:
    """KKD-15: is a card of the fort a corridor that gives the alarm?"""
    return not is_standing(g, i) and danger_of(g, i) >= ALARM


@rule
def fight(g: Any, i: int) -> int:
    """KKD-16: any creature but the Black Knight at 5 or less falls; 1 if it was frozen."""
    if g.kinds[i] == g.knight or danger_of(g, i) >= ALARM:
        return 0
    thawed = int(g.frozen[i])
    defeat(g, i)
    return thawed


@rule
def defeat(g: Any, i: int) -> None:
    """KKD-16: the tokens go back, and the card is an empty corridor from now on."""
    g.supply += g.tokens[i]
    g.tokens[i] = 0
    g.defeated[i] = 1
    g.frozen[i] = 0


@rule
def fight_knight(g: Any) -> None:
    """KKD-22, KKD-28: the Black Knight falls at 5 or less, unless another stands frozen."""
    knight = NONE
    for i in range(g.laid):
        if g.kinds[i] == g.knight:
            knight = i
        elif g.frozen[i]:
            return
    if knight != NONE and danger_of(g, knight) < ALARM:
        defeat(g, knight)
        win(g)


@rule
def sound_alarm(g: Any) -> None:
    """KKD-17: every creature laid in an earlier turn loses a token; the last one is the alarm."""
    lost = False
    for i in range(g.laid - 1):
        if g.tokens[i] > 0:
            g.tokens[i] -= 1
            g.supply += 1
            lost = lost or has_run_out(g, i)
    if lost:
        end(g, LOST, 17)


@rule
def has_run_out(g: Any, i: int) -> bool:
    """KKD-17, KKD-28: does a creature stand without time tokens that is not frozen?"""
    return is_standing(g, i) and g.frozen[i] == 0 and g.tokens[i] == 0


@rule
def gave_alarm(g: Any, i: int) -> bool:
    """KKD-15, KKD-17: is this one of the cards that lost the game?"""
    if g.outcome != LOST:
        return False
    if g.why == 15:
        return is_too_dangerous(g, i)
    return g.why == 17 and has_run_out(g, i)
