"""Counter-based random numbers, equal at every speed and on every device.

`random` is an array of three int64, each below 2**32: two words made from a key and the number of
a stream, and a counter. The n-th word of a stream depends on nothing else, so game number i of a
simulation is the same game wherever and beside whatever it runs. This generator is for simulation
only: the shuffles of a real game come from `theriac.seal`.

The mixing is that of a 32-bit integer hash with two multiplications; products stay below 2**63,
so that Python, NumPy, Numba and CUDA agree on every bit.
"""

from __future__ import annotations

from typing import Any, Final

from theriac.engine.rule import rule

FIRST: Final = 0
SECOND: Final = 1
COUNTER: Final = 2
_WORD: Final = 0xFFFFFFFF


@rule
def mix(x: int, key: int) -> int:
    """A 32-bit hash of x (any whole number) and key (below 2**32)."""
    x = x & _WORD
    x ^= x >> 16
    x = (x * 0x21F0AAAD) & _WORD
    x ^= x >> 15
    x = (((x + key) & _WORD) * 0x735A2D97) & _WORD
    x ^= x >> 15
    return x


@rule
def seed_stream(random: Any, key: int, stream: int) -> None:
    """Begin a stream. Neighbouring keys and streams have nothing in common."""
    start = mix(mix(key, 0x85EBCA6B) ^ (stream & _WORD), 0xC2B2AE35)
    random[FIRST] = start
    random[SECOND] = mix(mix(stream, 0x27D4EB2F) ^ start, key & _WORD)
    random[COUNTER] = 0


@rule
def next_word(random: Any) -> int:
    """The next 32 random bits of the stream."""
    counter = random[COUNTER]
    random[COUNTER] = counter + 1
    return mix(counter * 0x9E3779B9 + random[FIRST], random[SECOND])


@rule
def scale(word: int, n: int) -> int:
    """A word as a number from 0 to n - 1, evenly (to within n / 2**32)."""
    return (word * n) >> 32


@rule
def below(random: Any, n: int) -> int:
    """A random number from 0 to n - 1."""
    return scale(next_word(random), n)
