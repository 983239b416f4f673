"""Seeds and game numbers of simulations, checked: what `chance.seed_stream` takes."""

from __future__ import annotations

import operator
from typing import Final

from theriac.faults import Fault, quote

#: Seeds are below this limit.
_SEED_LIMIT: Final = 1 << 64
#: Numbers of games are below this one.
_NUMBER_LIMIT: Final = 1 << 63


def key_of_seed(seed: object) -> int:
    """The key of a seed: its 64 bits as a signed number, which compiled code takes.

    >>> key_of_seed(7), key_of_seed(2**64 - 1)
    (7, -1)
    >>> key_of_seed(-1)
    Traceback (most recent call last):
    theriac.faults.Fault: seed -1: a seed is a whole number from 0 to 2**64 - 1
    """
    number = as_int(seed)
    if number is None:
        raise Fault(f"seed {quote(seed)} is not an integer")
    if not 0 <= number < _SEED_LIMIT:
        raise Fault(f"seed {quote(number)}: a seed is a whole number from 0 to 2**64 - 1")
    return number if number < _SEED_LIMIT // 2 else number - _SEED_LIMIT


def check_number(number: object, games: int = 1) -> int:
    """The number of the first of several games; raises `Fault`."""
    first = as_int(number)
    if first is None or not 0 <= first <= _NUMBER_LIMIT - games:
        raise Fault(f"game {quote(number)}: the number of a game is from 0 to 2**63 - 1")
    return first


def as_int(value: object) -> int | None:
    """An integer of any type as a Python int; None for anything else."""
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None
