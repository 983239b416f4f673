"""The rules of the smallest game: two rounds of tricks with two cards each."""

from __future__ import annotations

from typing import Any

from smallest.state import CARDS, HAND, ROUNDS, SEATS
from theriac.engine.bits import bit, count_bits
from theriac.engine.contract import NATURE, NOBODY
from theriac.engine.rule import rule


@rule
def setup(g: Any, options: Any) -> None:
    """SMA-01: the cards, and who leads first."""
    g.deck = options.deck
    g.leader = options.first
    g.rounds = 1
    g.pile = 0
    g.shuffles[0] = 0
    for seat in range(SEATS):
        g.scores[seat] = 0
    begin_round(g)


@rule
def begin_round(g: Any) -> None:
    """SMA-02: all cards are shuffled."""
    g.undealt = g.deck
    g.seen = 0
    g.in_trick = 0
    g.led = 0
    for seat in range(SEATS):
        g.hands[seat] = 0
    g.shuffles[0] += 1
    g.receiver = g.leader
    g.to_act = NATURE


@rule
def deal(g: Any, card: int) -> None:
    """SMA-02: one card at a time, two each, or one if there are too few."""
    g.undealt &= ~bit(card)
    g.hands[g.receiver] |= bit(card)
    g.receiver = 1 - g.receiver
    is_done = count_bits(g.undealt) < SEATS or count_bits(g.hands[g.leader]) == HAND
    if g.receiver == g.leader and is_done:
        g.to_act = g.leader


@rule
def refuse(g: Any, move: int) -> int:
    """SMA-03: a card of one's hand."""
    if g.to_act == NOBODY:
        return 5
    in_hand = 0 <= move < CARDS and (g.hands[g.to_act] >> move) & 1
    return 0 if in_hand else 3


@rule
def play(g: Any, move: int) -> None:
    """SMA-04: the higher card wins the trick and a point, and its player leads."""
    seat = g.to_act
    g.hands[seat] &= ~bit(move)
    g.seen |= bit(move)
    if g.in_trick == 0:
        g.in_trick = 1
        g.led = move
        g.to_act = 1 - seat
    else:
        winner = seat if move > g.led else 1 - seat
        g.in_trick = 0
        g.led = 0
        g.scores[winner] += 1
        g.to_act = winner
        if g.hands[seat] == 0:
            end_round(g)


@rule
def end_round(g: Any) -> None:
    """SMA-05: two rounds, the second led by the other player."""
    if g.rounds == ROUNDS:
        g.to_act = NOBODY
    else:
        g.rounds += 1
        g.leader = 1 - g.leader
        begin_round(g)


@rule
def score(g: Any, seat: int) -> int:
    """SMA-05: a point for each trick."""
    return g.scores[seat]
