"""Counting positions to a depth: the exact size of a game's tree, by enumeration.

A ply is a player's move or one of nature's cards; cards that look alike are one outcome. Where
the order of a shuffle is written down, nature has no choice and her cards are no plies.
"""

from __future__ import annotations

from typing import Any, Final

from theriac.engine.contract import CARDS, NATURE, NOBODY, deal, list_legal, odds, play
from theriac.engine.rule import rule

IN_ORDER: Final = -2


@rule
def list_outcomes(g: Any, cards: Any) -> int:
    """Write the different cards that nature could deal now; return how many."""
    n = 0
    for card in range(CARDS):
        if odds(g, g.pile, card) > 0:
            cards[n] = card
            n += 1
    return n


@rule
def list_plies(g: Any, plies: Any) -> int:
    """Write what can happen next, nature's cards or a player's moves; return how many."""
    if g.to_act == NOBODY:
        return 0
    if g.to_act == NATURE:
        return list_outcomes(g, plies)
    return list_legal(g, plies)


@rule
def deal_written(g: Any, deals: Any, dealt: Any) -> None:
    """Deal cards whose order is written down: row k of `deals` is shuffle k + 1, -1 where none.

    A last row that begins with IN_ORDER stands for itself and all that follow: the lowest card
    comes first.
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
def count_positions(
    levels: Any, plies: Any, found: Any, tried: Any, deals: Any, dealt: Any, counts: Any
) -> None:
    """Count the positions at every depth below ``levels[0]``, which is of one STATE a level.

    `plies` has a row of room a level, `found` and `tried` a number a level, `dealt` a row a level
    (how much of each written shuffle has been dealt); `counts` gets the result.
    """
    deepest = len(counts) - 1
    counts[:] = 0
    deal_written(levels[0], deals, dealt[0])
    counts[0] = 1
    depth = 0
    found[0] = list_plies(levels[0], plies[0]) if deepest > 0 else 0
    tried[0] = 0
    while depth >= 0:
        if tried[depth] == found[depth]:
            depth -= 1
            continue
        ply = plies[depth, tried[depth]]
        tried[depth] += 1
        nature = levels[depth].to_act == NATURE
        levels[depth + 1] = levels[depth]
        for shuffle in range(len(deals)):
            dealt[depth + 1, shuffle] = dealt[depth, shuffle]
        depth += 1
        if nature:
            deal(levels[depth], ply)
        else:
            play(levels[depth], ply)
        deal_written(levels[depth], deals, dealt[depth])
        counts[depth] += 1
        tried[depth] = 0
        found[depth] = list_plies(levels[depth], plies[depth]) if depth < deepest else 0
