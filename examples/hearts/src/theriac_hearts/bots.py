"""Hearts: the heuristics of its bots."""

from __future__ import annotations

import math
from typing import Any, Final

from theriac.engine.bits import bit, count_bits
from theriac.engine.contract import NOBODY
from theriac.engine.rule import rule
from theriac_hearts.rules import all_of, points_in, result, suit_of
from theriac_hearts.state import COSTLY, HEARTS, PASSES, QUEEN, RANKS, SEATS, SPADES

#: About how many points players are apart after one round.
_POINTS_PER_ROUND: Final = 7.0
#: The points of a round, shared among four.
_AVERAGE: Final = 6.5
#: The rank of the queen.
_QUEEN_RANK: Final = QUEEN % RANKS


@rule
def advise(v: Any, move: int) -> float:
    """Pass on what is dangerous; lead low; stay below the card that wins, as high as possible; take
    a trick without points with a high card if last; throw off what costs most.
    """
    if move >= PASSES:
        return danger(move - PASSES)
    if v.in_trick == 0:
        return lead_worth(v, move)
    led = suit_of(v.trick[0])
    if suit_of(move) != led:
        return 20.0 + danger(move)
    return follow_worth(v, move)


@rule
def danger(card: int) -> float:
    """How much one would like to be rid of a card."""
    rank = card % RANKS
    if card == QUEEN:
        return 40.0
    if suit_of(card) == SPADES:
        return 30.0 + rank if rank > _QUEEN_RANK else 0.1 * rank
    return rank + (6.0 if suit_of(card) == HEARTS else 0.0)


@rule
def lead_worth(v: Any, card: int) -> float:
    """Low cards, and of those the ones that many others are still above."""
    suit = suit_of(card)
    seen = 0
    for seat in range(SEATS):
        seen |= v.shown[seat]
    above = count_bits(all_of(suit) & ~seen & ~(bit(card + 1) - 1))
    worth = 2.0 * min(above, 4) - 0.3 * (card % RANKS)
    if card == QUEEN:
        worth -= 30.0
    elif suit == SPADES and card > QUEEN:
        worth -= 10.0 * (1 - ((seen >> QUEEN) & 1))
    return worth


@rule
def follow_worth(v: Any, card: int) -> float:
    """Below the winning card as high as possible; else it depends on what lies in the trick."""
    best = v.trick[0]
    cards = 0
    for i in range(v.in_trick):
        laid = v.trick[i]
        cards |= bit(laid)
        if laid > best and suit_of(laid) == suit_of(best):
            best = laid
    rank = card % RANKS
    if card < best:
        return 10.0 + rank + (20.0 if card == QUEEN else 0.0)
    if card == QUEEN:
        return -20.0
    if v.in_trick == SEATS - 1:
        return rank - 2.0 * points_in(cards)
    return -2.0 * count_bits(cards & COSTLY) - 0.5 * rank


@rule
def advise_source(g: Any, view: Any) -> Any:
    """`advise` reads only public fields: the full state serves as well as a view."""
    return g


@rule
def prospect(g: Any, seat: int) -> float:
    """Fewer points are better, and count for less the further the target is."""
    if g.to_act == NOBODY:
        return result(g, seat)
    most = 0
    for other in range(SEATS):
        most = max(most, g.scores[other])
    rounds_left = max(1.0, (g.target - most) / _AVERAGE)
    scale = _POINTS_PER_ROUND * math.sqrt(rounds_left)
    total = 0.0
    for other in range(SEATS):
        total += math.exp((g.scores[seat] - g.scores[other]) / scale)
    return 1.0 / total
