"""Records: the NumPy structured scalars that rules and loops work on.

The fields of a record are attributes, interpreted and compiled. The protocols here declare the
fields that the engine reads. The other fields belong to one game: their types are known there.
"""

from __future__ import annotations

import copyreg
import functools
from collections.abc import Callable
from operator import itemgetter
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


class RecordType(type):
    """The metaclass of record types: it keeps the dtype, so that records can be pickled."""

    fields: np.dtype[Any]


@functools.cache
def record_type(dtype: np.dtype[Any]) -> RecordType:
    """The type of records whose fields are attributes.

    `numpy.record` has attributes too, but looks each of them up in Python code, which took most of
    the time of interpreted rules. Here each field is a property of the type.
    """
    attributes = {name: property(itemgetter(name), _setter(name)) for name in dtype.names or ()}
    made = RecordType("record", (np.void,), {"__slots__": (), **attributes})
    made.fields = dtype
    return made


def _setter(name: str) -> Callable[[Any, Any], None]:
    def set_field(record: Any, value: Any) -> None:
        record[name] = value

    return set_field


copyreg.pickle(RecordType, lambda made: (record_type, (made.fields,)))


class RecordArray(np.recarray[Any, Any]):
    """An array of records of a `record_type`."""

    def __array_finalize__(self, source: Any) -> None:
        """Keep the type of the records: NumPy would make it `numpy.record`."""

    def __getitem__(self, index: Any) -> Any:
        found = np.ndarray.__getitem__(self, index)
        is_field = isinstance(found, np.ndarray) and not found.dtype.names
        return found.view(np.ndarray) if is_field else found


def records(dtype: np.dtype[Any], n: int) -> Any:
    """An array of n records, all zero."""
    return np.zeros(n, _with_attributes(dtype)).view(RecordArray)


def records_over(memory: npt.NDArray[np.int64], dtype: np.dtype[Any]) -> Any:
    """An array of one record, which lies at the beginning of this memory."""
    space = memory.view(np.uint8)[: dtype.itemsize]
    return space.view(_with_attributes(dtype)).view(RecordArray)


@functools.cache
def _with_attributes(dtype: np.dtype[Any]) -> np.dtype[Any]:
    return np.dtype((record_type(dtype), dtype))


def as_plain(array: Records[R]) -> Records[R]:
    """The same array, without its fields as attributes: a faster argument of compiled code."""
    plain: Any = np.asarray(array)
    return plain


def record(dtype: np.dtype[Any]) -> Any:
    """One record, all zero."""
    return records(dtype, 1)[0]
