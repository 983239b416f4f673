"""Shock!: what a trick brings its winner: poisons, potions and shocks, the chest and the doors."""

from __future__ import annotations

from typing import Any, Final

from theriac.engine.bits import bit, count_bits, set_of
from theriac.engine.rule import rule
from theriac.games.shock.state import (
    ANAPHYLAXIS,
    CHALLENGE,
    CURES,
    FACE_DOWN,
    KEEP,
    KINDS,
    MOST_FRONT,
    NO_SUCH_CURE,
    NONE,
    SOBA,
)

#: SHK-05, SHK-29: the jewels that a poison card of the chest, or a poison door, brings the revealer
#: (in a deck of one's own, only where the card is marked with a jewel).
JEWELS_WITH_POISON: Final = 1

# Poisons in front


@rule
def put_in_front(g: Any, winner: int) -> None:
    """SHK-17: poison and potion cards played face up, in the order played.

    ``g.due`` says how many potions must be used (SHK-25): all of them; or, where potions may be
    kept, those already waiting when a poison card comes. Where they may be kept and no such card
    came, nothing is asked: NONE.
    """
    waiting = potions_waiting(g, winner)
    poisons = all_poisons(g)
    taken = poisons | g.with_potion
    came = 0
    size = int(g.front_sizes[winner])
    for i in range(g.in_trick):
        card = int(g.trick_cards[i])
        if card != FACE_DOWN and bit(card) & taken:
            g.front[winner, size] = card
            size += 1
            came |= bit(card)
    g.front_sizes[winner] = size
    if not g.potions:
        g.due = MOST_FRONT
    elif came == 0:
        g.due = NONE
    else:
        g.due = waiting if came & poisons else 0


@rule
def all_poisons(g: Any) -> int:
    """SHK-02, SHK-46: the number cards with a poison, as a set."""
    cards = 0
    for kind in range(KINDS):
        cards |= g.with_poison[kind]
    return cards


@rule
def kind_of(g: Any, card: int) -> int:
    """SHK-02, SHK-46: the kind of poison on a number card, or NONE."""
    for kind in range(KINDS):
        if is_poison(g, card, kind):
            return kind
    return NONE


@rule
def is_poison(g: Any, card: int, kind: int) -> int:
    """SHK-02, SHK-46: 1 if this kind of poison is on a number card, else 0."""
    return (g.with_poison[kind] >> card) & 1


@rule
def is_potion(g: Any, card: int) -> bool:
    """SHK-02: is there a potion on a number card?"""
    return (g.with_potion >> card) & 1 == 1


@rule
def in_front(g: Any, seat: int) -> int:
    """The cards in front of a seat, as a set."""
    return set_of(g.front[seat], g.front_sizes[seat])


@rule
def under_potions(g: Any, seat: int) -> int:
    """The cards in front of a seat that potions cover, as a set."""
    return set_of(g.covered[seat], g.covered_sizes[seat])


@rule
def bare(g: Any, seat: int) -> int:
    """The cards in front of a seat that no potion covers, as a set."""
    return in_front(g, seat) & ~under_potions(g, seat)


@rule
def potions_waiting(g: Any, seat: int) -> int:
    """SHK-23: potions in front of a seat that cover nothing: each covers one poison."""
    return count_bits(in_front(g, seat) & g.with_potion) - g.covered_sizes[seat]


@rule
def uncovered(g: Any, seat: int, kind: int) -> int:
    """How many uncovered poison cards of a kind lie in front of a seat."""
    return count_bits(bare(g, seat) & g.with_poison[kind])


# Potions


@rule
def lay_forced_potions(g: Any, seat: int) -> bool:
    """SHK-25, SHK-26: lay the potions that leave no choice. Is there a choice to ask about?"""
    if g.due == NONE:
        return False
    while potions_waiting(g, seat) > 0:
        cards = bare(g, seat)
        kinds = 0
        only = NONE
        for kind in range(KINDS):
            if cards & g.with_poison[kind]:
                kinds += 1
                only = kind
        if kinds == 0:
            return False
        if kinds > 1 or g.due == 0:
            return True
        cover(g, seat, only)
    return False


@rule
def refuse_cure(g: Any, move: int) -> int:
    """SHK-23, SHK-25: cover a poison that is there, or keep a potion that need not be used."""
    if CURES <= move < KEEP:
        return 0 if uncovered(g, g.to_act, move - CURES) > 0 else 23
    if move == NO_SUCH_CURE:
        return 23
    return 0 if move == KEEP and g.due == 0 else 25


@rule
def cover(g: Any, seat: int, kind: int) -> None:
    """SHK-23, SHK-46: cover the poison of a kind that came first and is not covered yet."""
    coverable = bare(g, seat) & g.with_poison[kind]
    for i in range(g.front_sizes[seat]):
        if bit(g.front[seat, i]) & coverable:
            g.covered[seat, g.covered_sizes[seat]] = g.front[seat, i]
            g.covered_sizes[seat] += 1
            break
    if g.due > 0:
        g.due -= 1


# Shock


@rule
def check_shocks(g: Any, seat: int) -> None:
    """SHK-19: shock the winner of a trick who now has the same poison twice, of any kind."""
    cards = bare(g, seat)
    for kind in range(KINDS):
        check_shock(g, seat, cards & g.with_poison[kind], times_in_middle(g, kind))


@rule
def check_shock(g: Any, seat: int, poisons: int, in_middle: int) -> None:
    """SHK-19, SHK-20: with the same poison twice, the jewels on the bag are lost.

    `poisons` are those of a kind, as a set, that lie uncovered in front of the seat.
    """
    if not g.in_round[seat]:
        return  # SHK-22
    if count_bits(poisons) + in_middle >= 2:
        g.on_bag[seat] = 0
        g.in_round[seat] = 0


@rule
def times_in_middle(g: Any, kind: int) -> int:
    """The number of cards with this poison in the middle."""
    n = 0
    for i in range(g.in_middle):
        n += g.middle[i] == kind
    return n


# The chest and the doors


@rule
def begin_challenge(g: Any) -> bool:
    """SHK-27, SHK-32: the chest for a winner still in; a door after every trick won."""
    g.opened = 0
    return g.edition == ANAPHYLAXIS or g.in_round[g.last_winner] == 1


@rule
def reveal(g: Any, kind: int) -> None:
    """A card of the chest, or a door, is revealed and resolved.

    SHK-27, SHK-28, SHK-29, SHK-30; for a door SHK-32. The jewels come from a supply that never runs
    out (SHK-06). If the winner of the trick may continue, that is asked; else nature stays to act.
    """
    winner = g.last_winner
    g.chest[kind] -= 1
    g.chest_left -= 1
    g.chest_seen[kind] += 1
    g.opened += 1
    large, small = g.large[kind], g.small[kind]
    for seat in range(g.players):
        if g.in_round[seat]:
            g.on_bag[seat] += large if seat == winner else small  # SHK-28, SHK-29
    if kind < SOBA:
        g.middle[g.in_middle] = kind
        g.in_middle += 1
        times = times_in_middle(g, kind)
        for seat in range(g.players):  # SHK-19, SHK-21
            check_shock(g, seat, bare(g, seat) & g.with_poison[kind], times)
    if g.edition != ANAPHYLAXIS and g.in_round[winner] and g.opened < 3:  # SHK-27, SHK-30
        g.phase = CHALLENGE
        g.to_act = winner
