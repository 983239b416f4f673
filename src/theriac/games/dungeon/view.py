"""Knock, Knock! Dungeon!: what a seat may know, imagining the rest, and the view as numbers.

Hidden are the other hands and the order of the pile. Where the Black Knight is, everybody knows: at
the bottom of the pile (KKD-03) until he is drawn and laid at once (KKD-20).
"""

from __future__ import annotations

from typing import Any, Final

from theriac.engine.hidden import take_place
from theriac.engine.rows import only
from theriac.engine.rule import rule
from theriac.games.dungeon.fort import (
    danger_of,
    fill_spots,
    in_frame,
    is_standing,
    shown,
)
from theriac.games.dungeon.rules import copy_options, take
from theriac.games.dungeon.state import (
    CORNERS,
    DRAWN,
    FRAME,
    KINDS,
    MOST_CARDS,
    MOST_HAND,
    MOST_PLACES,
    NONE,
    PILE,
    SEATS,
    SPELL_BOX,
    SPELLS,
    TOKENS,
)

#: For each place of the frame in turn whether a card may go there, then the card that lies there:
#: see `encode_laid`; for each card in hand: `encode_card`;
#: for each card of the deck how many are unseen; for each seat from one's own clockwise the size
#: of its hand; the spells held; then the rest.
PLANES: Final = 13
_CARD: Final = 9
_REST: Final = 8
FEATURES: Final = PLANES * FRAME * FRAME + _CARD * MOST_HAND + KINDS + SEATS + SPELLS + _REST


@rule
def copy_open(source: Any, target: Any) -> None:
    """Copy all that lies open, between STATE and VIEW."""
    copy_options(target, source)
    target.to_act = source.to_act
    target.rounds = source.rounds
    target.supply = source.supply
    target.talk = source.talk
    target.spells = source.spells
    target.knight_is = source.knight_is
    target.in_pile = source.in_pile
    target.outcome = source.outcome
    target.why = source.why
    target.points = source.points
    target.laid = source.laid
    target.low_u = source.low_u
    target.high_u = source.high_u
    target.low_v = source.low_v
    target.high_v = source.high_v
    target.poisoned_cell = source.poisoned_cell
    target.poisoned_corner = source.poisoned_corner
    target.places = source.places
    for kind in range(KINDS):
        target.burnt[kind] = source.burnt[kind]
    for seat in range(SEATS):
        target.sizes[seat] = source.sizes[seat]
    for i in range(MOST_CARDS):
        copy_card(source, target, i, i < source.laid)
    for k in range(MOST_PLACES):
        target.place_us[k] = only(source.place_us[k], k < source.places)
        target.place_vs[k] = only(source.place_vs[k], k < source.places)
    fill_spots(target)


@rule
def copy_card(source: Any, target: Any, i: int, there: bool) -> None:
    """Copy a card of the fort; zeros where there is none."""
    target.kinds[i] = only(source.kinds[i], there)
    target.turned[i] = only(source.turned[i], there)
    target.us[i] = only(source.us[i], there)
    target.vs[i] = only(source.vs[i], there)
    target.tokens[i] = only(source.tokens[i], there)
    target.defeated[i] = only(source.defeated[i], there)
    target.frozen[i] = only(source.frozen[i], there)


@rule
def see(g: Any, seat: int, v: Any) -> None:
    """KKD-08: all that lies open, and one's own hand."""
    copy_open(g, v)
    v.seat = seat
    for i in range(MOST_HAND):
        v.hand[i] = g.hands[seat, i] if seat >= 0 and i < g.sizes[seat] else 0
    for other in range(SEATS):
        v.scores[other] = g.points


# Imagining


@rule
def imagine(v: Any, random: Any, g: Any) -> None:
    """Deal the unseen cards to the other hands and the pile: each card takes a free place at
    random, which makes all deals equally likely. The view is one of a player to act, or of the end.
    """
    copy_open(v, g)
    g.pile = PILE
    g.shuffles[PILE] = 1
    g.shuffles[SPELL_BOX] = 0
    g.to_deal = 0
    g.receiver = v.seat
    for i in range(MOST_CARDS):
        g.chain[i] = 0
    for seat in range(SEATS):
        for i in range(MOST_HAND):
            g.hands[seat, i] = v.hand[i] if seat == v.seat else 0
    count_unseen(v, g.undealt)
    deal_unseen(v, random, g)
    for seat in range(SEATS):
        g.sizes[seat] = v.sizes[seat] - has_unseen_knight(v, seat)
    if v.knight_is == DRAWN and v.to_act != v.seat:
        take(g, v.to_act, v.knight)


@rule
def count_unseen(v: Any, counts: Any) -> None:
    """How many of each card this seat has not seen, the Black Knight apart."""
    for kind in range(KINDS):
        counts[kind] = v.deck[kind] - v.burnt[kind]
    for i in range(v.laid):
        if v.kinds[i] != v.knight:
            counts[v.kinds[i]] -= 1
    for i in range(v.sizes[v.seat]):
        if v.hand[i] != v.knight:
            counts[v.hand[i]] -= 1


@rule
def deal_unseen(v: Any, random: Any, g: Any) -> None:
    """``g.undealt`` counts the unseen cards, and at the end those of the pile; ``g.sizes`` counts
    the free places meanwhile.
    """
    free = int(v.in_pile)
    for seat in range(SEATS):
        g.sizes[seat] = v.sizes[seat] - has_unseen_knight(v, seat) if seat != v.seat else 0
        free += g.sizes[seat]
    for kind in range(KINDS):
        for _ in range(g.undealt[kind]):
            seat = take_place(random, g.sizes, free)
            free -= 1
            if seat < SEATS:
                size = v.sizes[seat] - has_unseen_knight(v, seat) - g.sizes[seat]
                g.hands[seat, size - 1] = kind
                g.undealt[kind] -= 1


@rule
def has_unseen_knight(v: Any, seat: int) -> bool:
    """Has another player drawn the Black Knight, to lay it now?"""
    return v.knight_is == DRAWN and v.to_act == seat and seat != v.seat


# As numbers


@rule
def encode(v: Any, out: Any) -> None:
    """The view as numbers of about 0 to 1. The fort is shown in a frame around its middle."""
    for n in range(PLANES * FRAME * FRAME):
        out[n] = 0
    for k in range(v.places):
        place = in_frame(v, int(v.place_us[k]), int(v.place_vs[k]))
        if place != NONE:
            out[PLANES * place] = 1
    for i in range(v.laid):
        place = in_frame(v, int(v.us[i]), int(v.vs[i]))
        if place != NONE:
            encode_laid(v, i, out, PLANES * place)
    n = PLANES * FRAME * FRAME
    for i in range(MOST_HAND):
        n = encode_card(v, i, out, n)
    count_unseen(v, out[n : n + KINDS])
    for kind in range(KINDS):
        out[n + kind] /= 4
    n += KINDS
    for i in range(SEATS):
        there = i < v.players
        out[n + i] = v.sizes[(v.seat + i) % v.players] / MOST_HAND if there else 0
    n += SEATS
    for spell in range(SPELLS):
        out[n + spell] = (v.spells >> spell) & 1
    n += SPELLS
    out[n] = v.supply / TOKENS
    out[n + 1] = v.talk
    out[n + 2] = v.in_pile / MOST_CARDS
    out[n + 3] = v.knight_is / 2
    out[n + 4] = v.level / 4
    out[n + 5] = v.treasure
    out[n + 6] = v.players / SEATS
    out[n + 7] = v.minutes > 0


@rule
def encode_laid(v: Any, i: int, out: Any, n: int) -> None:
    """A card of the fort."""
    kind = v.kinds[i]
    out[n + 1] = 1
    out[n + 2] = is_standing(v, i)
    out[n + 3] = kind == v.knight
    out[n + 4] = v.tokens[i] / 3
    out[n + 5] = v.frozen[i]
    out[n + 6] = danger_of(v, i) / 6
    out[n + 7] = v.chests[kind] / 3
    out[n + 8] = (i + 1) / MOST_CARDS
    for corner in range(CORNERS):
        out[n + 9 + corner] = shown(v, i, corner) / 4


@rule
def encode_card(v: Any, slot: int, out: Any, n: int) -> int:
    """A card in hand; zeros where there is none."""
    for i in range(_CARD):
        out[n + i] = 0
    if slot < v.sizes[v.seat]:
        kind = v.hand[slot]
        out[n] = 1
        out[n + 1] = v.creature[kind] / 3
        out[n + 2] = v.silent[kind]
        out[n + 3] = v.chests[kind] / 3
        out[n + 4] = kind == v.knight
        for corner in range(CORNERS):
            out[n + 5 + corner] = v.corners[kind, corner] / 4
    return n + _CARD
