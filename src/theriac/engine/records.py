"""Records: the NumPy structured scalars that rules and loops work on.

The fields of a record are attributes, interpreted and compiled. The protocols here declare the
fields that the engine reads. The other fields belong to one game: their types are known there.
"""

from __future__ import annotations

from typing import Any, Protocol, TypeVar, overload

import numpy as np
import numpy.typing as npt


class Record(Protocol):
    """A record with fields that the engine does not know."""

    def __getattr__(self, field: str, /) -> Any: ...

    def __setattr__(self, field: str, value: Any, /) -> None: ...

    def __getitem__(self, field: str, /) -> Any: ...

    def __setitem__(self, field: str, value: Any, /) -> None: ...


class State(Record, Protocol):
    """A record of a game's STATE dtype: everything about one game in progress."""

    #: The seat to act; `NATURE` when a card is to be dealt, `NOBODY` when the game is over.
    to_act: int
    #: The number of the round, from 1.
    rounds: int
    #: The pile that the next card comes from, while nature is to act.
    pile: int
    #: For each pile the number of its latest shuffle, from 1; 0 before the first.
    shuffles: npt.NDArray[np.int16]


class View(Record, Protocol):
    """A record of a game's VIEW dtype: what one viewer may know, and nothing else."""

    to_act: int
    rounds: int
    #: The points of each seat; `UNKNOWN` where the viewer may not know them.
    scores: npt.NDArray[np.int16]


class Options(Record, Protocol):
    """A record of a game's OPTIONS dtype: how a game is set up, one field per option."""

    players: int
    #: The seat that begins.
    first: int


R = TypeVar("R")


class Records(Protocol[R]):
    """An array of records. A field of the array is an array: that field of every record."""

    def __len__(self) -> int: ...

    @overload
    def __getitem__(self, index: int, /) -> R: ...

    @overload
    def __getitem__(self, index: slice, /) -> Records[R]: ...

    def __setitem__(self, index: int, value: R, /) -> None: ...

    def __getattr__(self, field: str, /) -> Any: ...


#: Arrays that rules and loops take.
Moves = npt.NDArray[np.int64]
Cards = npt.NDArray[np.int16]
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Features = npt.NDArray[np.float32]
Mask = npt.NDArray[np.uint8]


def records(dtype: np.dtype[Any], n: int) -> Any:
    """An array of n records, all zero."""
    return np.zeros(n, dtype).view(np.recarray)


def as_plain(array: Records[R]) -> Records[R]:
    """The same array, without its fields as attributes: a faster argument of compiled code."""
    plain: Any = np.asarray(array)
    return plain


def record(dtype: np.dtype[Any]) -> Any:
    """One record, all zero."""
    return records(dtype, 1)[0]
