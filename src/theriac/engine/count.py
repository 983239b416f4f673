"""Count positions by depth: the exact size of a game's tree, by enumeration (perft).

A ply is a player's move or one of nature's cards; equal cards are one outcome. Where the order of
a shuffle is given, nature has no choice and her cards are not plies.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from theriac.engine.contract import CARDS, NATURE, NOBODY, deal, list_legal, odds, play
from theriac.engine.records import Cards, Ints, Moves, Records, State, records
from theriac.engine.rule import rule
from theriac.engine.shape import Shape

#: In a row of `deals`: this shuffle and all later ones deal the lowest card first.
IN_ORDER: Final = -2


class CountBuffers(NamedTuple):
    """The scratch buffers of a depth-first walk, one element or row per depth."""

    states: Records[State]
    #: The plies of each state, their number, and how many have been tried.
    plies: Ints
    found: Ints
    tried: Ints
    #: How many cards of each given shuffle have been dealt.
    dealt: Ints

    @classmethod
    def of(cls, shape: Shape, depth: int, shuffles: int) -> CountBuffers:
        """Buffers for a walk to this depth, with this many given shuffles."""
        levels = depth + 1
        return cls(
            states=records(shape.state, levels),
            plies=np.zeros((levels, max(shape.moves, shape.cards)), np.int64),
            found=np.zeros(levels, np.int64),
            tried=np.zeros(levels, np.int64),
            dealt=np.zeros((levels, shuffles), np.int64),
        )


@rule
def list_outcomes(g: State, cards: Moves) -> int:
    """Write the different cards that nature can deal now; return their number."""
    n = 0
    for card in range(CARDS):
        if odds(g, g.pile, card) > 0:
            cards[n] = card
            n += 1
    return n


@rule
def list_plies(g: State, plies: Moves) -> int:
    """Write what can happen next, nature's cards or a player's moves; return their number."""
    if g.to_act == NOBODY:
        return 0
    if g.to_act == NATURE:
        return list_outcomes(g, plies)
    return list_legal(g, plies)


@rule
def deal_given(g: State, deals: Cards, dealt: Ints) -> None:
    """Deal the cards whose order is given: row k of `deals` is shuffle k + 1, padded with -1.

    If the last row begins with IN_ORDER, it covers its own shuffle and all later ones: the lowest
    card comes first.
    """
    while g.to_act == NATURE:
        row = min(int(g.shuffles[g.pile]), len(deals)) - 1
        card = deals[row, dealt[row]]
        if card != IN_ORDER and row + 1 < g.shuffles[g.pile]:
            return
        if card == IN_ORDER:
            card = 0
            while odds(g, g.pile, card) == 0:
                card += 1
        elif card < 0:
            return
        else:
            dealt[row] += 1
        deal(g, card)


@rule
def count_positions(buffers: CountBuffers, deals: Cards, counts: Ints) -> None:
    """Write the number of positions at every depth below ``buffers.states[0]`` to `counts`."""
    states, plies, found, tried, dealt = buffers
    deepest = len(counts) - 1
    counts[:] = 0
    deal_given(states[0], deals, dealt[0])
    counts[0] = 1
    depth = 0
    found[0] = list_plies(states[0], plies[0]) if deepest > 0 else 0
    tried[0] = 0
    while depth >= 0:
        if tried[depth] == found[depth]:
            depth -= 1
            continue
        ply = plies[depth, tried[depth]]
        tried[depth] += 1
        by_nature = states[depth].to_act == NATURE
        states[depth + 1] = states[depth]
        for shuffle in range(len(deals)):
            dealt[depth + 1, shuffle] = dealt[depth, shuffle]
        depth += 1
        if by_nature:
            deal(states[depth], ply)
        else:
            play(states[depth], ply)
        deal_given(states[depth], deals, dealt[depth])
        counts[depth] += 1
        tried[depth] = 0
        found[depth] = list_plies(states[depth], plies[depth]) if depth < deepest else 0
