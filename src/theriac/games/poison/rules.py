"""The rules of Poison, clause by clause.

From the English rulebook, "Reiner Knizia's Poison", 3 to 6 players. Where it is silent, the
rulings are: equal lowest totals share the win (POI-20); with three players the fourth hand dealt
is the one taken out, for that round only (POI-06); nobody looks at taken cards before the round is
scored (POI-13).

The file follows a round: the deal, a turn, the scoring; then what a program may ask. What only
makes it fast comes last; a test holds it equal to the rest.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from theriac.engine.chance import scale
from theriac.engine.contract import NATURE, NOBODY
from theriac.engine.rule import rule
from theriac.games.poison.state import (
    CARDS,
    CAULDRONS,
    COLOURS,
    FOURTH,
    MALFORMED,
    MOVES,
    NO_SUCH_CARD,
    NO_SUCH_CAULDRON,
    NONE,
    POISON,
    SAFE,
    SEATS,
    SLOTS,
    X,
)

# The deal


@rule
def setup(g: Any, options: Any) -> None:
    """POI-03, POI-04: the players, and who deals first."""
    g.players = options.players
    g.open_piles = options.open_piles
    g.dealer = options.first
    g.rounds = 1
    g.pile = 0
    g.shuffles[0] = 0
    for card in range(CARDS):
        g.deck[card] = options.deck[card]
        g.values[card] = options.values[card]
    for seat in range(SEATS):
        g.scores[seat] = 0
    begin_round(g)


@rule
def begin_round(g: Any) -> None:
    """POI-02, POI-21: empty cauldrons, and one shuffle of all cards."""
    for cauldron in range(CAULDRONS):
        empty(g, cauldron)
    for seat in range(SEATS):
        g.taken[seat] = 0
        g.sizes[seat] = 0
        for colour in range(COLOURS + 1):
            g.got[seat, colour] = 0
        for card in range(CARDS):
            g.hands[seat, card] = 0
    g.undealt = 0
    for card in range(CARDS):
        g.pack[card] = g.deck[card]
        g.undealt += g.deck[card]
    g.played = 0
    g.left = 0
    g.shuffles[0] += 1
    g.receiver = (g.dealer + 1) % g.players
    g.to_act = NATURE


@rule
def odds(g: Any, pile: int, card: int) -> int:
    """Nature deals from the cards not yet dealt."""
    return g.pack[card]


@rule
def deal(g: Any, card: int) -> None:
    """POI-05: all cards are dealt one by one, from the dealer's left."""
    g.pack[card] -= 1
    g.undealt -= 1
    g.hands[g.receiver, card] += 1
    g.sizes[g.receiver] += 1
    g.receiver = next_receiver(g)
    if g.undealt == 0:
        begin_play(g)


@rule
def next_receiver(g: Any) -> int:
    """POI-06: with three players the fourth hand comes after the dealer's."""
    if g.players == 3:
        if g.receiver == g.dealer:
            return FOURTH
        if g.receiver == FOURTH:
            return left_of(g, g.dealer)
    return left_of(g, g.receiver)


@rule
def left_of(g: Any, seat: int) -> int:
    """The next seat clockwise."""
    return 0 if seat + 1 == g.players else seat + 1


@rule
def begin_play(g: Any) -> None:
    """POI-07: the player at the dealer's left starts."""
    for seat in range(g.players):
        g.left += g.sizes[seat]
        note_kinds(g, seat)
    g.to_act = left_of(g, g.dealer)


# A turn


@rule
def refuse(g: Any, move: int) -> int:
    """POI-07, POI-08, POI-09, POI-10: one hand card into one cauldron, colours apart."""
    if g.to_act == NOBODY:
        return 20
    if move == NO_SUCH_CARD:
        return 1
    if move == NO_SUCH_CAULDRON:
        return 2
    if move <= MALFORMED or move >= MOVES:
        return 7
    card = move // CAULDRONS
    if g.hands[g.to_act, card] == 0:
        return 7
    return refuse_colour(g.colours, card // SLOTS, move % CAULDRONS)


@rule
def refuse_colour(colours: Any, colour: int, cauldron: int) -> int:
    """POI-08, POI-09, POI-10: may a card of this colour go here?"""
    if colour == POISON:
        return 0  # POI-09
    for other in range(CAULDRONS):
        if other != cauldron and colours[other] == colour:
            return 8
    if colours[cauldron] != NONE and colours[cauldron] != colour:
        return 10
    return 0


@rule
def play(g: Any, move: int) -> None:
    """POI-07, POI-11: a card goes into a cauldron; too much, and its player takes the rest."""
    seat = g.to_act
    card = move // CAULDRONS
    cauldron = move % CAULDRONS
    leave_hand(g, seat, card)
    too_much = is_too_much(g, cauldron, card)
    g.log[g.played] = move
    g.took[g.played] = too_much
    g.played += 1
    if too_much:
        take(g, seat, cauldron)
    add(g, cauldron, card)
    g.to_act = left_of(g, seat)
    if g.left == 0:
        end_round(g)


@rule
def is_too_much(g: Any, cauldron: int, card: int) -> bool:
    """POI-11: does this card bring the cauldron's sum above 13? Exactly 13 is safe."""
    return g.sums[cauldron] + g.values[card] > SAFE


@rule
def leave_hand(g: Any, seat: int, card: int) -> None:
    """POI-07, POI-14: hands shrink by one card per turn, until all are empty."""
    g.hands[seat, card] -= 1
    g.sizes[seat] -= 1
    g.left -= 1
    g.kinds[seat, card // SLOTS] ^= int(g.hands[seat, card] == 0) << (card % SLOTS)


@rule
def take(g: Any, seat: int, cauldron: int) -> None:
    """POI-11: all cards that were in the cauldron before."""
    g.taken[seat] += g.filled[cauldron]
    for colour in range(COLOURS + 1):
        g.got[seat, colour] += g.potions[cauldron, colour]
    empty(g, cauldron)


@rule
def empty(g: Any, cauldron: int) -> None:
    """A cauldron without cards has no colour."""
    g.filled[cauldron] = 0
    g.sums[cauldron] = 0
    g.colours[cauldron] = NONE
    for colour in range(COLOURS + 1):
        g.potions[cauldron, colour] = 0


@rule
def add(g: Any, cauldron: int, card: int) -> None:
    """POI-10, POI-12: a potion gives the cauldron its colour, a poison card does not."""
    colour = card // SLOTS
    g.cauldrons[cauldron, g.filled[cauldron]] = card
    g.filled[cauldron] += 1
    g.sums[cauldron] += g.values[card]
    g.potions[cauldron, colour] += 1
    g.colours[cauldron] = g.colours[cauldron] if colour == POISON else colour


# Scoring


@rule
def end_round(g: Any) -> None:
    """POI-15, POI-20: score; as many rounds as players, each dealt by the next to the left."""
    for seat in range(g.players):
        g.scores[seat] += round_points(g.got, g.players, seat)
    if g.rounds == g.players:
        g.to_act = NOBODY
    else:
        g.rounds += 1
        g.dealer = left_of(g, g.dealer)  # POI-04
        begin_round(g)


@rule
def round_count(options: Any) -> int:
    """POI-20: as many rounds as players."""
    return int(options.players)


@rule
def round_points(got: Any, players: int, seat: int) -> int:
    """One point per card, two per poison card, none for a colour of which the seat has the most.

    POI-16, POI-17, POI-18; a test holds the rulebook's example, POI-19.
    """
    points = 2 * got[seat, POISON]
    for colour in range(COLOURS):
        if not has_most(got, players, seat, colour):
            points += got[seat, colour]
    return points


@rule
def has_most(got: Any, players: int, seat: int, colour: int) -> bool:
    """POI-16: more of this colour than every other player."""
    for other in range(players):
        if other != seat and got[other, colour] >= got[seat, colour]:
            return False
    return True


@rule
def score(g: Any, seat: int) -> int:
    """The total of the rounds scored so far."""
    return g.scores[seat]


@rule
def result(g: Any, seat: int) -> float:
    """POI-20: the lowest total wins; equal ones share the win."""
    equal = 0
    for other in range(g.players):
        if g.scores[other] < g.scores[seat]:
            return 0.0
        if g.scores[other] == g.scores[seat]:
            equal += 1
    return 1.0 / equal


# The same, faster. The cauldrons open to a colour are worked out once from the rule above, for each
# of the 4 * 4 * 4 ways in which the three cauldrons can be coloured. A hand's different cards of
# one colour are five bits.

OPEN_TO = np.zeros((64, COLOURS + 1, CAULDRONS), np.uint16)
WAYS = np.zeros((64, COLOURS + 1), np.int16)
for _brew in range(64):
    _colours = [(_brew >> (2 * _c) & 3) - 1 for _c in range(CAULDRONS)]
    for _colour in range(COLOURS + 1):
        _open = [c for c in range(CAULDRONS) if refuse_colour(_colours, _colour, c) == 0]
        WAYS[_brew, _colour] = len(_open)
        OPEN_TO[_brew, _colour, : len(_open)] = _open

BITS = np.array([_n.bit_count() for _n in range(32)], np.int16)
NTH_BIT = np.zeros((32, SLOTS), np.uint16)
for _n in range(32):
    for _i, _bit in enumerate(b for b in range(SLOTS) if _n >> b & 1):
        NTH_BIT[_n, _i] = _bit


@rule
def note_kinds(g: Any, seat: int) -> None:
    """Write which different cards a hand holds, as bits for each colour."""
    for colour in range(COLOURS):
        bits = 0
        for slot in range(SLOTS):
            bits |= int(g.hands[seat, SLOTS * colour + slot] > 0) << slot
        g.kinds[seat, colour] = bits
    g.kinds[seat, POISON] = g.hands[seat, X] > 0


@rule
def brew(g: Any) -> int:
    """The colours of the cauldrons as one number: the row of OPEN_TO."""
    return g.colours[0] + 4 * g.colours[1] + 16 * g.colours[2] + 21


@rule
def list_legal(g: Any, moves: Any) -> int:
    """Colour by colour, cauldron by cauldron, every different card."""
    now = brew(g)
    n = 0
    for colour in range(COLOURS + 1):
        kinds = g.kinds[g.to_act, colour]
        for way in range(WAYS[now, colour]):
            for i in range(BITS[kinds]):
                card = SLOTS * colour + NTH_BIT[kinds, i]
                moves[n] = CAULDRONS * card + OPEN_TO[now, colour, way]
                n += 1
    return n


@rule
def pick_legal(g: Any, moves: Any, word: int) -> int:
    """One of these at random, without listing them (and without a branch to mispredict)."""
    seat = g.to_act
    now = brew(g)
    red = BITS[g.kinds[seat, 0]]
    blue = BITS[g.kinds[seat, 1]]
    purple = BITS[g.kinds[seat, 2]]
    poison = BITS[g.kinds[seat, POISON]]
    reds = red * WAYS[now, 0]
    blues = reds + blue * WAYS[now, 1]
    purples = blues + purple * WAYS[now, 2]
    n = scale(word, purples + poison * CAULDRONS)
    colour = int(n >= reds) + int(n >= blues) + int(n >= purples)
    before = purples if n >= purples else blues if n >= blues else reds if n >= reds else 0
    kinds = poison if n >= purples else purple if n >= blues else blue if n >= reds else red
    n -= before
    way = int(n >= kinds) + int(n >= 2 * kinds)
    card = SLOTS * colour + NTH_BIT[g.kinds[seat, colour], n - way * kinds]
    return CAULDRONS * card + OPEN_TO[now, colour, way]
