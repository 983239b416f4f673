"""Poison: what a seat may know, imagining the rest, and the view as numbers.

Nobody may look at taken cards (POI-13), but all of them lay open before they were taken: a view
holds the round's moves, which a careful player remembers. Hidden are the other hands and, with
three players, the hand taken out.
"""

from __future__ import annotations

from typing import Any, Final

from theriac.engine.hidden import take_place
from theriac.engine.rule import rule
from theriac.games.poison.rules import note_kinds
from theriac.games.poison.state import (
    CARDS,
    CAULDRONS,
    COLOURS,
    MOST_CARDS,
    NONE,
    SAFE,
    SEATS,
    SHAPE,
)

#: Hand, unseen cards; for each cauldron its cards, sum and colour; for each seat from one's own
#: clockwise: cards held, points, cards taken of each colour; then the round and the cards left.
FEATURES: Final = 2 * CARDS + CAULDRONS * (CARDS + 1 + COLOURS + 1) + SEATS * (COLOURS + 3) + 2
#: Factors, because a GPU multiplies many times as fast as it divides.
_THIRD: Final = 1 / 3
_FOURTEENTH: Final = 1 / 14

copy_open: Final = SHAPE.copy_open


@rule
def imagine(v: Any, random: Any, g: Any) -> None:
    """Deal the unseen cards to the other hands: each card takes a free place at random, which
    makes all deals equally likely. The view is one of a player to act, or of the end.
    """
    copy_open(v, g)
    g.pile = 0
    g.shuffles[0] = v.rounds
    g.undealt = 0
    g.receiver = 0
    for card in range(CARDS):
        g.pack[card] = 0
        for seat in range(SEATS):
            g.hands[seat, card] = 0
    deal_unseen(v, random, g)
    for card in range(CARDS):
        g.hands[v.seat, card] = v.hand[card]
    for seat in range(SEATS):
        g.sizes[seat] = v.sizes[seat]
        note_kinds(g, seat)


@rule
def deal_unseen(v: Any, random: Any, g: Any) -> None:
    """Deal what this seat has not seen; ``g.sizes`` counts the free places meanwhile."""
    g.sizes[v.seat] = 0
    free = 0
    for seat in range(SEATS):
        free += g.sizes[seat]
    for card in range(CARDS):
        g.pack[card] = v.deck[card] - v.hand[card]
    for i in range(v.played):
        g.pack[v.log[i] // CAULDRONS] -= 1
    for card in range(CARDS):
        for _ in range(g.pack[card]):
            seat = take_place(random, g.sizes, free)
            g.hands[seat, card] += 1
            free -= 1
        g.pack[card] = 0


@rule
def encode(v: Any, out: Any) -> None:
    """The view as numbers of about 0 to 1, seats counted from one's own."""
    for card in range(CARDS):
        out[card] = v.hand[card] * _THIRD
        out[CARDS + card] = v.deck[card] - v.hand[card]
    for i in range(v.played):
        out[CARDS + v.log[i] // CAULDRONS] -= 1
    for card in range(CARDS):
        out[CARDS + card] /= 3  # only here, so that all speeds round in the same way
    n = 2 * CARDS
    for cauldron in range(CAULDRONS):
        n = encode_cauldron(v, cauldron, out, n)
    for i in range(SEATS):
        n = encode_seat(v, (v.seat + i) % v.players, i < v.players, out, n)
    out[n] = v.rounds / v.players
    out[n + 1] = v.left / MOST_CARDS


@rule
def encode_cauldron(v: Any, cauldron: int, out: Any, n: int) -> int:
    """Its cards, sum and colour."""
    for card in range(CARDS):
        out[n + card] = 0
    for i in range(v.filled[cauldron]):
        out[n + v.cauldrons[cauldron, i]] += 1
    n += CARDS
    out[n] = v.sums[cauldron] / SAFE
    for colour in range(NONE, COLOURS):
        out[n + 2 + colour] = v.colours[cauldron] == colour
    return n + 2 + COLOURS


@rule
def encode_seat(v: Any, seat: int, there: bool, out: Any, n: int) -> int:
    """Its cards in hand, its points, what it took; zeros for a seat that is not there."""
    out[n] = v.sizes[seat] / 17 if there else 0
    out[n + 1] = v.scores[seat] / 50 if there else 0
    for colour in range(COLOURS + 1):
        out[n + 2 + colour] = v.got[seat, colour] * _FOURTEENTH if there else 0
    return n + 3 + COLOURS
