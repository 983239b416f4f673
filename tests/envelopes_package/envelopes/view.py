"""What a seat imagines: the other hands, and what others have put into their envelopes."""

from __future__ import annotations

from typing import Any, Final

from envelopes.state import NONE, SEATS, SHAPE
from theriac.engine.bits import bit, count_bits, lowest
from theriac.engine.chance import below
from theriac.engine.hidden import take_place
from theriac.engine.rows import clear_row, copy_row
from theriac.engine.rule import rule

copy_open: Final = SHAPE.copy_open


@rule
def imagine(v: Any, random: Any, g: Any) -> None:
    """Deal the unseen cards, then choose one for each other seat that has chosen."""
    copy_open(v, g)
    g.undealt = 0
    clear_row(g.hands)
    rest = int(v.deck) & ~(int(v.hand) | int(v.seen))  # the cards that this seat has not seen
    free = count_bits(rest)
    g.sizes[v.seat] = 0  # meanwhile sizes counts the free places
    while rest:
        place = take_place(random, g.sizes, free)
        if place < SEATS:
            g.hands[place] |= bit(lowest(rest))
        else:
            g.undealt |= bit(lowest(rest))
        rest &= rest - 1
        free -= 1
    copy_row(v.sizes, g.sizes)
    g.hands[v.seat] = v.hand
    for seat in range(SEATS):
        g.choices[seat] = any_of(g.hands[seat], random) if v.chosen[seat] else NONE
    g.choices[v.seat] = v.choice


@rule
def any_of(cards: int, random: Any) -> int:
    """A card of a set, each equally likely."""
    rest = int(cards)
    for _ in range(below(random, count_bits(rest))):
        rest &= rest - 1
    return lowest(rest)
