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

from .state import CARDS, MOVES, PILES, SAFE, SEATS

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
    g.receiver = options.first
    g.starter = options.first
    clear_row(g.sizes)
    clear_row(g.scores)
    clear_row(g.sums)
    clear_row(g.heights)
    g.shuffles[0] = 1  # counts the shuffles: a second one would be += 1
    g.to_act = NATURE  # then nature deals card after card, until `deal` names a seat


@rule
def deal(g: Any, card: int) -> None:
    """ABC-04: all cards are dealt one by one, from the player who begins."""
    g.undealt[card] -= 1
    g.left -= 1
    g.hands[g.receiver, card] += 1
    g.sizes[g.receiver] += 1
    g.receiver = left_of(g, g.receiver)
    if g.left == 0:
        g.to_act = g.starter


@rule
def left_of(g: Any, seat: int) -> int:
    """The next seat clockwise."""
    return (seat + 1) % g.players


# A turn


@rule
def refuse(g: Any, move: int) -> int:
    """0 for a legal move, else the clause that forbids it. A move is PILES * card + pile.

    ABC-05: a card of the hand, onto any pile.
    """
    if g.to_act == NOBODY:
        return 7
    if move < 0 or move >= MOVES or g.hands[g.to_act, move // PILES] == 0:
        return 5
    return 0


@rule
def play(g: Any, move: int) -> None:
    """Carry out a legal move, and all that follows from it."""
    seat = g.to_act
    card = move // PILES
    onto = move % PILES
    g.hands[seat, card] -= 1
    g.sizes[seat] -= 1
    g.seen[card] += 1
    lay(g, seat, onto, card)
    g.to_act = left_of(g, seat)
    if g.sizes[g.to_act] == 0:  # ABC-07: the hands are dealt in turn, so the rest is empty too
        g.to_act = NOBODY


@rule
def lay(g: Any, seat: int, onto: int, card: int) -> None:
    """ABC-06, ABC-08: if a pile comes to more than 13, its cards go to the player, a point each."""
    value = card + 1
    if g.sums[onto] + value > SAFE:
        g.scores[seat] += g.heights[onto]
        g.sums[onto] = 0
        g.heights[onto] = 0
    g.sums[onto] += value
    g.heights[onto] += 1


@rule
def score(g: Any, seat: int) -> int:
    """The points shown for a seat."""
    return g.scores[seat]
