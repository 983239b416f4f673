"""Shock!: a whole state drawn from those that a view allows, all deals being equally likely.

What is known of another player's unseen cards (those in hand and those played face down this
round) is: how many; which suits they are not of, because that player could not follow; how many
cards were kept from the last round, and that a kept card was not seen then and not of a suit the
player had run out of. A *deal* says of every unseen card where it is, and of every card of a player
whether it was kept.

Dealing card by card under such conditions would not make all deals equally likely. So deals are
drawn by rejection sampling:

1. Cards fall into eight classes (`CLASSES`) that no condition distinguishes. A try draws, for each
   other player, first how many of the unseen cards were kept, then their classes, then the classes
   of the others for players who ran out of a suit. It also works out its weight: how likely these
   classes should be, over how likely the try was to draw them (`chance_of`).
2. The try is accepted with the probability weight / bound, where no try has a weight above that
   bound (`most_chance`). Where nobody ran out of a suit the probability is 1.
3. Then single cards are given to the places of their classes, one after another, each taking a
   free place at random.

`engine.hidden` would have to count far more here: each other player is two places (cards kept, and
others), the number of cards in each of them is hidden too, and the pack is a place of its own.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from theriac.engine.bits import bit, count_bits, lowest
from theriac.engine.chance import below, next_word
from theriac.engine.rule import rule
from theriac.games.shock.rules import all_of
from theriac.games.shock.state import (
    ANAPHYLAXIS,
    CHEST,
    CHEST_KINDS,
    CLASSES,
    DOORS_TO_LOSE,
    DUNGEON,
    MOST_HAND,
    NONE,
    NUMBERS,
    RANKS,
    SEATS,
    SOBA,
    SUITS,
)
from theriac.games.shock.view import copy_open

WORDS: Final = 4294967296.0
#: The classes of cards that may have been kept: the odd ones.
FRESH: Final = 0b10101010

#: CHOOSE[n, k]: how many ways there are to choose k of n.
CHOOSE = np.zeros((MOST_HAND + 1, MOST_HAND + 1))
CHOOSE[:, 0] = 1
for _n in range(1, MOST_HAND + 1):
    CHOOSE[_n, 1:] = CHOOSE[_n - 1, 1:] + CHOOSE[_n - 1, :-1]


# What is known


@rule
def unseen_cards(v: Any) -> int:
    """The number cards that this seat has not seen this round."""
    return v.numbers & ~v.seen & ~v.my_buried & ~v.hand


@rule
def stale_cards(v: Any) -> int:
    """The number cards that this seat saw in the last round: nobody can have kept them."""
    return v.seen_before | v.my_buried_before


@rule
def class_of(v: Any, card: int) -> int:
    """The class of a card: odd if it was not seen in the last round."""
    return 2 * (card // RANKS) + 1 - ((stale_cards(v) >> card) & 1)


@rule
def classes_without(suits: int) -> int:
    """The classes of all suits but those given as bits."""
    classes = 0
    for suit in range(SUITS):
        if not (suits >> suit) & 1:
            classes |= 3 << (2 * suit)
    return classes


@rule
def may_hold(v: Any, seat: int) -> int:
    """The classes that the unseen cards of a seat may be of."""
    return classes_without(v.voids[seat])


@rule
def may_have_kept(v: Any, seat: int) -> int:
    """The classes that its unseen cards may be of if they were kept."""
    return classes_without(v.voids[seat] | v.voids_before[seat]) & FRESH


@rule
def count_hidden(v: Any, g: Any) -> None:
    """Note for each other seat how many unseen cards it has, and how many of them it kept."""
    for seat in range(SEATS):
        other = seat != v.seat
        g.hidden[seat] = v.sizes[seat] + v.down[seat] if other else 0
        g.shown_kept[seat] = count_shown_kept(v, seat) if other and v.kept[seat] > 0 else 0
        g.most[seat] = min(v.kept[seat], g.hidden[seat]) if other else 0
        g.fewest[seat] = max(0, v.kept[seat] - g.shown_kept[seat]) if other else 0


@rule
def count_shown_kept(v: Any, seat: int) -> int:
    """How many of the cards that a seat has shown this round it may have kept from the last."""
    n = 0
    for card in range(NUMBERS):
        if (v.shown[seat] >> card) & 1:
            n += may_be_kept(v, seat, card)
    return n


@rule
def may_be_kept(v: Any, seat: int, card: int) -> bool:
    """May a seat have kept this card from the last round?"""
    classes = classes_without(v.voids_before[seat]) & FRESH
    return (classes >> class_of(v, card)) & 1 == 1


# Drawing classes


@rule
def count_classes(v: Any, g: Any, unseen: int) -> None:
    """Begin a try: nothing is drawn yet."""
    for row in range(2 * SEATS):
        for i in range(CLASSES):
            g.drawn[row, i] = 0
    stale = stale_cards(v)
    for suit in range(SUITS):
        cards = unseen & all_of(suit)
        g.of_class[2 * suit] = count_bits(cards & stale)
        g.of_class[2 * suit + 1] = count_bits(cards & ~stale)


@rule
def left_in(g: Any, classes: int) -> int:
    """How many cards of these classes are left."""
    n = 0
    for i in range(CLASSES):
        if (classes >> i) & 1:
            n += g.of_class[i]
    return n


@rule
def draw_classes(g: Any, random: Any, row: int, n: int, classes: int, pool: int) -> float:
    """Draw n cards of these classes; how likely n cards of a pool of that size are such ones."""
    chance = 1.0
    left = left_in(g, classes)
    for i in range(n):
        if left <= 0:
            return 0.0
        chance *= left / (pool - i)
        place = below(random, left)
        left -= 1
        for kind in range(CLASSES):
            if (classes >> kind) & 1:
                if place < g.of_class[kind]:
                    g.of_class[kind] -= 1
                    g.drawn[row, kind] += 1
                    break
                place -= g.of_class[kind]
    return chance


@rule
def draw_kept(v: Any, random: Any, g: Any, seat: int, ratio: float) -> int:
    """How many of a seat's unseen cards were kept: as likely as the ways to choose them, from
    those unseen and from those shown, times the ratio for each.
    """
    fewest = g.fewest[seat]
    most = g.most[seat]
    if fewest == most:
        return fewest
    total = 0.0
    for pick in range(2):
        goal = total * next_word(random) / WORDS if pick else -1.0
        total = 0.0
        factor = 1.0
        for n in range(fewest, most + 1):
            ways = CHOOSE[g.hidden[seat], n] * CHOOSE[g.shown_kept[seat], v.kept[seat] - n]
            total += ways * factor
            factor *= ratio
            if pick and goal < total:
                return n
    return most


@rule
def chance_of(v: Any, random: Any, g: Any, unseen: int, ratio: float) -> float:
    """Make one try; its weight: how likely it should be, over how likely it was."""
    count_classes(v, g, unseen)
    fresh = left_in(g, FRESH)
    pool = count_bits(unseen)
    kept = 0
    fewest = 0
    for seat in range(v.players):
        fewest += g.fewest[seat]
    chance = 1.0
    for seat in range(v.players):
        n = draw_kept(v, random, g, seat, ratio)
        chance *= draw_classes(g, random, seat, n, may_have_kept(v, seat), fresh - kept)
        if chance <= 0.0:
            return 0.0  # not all were drawn: for the next seat the pool would be too small
        kept += n
    for i in range(fewest, kept):
        chance *= (fresh - i) / (pool - i) / ratio
    pool -= kept
    for seat in range(v.players):
        if v.voids[seat] and seat != v.seat:
            n = g.hidden[seat] - drawn_by(g, seat)
            chance *= draw_classes(g, random, SEATS + seat, n, may_hold(v, seat), pool)
            pool -= n
    return chance


@rule
def usual_ratio(v: Any, g: Any, unseen: int) -> float:
    """How much less likely each card more that was kept makes a deal, at the least."""
    count_classes(v, g, unseen)
    fewest = 0
    for seat in range(v.players):
        fewest += g.fewest[seat]
    fresh = left_in(g, FRESH) - fewest
    return max(1, fresh) / max(1, count_bits(unseen) - fewest)


@rule
def drawn_by(g: Any, row: int) -> int:
    """How many cards were drawn in a row."""
    n = 0
    for kind in range(CLASSES):
        n += g.drawn[row, kind]
    return n


@rule
def most_chance(v: Any, g: Any, unseen: int) -> float:
    """The bound that no weight exceeds.

    For each draw: the most cards of its classes that can be left, over the fewest cards that can
    be in the pool. Earlier draws leave the most if they take cards of other classes, as far as
    there are such.
    """
    count_classes(v, g, unseen)
    most = 1.0
    pool = left_in(g, FRESH)
    for seat in range(v.players):
        classes = may_have_kept(v, seat)
        left = left_in(g, classes) - sure_to_take(v, g, seat, False, classes)
        most *= bound(left, pool, g.fewest[seat])
        pool -= g.most[seat]
    pool = count_bits(unseen)
    for seat in range(v.players):
        pool -= g.most[seat]
    for seat in range(v.players):
        if v.voids[seat] and seat != v.seat:
            classes = may_hold(v, seat)
            left = left_in(g, classes) - sure_to_take(v, g, seat, True, classes)
            most *= bound(left, pool, g.hidden[seat] - g.most[seat])
            pool -= g.hidden[seat] - g.most[seat]
    return most


@rule
def bound(left: int, pool: int, n: int) -> float:
    """The most that a draw of n cards or more can contribute."""
    most = 1.0
    for i in range(n):
        if left < pool:
            most *= (left - i) / (pool - i)
    return most


@rule
def sure_to_take(v: Any, g: Any, until: int, others: bool, classes: int) -> int:
    """How many cards of these classes earlier draws must take: the kept ones of seats before
    `until`, or (others) of all seats and the other cards of seats before it.
    """
    total = 0
    single = 0
    union = 0
    for seat in range(v.players):
        if seat == v.seat:
            continue
        if others or seat < until:
            n = g.fewest[seat]
            total += n
            union |= may_have_kept(v, seat)
            single += max(0, n - left_in(g, may_have_kept(v, seat) & ~classes))
        if others and seat < until and v.voids[seat]:
            n = g.hidden[seat] - g.most[seat]
            total += n
            union |= may_hold(v, seat)
            single += max(0, n - left_in(g, may_hold(v, seat) & ~classes))
    return max(single, total - left_in(g, union & ~classes), 0)


# Dealing


@rule
def imagine(v: Any, random: Any, g: Any) -> None:
    """A deal that fits the view, all being equally likely. The view is one of a player to act, or
    of the end.
    """
    copy_open(v, g)
    open_piles(v, g)
    for seat in range(SEATS):
        mine = seat == v.seat
        g.buried[seat] = v.my_buried if mine else 0
        g.buried_before[seat] = v.my_buried_before if mine else 0
        g.kept_cards[seat] = v.my_kept if mine else 0
        g.hands[seat] = v.hand if mine else 0
    lose_a_door(v, random, g)
    count_hidden(v, g)
    unseen = unseen_cards(v)
    draw_until_accepted(v, random, g, unseen)
    deal_unseen(v, random, g, unseen)
    clear_scratch(g)


@rule
def open_piles(v: Any, g: Any) -> None:
    """The shuffles so far: two per round, one more before round 3 in the original edition."""
    more = int(v.edition == ANAPHYLAXIS and v.rounds > 2)
    g.shuffles[DUNGEON] = 2 * v.rounds - 1 + more
    g.shuffles[CHEST] = 2 * v.rounds + more
    g.shuffles[DOORS_TO_LOSE] = 5 * more
    g.pile = CHEST
    g.receiver = v.first_leader
    g.to_deal = 0


@rule
def lose_a_door(v: Any, random: Any, g: Any) -> None:
    """SHK-44: which door is out, as likely as it makes the doors seen since; the rest is left."""
    g.lost_door = NONE
    total = 0.0
    for pick in range(2):
        goal = total * next_word(random) / WORDS if pick else -1.0
        total = 0.0
        for kind in range(SOBA):
            if v.door_odds[kind] > 0.0:
                total += v.door_odds[kind] * (1.0 - v.chest_seen[kind] / v.chest_deck[kind])
                if pick and g.lost_door == NONE and goal < total:
                    g.lost_door = kind
    for kind in range(CHEST_KINDS):
        g.chest[kind] = v.chest_deck[kind] - v.chest_seen[kind] - (g.lost_door == kind)


@rule
def draw_until_accepted(v: Any, random: Any, g: Any, unseen: int) -> None:
    """Rejection sampling: try until a try is accepted."""
    ratio = usual_ratio(v, g, unseen)
    most = most_chance(v, g, unseen)
    while chance_of(v, random, g, unseen, ratio) <= next_word(random) / WORDS * most:
        pass


@rule
def deal_unseen(v: Any, random: Any, g: Any, unseen: int) -> None:
    """Every card takes a free place among those of its class."""
    g.undealt = 0
    free = 0  # places that any card may take
    for kind in range(CLASSES):
        free += g.of_class[kind]
    for seat in range(SEATS):
        g.sizes[seat] = v.sizes[seat] if seat == v.seat else 0
        g.most[seat] = 0 if v.voids[seat] else g.hidden[seat] - drawn_by(g, seat)
        g.shown_kept[seat] = v.kept[seat] - drawn_by(g, seat)
        g.fewest[seat] = v.down[seat] if seat != v.seat else 0
    for kind in range(CLASSES):
        g.reserved[kind] = 0
        for row in range(2 * SEATS):
            g.reserved[kind] += g.drawn[row, kind]
    rest = unseen
    while rest:
        free -= deal_card(v, random, g, lowest(rest), free)
        rest &= rest - 1
    for seat in range(v.players):
        if seat != v.seat:
            choose_shown_kept(v, random, g, seat)


@rule
def deal_card(v: Any, random: Any, g: Any, card: int, free: int) -> int:
    """Deal one card; 1 if it took one of the places that any card may take."""
    kind = class_of(v, card)
    place = below(random, g.reserved[kind] + g.of_class[kind])
    if place < g.reserved[kind]:
        deal_reserved(random, g, card, kind, place)
        return 0
    g.of_class[kind] -= 1
    place = below(random, free)
    for seat in range(v.players):
        if place < g.most[seat]:
            g.most[seat] -= 1
            give(random, g, seat, card)
            return 1
        place -= g.most[seat]
    g.undealt |= bit(card)
    return 1


@rule
def deal_reserved(random: Any, g: Any, card: int, kind: int, place: int) -> None:
    """Deal a card to the place of that number among those drawn for its class."""
    row = 0
    while place >= g.drawn[row, kind]:
        place -= g.drawn[row, kind]
        row += 1
    g.reserved[kind] -= 1
    g.drawn[row, kind] -= 1
    if row < SEATS:
        g.kept_cards[row] |= bit(card)
    give(random, g, row % SEATS, card)


@rule
def give(random: Any, g: Any, seat: int, card: int) -> None:
    """A card is in a seat's hand, or among those it has played face down."""
    if g.fewest[seat] > 0 and below(random, g.hidden[seat]) < g.fewest[seat]:
        g.fewest[seat] -= 1
        g.buried[seat] |= bit(card)
    else:
        g.hands[seat] |= bit(card)
        g.sizes[seat] += 1
    g.hidden[seat] -= 1


@rule
def choose_shown_kept(v: Any, random: Any, g: Any, seat: int) -> None:
    """Choose which of the cards that a seat showed it had kept, of those it may have kept."""
    wanted = int(g.shown_kept[seat])
    if wanted <= 0:
        return
    left = count_shown_kept(v, seat)
    for card in range(NUMBERS):
        if (v.shown[seat] >> card) & 1 and may_be_kept(v, seat, card):
            if below(random, left) < wanted:
                wanted -= 1
                g.kept_cards[seat] |= bit(card)
            left -= 1


@rule
def clear_scratch(g: Any) -> None:
    """Clear the scratch fields."""
    for kind in range(CLASSES):
        g.of_class[kind] = 0
    for seat in range(SEATS):
        g.hidden[seat] = 0
        g.shown_kept[seat] = 0
        g.fewest[seat] = 0
        g.most[seat] = 0
