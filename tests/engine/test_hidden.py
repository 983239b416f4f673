"""Hidden cards: exactly the deals that are possible, all of them equally likely."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from math import comb, factorial, prod
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from tests.engine.compiled import compiled
from tests.examples import examples
from theriac.engine.chance import seed_stream
from theriac.engine.hidden import (
    MOST_CARDS,
    MOST_PLACES,
    clear_hidden,
    count_patterns,
    deal_hidden,
    find_groups,
    hidden_fields,
    hide,
    take_place,
    walk_tables,
)
from theriac.engine.records import record

FAST: dict[Any, Any] = {f: compiled(f) for f in (deal_hidden, take_place)}
SLOW: dict[Any, Any] = {f: f for f in FAST}

#: One layout for all cases: it is compiled once.
RECORD = np.dtype(hidden_fields(MOST_CARDS, 5), align=True)

#: Where each card may be, as bits, and how many cards each place gets.
Known = tuple[Sequence[int], Sequence[int]]
Deal = tuple[int, ...]

CASES: dict[str, Known] = {
    "anything goes": ([0b111] * 6, [2, 3, 1]),
    "one void": ([0b111] * 4 + [0b101] * 3, [2, 2, 3]),
    "a void each": ([0b110] * 3 + [0b101] * 2 + [0b011] * 3, [3, 2, 3]),
    "a void each, and a suit that all may have": (
        [0b110] * 2 + [0b101] * 2 + [0b011] * 2 + [0b111] * 2,
        [3, 3, 2],
    ),
    "two hands with the same void": ([0b001] * 2 + [0b111] * 5, [3, 2, 2]),
    "a known card": ([0b010] + [0b111] * 4 + [0b110] * 2, [2, 3, 2]),
    "only one deal": ([0b01, 0b10, 0b01], [2, 1]),
    "one's own hand has no capacity": ([0b1111] * 3 + [0b1001] * 2 + [0b1011] * 2, [3, 0, 2, 2]),
    "four hands and a pack": (
        [0b11110] * 2 + [0b11101] * 2 + [0b11011] + [0b10111] + [0b01111],
        [1, 2, 1, 1, 2],
    ),
    "the small group last": ([0b110] * 4 + [0b111] * 3, [1, 4, 2]),
}
each_case = pytest.mark.parametrize("known", CASES.values(), ids=list(CASES))


def noted(known: Known) -> Any:
    """A record in which all that is known has been noted; every card is its own number."""
    places, capacity = known
    g = record(RECORD)
    g.hidden_capacity[: len(capacity)] = capacity
    for card, may in enumerate(places):
        hide(g, card, may)
    return g


def all_deals(known: Known) -> Iterator[Deal]:
    """Every deal that is possible: the place of each card. The definition, card by card."""
    places, capacity = known
    for deal in product(range(len(capacity)), repeat=len(places)):
        fits = all(may >> place & 1 for may, place in zip(places, deal, strict=True))
        if fits and all(deal.count(place) == n for place, n in enumerate(capacity)):
            yield deal


def stream(number: int) -> Any:
    random = np.zeros(3, np.int64)
    seed_stream(random, 7, number)
    return random


def dealt(known: Known, samples: int, speed: dict[Any, Any] = FAST) -> Iterator[Deal]:
    """Deals of the same cards, again and again."""
    prepared, random = noted(known), stream(len(known[0]))
    for _ in range(samples):
        g = prepared.copy()
        assert speed[deal_hidden](g, random)
        assert not g.hidden_capacity.any()
        yield tuple(g.hidden_places[: len(known[0])].tolist())


@each_case
def test_all_possible_deals_are_equally_likely(known: Known) -> None:
    deals = list(all_deals(known))
    found = Counter(dealt(known, 12 * len(deals)))
    assert set(found) <= set(deals)
    if len(deals) > 1:
        assert chisquare([found[deal] for deal in deals]).pvalue > 1e-4


@each_case
def test_deals_are_the_same_at_both_speeds(known: Known) -> None:
    assert list(dealt(known, 20)) == list(dealt(known, 20, SLOW))


@st.composite
def knowledge(draw: st.DrawFn) -> Known:
    """Any cards and places; often no deal is possible."""
    capacity = draw(
        st.lists(st.integers(0, 3), min_size=1, max_size=4).filter(lambda r: sum(r) <= 7)
    )
    anywhere = (1 << len(capacity)) - 1
    may = st.integers(0, anywhere) | st.just(anywhere)
    return draw(st.lists(may, min_size=sum(capacity), max_size=sum(capacity))), capacity


@given(known=knowledge())
@examples(60)
def test_the_ways_are_counted(known: Known) -> None:
    """`walk_tables` counts the deals to groups; within each the cards are dealt freely."""
    expected = sum(1 for _ in all_deals(known))
    if not known[0]:
        return
    g = noted(known)
    groups = find_groups(g)
    ways = 0.0
    if count_patterns(g, groups):
        ways = walk_tables(g, groups, float("inf")) if groups > 1 else 1.0
    for bits, size in zip(g.hidden_groups[:groups].tolist(), g.hidden_sizes.tolist(), strict=False):
        inside = [n for place, n in enumerate(known[1]) if bits >> place & 1]
        ways *= factorial(size) / prod(map(factorial, inside))
    assert ways == pytest.approx(expected)
    assert deal_hidden(noted(known), stream(1)) == (expected > 0)


@pytest.mark.parametrize(
    "known",
    [
        pytest.param(([0b01, 0b01], [1, 1]), id="no place for a card"),
        pytest.param(([0b00, 0b11], [1, 1]), id="a card that is nowhere"),
        pytest.param(([0b11], [1, 1]), id="too few cards"),
        pytest.param(([0b11, 0b11, 0b11], [1, 1]), id="too many cards"),
    ],
)
def test_a_contradiction_is_reported_and_nothing_is_dealt(known: Known) -> None:
    for speed in (FAST, SLOW):
        g = noted(known)
        assert not speed[deal_hidden](g, stream(1))
        assert g.hidden_capacity[: len(known[1])].tolist() == known[1]


# Whole hands of cards: too many deals to list, so they are counted by a slower way


def chances(known: Known, card: int) -> list[float]:
    """How likely a card is in each place: all ways to place the cards, one after another."""
    places, capacity = known

    def ways(forced: int) -> int:
        after: Counter[tuple[int, ...]] = Counter({tuple(capacity): 1})
        for i, may in enumerate(places):
            before, after = after, Counter()
            for free, n in before.items():
                for place in range(len(capacity)):
                    if free[place] and may >> place & 1 and (i != card or place == forced):
                        after[*free[:place], free[place] - 1, *free[place + 1 :]] += n
        return after.total()

    found = [ways(place) for place in range(len(capacity))]
    return [n / sum(found) for n in found]


def whole_hands() -> Known:
    """Four suits of a trick-taking game: three hands with a void each, and two cards passed."""
    suits = [0b0111] * 7 + [0b0110] * 8 + [0b0101] * 6 + [0b0011] * 7
    return [*suits, 0b0100, 0b0100], [10, 10, 10]


@pytest.mark.parametrize("card", [0, 7, 15, 21])
def test_whole_hands_are_dealt_with_the_right_chances(card: int) -> None:
    known = whole_hands()
    samples = 4000
    found = Counter(deal[card] for deal in dealt(known, samples))
    expected = [(place, p * samples) for place, p in enumerate(chances(known, card)) if p]
    assert set(found) <= {place for place, _ in expected}
    assert (
        chisquare([found[place] for place, _ in expected], [n for _, n in expected]).pvalue > 1e-4
    )


@pytest.mark.parametrize("n", [60, MOST_CARDS])
def test_many_cards_are_counted(n: int) -> None:
    """Half of the cards may be in either hand, the others only in the second."""
    g = noted(([0b11] * (n // 2) + [0b10] * (n - n // 2), [n // 4, n - n // 4]))
    groups = find_groups(g)
    assert groups == 2
    assert count_patterns(g, groups)
    assert walk_tables(g, groups, float("inf")) == pytest.approx(comb(n // 2, n // 4))


# The record


def test_clearing_leaves_nothing() -> None:
    g = noted(whole_hands())
    assert deal_hidden(g, stream(1))
    clear_hidden(g)
    assert not any(g.tobytes())


@pytest.mark.parametrize(
    ("cards", "places"), [(0, 1), (1, 0), (MOST_CARDS + 1, 1), (1, MOST_PLACES + 1)]
)
def test_sizes_that_cannot_be_counted_are_refused(cards: int, places: int) -> None:
    with pytest.raises(ValueError, match="use 1 to 170 cards and 1 to 8 places"):
        hidden_fields(cards, places)


# Any card in any place


@pytest.mark.parametrize("rest", [0, 2])
def test_free_places_are_equally_likely(rest: int) -> None:
    """With and without a rest, such as a pack."""
    capacity = [2, 0, 1]
    known = [0b1111] * (3 + rest), [*capacity, rest]
    random = stream(rest)
    found: Counter[Deal] = Counter()
    deals = list(all_deals(known))
    for _ in range(40 * len(deals)):
        left = np.array(capacity, np.int16)
        found[tuple(FAST[take_place](random, left, n) for n in range(3 + rest, 0, -1))] += 1
        assert not left.any()
    assert set(found) <= set(deals)
    assert chisquare([found[deal] for deal in deals]).pvalue > 1e-4


def test_places_are_the_same_at_both_speeds() -> None:
    capacities = [np.array([3, 2, 4], np.int16) for _ in range(2)]
    for n in range(11, 0, -1):
        fast, slow = (
            speed[take_place](stream(n), capacity, n)
            for speed, capacity in zip((FAST, SLOW), capacities, strict=True)
        )
        assert fast == slow
