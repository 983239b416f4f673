"""Shuffles that anyone can check.

Before the first card of a real game the server publishes its *commitment*: the SHA-256 of a secret
of 32 bytes. Each seat adds a *nonce*, a text of its own choice. The *seed* of the game depends on
both, so neither side can choose it. When the game is over, the server publishes the secret, and
anyone can compute the seed and every card again.

- commitment = SHA-256(secret)
- seed: versions 2 and 3 are `sealed_deal.bound_seed`, with which a server deals every game.
  Version 1, for the oldest records: HMAC-SHA-256(key=secret, "theriac seed 1", then a line feed
  and its nonce for each seat)
- words for a purpose: 32-bit numbers, big-endian, eight from each HMAC-SHA-256(key=seed,
  "PURPOSE BLOCK") with BLOCK = 0, 1, 2, …
- a number below n: the next word below the largest multiple of n that fits 32 bits, modulo n
- shuffle k (from 1) of n cards, PURPOSE "shuffle k": the cards in the order of their numbers, then
  for i = n - 1 down to 1 swap card i with card j, a number below i + 1
- the first seat, where no option names it, PURPOSE "first": a number below the number of players

`docs/shuffle.md` has worked examples, and says what is promised and what is not.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterator, Sequence

from theriac.faults import Fault

_WORDS = 1 << 32
MOST_NONCE = 64


def new_seed() -> bytes:
    """A seed (or secret) from the system's secure random numbers."""
    return secrets.token_bytes(32)


def commitment(secret: bytes) -> str:
    """The SHA-256 of the secret, published before the first card."""
    return hashlib.sha256(secret).hexdigest()


def sealed_seed(secret: bytes, nonces: Sequence[str]) -> bytes:
    """The seed of version 1, made from the server's secret and the seats' nonces.

    >>> sealed_seed(bytes(32), ["a", "b", "c"]).hex()[:16]
    '5d3848e6ba831078'
    """
    check_nonces(nonces)
    lines = ["theriac seed 1", *nonces]
    return hmac.digest(secret, "\n".join(lines).encode(), "sha256")


def check_nonces(nonces: Sequence[str]) -> None:
    """Raise `Fault` unless each is one line of printable characters."""
    for nonce in nonces:
        if len(nonce) > MOST_NONCE or not nonce.isprintable():
            raise Fault(f"a nonce is one line of at most {MOST_NONCE} printable characters")


def words(seed: bytes, purpose: str) -> Iterator[int]:
    """An endless stream of 32-bit numbers for one purpose."""
    block = 0
    while True:
        digest = hmac.digest(seed, f"{purpose} {block}".encode(), "sha256")
        for i in range(0, 32, 4):
            yield int.from_bytes(digest[i : i + 4], "big")
        block += 1


def below(source: Iterator[int], n: int) -> int:
    """The next number from 0 to n - 1, without bias: words that would favour some are skipped."""
    limit = _WORDS - _WORDS % n
    word = next(source)
    while word >= limit:
        word = next(source)
    return word % n


def shuffle(seed: bytes, number: int, n: int) -> list[int]:
    """The order of shuffle `number` (from 1) of n cards: a Fisher-Yates shuffle.

    >>> shuffle(bytes(32), 1, 6)
    [0, 5, 1, 4, 3, 2]
    """
    source = words(seed, f"shuffle {number}")
    order = list(range(n))
    for i in range(n - 1, 0, -1):
        j = below(source, i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def first_seat(seed: bytes, players: int) -> int:
    """The first seat of a game whose options do not name it."""
    return below(words(seed, "first"), players)
