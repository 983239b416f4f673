"""Knock, Knock! Dungeon!: what the standing creatures ask of the team, as the bots see it."""

from __future__ import annotations

from typing import Any, NamedTuple

from theriac.engine.rule import rule
from theriac.games.dungeon import weights
from theriac.games.dungeon.fort import beside, card_in, cell_of, danger_of, is_standing, shown
from theriac.games.dungeon.state import ALARM, CORNERS, NONE

#: More cards than a creature has corners: it cannot be brought down.
_NEVER = CORNERS + 1


class Load(NamedTuple):
    """The creatures that stand after a move, and the cards that the team needs to defeat them."""

    #: The worth of all of them; below 0.
    worth: float
    #: Creatures that give the alarm after this turn.
    alarms: int
    #: Cards needed for creatures with at most 1, 2 or 3 turns left after this one.
    in_1: int
    in_2: int
    in_3: int


@rule
def worth_of_load(load: Load) -> float:
    """What all creatures together are worth: a turn defeats one of them at most, as a rule."""
    late = max(load.in_1 - 1, load.in_2 - 2, load.in_3 - 3, 0)
    return load.worth + weights.TOO_LATE * late


@rule
def load_of(v: Any) -> Load:
    """The load if the next card covers no creature."""
    load = Load(0.0, 0, 0, 0, 0)
    for i in range(v.laid):
        if is_standing(v, i):
            load = change_load(v, load, i, danger_of(v, i), NONE, 1)
    return load


@rule
def change_load(v: Any, load: Load, i: int, danger: int, taken: int, sign: int) -> Load:
    """Add (sign 1) or remove (-1) a creature of the fort with this danger; `taken` is a cell that
    is not free any more.
    """
    knight = v.kinds[i] == v.knight
    if v.frozen[i]:
        worth = load.worth + sign * worth_of_need(knight, danger)
        return Load(worth, load.alarms, load.in_1, load.in_2, load.in_3)
    cards = cards_needed(
        danger,
        open_corner(v, i, 0, taken),
        open_corner(v, i, 1, taken),
        open_corner(v, i, 2, taken),
        open_corner(v, i, 3, taken),
    )
    return add_to_load(load, knight, danger, v.tokens[i] - 1, cards, sign)


@rule
def open_corner(v: Any, i: int, corner: int, taken: int) -> int:
    """The number at a corner of a card of the fort that can still be covered; else 0."""
    cell = beside(cell_of(v, i), corner)
    return shown(v, i, corner) if cell != taken and card_in(v, cell) == NONE else 0


@rule
def cards_needed(danger: int, a: int, b: int, c: int, d: int) -> int:
    """How many cards with a 0 defeat a creature of which these corners can be covered."""
    excess = danger - ALARM + 1
    if excess <= max(a, b, c, d):
        return 1
    if excess <= max(a + b, a + c, a + d, b + c, b + d, c + d):
        return 2
    total = a + b + c + d
    if excess <= total - min(a, b, c, d):
        return 3
    return CORNERS if excess <= total else _NEVER


@rule
def worth_of_need(knight: bool, danger: int) -> float:
    """What the danger is worth by which a creature is too strong."""
    need = danger - ALARM + 1
    return (weights.KNIGHT_NEED if knight else weights.NEED) * need


@rule
def add_to_load(load: Load, knight: bool, danger: int, turns: int, cards: int, sign: int) -> Load:
    """Add or remove a creature that gives the alarm after this many turns."""
    worth = worth_of_need(knight, danger)
    if cards > turns:
        worth += weights.KNIGHT_HOPELESS if knight else weights.HOPELESS
    elif cards == turns and not knight:
        worth += weights.NO_TURN_TO_SPARE
    more = sign * min(cards, CORNERS)
    return Load(
        load.worth + sign * worth,
        load.alarms + sign * int(turns <= 0),
        load.in_1 + more * int(turns == 1),
        load.in_2 + more * int(1 <= turns <= 2),
        load.in_3 + more * int(1 <= turns <= 3),
    )
