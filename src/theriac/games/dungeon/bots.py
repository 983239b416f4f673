"""Knock, Knock! Dungeon!: the heuristics of its bots.

Three things count. *Room*: an open corner of a corridor can be covered by a number up to some limit
without the alarm; the fort needs room for creatures, and for the Black Knight at the end. *Load*:
the creatures that stand (`load`). *The hand*: a creature may be kept until the game is won, but
the hands also need corners of 0 when the Black Knight comes. `weights` says what each is worth.
"""

from __future__ import annotations

from typing import Any, Final

from theriac.engine.rule import rule
from theriac.games.dungeon import weights
from theriac.games.dungeon.ending import result
from theriac.games.dungeon.fort import (
    beside,
    card_at,
    card_in,
    cell_at,
    cell_of,
    corner_of,
    danger_if_laid,
    danger_of,
    is_standing,
    shown,
)
from theriac.games.dungeon.load import (
    Load,
    add_to_load,
    cards_needed,
    change_load,
    load_of,
    worth_of_load,
)
from theriac.games.dungeon.state import (
    ALARM,
    CAST_FIREBALL,
    CAST_ICE,
    CAST_POISON,
    CODE_UNIT,
    CORNERS,
    LAID,
    MIDDLE,
    NONE,
    SPAN,
)

#: More than any card shows.
NO_LIMIT: Final = 99


@rule
def advise(v: Any, move: int) -> float:
    """Never sound the alarm; keep room in the fort, creatures in hand as long as they do not fill
    it, and corners of 0 for the Black Knight; lay a creature when the team has time for it.
    """
    code = move // CODE_UNIT
    u = move // SPAN % SPAN - MIDDLE
    w = move % SPAN - MIDDLE
    load = load_of(v)
    if code >= CAST_FIREBALL:
        return worth_of_spell(v, code, card_at(v, u, w), load)
    return worth_of_card(v, code // 2, code % 2, cell_at(u, w), load)


@rule
def worth_of_card(v: Any, kind: int, turned: int, cell: int, load: Load) -> float:
    """What a card is worth in a cell: what it does to those it covers, and what it brings."""
    worth = 0.0
    for corner in range(CORNERS):
        i = card_in(v, beside(cell, corner))
        if i != NONE:
            danger = danger_if_laid(v, i, 3 - corner, kind, turned)
            if is_standing(v, i):
                load = change_load(v, load, i, danger_of(v, i), NONE, -1)
            if danger < ALARM:
                worth += worth_of_corridor(v, i, danger, cell)
            elif is_standing(v, i):
                load = change_load(v, load, i, danger, cell, 1)
            else:
                return weights.LOST
    if worth >= weights.WON:
        return worth
    if v.creature[kind] > v.supply or (load.alarms > 0 and kind != v.knight):
        return weights.LOST
    if v.creature[kind] > 0:
        load = load_with(v, load, kind, turned, cell)
        worth += worth_of_new_creature(v, kind, cell)
    else:
        worth += room_on(v, kind, turned, cell) + worth_of_parting(v, kind)
    return worth + worth_of_load(load)


# What is covered


@rule
def worth_of_corridor(v: Any, i: int, danger: int, taken: int) -> float:
    """The room that a card of the fort gains or loses at this danger; a creature is defeated."""
    gained = room_around(v, i, danger, taken)
    if not is_standing(v, i):
        return gained - room_around(v, i, danger_of(v, i), NONE)
    return gained + (weights.WON if v.kinds[i] == v.knight else weights.DEFEAT)


@rule
def room_around(v: Any, i: int, danger: int, taken: int) -> float:
    """The room of a card of the fort if it has this danger, without the corner in a taken cell."""
    worth = 0.0
    for corner in range(CORNERS):
        cell = beside(cell_of(v, i), corner)
        if cell != taken and card_in(v, cell) == NONE:
            worth += room(ALARM - 1 - danger + shown(v, i, corner))
    return worth


@rule
def room(limit: int) -> float:
    """What an open corner is worth that numbers up to a limit may cover."""
    n = min(max(limit, 0), len(weights.ROOM) - 1)
    return weights.ROOM[n]


# A corridor


@rule
def room_on(v: Any, kind: int, turned: int, cell: int) -> float:
    """The room on a corridor that is laid in a cell."""
    spare = ALARM - 1 - printed_danger(v, kind)
    worth = 0.0
    for corner in range(CORNERS):
        if card_in(v, beside(cell, corner)) == NONE:
            worth += room(spare + corner_of(v, kind, turned, corner))
    return worth


@rule
def printed_danger(v: Any, kind: int) -> int:
    """The sum of the numbers on a card."""
    c = v.corners[kind]
    return int(c[0]) + int(c[1]) + int(c[2]) + int(c[3])


@rule
def zeros_on(v: Any, kind: int) -> int:
    """The number of corners of 0 on a card."""
    c = v.corners[kind]
    return int(c[0] == 0) + int(c[1] == 0) + int(c[2] == 0) + int(c[3] == 0)


@rule
def worth_of_parting(v: Any, kind: int) -> float:
    """What it costs that a corridor leaves the hand: its zeros are for creatures."""
    if v.knight_is == LAID:
        return 0.0
    worth = 0.0
    if v.players == 1 and v.silent[kind]:
        worth += weights.NO_CARD_DRAWN  # KKD-19
    zeros = zeros_on(v, kind)
    if zeros > 0:
        left = min(cards_with_zeros(v), len(weights.ZERO_OF)) - 1
        worth += weights.ZEROS[zeros] + weights.ZERO_OF[left]
        worth += weights.ZERO_PER_CREATURE * creatures_in_hand(v)
    return worth


@rule
def cards_with_zeros(v: Any) -> int:
    """The corridors in hand that have a 0."""
    n = 0
    for slot in range(v.sizes[v.seat]):
        kind = v.hand[slot]
        n += int(v.creature[kind] == 0 and zeros_on(v, kind) > 0)
    return n


@rule
def creatures_in_hand(v: Any) -> int:
    """The creatures in hand, without the Black Knight."""
    n = 0
    for slot in range(v.sizes[v.seat]):
        n += int(v.creature[v.hand[slot]] > 0 and v.hand[slot] != v.knight)
    return n


# A creature


@rule
def load_with(v: Any, load: Load, kind: int, turned: int, cell: int) -> Load:
    """The load with a creature that is laid in a cell."""
    cards = cards_needed(
        printed_danger(v, kind),
        free_corner(v, kind, turned, cell, 0),
        free_corner(v, kind, turned, cell, 1),
        free_corner(v, kind, turned, cell, 2),
        free_corner(v, kind, turned, cell, 3),
    )
    danger = printed_danger(v, kind)
    return add_to_load(load, kind == v.knight, danger, v.creature[kind], cards, 1)


@rule
def free_corner(v: Any, kind: int, turned: int, cell: int, corner: int) -> int:
    """The number at a corner of a card laid in a cell, if it could be covered; else 0."""
    free = card_in(v, beside(cell, corner)) == NONE
    return corner_of(v, kind, turned, corner) if free else 0


@rule
def worth_of_new_creature(v: Any, kind: int, cell: int) -> float:
    """What it is worth to lay a creature now, and here."""
    worth = worth_of_access(v, cell)
    if kind == v.knight:
        return worth
    need = min(max(printed_danger(v, kind) - ALARM + 1, 1), len(weights.LAY_BY_NEED))
    held = min(max(creatures_in_hand(v), 1), len(weights.LAY_BY_HELD))
    worth += weights.LAY_BY_NEED[need - 1] + weights.LAY_BY_HELD[held - 1]
    if v.in_pile <= 1:
        return worth + weights.LAY_LAST
    return worth + weights.LAY_LATE if v.in_pile <= 3 else worth


@rule
def worth_of_access(v: Any, cell: int) -> float:
    """What stands in the way of the cards that are to cover a creature in this cell."""
    worth = 0.0
    for corner in range(CORNERS):
        place = beside(cell, corner)
        if card_in(v, place) == NONE:
            limit = limit_at(v, place)
            if limit != NO_LIMIT:
                worth += weights.ACCESS[min(limit, len(weights.ACCESS) - 1)]
    return worth


@rule
def limit_at(v: Any, place: int) -> int:
    """The highest number that all corridors around a place allow; NO_LIMIT if there are none."""
    limit = NO_LIMIT
    for corner in range(CORNERS):
        i = card_in(v, beside(place, corner))
        if i != NONE and not is_standing(v, i):
            limit = min(limit, ALARM - 1 - danger_of(v, i) + shown(v, i, 3 - corner))
    return max(limit, 0)


# Spells


@rule
def worth_of_spell(v: Any, code: int, i: int, load: Load) -> float:
    """What the load is worth after a spell, less what it is worth to keep the spell."""
    if i == NONE:
        return weights.LOST  # bots have nothing to say
    rest = change_load(v, load, i, danger_of(v, i), NONE, -1)
    if code in (CAST_FIREBALL, CAST_ICE):
        return worth_of_load(rest) + weights.SPELL
    danger = danger_of(v, i) - shown(v, i, code - CAST_POISON)
    if danger < ALARM:
        return weights.WON if v.kinds[i] == v.knight else worth_of_load(rest) + weights.SPELL
    return worth_of_load(change_load(v, rest, i, danger, NONE, 1)) + weights.SPELL


@rule
def prospect(g: Any, seat: int) -> float:
    """A fort is one round: there is nothing to estimate before its end."""
    return result(g, seat)
