"""Shock! on a GPU: its hints, and a way to pick a move without a list.

In Shock! the games of a warp do different things: in one a trick ends, in another a round, in a
third the chest is opened. The rules help lanes to converge: a step of `rules` returns the code of
the next step instead of calling it, so that each step is compiled once, in one place, and all lanes
that take it do so together.
"""

from __future__ import annotations

from typing import Any, Final

from theriac.engine.bits import count_bits, lowest
from theriac.engine.chance import scale
from theriac.engine.contract import GpuHints
from theriac.engine.rule import rule
from theriac.games.shock.moves import playable_of
from theriac.games.shock.poisons import refuse_cure
from theriac.games.shock.state import (
    CHALLENGE,
    CURE,
    CURES,
    KEEP,
    OPEN,
    OUT_MOVES,
    WITHDRAW_MOVES,
)


@rule
def pick_without_list(g: Any, moves: Any, word: int) -> int:
    """The move at the fraction word / 2**32 of `moves.list_legal`."""
    if g.phase == CHALLENGE:
        return OPEN + scale(word, 2)
    if g.phase == CURE:
        return pick_cure(g, word)
    hand = int(g.hands[g.to_act])
    if not g.in_round[g.to_act]:
        return OUT_MOVES + nth(hand, scale(word, count_bits(hand)))
    return pick_card(hand, playable_of(g, hand), word)


@rule
def pick_card(hand: int, playable: int, word: int) -> int:
    """A hand card face down to withdraw, or face up if it may be played."""
    n = scale(word, count_bits(hand) + count_bits(playable))
    card = lowest(hand)
    while n > (playable >> card) & 1:
        n -= 1 + ((playable >> card) & 1)
        hand &= hand - 1
        card = lowest(hand)
    return card if n else WITHDRAW_MOVES + card


@rule
def pick_cure(g: Any, word: int) -> int:
    """A poison that can be covered, or keeping the potion."""
    allowed = 0
    for i in range(KEEP + 1 - CURES):
        allowed |= int(refuse_cure(g, CURES + i) == 0) << i
    return CURES + nth(allowed, scale(word, count_bits(allowed)))


@rule
def nth(cards: int, n: int) -> int:
    """The card of a set that has n lower ones."""
    for _ in range(n):
        cards &= cards - 1
    return lowest(cards)


HINTS: Final = GpuHints(
    cold_fields=(
        *("chest_deck", "large", "small", "chest_seen", "chest_seen_before", "door_odds"),
        *("shown", "buried", "buried_before", "down", "covered", "kept", "kept_cards"),
        "voids_before",
    ),
    pick_legal=pick_without_list,
)
