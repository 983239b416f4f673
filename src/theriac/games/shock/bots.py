"""Shock!: the heuristics of its bots."""

from __future__ import annotations

import math
from typing import Any, Final

from theriac.engine.contract import NOBODY
from theriac.engine.rule import rule
from theriac.games.shock.poisons import is_potion, kind_of, times_in_middle, uncovered
from theriac.games.shock.rules import result
from theriac.games.shock.state import (
    CHEST_KINDS,
    CURES,
    KEEP,
    NONE,
    NUMBERS,
    OPEN,
    OUT_MOVES,
    RANKS,
    ROUNDS,
    SOBA,
    STOP,
    WITHDRAW_MOVES,
)

#: About how many jewels players are apart after one round.
_JEWELS_PER_ROUND: Final = 3.0
#: Below what any other move is worth.
_NEVER: Final = -1000.0


@rule
def advise(v: Any, move: int) -> float:
    """Leave when what lies on the bag is worth more than what is to come, but not where that
    loses the game; bury low cards; open the chest while it is safe; cover what would hurt first.
    """
    if move == STOP:
        return 0.0
    if move == OPEN:
        return chest_worth(v) - danger(v) * v.on_bag[v.to_act]
    if move >= CURES:
        return 0.0 if move == KEEP else 1.0 + times_in_middle(v, move - CURES)
    card = move % NUMBERS
    rank = card % RANKS
    if move >= WITHDRAW_MOVES and loses_by_leaving(v):
        return _NEVER
    if move >= WITHDRAW_MOVES:
        return 20.0 * danger(v) * v.on_bag[v.to_act] / 3 - 3.0 - 0.1 * rank
    if move >= OUT_MOVES:
        return -worth_keeping(v, card)
    return card_worth(v, card)


@rule
def loses_by_leaving(v: Any) -> bool:
    """In the last round: does another seat have more in its bag than this one can take along?"""
    if v.rounds < ROUNDS:
        return False
    most = v.bags[v.to_act] + v.on_bag[v.to_act]
    for seat in range(v.players):
        if v.bags[seat] > most:
            return True
    return False


@rule
def danger(v: Any) -> float:
    """How likely the next chest card or door shocks this seat."""
    bad = 0.0
    for kind in range(SOBA):
        if uncovered(v, v.to_act, kind) + times_in_middle(v, kind) > 0:
            bad += v.chest_deck[kind] - v.chest_seen[kind]
    return bad / max(1, v.chest_left)


@rule
def chest_worth(v: Any) -> float:
    """The jewels that the next chest card brings on average."""
    jewels = 0.0
    for kind in range(CHEST_KINDS):
        jewels += (v.chest_deck[kind] - v.chest_seen[kind]) * v.large[kind]
    return jewels / max(1, v.chest_left)


@rule
def card_worth(v: Any, card: int) -> float:
    """High cards while there is little to fear, low ones when the trick is poisoned."""
    rank = card % RANKS / 10
    if card // RANKS == v.trump // RANKS:
        rank += 0.5
    poison = kind_of(v, card) != NONE
    for i in range(v.in_trick):
        if v.trick_cards[i] >= 0:
            poison = poison or kind_of(v, int(v.trick_cards[i])) != NONE
    return -rank if poison else rank


@rule
def worth_keeping(v: Any, card: int) -> float:
    """What a card may be good for in the next round."""
    return card % RANKS + 3.0 * is_potion(v, card)


@rule
def advise_source(g: Any, view: Any) -> Any:
    """`advise` reads only public fields: the full state serves as well as a view."""
    return g


@rule
def prospect(g: Any, seat: int) -> float:
    """More jewels are better, and count for less the more rounds are to come."""
    if g.to_act == NOBODY:
        return result(g, seat)
    scale = _JEWELS_PER_ROUND * math.sqrt(ROUNDS + 1 - g.rounds)
    total = 0.0
    for other in range(g.players):
        total += math.exp((g.bags[other] - g.bags[seat]) / scale)
    return 1.0 / total
