"""The rules of Game Title, clause by clause.

To fill in: where your rules come from, and what you ruled where they are silent (`rulings.md`).
Name each clause where it is carried out. Only plain loops and numbers: docs/contract.md.

The file follows a game: the deal, a turn, the end.
"""

from __future__ import annotations

from typing import Any

from theriac.engine.contract import NATURE, NOBODY
from theriac.engine.rows import clear_row
from theriac.engine.rule import rule

from .state import CARDS, CHOICES, DEALT, LAY, MOVES, OPEN_AT_FIRST, SEATS, TABLE

# The deal


@rule
def setup(g: Any, options: Any) -> None:
    """ABC-01, ABC-02, ABC-03: the cards, the players, one shuffle of all cards.

    Set every field: the record may hold another game.
    """
    g.players = options.players
    g.rounds = 1
    g.pile = 0
    g.left = 0
    for card in range(CARDS):
        g.deck[card] = options.deck[card]
        g.undealt[card] = options.deck[card]
        g.seen[card] = 0
        for seat in range(SEATS):
            g.hands[seat, card] = 0
        g.left += options.deck[card]
    g.starter = options.first
    g.receiver = TABLE
    g.to_deal = OPEN_AT_FIRST
    clear_row(g.sizes)
    clear_row(g.scores)
    clear_row(g.open)
    g.shuffles[0] = 1  # counts the shuffles: a second one would be += 1
    g.to_act = NATURE  # then nature deals card after card, until `deal` names a seat


@rule
def deal(g: Any, card: int) -> None:
    """ABC-04: four cards face up, then one by one to the hands, from the player who begins."""
    g.undealt[card] -= 1
    g.left -= 1
    g.to_deal -= 1
    if g.receiver == TABLE:
        g.open[card] += 1
        g.seen[card] += 1
        if g.to_deal == 0:
            deal_hands(g)
        return
    g.hands[g.receiver, card] += 1
    g.sizes[g.receiver] += 1
    g.receiver = left_of(g, g.receiver)
    if g.to_deal == 0:
        g.to_act = g.starter


@rule
def deal_hands(g: Any) -> None:
    """ABC-05: three cards each, or what is left; the cards come out even."""
    g.to_deal = min(g.left, DEALT * g.players)
    g.receiver = g.starter
    g.to_act = NATURE


@rule
def left_of(g: Any, seat: int) -> int:
    """The next seat clockwise."""
    return (seat + 1) % g.players


# A turn


@rule
def can_take(g: Any, value: int, least: int) -> bool:
    """ABC-07: does an equal card lie open, or a pair that adds up, with this lower value?"""
    if least == value:
        return g.open[value - 1] > 0
    other = value - least
    if least < 1 or least > other:
        return False
    if least == other:
        return g.open[least - 1] > 1
    return g.open[least - 1] > 0 and g.open[other - 1] > 0


@rule
def can_capture(g: Any, value: int) -> bool:
    """Is there anything that this card can take?"""
    for least in range(1, value + 1):
        if can_take(g, value, least):
            return True
    return False


@rule
def refuse(g: Any, move: int) -> int:
    """0 for a legal move, else the clause that forbids it. A move is CHOICES * card + least.

    ABC-06, ABC-07, ABC-08: a card of the hand, and what it takes; laid only if it takes nothing.
    """
    if g.to_act == NOBODY:
        return 9
    if move < 0 or move >= MOVES or g.hands[g.to_act, move // CHOICES] == 0:
        return 6
    value = move // CHOICES + 1
    least = move % CHOICES
    if least == LAY:
        return 8 if can_capture(g, value) else 0
    return 0 if can_take(g, value, least) else 7


@rule
def play(g: Any, move: int) -> None:
    """Carry out a legal move, and all that follows from it."""
    seat = g.to_act
    card = move // CHOICES
    g.hands[seat, card] -= 1
    g.sizes[seat] -= 1
    g.seen[card] += 1
    if move % CHOICES == LAY:
        g.open[card] += 1
    else:
        capture(g, seat, card + 1, move % CHOICES)
    g.to_act = left_of(g, seat)
    if g.sizes[g.to_act] == 0:  # all hands are empty: they are equal, and all have played
        if g.left == 0:
            g.to_act = NOBODY  # ABC-09
        else:
            deal_hands(g)


@rule
def capture(g: Any, seat: int, value: int, least: int) -> None:
    """ABC-07, ABC-10: the cards taken, and the one that took them, are a point each."""
    g.open[least - 1] -= 1
    g.scores[seat] += 2
    if least < value:
        g.open[value - least - 1] -= 1
        g.scores[seat] += 1


@rule
def score(g: Any, seat: int) -> int:
    """The points shown for a seat."""
    return g.scores[seat]
