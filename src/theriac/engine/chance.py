"""Chance: counter-based random numbers, and the state that nature draws cards from.

A *stream* of random numbers is an array of three int64, each below 2**32: two words derived from a
key and the number of the stream, and a counter. The n-th word of a stream depends on nothing else.
So game number i of a simulation is the same game on every device, in every batch. Keys and numbers
have 64 bits, and every bit counts. This generator is for simulation only: the shuffles of a real
game come from `theriac.seal`.

The mixing function is a 32-bit integer hash with two multiplications. Products stay below 2**63,
so that Python, NumPy, Numba and CUDA agree on every bit.
"""

from __future__ import annotations

from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from theriac.engine.records import Record
from theriac.engine.rule import rule

Stream = npt.NDArray[np.int64]

#: The elements of a stream: two words, and the number of words drawn.
FIRST: Final = 0
SECOND: Final = 1
COUNTER: Final = 2
_WORD: Final = 0xFFFFFFFF


class ChanceState(Record, Protocol):
    """What nature draws from in one game of a simulation: see `chance_dtype`."""

    random: Stream
    pack: npt.NDArray[np.int8 | np.int16]
    left: npt.NDArray[np.int16]
    shuffle: npt.NDArray[np.int16]


def chance_dtype(cards: int, piles: int, pile_size: int) -> np.dtype[Any]:
    """The dtype of a `ChanceState`, for this many different cards and piles of at most `pile_size`.

    `random` is the game's stream. For each pile, `pack` holds the cards still to come, in no
    particular order, `left` their number, and `shuffle` the number of the shuffle that they
    belong to: the pack is filled again when the game has shuffled since.
    """
    card = np.int8 if cards <= 128 else np.int16  # narrow, so that it fits a GPU's shared memory
    return np.dtype(
        [
            ("random", np.int64, (3,)),
            ("pack", card, (piles, pile_size)),
            ("left", np.int16, (piles,)),
            ("shuffle", np.int16, (piles,)),
        ],
        align=True,
    )


@rule
def mix(x: int, key: int) -> int:
    """A 32-bit hash of x (any integer) and key (below 2**32)."""
    x = x & _WORD
    x ^= x >> 16
    x = (x * 0x21F0AAAD) & _WORD
    x ^= x >> 15
    x = (((x + key) & _WORD) * 0x735A2D97) & _WORD
    x ^= x >> 15
    return x


@rule
def seed_low_stream(random: Stream, key: int, stream: int) -> None:
    """`seed_stream` for a key and a number below 2**32."""
    first = mix(mix(key, 0x85EBCA6B) ^ (stream & _WORD), 0xC2B2AE35)
    random[FIRST] = first
    random[SECOND] = mix(mix(stream, 0x27D4EB2F) ^ first, key & _WORD)
    random[COUNTER] = 0


@rule
def seed_stream(random: Stream, key: int, stream: int) -> None:
    """Start stream number `stream` of a key. Streams and keys are independent of each other."""
    seed_low_stream(random, key, stream)
    if not is_low(key, stream):  # below 2**32, streams stay those of earlier versions
        random[FIRST] = mix(random[FIRST] ^ ((key >> 32) & _WORD), random[SECOND])
        random[SECOND] = mix(random[SECOND] ^ ((stream >> 32) & _WORD), random[FIRST])


@rule
def is_low(key: int, stream: int) -> bool:
    """Whether a key and the number of a stream are both below 2**32."""
    return (key | stream) >> 32 == 0


@rule
def next_word(random: Stream) -> int:
    """The next 32 random bits of the stream."""
    counter = random[COUNTER]
    random[COUNTER] = counter + 1
    return mix(counter * 0x9E3779B9 + random[FIRST], random[SECOND])


@rule
def scale(word: int, n: int) -> int:
    """Map a random word to 0 .. n - 1, uniformly (to within n / 2**32)."""
    return (word * n) >> 32


@rule
def below(random: Stream, n: int) -> int:
    """A random number from 0 to n - 1."""
    return scale(next_word(random), n)
