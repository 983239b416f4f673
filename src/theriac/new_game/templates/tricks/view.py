"""Game Title: imagining what a seat does not see.

`see`, which fills a VIEW, follows from the fields of state.py. To fill in: who may have which
unseen card. Where any card may be in any hand, leave this file out.
"""

from __future__ import annotations

from typing import Any, Final

from theriac.engine.bits import bit, lowest
from theriac.engine.hidden import clear_hidden, deal_hidden, hide
from theriac.engine.rule import rule

from .state import SEATS, SHAPE

copy_open: Final = SHAPE.copy_open


@rule
def imagine(v: Any, random: Any, g: Any) -> None:
    """Deal the unseen cards to the other hands; all deals that the view allows are equally likely.

    The view is one of a player to act, or of the end: nothing is left to deal.
    """
    copy_open(v, g)
    g.undealt = 0
    clear_hidden(g)
    unseen = v.deck & ~v.hand
    for seat in range(SEATS):
        g.hands[seat] = 0
        unseen &= ~v.shown[seat]
        g.hidden_capacity[seat] = 0 if seat == v.seat else v.sizes[seat]
    rest = int(unseen)
    while rest:
        hide(g, lowest(rest), holders(v, lowest(rest)))
        rest &= rest - 1
    deal_hidden(g, random)
    for i in range(g.hidden):
        g.hands[g.hidden_places[i]] |= bit(g.hidden_cards[i])
    clear_hidden(g)
    g.hands[v.seat] = v.hand


@rule
def holders(v: Any, card: int) -> int:
    """The other seats that may have an unseen card, as bits."""
    seats = 0
    for seat in range(SEATS):
        if seat != v.seat and not (v.cannot[seat] >> card) & 1:
            seats |= 1 << seat
    return seats
