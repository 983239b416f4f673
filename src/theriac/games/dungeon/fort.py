"""Knock, Knock! Dungeon!: the fort as it lies: places, corners and danger.

The functions that read the fort take a STATE or a VIEW.
"""

from __future__ import annotations

from typing import Any

from theriac.engine.rule import rule
from theriac.games.dungeon.state import (
    CELLS,
    CORNERS,
    FRAME,
    NONE,
    STEPS,
    STEPS_U,
    STEPS_V,
)


@rule
def cell_at(u: int, v: int) -> int:
    """The cell of a place."""
    return (64 * int(u) + int(v)) % CELLS


@rule
def cell_of(g: Any, i: int) -> int:
    """The cell of a card of the fort."""
    return cell_at(g.us[i], g.vs[i])


@rule
def card_in(g: Any, cell: int) -> int:
    """The number of the card that lies in a cell, or NONE."""
    return max(int(g.spots[cell]), 0) - 1


@rule
def card_at(g: Any, u: int, v: int) -> int:
    """The number of the card that lies at a place, or NONE."""
    i = card_in(g, cell_at(u, v))
    return i if i >= 0 and g.us[i] == u and g.vs[i] == v else NONE


@rule
def place_at(g: Any, u: int, v: int) -> int:
    """KKD-09, KKD-11: the number of a place where a card may go, or NONE."""
    k = -1 - int(g.spots[cell_at(u, v)])
    return k if k >= 0 and g.place_us[k] == u and g.place_vs[k] == v else NONE


@rule
def beside(cell: int, corner: int) -> int:
    """The cell that shares this corner."""
    return (cell + STEPS[corner]) % CELLS


# Building


@rule
def clear(g: Any) -> None:
    """KKD-05, KKD-11: no card at all; the fort begins at 0,0."""
    g.laid = 0
    g.places = 0
    g.spots[:] = 0
    measure(g)
    open_place(g, 0, 0)


@rule
def measure(g: Any) -> None:
    """How far the fort reaches."""
    g.low_u = g.us[0] if g.laid > 0 else 0
    g.low_v = g.vs[0] if g.laid > 0 else 0
    g.high_u = g.low_u
    g.high_v = g.low_v
    for i in range(g.laid):
        reach(g, g.us[i], g.vs[i])


@rule
def reach(g: Any, u: int, v: int) -> None:
    """The fort reaches as far as this place."""
    g.low_u = min(g.low_u, u)
    g.high_u = max(g.high_u, u)
    g.low_v = min(g.low_v, v)
    g.high_v = max(g.high_v, v)


@rule
def frame_u(g: Any) -> int:
    """The first u of a frame around the middle of the fort."""
    return (int(g.low_u) + int(g.high_u)) // 2 - FRAME // 2


@rule
def frame_v(g: Any) -> int:
    """The first v of that frame."""
    return (int(g.low_v) + int(g.high_v)) // 2 - FRAME // 2


@rule
def in_frame(g: Any, u: int, v: int) -> int:
    """The number of a place in that frame, row by row, or NONE."""
    row = u - frame_u(g)
    column = v - frame_v(g)
    return row * FRAME + column if 0 <= row < FRAME and 0 <= column < FRAME else NONE


@rule
def open_place(g: Any, u: int, v: int) -> None:
    """A card may go here from now on."""
    g.place_us[g.places] = u
    g.place_vs[g.places] = v
    g.places += 1
    g.spots[cell_at(u, v)] = -g.places


@rule
def close_place(g: Any, k: int) -> None:
    """Forget a place; the last of the list takes its number."""
    g.places -= 1
    last = g.places
    if k < last:
        g.place_us[k] = g.place_us[last]
        g.place_vs[k] = g.place_vs[last]
        g.spots[cell_at(g.place_us[k], g.place_vs[k])] = -1 - k


@rule
def place_card(g: Any, i: int) -> None:
    """KKD-11: put card `i` of the list on its place, which opens the free ones around it."""
    u = int(g.us[i])
    v = int(g.vs[i])
    close_place(g, place_at(g, u, v))
    g.spots[cell_at(u, v)] = i + 1
    reach(g, u, v)
    for corner in range(CORNERS):
        if g.spots[beside(cell_at(u, v), corner)] == 0:
            open_place(g, u + STEPS_U[corner], v + STEPS_V[corner])


@rule
def remove_card(g: Any, i: int) -> None:
    """KKD-27: take a card out of the fort, and rebuild the fort without it."""
    g.burnt[g.kinds[i]] += 1
    left = g.laid - 1
    for j in range(i, left):
        g.kinds[j] = g.kinds[j + 1]
        g.turned[j] = g.turned[j + 1]
        g.us[j] = g.us[j + 1]
        g.vs[j] = g.vs[j + 1]
        g.tokens[j] = g.tokens[j + 1]
        g.defeated[j] = g.defeated[j + 1]
        g.frozen[j] = g.frozen[j + 1]
    if left == 0:
        clear(g)
    else:
        g.laid = left
        rebuild(g)


@rule
def rebuild(g: Any) -> None:
    """Put the cards of the list on an empty grid: there may be no way from one to the next."""
    g.places = 0
    measure(g)
    fill_spots(g)
    for i in range(g.laid):
        for corner in range(CORNERS):
            if g.spots[beside(cell_of(g, i), corner)] == 0:
                open_place(g, g.us[i] + STEPS_U[corner], g.vs[i] + STEPS_V[corner])


@rule
def fill_spots(g: Any) -> None:
    """Write into the cells what the lists of cards and places say."""
    g.spots[:] = 0
    for i in range(g.laid):
        g.spots[cell_of(g, i)] = i + 1
    for k in range(g.places):
        g.spots[cell_at(g.place_us[k], g.place_vs[k])] = -1 - k


# Corners and danger


@rule
def corner_of(g: Any, kind: int, turned: int, corner: int) -> int:
    """KKD-10: the number on a corner of a card as it lies."""
    return int(g.corners[kind, 3 - corner if turned else corner])


@rule
def looks_the_same_turned(g: Any, kind: int) -> bool:
    """KKD-10: does such a card look the same turned by 180 degrees?"""
    c = g.corners[kind]
    return c[0] == c[3] and c[1] == c[2]


@rule
def is_poisoned(g: Any, cell: int, corner: int) -> bool:
    """KKD-29: the token lies on a point of the table, which two cards share."""
    if g.poisoned_cell == cell:
        return g.poisoned_corner == corner
    return g.poisoned_cell == beside(cell, corner) and g.poisoned_corner == 3 - corner


@rule
def shown(g: Any, i: int, corner: int) -> int:
    """KKD-11, KKD-29: the number to be seen at a corner of a card of the fort."""
    cell = cell_of(g, i)
    if g.poisoned_cell != NONE and is_poisoned(g, cell, corner):
        return 0
    other = card_in(g, beside(cell, corner))
    if other > i:  # laid later
        return corner_of(g, g.kinds[other], g.turned[other], 3 - corner)
    return corner_of(g, g.kinds[i], g.turned[i], corner)


@rule
def danger_of(g: Any, i: int) -> int:
    """KKD-14: the sum of the four corners that a card shows."""
    danger = 0
    for corner in range(CORNERS):
        danger += shown(g, i, corner)
    return danger


@rule
def danger_if_laid(g: Any, i: int, corner: int, kind: int, turned: int) -> int:
    """The danger of a card of the fort if this corner of it were covered by such a card."""
    if is_poisoned(g, cell_of(g, i), corner):
        return danger_of(g, i)
    return danger_of(g, i) - shown(g, i, corner) + corner_of(g, kind, turned, 3 - corner)


@rule
def is_standing(g: Any, i: int) -> bool:
    """KKD-16: is a card of the fort a creature that is not defeated?"""
    return g.creature[g.kinds[i]] > 0 and g.defeated[i] == 0
