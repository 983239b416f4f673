"""The rules of Envelopes: all choose a card in secret, then all are revealed."""

from __future__ import annotations

from typing import Any

from envelopes.state import CARDS, HAND, NONE, SEATS
from theriac.engine.bits import bit, count_bits
from theriac.engine.contract import NATURE, NOBODY
from theriac.engine.rule import rule


@rule
def setup(g: Any, options: Any) -> None:
    """ENV-01, ENV-02: all cards are shuffled."""
    g.deck = options.deck
    g.undealt = options.deck
    g.seen = 0
    g.rounds = 1
    g.pile = 0
    g.shuffles[0] = 1
    g.first = options.first
    g.receiver = options.first
    g.times_opened = 0
    for seat in range(SEATS):
        g.hands[seat] = 0
        g.sizes[seat] = 0
        g.scores[seat] = 0
        g.chosen[seat] = 0
        g.choices[seat] = NONE
        g.opened[seat] = NONE
    g.to_act = NATURE


@rule
def deal(g: Any, card: int) -> None:
    """ENV-02: one card at a time, two each, or one if there are too few."""
    g.undealt &= ~bit(card)
    g.hands[g.receiver] |= bit(card)
    g.sizes[g.receiver] += 1
    g.receiver = (g.receiver + 1) % SEATS
    is_done = count_bits(g.undealt) < SEATS or g.sizes[g.first] == HAND
    if g.receiver == g.first and is_done:
        g.to_act = g.first


@rule
def refuse(g: Any, move: int) -> int:
    """ENV-03: a card of one's hand."""
    if g.to_act == NOBODY:
        return 6
    in_hand = 0 <= move < CARDS and (g.hands[g.to_act] >> move) & 1
    return 0 if in_hand else 3


@rule
def play(g: Any, move: int) -> None:
    """ENV-04: note the choice; the next seat chooses, or all envelopes are opened."""
    seat = int(g.to_act)
    g.choices[seat] = move
    g.chosen[seat] = 1
    g.to_act = (seat + 1) % SEATS
    if g.chosen[g.to_act]:
        reveal(g)


@rule
def reveal(g: Any) -> None:
    """ENV-05: carry out all choices together, and clear them."""
    winner = 0
    for seat in range(SEATS):
        card = g.choices[seat]
        if card > g.choices[winner]:
            winner = seat
        g.hands[seat] &= ~bit(card)
        g.sizes[seat] -= 1
        g.seen |= bit(card)
        g.opened[seat] = card
    g.times_opened += 1
    g.scores[winner] += 1
    for seat in range(SEATS):
        g.choices[seat] = NONE
        g.chosen[seat] = 0
    if g.hands[0] == 0:  # ENV-06
        g.to_act = NOBODY


@rule
def score(g: Any, seat: int) -> int:
    """ENV-05: a point for each highest card."""
    return g.scores[seat]
