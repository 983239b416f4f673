"""Dealing hidden cards: every deal that is possible, all of them equally likely.

`imagine` deals the cards that a seat has not seen to *places*: hands, face-down piles, the rest of
the pack. Where any card may be in any place, each card takes a free place at random (`take_place`),
and that is all.

Where some cards cannot be in some places (a player did not follow suit; a card was passed to a
known neighbour), dealing card by card would make some deals likelier than others. `deal_hidden`
counts instead. A game adds `hidden_fields` to its STATE, and its `imagine` says what is known::

    clear_hidden(g)
    for seat in range(SEATS):
        g.hidden_capacity[seat] = v.sizes[seat] if seat != v.seat else 0
    for card in range(CARDS):
        if not_seen(v, card):
            hide(g, card, seats_that_may_have(v, card))
    deal_hidden(g, random)
    for i in range(g.hidden):
        g.hands[g.hidden_places[i]] |= bit(g.hidden_cards[i])
    clear_hidden(g)

How it counts. Places that no card distinguishes form a *group*, within which cards are dealt
freely. Cards that may be in the same groups have the same *pattern*, one bit per group. A *table*
says how many cards of each pattern are in each group; it represents as many deals as there are ways
to choose those cards, a product of binomial coefficients. All tables are walked through twice: once
to add up their ways, once to stop at a random one of them. Then single cards are drawn.

The groups take their cards one after another. Once a group has taken, its bit matters no longer:
patterns that differ only there are one. So there are few tables: one for up to two groups; for
three, as many as there are ways to fill one of them from at most three patterns (105 for 13 cards).
Every further group multiplies their number. A deal to three hands takes about a microsecond,
whatever is known of them; one to four hands of six cards, each without a suit of its own, and a
pack, a quarter of a millisecond.

Counts of patterns are kept like a binary heap. While the first of k groups takes its cards, pattern
x has the index 2**k + x; the lowest bit of an index says whether that group may have the card, and
half of the index is that of the pattern for the groups that follow.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from theriac.engine.bits import lowest
from theriac.engine.chance import Stream, below, next_word
from theriac.engine.records import State
from theriac.engine.rows import Row, clear_row
from theriac.engine.rule import rule

#: The factorial of a larger number does not fit a float64.
MOST_CARDS: Final = 170
#: Each further place doubles the number of patterns; with eight, all tables can still be walked.
MOST_PLACES: Final = 8

_FACTORIAL: Final = np.array([float(math.factorial(n)) for n in range(MOST_CARDS + 1)])
_INVERSE: Final = 1.0 / _FACTORIAL


def hidden_fields(cards: int, places: int) -> list[Any]:
    """The fields of a STATE that `deal_hidden` needs, for at most this many cards and places.

    They are zero except while `imagine` runs.
    """
    if not 1 <= cards <= MOST_CARDS or not 1 <= places <= MOST_PLACES:
        raise ValueError(
            f"hidden_fields({cards}, {places}): use 1 to {MOST_CARDS} cards "
            f"and 1 to {MOST_PLACES} places"
        )
    return [
        ("hidden", np.int16),  # how many cards are hidden
        ("hidden_cards", np.int16, (cards,)),
        # Before the deal the places where each card may be, as bits; after it, the place.
        ("hidden_places", np.int16, (cards,)),
        ("hidden_capacity", np.int16, (places,)),  # how many cards each place gets
        ("hidden_peers", np.int16, (places,)),  # for each place those of its group, as bits
        ("hidden_groups", np.int16, (places,)),  # for each group its places, as bits
        ("hidden_sizes", np.int16, (places,)),  # and how many cards it gets
        # Both are indexed like a heap: cards that earlier groups left, cards taken by a group.
        ("hidden_left", np.int16, (2 << places,)),
        ("hidden_taken", np.int16, (1 << places,)),
        ("hidden_ways", np.float64, (places,)),  # to fill the groups up to this one
    ]


# Any card in any place


@rule
def take_place(random: Stream, capacity: Row, free: int) -> int:
    """The place that a hidden card takes, each free one equally likely; it then has one less.

    `capacity` has the free places of each hand, `free` counts them all. If it counts more than
    those of the hands, the others are those of the rest (a pack, say), whose number is
    ``len(capacity)``.
    """
    i = below(random, free)
    for place in range(len(capacity)):
        if i < capacity[place]:
            capacity[place] -= 1
            return place
        i -= capacity[place]
    return len(capacity)


# Some cards only in some places


@rule
def hide(g: State, card: int, places: int) -> None:
    """Note a hidden card, and the places where it may be, as bits."""
    g.hidden_cards[g.hidden] = card
    g.hidden_places[g.hidden] = places
    g.hidden += 1


@rule
def clear_hidden(g: State) -> None:
    """No card is hidden, and no place has capacity: before a deal, and when it has been read."""
    g.hidden = 0
    clear_row(g.hidden_cards)
    clear_row(g.hidden_places)
    clear_row(g.hidden_capacity)
    clear_row(g.hidden_peers)
    clear_row(g.hidden_groups)
    clear_row(g.hidden_sizes)
    clear_row(g.hidden_left)
    clear_row(g.hidden_taken)
    clear_row(g.hidden_ways)


@rule
def deal_hidden(g: State, random: Stream) -> bool:
    """Deal the hidden cards: then `hidden_places` has the place of each, and no place is free.

    All deals that are possible are equally likely. False if there is none: then what was noted of
    the cards contradicts itself, and nothing is dealt.
    """
    groups = find_groups(g)
    if not count_patterns(g, groups):
        return False
    if groups > 1:
        ways = walk_tables(g, groups, math.inf)
        if ways <= 0.0:
            return False
        walk_tables(g, groups, ways * fraction(random))
    for i in range(g.hidden):
        group = draw_group(g, random, (1 << groups) | int(g.hidden_places[i]))
        g.hidden_places[i] = draw_place(g, random, group)
    return True


@rule
def fraction(random: Stream) -> float:
    """A random number from 0 to below 1, of 52 bits."""
    high = next_word(random)
    return ((high << 20) | (next_word(random) >> 12)) / 4503599627370496.0


# Groups and patterns


@rule
def find_groups(g: State) -> int:
    """Group the places that have capacity, those with few choices first; returns their number."""
    find_peers(g)
    groups = 0
    grouped = 0
    while True:
        best = 0
        fewest = math.inf
        for place in range(len(g.hidden_capacity)):
            peers = int(g.hidden_peers[place])
            if peers and not (grouped >> place) & 1:
                choices = float(capacity_of(g, peers)) * may_be_at(g, place)
                if choices < fewest:
                    fewest = choices
                    best = peers
        if not best:
            return groups
        g.hidden_groups[groups] = best
        g.hidden_sizes[groups] = capacity_of(g, best)
        grouped |= best
        groups += 1


@rule
def may_be_at(g: State, place: int) -> int:
    """How many of the hidden cards may be at a place."""
    n = 0
    for i in range(g.hidden):
        n += (int(g.hidden_places[i]) >> place) & 1
    return n


@rule
def find_peers(g: State) -> None:
    """Find for each place with capacity all that no card distinguishes from it."""
    places = len(g.hidden_capacity)
    there = 0
    for place in range(places):
        there |= int(g.hidden_capacity[place] > 0) << place
    for place in range(places):
        g.hidden_peers[place] = there if (there >> place) & 1 else 0
    last = there
    for i in range(g.hidden):
        may = int(g.hidden_places[i]) & there
        if may != last:  # neighbouring cards are often of one suit
            last = may
            for place in range(places):
                g.hidden_peers[place] &= may if (may >> place) & 1 else there & ~may


@rule
def capacity_of(g: State, places: int) -> int:
    """How many cards these places get together."""
    capacity = 0
    for place in range(len(g.hidden_capacity)):
        if (places >> place) & 1:
            capacity += g.hidden_capacity[place]
    return capacity


@rule
def count_patterns(g: State, groups: int) -> bool:
    """Replace the places of each card by its pattern, and count these; False if a card has none,
    or if there are not as many cards as free places.
    """
    first = 1 << groups
    capacity = 0
    for group in range(groups):
        capacity += g.hidden_sizes[group]
    for i in range(first, 2 * first):
        g.hidden_left[i] = 0
    for i in range(g.hidden):
        pattern = 0
        for group in range(groups):
            pattern |= int(g.hidden_places[i] & g.hidden_groups[group] != 0) << group
        g.hidden_places[i] = pattern
        g.hidden_left[first | pattern] += 1
    return capacity == g.hidden and g.hidden_left[first] == 0


# Tables


@rule
def walk_tables(g: State, groups: int, goal: float) -> float:
    """Add up the ways of all tables; stop at the table at which the sum exceeds the goal."""
    if groups == 2:
        found = take_first(g, 2, int(g.hidden_sizes[0]))
        leave_rest(g, 2)
        return ways_to_take(g, 2) if found else 0.0
    if groups == 3:
        return walk_last_three(g, groups, 0.0, 1.0, goal)
    total = 0.0
    group = 0
    found = take_first(g, 1 << (groups - 1), int(g.hidden_sizes[0]))
    while group >= 0 and total <= goal:
        first = 1 << (groups - 1 - group)
        if not found:
            group -= 1  # another choice for the group before
            found = group >= 0 and take_next(g, 2 * first)
            continue
        ways = ways_to_take(g, first)
        if group > 0:
            ways *= g.hidden_ways[group - 1]
        leave_rest(g, first)
        if group < groups - 4:
            g.hidden_ways[group] = ways
            group += 1
            found = take_first(g, first // 2, int(g.hidden_sizes[group]))
        else:
            total = walk_last_three(g, groups, total, ways, goal)
            found = total <= goal and take_next(g, first)
    return total


@rule
def walk_last_three(g: State, groups: int, total: float, ways: float, goal: float) -> float:
    """Add to the total the ways for the last three groups, times those for the groups before.

    Nearly all the time goes here. The third last group (1) takes what no other may have, x cards of
    the pattern that only 2 may have besides, z of the pattern that both 2 and 3 may have, and for
    the rest cards of the pattern that only 3 may have. Then 2 takes what 3 may not have, and `more`
    of what both may have.
    """
    wanted = int(g.hidden_sizes[groups - 3]) - int(g.hidden_left[9])
    size = int(g.hidden_sizes[groups - 2])
    one_two = int(g.hidden_left[11])
    one_three = int(g.hidden_left[13])
    all_three = int(g.hidden_left[15])
    two = one_two + int(g.hidden_left[10])
    two_three = all_three + int(g.hidden_left[14])
    for x in range(max(0, two - size), min(wanted, one_two) + 1):
        ways_x = ways * choose(one_two, x)
        most = min(wanted - x, all_three, two_three + two - size - x)
        for z in range(max(0, wanted - x - one_three), most + 1):
            more = size - two + x
            chosen = choose(one_three, wanted - x - z) * choose(all_three, z)
            total += ways_x * chosen * choose(two_three - z, more)
            if total > goal:
                g.hidden_taken[4] = g.hidden_left[9]
                g.hidden_taken[5] = x
                g.hidden_taken[6] = wanted - x - z
                g.hidden_taken[7] = z
                leave_rest(g, 4)
                g.hidden_taken[2] = two - x
                g.hidden_taken[3] = more
                leave_rest(g, 2)
                return total
    return total


@rule
def choose(n: int, k: int) -> float:
    """How many ways there are to choose k of n."""
    return _FACTORIAL[n] * _INVERSE[k] * _INVERSE[n - k]


@rule
def take_first(g: State, first: int, size: int) -> bool:
    """A group takes its cards: first those that no later group may have, then of each pattern as
    many as it can; False if that is impossible.
    """
    must = int(g.hidden_left[2 * first + 1])
    g.hidden_taken[first] = must
    return must <= size and take_rest(g, first + 1, 2 * first, size - must)


@rule
def take_rest(g: State, begin: int, end: int, wanted: int) -> bool:
    """Take `wanted` cards of the patterns in this range, of the first ones as many as there are."""
    for i in range(begin, end):
        n = min(wanted, int(g.hidden_left[2 * i + 1]))
        g.hidden_taken[i] = n
        wanted -= n
    return wanted == 0


@rule
def take_next(g: State, first: int) -> bool:
    """Change what a group takes to the next possibility; False after the last."""
    taken = 0  # of the patterns passed, and how many more of them could be taken
    spare = 0
    for i in range(2 * first - 1, first, -1):
        if spare > 0 and g.hidden_taken[i] > 0:
            g.hidden_taken[i] -= 1
            return take_rest(g, i + 1, 2 * first, taken + 1)
        taken += g.hidden_taken[i]
        spare += g.hidden_left[2 * i + 1] - g.hidden_taken[i]
    return False


@rule
def ways_to_take(g: State, first: int) -> float:
    """In how many ways a group can choose the cards that it takes."""
    ways = 1.0
    for i in range(first + 1, 2 * first):
        if g.hidden_taken[i] > 0:
            ways *= choose(g.hidden_left[2 * i + 1], g.hidden_taken[i])
    return ways


@rule
def leave_rest(g: State, first: int) -> None:
    """Count what a group leaves to those after it."""
    for i in range(first, 2 * first):
        g.hidden_left[i] = g.hidden_left[2 * i] + g.hidden_left[2 * i + 1] - g.hidden_taken[i]


# Cards


@rule
def draw_group(g: State, random: Stream, pattern: int) -> int:
    """The group that gets the next card of this pattern (its index among those of the first group).

    A group takes the right number of cards of a pattern, any of them being equally likely.
    """
    group = 0
    while pattern > 3:  # else only the last group is left
        after = pattern >> 1
        if pattern & 1:
            left = int(g.hidden_left[pattern])
            taken = int(g.hidden_taken[after])
            g.hidden_left[pattern] = left - 1
            if taken == left or (taken > 0 and below(random, left) < taken):
                g.hidden_taken[after] = taken - 1
                return group
        group += 1
        pattern = after
    return group


@rule
def draw_place(g: State, random: Stream, group: int) -> int:
    """The place in a group that gets its next card; it then has one less."""
    places = int(g.hidden_groups[group])
    place = lowest(places)
    if places & (places - 1):
        i = below(random, g.hidden_sizes[group])
        while not (places >> place) & 1 or i >= g.hidden_capacity[place]:
            if (places >> place) & 1:
                i -= g.hidden_capacity[place]
            place += 1
    g.hidden_sizes[group] -= 1
    g.hidden_capacity[place] -= 1
    return place
