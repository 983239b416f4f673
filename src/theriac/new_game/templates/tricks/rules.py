"""The rules of Game Title, clause by clause.

To fill in: where your rules come from, and what you ruled where they are silent (`rulings.md`).
Name each clause where it is carried out. Only plain loops and numbers: docs/contract.md.

The file follows a round: the deal, a trick, the score.
"""

from __future__ import annotations

from typing import Any

from theriac.engine.bits import bit
from theriac.engine.contract import NATURE, NOBODY
from theriac.engine.rows import clear_row
from theriac.engine.rule import rule

from .state import CARDS, RANKS, WHOLE_SUIT

# The deal


@rule
def setup(g: Any, options: Any) -> None:
    """ABC-01, ABC-02, ABC-03: the cards, the players, and who deals first.

    Set every field, here or in what this calls: the record may hold another game.
    """
    g.players = options.players
    g.deck = options.deck
    g.last_trick = options.last_trick
    g.dealer = options.first
    g.rounds = 1
    g.pile = 0
    g.shuffles[0] = 0
    clear_row(g.scores)
    begin_round(g)


@rule
def begin_round(g: Any) -> None:
    """ABC-04: one shuffle of all cards."""
    clear_row(g.hands)
    clear_row(g.sizes)
    clear_row(g.won)
    clear_row(g.shown)
    clear_row(g.cannot)
    g.undealt = g.deck
    g.in_trick = 0
    g.leader = left_of(g, g.dealer)
    g.receiver = g.leader
    g.shuffles[0] += 1  # before its first card, each shuffle is counted
    g.to_act = NATURE  # then nature deals card after card, until `deal` names a seat


@rule
def left_of(g: Any, seat: int) -> int:
    """The next seat clockwise."""
    return (seat + 1) % g.players


@rule
def deal(g: Any, card: int) -> None:
    """ABC-05, ABC-06: a card each, from the dealer's left, who then leads to the first trick."""
    g.undealt &= ~bit(card)
    g.hands[g.receiver] |= bit(card)
    g.sizes[g.receiver] += 1
    g.receiver = left_of(g, g.receiver)
    if g.undealt == 0:
        g.to_act = g.leader


# A trick


@rule
def suit_of(card: int) -> int:
    """The suit of a card."""
    return int(card) // RANKS


@rule
def all_of(suit: int) -> int:
    """The cards of a suit, as a set."""
    return WHOLE_SUIT << (RANKS * suit)


@rule
def refuse(g: Any, move: int) -> int:
    """0 for a legal move, else the clause that forbids it. A move is a card.

    ABC-07, ABC-08: a card of the hand, of the suit led if there is one.
    """
    if g.to_act == NOBODY:
        return 11
    if move < 0 or move >= CARDS:
        return 7
    hand = int(g.hands[g.to_act])
    if not (hand >> move) & 1:
        return 7
    if g.in_trick > 0:
        led = suit_of(g.trick[0])
        if suit_of(move) != led and hand & all_of(led):
            return 8
    return 0


@rule
def play(g: Any, move: int) -> None:
    """Carry out a legal move, and all that follows from it."""
    seat = g.to_act
    g.hands[seat] &= ~bit(move)
    g.sizes[seat] -= 1
    g.shown[seat] |= bit(move)
    if g.in_trick > 0 and suit_of(move) != suit_of(g.trick[0]):
        g.cannot[seat] |= all_of(suit_of(g.trick[0]))  # all know now: it has none of this suit
    g.trick[g.in_trick] = move
    g.in_trick += 1
    g.to_act = left_of(g, seat)
    if g.in_trick == g.players:
        take_trick(g)


@rule
def take_trick(g: Any) -> None:
    """ABC-09, ABC-10: the highest card of the suit led wins, and its player leads next."""
    best = int(g.trick[0])
    winner = int(g.leader)
    for i in range(1, g.players):
        card = int(g.trick[i])
        if card > best and suit_of(card) == suit_of(best):
            best = card
            winner = (g.leader + i) % g.players
    is_last = g.sizes[winner] == 0
    g.scores[winner] += g.last_trick if is_last else 1
    g.won[winner] += 1
    g.in_trick = 0
    g.leader = winner
    g.to_act = winner
    if is_last:
        end_round(g)


# The score


@rule
def end_round(g: Any) -> None:
    """ABC-03, ABC-11: the game is over when each player has dealt once."""
    if g.rounds == g.players:
        g.to_act = NOBODY
    else:
        g.rounds += 1
        g.dealer = left_of(g, g.dealer)
        begin_round(g)


@rule
def score(g: Any, seat: int) -> int:
    """The points shown for a seat."""
    return g.scores[seat]
