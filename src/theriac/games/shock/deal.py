"""Shock!: what the cards are, and how a round is dealt."""

from __future__ import annotations

from typing import Any

from theriac.engine.bits import bit, count_bits, lowest
from theriac.engine.contract import NATURE
from theriac.engine.rows import clear_row, copy_row
from theriac.engine.rule import rule
from theriac.games.shock.state import (
    CARD,
    CARDS,
    CHEST,
    CHEST_KINDS,
    DOORS_TO_LOSE,
    DUNGEON,
    KINDS,
    MOST_HAND,
    NONE,
    NUMBERS,
    RANKS,
    SEATS,
    SOBA,
    SUITS,
    WHOLE_SUIT,
)

# The cards


@rule
def read_options(g: Any, options: Any) -> None:
    """Copy the options, without the cards that they leave out, and work out the hand size."""
    g.players = options.players
    g.edition = options.edition
    g.simplified = options.simplified
    g.potions = options.potions
    g.soba = options.soba
    g.open_bags = options.open_bags
    g.numbers = options.numbers & ranks_played(options.players)
    g.with_potion = options.with_potion
    g.with_jewel = options.with_jewel
    for kind in range(KINDS):
        g.with_poison[kind] = options.with_poison[kind]
    if options.soba:  # SHK-46
        g.with_jewel &= ~g.with_poison[SOBA]
    else:
        g.with_poison[SOBA] = 0
    for kind in range(CHEST_KINDS):
        g.chest_deck[kind] = options.chest_deck[kind]
        g.large[kind] = options.large[kind]
        g.small[kind] = options.small[kind]
    g.hand_size = cards_dealt(options.players, count_bits(g.numbers))


@rule
def cards_dealt(players: int, numbers: int) -> int:
    """SHK-08: the size of a hand; a deck may be too small for full hands and a trump."""
    full = 8 if players == 5 else MOST_HAND
    return min(full, (numbers - 1) // players)


@rule
def ranks_played(players: int) -> int:
    """SHK-07: without 1s and 11s with three players, without 11s with four."""
    suit = WHOLE_SUIT
    if players < 5:
        suit ^= 1 << (RANKS - 1)
    if players == 3:
        suit ^= 1
    cards = 0
    for i in range(SUITS):
        cards |= suit << (RANKS * i)
    return cards


# A round begins


@rule
def begin_round(g: Any, leader: int) -> None:
    """SHK-39, SHK-40, SHK-47: all but the kept hands is shuffled, then the chest or the doors."""
    g.rounds += 1
    remember_round(g)
    g.first_leader = leader
    g.last_winner = NONE
    g.undealt = g.numbers
    fill_chest(g)
    asked = max(g.shuffles[DUNGEON], g.shuffles[CHEST], g.shuffles[DOORS_TO_LOSE])
    g.shuffles[DUNGEON] = asked + 1
    g.shuffles[CHEST] = asked + 2
    g.in_middle = 0
    g.to_deal = 0
    for seat in range(g.players):
        g.to_deal += g.hand_size - g.sizes[seat]
        g.undealt &= ~g.hands[seat]
    for seat in range(SEATS):
        g.in_round[seat] = seat < g.players
    clear_row(g.on_bag)
    clear_row(g.front_sizes)
    clear_row(g.covered_sizes)
    g.opened = 0
    g.due = 0
    begin_trick(g, leader)
    g.receiver = leader
    if g.to_deal > 0 and g.sizes[leader] == g.hand_size:
        g.receiver = next_to_fill(g, leader)
    g.pile = DUNGEON
    g.to_act = NATURE


@rule
def fill_chest(g: Any) -> None:
    """SHK-39, SHK-40: all cards of the chest, or all doors but the lost one."""
    copy_row(g.chest_deck, g.chest)
    if g.lost_door != NONE:
        g.chest[g.lost_door] -= 1
    g.chest_left = 0
    for kind in range(CHEST_KINDS):
        g.chest_left += g.chest[kind]
    copy_row(g.chest_seen, g.chest_seen_before)
    clear_row(g.chest_seen)


@rule
def remember_round(g: Any) -> None:
    """Keep what is still known of the last round when the next begins."""
    g.seen_before = g.seen
    g.seen = 0
    for kind in range(SOBA):
        if g.lost_door == NONE:
            g.door_odds[kind] = 0.0
        elif g.rounds == 3:  # every door may be the one, until cards are seen
            g.door_odds[kind] = 1.0
        else:
            g.door_odds[kind] *= 1.0 - g.chest_seen[kind] / g.chest_deck[kind]
    copy_row(g.sizes, g.kept)
    copy_row(g.hands, g.kept_cards)
    copy_row(g.voids, g.voids_before)
    copy_row(g.buried, g.buried_before)
    clear_row(g.voids)
    clear_row(g.shown)
    clear_row(g.down)
    clear_row(g.buried)


@rule
def odds(g: Any, pile: int, card: int) -> int:
    """The number of such cards left in a pile."""
    if card < NUMBERS:
        return (g.undealt >> card) & 1 if pile == DUNGEON else 0
    if pile == CHEST:
        return g.chest[card - NUMBERS]
    losing = g.pile == DOORS_TO_LOSE  # these three are a pile for that moment only
    return int(pile == DOORS_TO_LOSE and losing and card < NUMBERS + SOBA)


@rule
def lay_out(g: Any, pile: int, pack: Any) -> int:
    """The cards left in a pile, one by one."""
    n = 0
    if pile == DUNGEON:
        rest = int(g.undealt)
        while rest:
            pack[n] = lowest(rest)
            rest &= rest - 1
            n += 1
        return n
    if pile == CHEST:
        kind = 0
        while n < g.chest_left:
            for _ in range(g.chest[kind]):
                pack[n] = NUMBERS + kind
                n += 1
            kind += 1
        return n
    for card in range(NUMBERS, CARDS):
        if odds(g, pile, card):
            pack[n] = card
            n += 1
    return n


@rule
def deal_number(g: Any, card: int) -> None:
    """SHK-08, SHK-09: hands are filled up, then the trump is turned up."""
    g.undealt &= ~bit(card)
    if g.to_deal > 0:
        seat = g.receiver
        g.to_deal -= 1
        g.hands[seat] |= bit(card)
        g.sizes[seat] += 1
        if g.to_deal > 0:
            g.receiver = next_to_fill(g, seat)
    else:
        g.trump = card
        g.seen |= bit(card)
        g.to_act = g.leader


@rule
def next_to_fill(g: Any, seat: int) -> int:
    """The next seat clockwise whose hand is not full: it gets the next card."""
    seat = left_of(g, seat)
    while g.sizes[seat] == g.hand_size:
        seat = left_of(g, seat)
    return seat


@rule
def left_of(g: Any, seat: int) -> int:
    """The next seat clockwise."""
    return 0 if seat + 1 == g.players else seat + 1


@rule
def begin_trick(g: Any, leader: int) -> None:
    """SHK-12: the leader plays first."""
    g.leader = leader
    g.lead_suit = NONE
    g.in_trick = 0
    g.phase = CARD
    g.to_act = leader
