"""Shokoba: the heuristics of its bots."""

from __future__ import annotations

import math
from typing import Any, Final

from theriac.engine.contract import NOBODY
from theriac.engine.rule import rule
from theriac.games.shokoba.captures import value_of
from theriac.games.shokoba.rules import most_gems, result, side_of
from theriac.games.shokoba.state import (
    BANG,
    BASE,
    CLAIM,
    DIAMOND,
    EMERALD,
    HIGHEST,
    NONE,
    PASS,
    RUBY,
)

#: About how many gems the best side gets in a round, and how many sides are apart after it.
_GEMS_PER_ROUND: Final = 4.0
_GEMS_AHEAD: Final = 1.5


@rule
def advise(v: Any, move: int) -> float:
    """Take what counts: a SHOKOBA, the diamond, emeralds, rubies, then many cards. Overlook
    nothing, and leave no table that the next player could clear with one card.
    """
    played = move % BASE
    rest = move // BASE
    if played == PASS:
        return 0.0
    if rest == BANG:
        return -10.0
    card = v.laid if played == CLAIM else played
    worth = 0.0
    left = on_table(v)
    cards = 0
    if rest == 0:
        left += value_of(card)
        worth -= worth_of(card)
    else:
        worth += worth_of(card)
        while rest > 0:
            worth += worth_of(rest % BASE - 1)
            left -= value_of(rest % BASE - 1)
            cards += 1
            rest //= BASE
        if cards == v.row_size:
            return worth + 12.0
    if left <= HIGHEST and not last_card(v):
        worth -= 3.0
    return worth


@rule
def on_table(v: Any) -> int:
    """The values of all cards that can be captured, added up."""
    total = 0
    for i in range(v.row_size):
        total += value_of(v.row[i])
    return total


@rule
def worth_of(card: int) -> float:
    """About what a captured card is worth, in tenths of a gem."""
    gem = card & 3
    if gem == DIAMOND:
        return 10.0
    if gem == EMERALD:
        return 4.0
    if gem == RUBY:
        return 1.5
    return 0.7


@rule
def last_card(v: Any) -> bool:
    """Is this the very last card of the round?"""
    cards = v.left + 0
    for seat in range(v.players):
        cards += v.sizes[seat]
    return cards == 1 and v.laid == NONE


@rule
def advise_source(g: Any, view: Any) -> Any:
    """`advise` reads only public fields: the full state serves as well as a view."""
    return g


@rule
def prospect(g: Any, seat: int) -> float:
    """More gems are better, and count for more the nearer somebody is to the target."""
    if g.to_act == NOBODY:
        return result(g, seat)
    to_come = max(g.target - most_gems(g), 1) / _GEMS_PER_ROUND
    scale = _GEMS_AHEAD * math.sqrt(to_come)
    total = 0.0
    for side in range(2 if g.teams else g.players):
        total += math.exp((g.gems[side] - g.gems[side_of(g, seat)]) / scale)
    return (0.5 if g.teams else 1.0) / total
