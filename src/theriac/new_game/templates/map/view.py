"""Game Title: imagining what a seat does not see.

`see`, which fills a VIEW, follows from the fields of state.py. To fill in: what your players show
by their turns. Without anything of that kind, remove this file: the usual `imagine` fits.
"""

from __future__ import annotations

from typing import Any, Final

from theriac.engine.hidden import take_place
from theriac.engine.rows import clear_row, copy_row
from theriac.engine.rule import rule

from .rules import can_lay
from .state import CARDS, SEATS, SHAPE

copy_open: Final = SHAPE.copy_open


@rule
def imagine(v: Any, random: Any, g: Any) -> None:
    """Deal the unseen cards, all possible deals equally likely.

    ABC-09: the player to act can lay a card, or the game would be over. Deals in which they cannot
    are dealt again.
    """
    copy_open(v, g)
    deal_unseen(v, random, g)
    while g.to_act >= 0 and not can_lay(g):
        deal_unseen(v, random, g)


@rule
def deal_unseen(v: Any, random: Any, g: Any) -> None:
    """Every card that this seat has not seen to any other hand, or to the pack."""
    for seat in range(SEATS):
        clear_row(g.hands[seat])
    clear_row(g.undealt)
    free = 0
    for card in range(CARDS):
        free += v.deck[card] - v.seen[card] - v.hand[card]
    g.sizes[v.seat] = 0  # meanwhile sizes counts the free places
    for card in range(CARDS):
        for _ in range(v.deck[card] - v.seen[card] - v.hand[card]):
            place = take_place(random, g.sizes, free)
            free -= 1
            if place < SEATS:
                g.hands[place, card] += 1
            else:
                g.undealt[card] += 1
    copy_row(v.sizes, g.sizes)
    copy_row(v.hand, g.hands[v.seat])
