"""Random numbers: fixed forever, uniform, and independent between streams."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from tests.engine.compiled import compiled
from tests.examples import examples
from theriac.engine.chance import below, mix, next_word, scale, seed_stream

FAST: dict[Any, Any] = {
    function: compiled(function) for function in (mix, seed_stream, next_word, scale, below)
}


SLOW: dict[Any, Any] = {function: function for function in FAST}


def stream(key: int, number: int, speed: dict[Any, Any] = SLOW) -> Any:
    random = np.zeros(3, np.int64)
    speed[seed_stream](random, key, number)
    return random


# These numbers never change, so that a simulation of today can be repeated later.


@pytest.mark.parametrize(
    ("key", "number", "words"),
    [
        (0, 0, [4214660123, 455526632, 2292740881, 1946952046]),
        (1, 0, [4168180133, 2027644551, 566209405, 521162195]),
        (0, 1, [1282681644, 1822493216, 3608667474, 774813215]),
        (12345, 678, [4088034228, 2035147430, 2031269140, 2061101825]),
        (2**32 + 1, 2**40 + 5, [1152469868, 1375628027, 375619784, 3520209898]),
        (-1, -1, [2936319563, 4079303961, 2402494678, 4180406544]),
    ],
)
def test_words_are_fixed(key: int, number: int, words: list[int]) -> None:
    for speed in (FAST, SLOW):
        random = stream(key, number, speed)
        assert [int(speed[next_word](random)) for _ in words] == words
        assert random[2] == len(words)


@given(x=st.integers(-(2**62), 2**62), key=st.integers(0, 2**32 - 1))
@examples(20)
def test_mix_is_equal_at_both_speeds(x: int, key: int) -> None:
    mixed = mix(x, key)
    assert 0 <= mixed < 2**32
    assert mixed == FAST[mix](x, key) == int(mix(np.int64(x), np.int64(key)))  # type: ignore[arg-type]


@given(word=st.integers(0, 2**32 - 1), n=st.integers(1, 2**20))
@examples(20)
def test_scale_stays_below_n(word: int, n: int) -> None:
    assert 0 <= scale(word, n) < n
    assert scale(word, n) == FAST[scale](word, n) == word * n // 2**32


@pytest.mark.parametrize("n", [1, 2, 3, 50, 2**20])
def test_scale_reaches_both_ends(n: int) -> None:
    assert scale(0, n) == 0
    assert scale(2**32 - 1, n) == n - 1


@pytest.mark.parametrize("n", [2, 3, 6, 7, 50])
def test_numbers_are_uniform(n: int) -> None:
    random = stream(9, n)
    counts = Counter(int(FAST[below](random, n)) for _ in range(400 * n))
    assert set(counts) == set(range(n))
    assert chisquare([counts[i] for i in range(n)]).pvalue > 1e-4


@pytest.mark.parametrize("bit", range(32))
def test_every_bit_is_uniform(bit: int) -> None:
    random = stream(10, 0)
    ones = sum(int(FAST[next_word](random)) >> bit & 1 for _ in range(4000))
    assert chisquare([ones, 4000 - ones]).pvalue > 1e-4


# Streams


def pairs(first: Any, second: Any) -> Counter[tuple[int, int]]:
    """Counts the pairs of words of two streams, by their highest three bits."""
    return Counter((int(a) >> 29, int(b) >> 29) for a, b in zip(first, second, strict=True))


def uniform(counts: Counter[tuple[int, int]]) -> bool:
    return bool(chisquare([counts[i, j] for i in range(8) for j in range(8)]).pvalue > 1e-4)


def words(key: int, number: int, n: int = 1) -> list[int]:
    random = stream(key, number, FAST)
    return [int(FAST[next_word](random)) for _ in range(n)]


@pytest.mark.parametrize(
    ("other_key", "other_number"),
    [
        *[(1, 2), (2, 1), (1, 1 + 2**16), (1, 1 + 2**31), (2**31 + 1, 1)],
        *[(1 + 2**32, 1), (1, 1 + 2**32), (1 + 2**62, 1), (1 - 2**63, 1), (1 + 2**32, 1 + 2**32)],
    ],
)
def test_two_streams_are_independent(other_key: int, other_number: int) -> None:
    """Word by word."""
    assert uniform(pairs(words(1, 1, 6400), words(other_key, other_number, 6400)))


@pytest.mark.parametrize("which", [0, 1, 7])
def test_neighbouring_streams_are_independent(which: int) -> None:
    """The same word of many streams, beside that of the next stream, and of the next key."""
    column = [words(3, number, which + 1)[which] for number in range(6401)]
    assert uniform(pairs(column[:-1], column[1:]))
    for step in (1, 2**32):
        by_key = [words(3 + key * step, 3, which + 1)[which] for key in range(6401)]
        assert uniform(pairs(by_key[:-1], by_key[1:]))


def test_words_of_one_stream_are_independent() -> None:
    row = words(4, 4, 6402)
    assert uniform(pairs(row[:-2], row[1:-1]))
    assert uniform(pairs(row[:-2], row[2:]))


def test_streams_start_from_different_states() -> None:
    for step in (1, 2**32):
        starts = {tuple(stream(1, number * step, FAST).tolist()) for number in range(20000)}
        assert len(starts) == 20000
        starts = {tuple(stream(1 + key * step, 0, FAST).tolist()) for key in range(20000)}
        assert len(starts) == 20000
    firsts = {words(key, 0)[0] for key in range(2000)} | {words(0, n)[0] for n in range(1, 2000)}
    assert len(firsts) > 3990


# Shuffles


def drawn(key: int, number: int, n: int) -> tuple[int, ...]:
    """n cards, drawn one by one as nature draws them."""
    random = stream(key, number, FAST)
    cards = list(range(n))
    order = []
    while cards:
        i = int(FAST[below](random, len(cards)))
        order.append(cards[i])
        cards[i] = cards[-1]
        cards.pop()
    return tuple(order)


def test_all_orders_are_equally_likely() -> None:
    counts = Counter(drawn(5, number, 4) for number in range(4800))
    assert set(counts) == set(permutations(range(4)))
    assert chisquare(list(counts.values())).pvalue > 1e-4


def test_neighbouring_games_have_independent_shuffles() -> None:
    """The first cards of game i and of game i + 1."""
    firsts = [drawn(6, number, 8)[0] for number in range(6401)]
    assert uniform(Counter(pairwise(firsts)))
