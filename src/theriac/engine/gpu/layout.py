"""Records spread out over memory as a GPU likes it: a column a number, a place in it a game.

An array of records keeps the numbers of one game together. Threads that work on neighbouring games
then read addresses far apart, and a GPU fetches them one by one. Spread out, the same number of
neighbouring games lies side by side: the threads of a warp read it together. A rule does not see
the difference: ``g.hands[seat, card]`` means the same.

The memory of a batch is made of *tiles*: the records of TILE games, as many as a warp has threads.
So all that a warp works on lies together, and where a number lies in it is known when kernels are
compiled.

`Layout` says where each field lies; `Spread` is such a record for interpreted code (the simulator);
`spread_types` teaches the compiler the same.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from math import prod
from typing import Any, Final

import numpy as np
import numpy.typing as npt

#: Games side by side in the memory of a batch: the threads of a warp.
TILE: Final = 32
#: Bytes that a thread copies at once.
AT_ONCE: Final = 16


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
    """Where each field of a record lies: `rows` are fields of several numbers, `scalars` of one (or
    of a few, named in `held`, that are as often used).

    Rows come before scalars, those of `first` before all others; of each the wide ones before the
    narrow, so that all lie at multiples of their width. `used` names the fields to be kept; None
    keeps all. Rows that are not can be written to, but that is forgotten.
    """

    def __init__(
        self,
        dtype: np.dtype[Any],
        used: Collection[str] | None = None,
        first: Collection[str] = (),
        held: Collection[str] = (),
    ) -> None:
        assert dtype.fields is not None
        kinds = {name: kind[0] for name, kind in dtype.fields.items()}
        self.dtype = dtype
        self.names = tuple(name for name in kinds if used is None or name in used)
        singles = single_numbers(dtype) | set(held)
        self.forgotten = {
            name: kind.shape
            for name, kind in kinds.items()
            if name not in singles and name not in self.names
        }
        wide_first = sorted(self.names, key=lambda name: -kinds[name].base.itemsize)
        rows = [name for name in wide_first if name not in singles]
        early = [name for name in rows if name in first]
        late = [name for name in rows if name not in first]
        self.rows, middle = _place(early, kinds)
        more, self.row_bytes = _place(late, kinds, middle)
        self.rows |= more
        scalars = [name for name in wide_first if name in singles]
        self.scalars, self.scalar_bytes = _place(scalars, kinds)

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

    def singles(self) -> list[tuple[str, int]]:
        """Each number of the scalars: of which field, and which of it."""
        return [(name, k) for name, field in self.scalars.items() for k in range(field.size)]

    def places(self) -> dict[str, tuple[int, str, tuple[int, ...]]]:
        """What is where: begin, type and shape of each field."""
        fields = {name: self.column(name) for name in self.names}
        return {name: (at.begin, at.dtype.str, at.shape) for name, at in fields.items()}

    def tile_words(self) -> int:
        """Words of 8 bytes of a tile."""
        return self.bytes * TILE // 8

    def columns(self, memory: npt.NDArray[np.int64], name: str, n: int) -> npt.NDArray[Any]:
        """A field in memory of n games each: an array with a first axis of such memories where
        there are several, then of the field's shape, and a last axis of games.
        """
        field = self.column(name)
        begin = field.begin * n
        end = begin + field.size * field.dtype.itemsize * n
        part = memory.view(np.uint8)[..., begin:end].view(field.dtype)
        return part.reshape(*memory.shape[:-1], *field.shape, n)

    def gather(self, memory: npt.NDArray[np.int64], records: Any) -> None:
        """Fill an array of records from the memory of a batch."""
        tiles = memory.reshape(-1, self.tile_words())
        for name in self.names:
            columns = np.moveaxis(self.columns(tiles, name, TILE), -1, 1)
            records[name] = columns.reshape(-1, *columns.shape[2:])[: len(records)]


def single_numbers(dtype: np.dtype[Any]) -> set[str]:
    """The fields of a record that are no rows."""
    assert dtype.fields is not None
    return {name for name, (kind, *_) in dtype.fields.items() if kind.shape == ()}


def _place(
    names: list[str], kinds: dict[str, np.dtype[Any]], begin: int = 0
) -> tuple[dict[str, Field], int]:
    """One field after another; and where they end, a multiple of what a thread copies at once."""
    fields = {}
    end = begin
    for name in names:
        fields[name] = Field(end, kinds[name].base, kinds[name].shape)
        end += kinds[name].itemsize
    return fields, -(-end // AT_ONCE) * AT_ONCE


class Spread:
    """Record i of n in memory that is laid out so, for interpreted code."""

    def __init__(self, layout: Layout, memory: npt.NDArray[np.int64], n: int, i: int) -> None:
        columns = {name: layout.columns(memory, name, n)[..., i : i + 1] for name in layout.names}
        for name, shape in layout.forgotten.items():
            columns[name] = np.zeros((*shape, 1), layout.dtype[name].base)
        object.__setattr__(self, "columns", columns)
        object.__setattr__(self, "names", set(layout.names))
        object.__setattr__(self, "singles", set(layout.scalars))
        object.__setattr__(self, "told", set())

    def __getattr__(self, name: str) -> Any:
        column = self.columns[name]
        if name in self.told:
            return Told(column[..., 0])
        return column[0] if column.ndim == 1 else column[..., 0]

    def __setattr__(self, name: str, value: Any) -> None:
        self.columns[name][0] = value


class Told:
    """A row that can be read; what is written to it is forgotten."""

    def __init__(self, row: npt.NDArray[Any]) -> None:
        self.row = row

    def __len__(self) -> int:
        return len(self.row)

    def __getitem__(self, index: Any) -> Any:
        found = self.row[index]
        return Told(found) if isinstance(found, np.ndarray) else found

    def __setitem__(self, index: Any, value: Any) -> None:
        """Nothing is written."""


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


class Marker:
    """What marks each move that is written to it, instead of keeping it."""

    def __init__(self, mark: Any, *given: Any) -> None:
        self.mark = mark
        self.given = given

    def __setitem__(self, i: int, move: int) -> None:
        self.mark(*self.given, move)


# What kernels call, for interpreted code: see `spread_types`.


open_marker = Marker


def on_desk(layout: Layout) -> Any:
    """What makes a record of this layout at place i of n in memory."""
    return lambda memory, n, i: Spread(layout, memory, n, i)


def beside_tile(layout: Layout, behind: Layout, told: Collection[str] | None = None) -> Any:
    """What makes a record at place `at` of n on a desk that leaves rows in the memory of the batch,
    where it is game i: called ``(desk, n, at, memory, i)``.

    All rows that it does not have itself; or only those that are `told`: what is written to these
    is forgotten.
    """

    def lay(desk: Any, n: int, at: int, memory: npt.NDArray[np.int64], i: int) -> Spread:
        laid, stored = Spread(layout, desk, n, at), in_store(behind)(memory, i)
        left = layout.forgotten if told is None else told
        laid.columns.update({name: stored.columns[name] for name in left})
        laid.told.update(told or ())
        return laid

    return lay


def in_store(layout: Layout) -> Any:
    """What takes record i out of the memory of a batch."""
    size = layout.tile_words()

    def take_out(memory: npt.NDArray[np.int64], i: int) -> Spread:
        tile = i // TILE
        return Spread(layout, memory[tile * size : (tile + 1) * size], TILE, i % TILE)

    return take_out


def put_away(spread: Spread) -> None:
    """An interpreted record is never out of its memory."""


def copy_singles(source: Spread, target: Spread) -> None:
    """Copy the single numbers that both have."""
    for name in source.singles & target.singles:
        target.columns[name][...] = source.columns[name]


def tile_to_desk(tile: Layout, desk: Layout) -> Any:
    """What brings the rows of a tile to a desk, called by all its threads ``(memory, desk, i)``."""
    return _carrier(tile, desk, to_desk=True)


def desk_to_tile(tile: Layout, desk: Layout) -> Any:
    """What puts them back."""
    return _carrier(tile, desk, to_desk=False)


def _carrier(tile: Layout, desk: Layout, *, to_desk: bool) -> Any:
    def carry(memory: npt.NDArray[np.int64], room: npt.NDArray[np.int64], i: int) -> None:
        stored = in_store(tile)(memory, i)
        laid = Spread(desk, room, TILE, i % TILE)
        for name in desk.rows:
            source, target = (stored, laid) if to_desk else (laid, stored)
            target.columns[name][...] = source.columns[name]

    return carry


def copy_spread(source: Spread, target: Spread) -> None:
    """Copy the fields that both have."""
    for name in source.names & target.names:
        target.columns[name][...] = source.columns[name]


def copy_columns(source: Any, target: Any) -> None:
    """Copy a row."""
    target[:] = source


def column_of(length: int) -> Any:
    """What takes the numbers of game i of n out of an array of columns, `length` of them."""
    return lambda memory, n, i: memory[i]


def as_row(array: Any) -> Any:
    """An array of one axis as a row."""
    return array


def window_of(size: int) -> Any:
    """What opens a window of that size on room for a list."""
    return lambda room, first: Window(room[:size], first)


def words_of(size: int) -> Any:
    """What makes room for so many int64 in a thread's own memory."""
    return lambda: np.zeros(size, np.int64)
