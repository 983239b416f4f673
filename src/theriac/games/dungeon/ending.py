"""Knock, Knock! Dungeon!: how a game ends: the treasure, the spell that is won, the result."""

from __future__ import annotations

from typing import Any

from theriac.engine.contract import NATURE, NOBODY
from theriac.engine.rule import rule
from theriac.games.dungeon.fort import beside, card_in, cell_of
from theriac.games.dungeon.state import ALL_SPELLS, CORNERS, NONE, SPELL_BOX, WON


@rule
def end(g: Any, outcome: int, clause: int) -> None:
    """The game is over."""
    g.outcome = outcome
    g.why = clause
    g.to_act = NOBODY


@rule
def win(g: Any) -> None:
    """KKD-22, KKD-24, KKD-26: the treasure; in the adventure a spell, if one is in the box."""
    if g.treasure:
        g.points = count_treasure(g)
    if g.level > 0 and g.spells != ALL_SPELLS:
        g.shuffles[SPELL_BOX] = 2
        g.pile = SPELL_BOX
        g.to_act = NATURE
    else:
        end(g, WON, 22)


# The treasure


@rule
def count_treasure(g: Any) -> int:
    """KKD-24: the chests of the longest chain of cards with chests, of equal ones the most."""
    most_cards = 0
    most_chests = 0
    for i in range(g.laid):
        g.chain[i] = 0
    for start in range(g.laid):
        if g.chain[start] == 0 and g.chests[g.kinds[start]] > 0:
            cards, chests = walk_chain(g, start)
            if cards > most_cards or (cards == most_cards and chests > most_chests):
                most_cards = cards
                most_chests = chests
    return most_chests


@rule
def walk_chain(g: Any, start: int) -> tuple[int, int]:
    """The cards and the chests of the chain that a card belongs to.

    In ``g.chain`` a card is 1 until its neighbours are visited, then 2.
    """
    cards = 0
    chests = 0
    waiting = 1
    g.chain[start] = 1
    while waiting > 0:
        for i in range(g.laid):
            if g.chain[i] == 1:
                g.chain[i] = 2
                waiting -= 1
                cards += 1
                chests += g.chests[g.kinds[i]]
                waiting += reach_neighbours(g, i)
    return cards, chests


@rule
def reach_neighbours(g: Any, i: int) -> int:
    """Mark the neighbours of a card that belong to its chain; how many are new?"""
    found = 0
    for corner in range(CORNERS):
        other = card_in(g, beside(cell_of(g, i), corner))
        if other != NONE and g.chain[other] == 0 and g.chests[g.kinds[other]] > 0:
            g.chain[other] = 1
            found += 1
    return found


# The result


@rule
def score(g: Any, seat: int) -> int:
    """KKD-24: the same for every seat."""
    return g.points


@rule
def result(g: Any, seat: int) -> float:
    """KKD-22: all win together or lose together."""
    return 1.0 / g.players if g.outcome == WON else 0.0


@rule
def end_clause(v: Any) -> int:
    """The clause by which the game was won or lost."""
    return v.why
