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

from .state import CARDS, HAND, LOST, MIDDLE, MOVES, PLACES, SEATS, SIDE, TABLE, WON

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
    clear_row(g.sizes)
    clear_row(g.scores)
    clear_row(g.grid)
    g.to_deal = 0
    g.outcome = 0
    g.shuffles[0] = 1  # counts the shuffles: a second one would be += 1
    g.to_act = NATURE  # then nature deals card after card, until `deal` names a seat


@rule
def deal(g: Any, card: int) -> None:
    """ABC-04, ABC-08: a card into the middle, two each, later one to who laid a card."""
    g.undealt[card] -= 1
    g.left -= 1
    if g.receiver == TABLE:
        g.grid[MIDDLE] = card + 1
        g.seen[card] += 1
        g.receiver = g.starter
        g.to_deal = HAND * g.players
        return
    g.hands[g.receiver, card] += 1
    g.sizes[g.receiver] += 1
    g.to_deal -= 1
    if g.to_deal == 0:
        begin_turn(g, left_of(g, g.receiver))
    else:
        g.receiver = left_of(g, g.receiver)


@rule
def left_of(g: Any, seat: int) -> int:
    """The next seat clockwise."""
    return (seat + 1) % g.players


# A turn


@rule
def value_at(g: Any, x: int, y: int) -> int:
    """The value of the card at a place; 0 where none lies, and outside the grid."""
    if x < 0 or x >= SIDE or y < 0 or y >= SIDE:
        return 0
    return int(g.grid[SIDE * y + x])


@rule
def disagrees(value: int, other: int) -> bool:
    """ABC-07: do two neighbours differ by more than one?"""
    return other > 0 and (value - other > 1 or other - value > 1)


@rule
def refuse_place(g: Any, value: int, place: int) -> int:
    """ABC-05, ABC-06, ABC-07: a free place, next to cards, all of which agree with this one."""
    x = place % SIDE
    y = place // SIDE
    if g.grid[place] > 0:
        return 5
    left = value_at(g, x - 1, y)
    right = value_at(g, x + 1, y)
    above = value_at(g, x, y - 1)
    below = value_at(g, x, y + 1)
    if left + right + above + below == 0:
        return 6
    if disagrees(value, left) or disagrees(value, right):
        return 7
    if disagrees(value, above) or disagrees(value, below):
        return 7
    return 0


@rule
def refuse(g: Any, move: int) -> int:
    """0 for a legal move, else the clause that forbids it. A move is PLACES * card + place."""
    if g.to_act == NOBODY:
        return 10
    if move < 0 or move >= MOVES or g.hands[g.to_act, move // PLACES] == 0:
        return 5
    return refuse_place(g, move // PLACES + 1, move % PLACES)


@rule
def play(g: Any, move: int) -> None:
    """Carry out a legal move, and all that follows from it."""
    seat = g.to_act
    card = move // PLACES
    g.hands[seat, card] -= 1
    g.sizes[seat] -= 1
    g.grid[move % PLACES] = card + 1
    g.seen[card] += 1
    for other in range(g.players):
        g.scores[other] += 1
    if g.left > 0:  # ABC-08
        g.receiver = seat
        g.to_deal = 1
        g.to_act = NATURE
    else:
        begin_turn(g, left_of(g, seat))


@rule
def begin_turn(g: Any, seat: int) -> None:
    """ABC-09, ABC-10: lost if this player cannot lay a card, won if there is none left to lay."""
    g.to_act = seat
    if g.sizes[seat] == 0:  # all drew in turn, so all hands are empty
        g.outcome = WON
        g.to_act = NOBODY
    elif not can_lay(g):
        g.outcome = LOST
        g.to_act = NOBODY


@rule
def can_lay(g: Any) -> bool:
    """Has the player to act a legal move?"""
    for move in range(MOVES):
        if refuse(g, move) == 0:
            return True
    return False


# The end


@rule
def result(g: Any, seat: int) -> float:
    """ABC-02: all win and share 1, or nobody wins."""
    return 1.0 / g.players if g.outcome == WON else 0.0


@rule
def score(g: Any, seat: int) -> int:
    """The points shown for a seat."""
    return g.scores[seat]
