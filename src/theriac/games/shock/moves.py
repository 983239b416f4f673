"""Shock!: listing the moves, and picking one of them."""

from __future__ import annotations

from typing import Any

from theriac.engine.bits import bit, count_bits, lowest
from theriac.engine.chance import scale
from theriac.engine.rule import rule
from theriac.games.shock.poisons import refuse_cure
from theriac.games.shock.rules import all_of, can_follow
from theriac.games.shock.state import (
    CHALLENGE,
    CURE,
    CURES,
    KEEP,
    NONE,
    OPEN,
    OUT_MOVES,
    STOP,
    WITHDRAW_MOVES,
)


@rule
def list_legal(g: Any, moves: Any) -> int:
    """Every move of the phase."""
    if g.phase == CHALLENGE:
        moves[0] = OPEN
        moves[1] = STOP
        return 2
    if g.phase == CURE:
        return list_cures(g, moves)
    if g.in_round[g.to_act]:
        return list_cards(g, moves)
    return list_cards_out(g, moves)


@rule
def list_cards_out(g: Any, moves: Any) -> int:
    """Every hand card face down: the moves of a player who is out."""
    hand = int(g.hands[g.to_act])
    n = 0
    while hand:
        moves[n] = OUT_MOVES + lowest(hand)
        n += 1
        hand &= hand - 1
    return n


@rule
def list_cards(g: Any, moves: Any) -> int:
    """Every hand card face down to withdraw, and those that may be played face up, card by card.

    The index of each move is computed from bit counts: no branch to mispredict.
    """
    hand = int(g.hands[g.to_act])
    playable = playable_of(g, hand)
    rest = hand
    n = 0
    while rest:
        card = lowest(rest)
        moves[n + count_bits(playable & (bit(card) - 1))] = WITHDRAW_MOVES + card
        n += 1
        rest &= rest - 1
    rest = playable
    n = 1
    while rest:
        card = lowest(rest)
        moves[n + count_bits(hand & (bit(card) - 1))] = card
        n += 1
        rest &= rest - 1
    return count_bits(hand) + count_bits(playable)


@rule
def playable_of(g: Any, hand: int) -> int:
    """SHK-13: the cards of a hand that may be played face up."""
    must_follow = g.lead_suit != NONE and can_follow(g)
    return hand & all_of(g.lead_suit) if must_follow else hand


@rule
def list_cures(g: Any, moves: Any) -> int:
    """The poisons that can be covered, and keeping the potion where that is allowed."""
    n = 0
    for move in range(CURES, KEEP + 1):
        if refuse_cure(g, move) == 0:
            moves[n] = move
            n += 1
    return n


@rule
def pick_legal(g: Any, moves: Any, word: int) -> int:
    """The move at the fraction word / 2**32 of `list_legal`, without a list."""
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
    """A hand card face down to withdraw, or face up if it may be played.

    Every card of the hand is visited: no branch to mispredict.
    """
    n = scale(word, count_bits(hand) + count_bits(playable))
    picked = 0
    before = 0  # the moves with lower cards than the one picked
    moves = 0
    rest = hand
    while rest:
        card = lowest(rest)
        picked = card if moves <= n else picked
        before = moves if moves <= n else before
        moves += 1 + ((playable >> card) & 1)
        rest &= rest - 1
    return picked + (WITHDRAW_MOVES if before == n else 0)


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
