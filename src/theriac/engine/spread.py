"""Records spread out over memory as a GPU likes it: a column a number, a place in it a game.

An array of records keeps the numbers of one game together. Threads that work on neighbouring games
then read addresses far apart, and a GPU fetches them one by one. Spread out, the same number of all
games lies side by side: the threads of a warp read it together. A rule does not see the difference:
``g.hands[seat, card]`` means the same.

`Layout` says where each field lies; `Spread` is such a record for interpreted code (the simulator);
`spread_types` teaches the compiler the same.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class Field:
    """Where the column(s) of a field begin, in bytes a game; its type; its shape (of one game)."""

    begin: int
    dtype: np.dtype[Any]
    shape: tuple[int, ...]

    @property
    def size(self) -> int:
        """How many columns it has."""
        return prod(self.shape)


class Layout:
    """Where each field of a record lies: `rows` are fields of several numbers, `scalars` of one.

    Rows come first, then scalars; of each the wide ones first, so that all lie at multiples of
    their width. `used` names the fields to be kept; None keeps all.
    """

    def __init__(self, dtype: np.dtype[Any], used: Collection[str] | None = None) -> None:
        assert dtype.fields is not None
        kinds = {name: kind[0] for name, kind in dtype.fields.items()}
        self.dtype = dtype
        self.names = tuple(name for name in kinds if used is None or name in used)
        wide_first = sorted(self.names, key=lambda name: -kinds[name].base.itemsize)
        self.rows, self.row_bytes = _place(wide_first, kinds, rows=True)
        self.scalars, self.scalar_bytes = _place(wide_first, kinds, rows=False)

    @property
    def bytes(self) -> int:
        """Bytes a game."""
        return self.row_bytes + self.scalar_bytes

    def column(self, name: str) -> Field:
        """Where a field lies when scalars lie behind the rows."""
        if name in self.rows:
            return self.rows[name]
        field = self.scalars[name]
        return Field(self.row_bytes + field.begin, field.dtype, field.shape)

    def columns(self, memory: npt.NDArray[np.int64], name: str, n: int) -> npt.NDArray[Any]:
        """A field of all n games: an array of the field's shape, and a last axis of games."""
        field = self.column(name)
        begin = field.begin * n
        end = begin + field.size * field.dtype.itemsize * n
        return memory.view(np.uint8)[begin:end].view(field.dtype).reshape(*field.shape, n)

    def gather(self, memory: npt.NDArray[np.int64], records: Any) -> None:
        """Fill an array of records from memory that is laid out like this."""
        for name in self.names:
            records[name] = np.moveaxis(self.columns(memory, name, len(records)), -1, 0)

    def scatter(self, records: Any, memory: npt.NDArray[np.int64]) -> None:
        """Fill memory from an array of records."""
        for name in self.names:
            self.columns(memory, name, len(records))[...] = np.moveaxis(records[name], 0, -1)


def _place(
    names: list[str], kinds: dict[str, np.dtype[Any]], *, rows: bool
) -> tuple[dict[str, Field], int]:
    """One field after another; and how many bytes they take, a multiple of 8."""
    fields = {}
    end = 0
    for name in names:
        if (kinds[name].shape != ()) == rows:
            fields[name] = Field(end, kinds[name].base, kinds[name].shape)
            end += kinds[name].itemsize
    return fields, (end + 7) // 8 * 8


class Spread:
    """Record i of n in memory that is laid out so, for interpreted code."""

    def __init__(self, layout: Layout, memory: npt.NDArray[np.int64], n: int, i: int) -> None:
        columns = {name: layout.columns(memory, name, n)[..., i : i + 1] for name in layout.names}
        object.__setattr__(self, "columns", columns)

    def __getattr__(self, name: str) -> Any:
        column = self.columns[name]
        return column[0] if column.ndim == 1 else column[..., 0]

    def __setattr__(self, name: str, value: Any) -> None:
        self.columns[name][0] = value


class Window:
    """The part from `first` of a list that is too long to be kept whole; the rest is forgotten."""

    def __init__(self, kept: Any, first: int) -> None:
        self.kept = kept
        self.first = first

    def __setitem__(self, i: int, value: int) -> None:
        if 0 <= i - self.first < len(self.kept):
            self.kept[i - self.first] = value

    def __getitem__(self, i: int) -> int:
        return int(self.kept[i - self.first])


# What kernels call, for interpreted code: see `spread_types`.


def on_desk(layout: Layout) -> Any:
    """What makes a record of this layout at place i of n in memory."""
    return lambda memory, n, i: Spread(layout, memory, n, i)


in_store = on_desk


def put_away(spread: Spread) -> None:
    """An interpreted record is never out of its memory."""


def copy_spread(source: Spread, target: Spread) -> None:
    """Copy the fields that both have."""
    for name in source.columns.keys() & target.columns.keys():
        target.columns[name][...] = source.columns[name]


def column_of(length: int) -> Any:
    """What takes the numbers of game i of n out of an array of columns, `length` of them."""
    return lambda memory, n, i: memory[i]


def window_of(size: int) -> Any:
    """What opens a window of that size on room for a list."""
    return lambda room, first: Window(room[:size], first)


def words_of(size: int) -> Any:
    """What makes room for so many int64 in a thread's own memory."""
    return lambda: np.zeros(size, np.int64)
