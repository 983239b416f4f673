"""Hearts: what a seat may know, imagining the rest, and the view as numbers.

A view holds what a careful player remembers of the round: the cards that each has played, and the
cards that each has shown not to hold (``cannot``: a suit that was not followed, and what HEA-10,
HEA-13 and HEA-14 give away). Hidden are the other hands and the cards that others pass on; one's
own lie with a known player until they are played.
"""

from __future__ import annotations

from typing import Any, Final

from theriac.engine.bits import bit, count_bits, lowest
from theriac.engine.chance import below
from theriac.engine.hidden import clear_hidden, deal_hidden, hide
from theriac.engine.rows import clear_row
from theriac.engine.rule import rule
from theriac_hearts.rules import all_of, left_of, suit_of
from theriac_hearts.state import (
    CARDS,
    MOST_HAND,
    NOWHERE,
    PASSED,
    PASSING,
    PLAYING,
    SEATS,
    SHAPE,
    SUITS,
)

#: For each card: in hand, played, in the trick, passed on, received; for each seat from one's own
#: clockwise what lies open of it; then the trick and the round.
_SEAT: Final = 6 + SUITS
FEATURES: Final = 5 * CARDS + SEATS * _SEAT + SUITS + SEATS + 4
#: Factors, because a GPU multiplies many times as fast as it divides.
_OF_HAND: Final = 1 / MOST_HAND
_OF_POINTS: Final = 1 / 26
_OF_SCORE: Final = 1 / 100
_OF_PASSED: Final = 1 / PASSED

copy_open: Final = SHAPE.copy_open
fill_view: Final = SHAPE.fill_view


@rule
def see(g: Any, seat: int, v: Any) -> None:
    """HEA-09: what lies or lay open, one's hand, what one passed on, and then what one received."""
    fill_view(g, seat, v)
    v.my_received = g.passed[giver_to(g, seat)] if seat >= 0 and has_received(g) else 0


@rule
def giver_to(g: Any, seat: int) -> int:
    """The seat whose cards are passed to this one."""
    return (seat - g.direction) & 3


@rule
def has_received(g: Any) -> bool:
    """Have passed cards changed hands in this round?"""
    return g.direction != NOWHERE and g.phase == PLAYING


# Imagining


@rule
def imagine(v: Any, random: Any, g: Any) -> None:
    """Deal the unseen cards to the other hands, and choose what others have passed on: all that
    the view allows is equally likely. The view is one of a player to act, or of the end.
    """
    copy_open(v, g)
    g.pile = 0
    g.shuffles[0] = v.rounds
    g.undealt = 0
    g.receiver = left_of(v.dealer)
    clear_row(g.hands)
    clear_row(g.passed)
    hide_unseen(v, g)
    deal_hidden(g, random)
    for i in range(g.hidden):
        g.hands[g.hidden_places[i]] |= bit(g.hidden_cards[i])
    clear_hidden(g)
    g.hands[v.seat] = v.hand
    g.passed[v.seat] = v.my_passed
    if v.direction != NOWHERE:
        for seat in range(SEATS):
            if seat != v.seat:
                imagine_passed(v, random, g, seat)


@rule
def hide_unseen(v: Any, g: Any) -> None:
    """Note the cards that this seat does not see, and who may have each of them."""
    clear_hidden(g)
    unseen = v.deck & ~v.hand
    for seat in range(SEATS):
        unseen &= ~v.shown[seat]
        # Cards that others have put aside are hidden like their hands.
        aside = v.chosen[seat] if v.phase == PASSING else 0
        g.hidden_capacity[seat] = 0 if seat == v.seat else v.sizes[seat] + aside
    given = 0
    if has_received(v):
        given = v.my_passed
    else:
        unseen &= ~v.my_passed
    receiver = (v.seat + v.direction) & 3
    rest = int(unseen)
    while rest:
        card = lowest(rest)
        hide(g, card, 1 << receiver if (given >> card) & 1 else holders(v, card))
        rest &= rest - 1


@rule
def holders(v: Any, card: int) -> int:
    """The other seats that may have an unseen card, as bits."""
    seats = 0
    for seat in range(SEATS):
        if seat != v.seat and not (v.cannot[seat] >> card) & 1:
            seats |= 1 << seat
    return seats


@rule
def imagine_passed(v: Any, random: Any, g: Any, seat: int) -> None:
    """Choose the cards that another seat has passed on: any of those that it, or then the seat
    that received them, had at that time.
    """
    receiver = (seat + v.direction) & 3
    if v.phase == PASSING:
        g.passed[seat] = some_of(g.hands[seat], v.chosen[seat], random)
        g.hands[seat] &= ~g.passed[seat]
    elif receiver == v.seat:
        g.passed[seat] = v.my_received
    else:
        had = g.hands[receiver] | v.shown[receiver]
        g.passed[seat] = some_of(had, v.chosen[seat], random)


@rule
def some_of(cards: int, n: int, random: Any) -> int:
    """Any n of these cards."""
    rest = int(cards)
    picked = 0
    for _ in range(n):
        left = rest
        for _skipped in range(below(random, count_bits(rest))):
            left &= left - 1
        card = left & -left
        picked |= card
        rest &= ~card
    return picked


# The view as numbers


@rule
def encode(v: Any, out: Any) -> None:
    """The view as numbers of about 0 to 1, seats counted from one's own."""
    played = 0
    for seat in range(SEATS):
        played |= v.shown[seat]
    in_trick = 0
    for i in range(v.in_trick):
        in_trick |= 1 << int(v.trick[i])
    for card in range(CARDS):
        out[card] = is_in(v.hand, card)
        out[CARDS + card] = is_in(played, card)
        out[2 * CARDS + card] = is_in(in_trick, card)
        out[3 * CARDS + card] = is_in(v.my_passed, card)
        out[4 * CARDS + card] = is_in(v.my_received, card)
    n = 5 * CARDS
    for i in range(SEATS):
        n = encode_seat(v, (v.seat + i) & 3, out, n)
    for suit in range(SUITS):
        out[n + suit] = v.in_trick > 0 and suit_of(v.trick[0]) == suit
    n += SUITS
    for direction in range(SEATS):
        out[n + direction] = v.direction == direction
    n += SEATS
    out[n] = v.phase == PASSING
    out[n + 1] = v.broken
    out[n + 2] = v.tricks * _OF_HAND
    out[n + 3] = v.target * _OF_SCORE


@rule
def is_in(cards: int, card: int) -> bool:
    """Is a card in a set?"""
    return (cards >> card) & 1 == 1


@rule
def encode_seat(v: Any, seat: int, out: Any, n: int) -> int:
    """What lies open of a seat."""
    out[n] = v.sizes[seat] * _OF_HAND
    out[n + 1] = v.points[seat] * _OF_POINTS
    out[n + 2] = v.scores[seat] * _OF_SCORE
    out[n + 3] = v.leader == seat
    out[n + 4] = v.dealer == seat
    out[n + 5] = v.chosen[seat] * _OF_PASSED
    for suit in range(SUITS):
        out[n + 6 + suit] = all_of(suit) & v.deck & ~v.cannot[seat] == 0
    return n + _SEAT
