"""The functions of `memory.Memory` for interpreted code, that is for Numba's CUDA simulator.

`numba_types` has the same functions, with the same names, for compiled code.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import numpy as np
import numpy.typing as npt

from theriac.engine.gpu.layout import WARP_SIZE, Layout
from theriac.engine.gpu.memory import Row, Words


class SoaRecord:
    """The record of game i of n that lie side by side in memory."""

    def __init__(self, layout: Layout, memory: Words, n: int, i: int) -> None:
        columns = {name: layout.columns(memory, name, n)[..., i : i + 1] for name in layout.names}
        for name, shape in layout.discarded.items():
            columns[name] = np.zeros((*shape, 1), layout.dtype[name].base)
        object.__setattr__(self, "columns", columns)
        object.__setattr__(self, "names", set(layout.names))
        object.__setattr__(self, "scalars", set(layout.scalars))
        object.__setattr__(self, "readonly", set())

    def __getattr__(self, name: str) -> Any:
        column = self.columns[name]
        if name in self.readonly:
            return ReadonlyRow(column[..., 0])
        return column[0] if column.ndim == 1 else column[..., 0]

    def __setattr__(self, name: str, value: Any) -> None:
        self.columns[name][0] = value


class ReadonlyRow:
    """An array field that can be read; writing to it has no effect."""

    def __init__(self, row: npt.NDArray[Any]) -> None:
        self.row = row

    def __len__(self) -> int:
        return len(self.row)

    def __getitem__(self, index: Any) -> Any:
        found = self.row[index]
        return ReadonlyRow(found) if isinstance(found, np.ndarray) else found

    def __setitem__(self, index: Any, value: Any) -> None:
        """Nothing is written."""


class MoveWindow:
    """A list that keeps only the moves from index `first` that fit its buffer."""

    def __init__(self, kept: Words, first: int) -> None:
        self.kept = kept
        self.first = first

    def __setitem__(self, i: int, move: int) -> None:
        if 0 <= i - self.first < len(self.kept):
            self.kept[i - self.first] = move

    def __getitem__(self, i: int) -> int:
        return int(self.kept[i - self.first])


class MoveMarker:
    """A list that keeps nothing: each move written to it is passed to a function."""

    def __init__(self, mark: Callable[..., None], *arguments: Any) -> None:
        self.mark = mark
        self.arguments = arguments

    def __setitem__(self, i: int, move: int) -> None:
        self.mark(*self.arguments, move)


# Records


def buffer_record(layout: Layout) -> Callable[[Words, int, int], SoaRecord]:
    """Make ``(buffer, lanes, lane)``: a record in a buffer."""
    return lambda buffer, lanes, lane: SoaRecord(layout, buffer, lanes, lane)


def tile_record(layout: Layout) -> Callable[[Words, int], SoaRecord]:
    """Make ``(memory, i)``: record i in the warp tiles of a batch."""
    size = layout.tile_words()

    def load(memory: Words, i: int) -> SoaRecord:
        tile = i // WARP_SIZE
        return SoaRecord(layout, memory[tile * size : (tile + 1) * size], WARP_SIZE, i % WARP_SIZE)

    return load


def split_record(
    layout: Layout, backing: Layout, readonly: Collection[str] | None = None
) -> Callable[[Words, int, int, Words, int], SoaRecord]:
    """Make ``(buffer, lanes, lane, memory, i)``: a record of which some array fields lie in a
    buffer, others in warp tiles of the layout `backing`, where it is game i.

    Those are all array fields that `layout` does not have; or, if given, the `readonly` ones only,
    and writing to these has no effect.
    """
    load = tile_record(backing)

    def make(buffer: Words, lanes: int, lane: int, memory: Words, i: int) -> SoaRecord:
        record, stored = SoaRecord(layout, buffer, lanes, lane), load(memory, i)
        backed = layout.discarded if readonly is None else readonly
        record.columns.update({name: stored.columns[name] for name in backed})
        record.readonly.update(readonly or ())
        return record

    return make


def write_back(record: SoaRecord) -> None:
    """Do nothing: an interpreted record has no registers."""


def copy_record(source: SoaRecord, target: SoaRecord) -> None:
    """Copy all fields that both records have."""
    for name in source.names & target.names:
        target.columns[name][...] = source.columns[name]


def copy_scalars(source: SoaRecord, target: SoaRecord) -> None:
    """Copy the scalar fields that both records have."""
    for name in source.scalars & target.scalars:
        target.columns[name][...] = source.columns[name]


def stage_tile(tile: Layout, staged: Layout) -> Callable[[Words, Words, int], None]:
    """Make ``(memory, buffer, i)``: copy rows of a warp tile to a buffer; every thread of the warp
    calls it.
    """
    return _tile_copy(tile, staged, to_buffer=True)


def unstage_tile(tile: Layout, staged: Layout) -> Callable[[Words, Words, int], None]:
    """Make ``(memory, buffer, i)``: copy them back."""
    return _tile_copy(tile, staged, to_buffer=False)


def _tile_copy(
    tile: Layout, staged: Layout, *, to_buffer: bool
) -> Callable[[Words, Words, int], None]:
    load = tile_record(tile)

    def copy(memory: Words, buffer: Words, i: int) -> None:
        ends = load(memory, i), SoaRecord(staged, buffer, WARP_SIZE, i % WARP_SIZE)
        source, target = ends if to_buffer else ends[::-1]
        for name in staged.rows:
            target.columns[name][...] = source.columns[name]

    return copy


# Rows and buffers

move_marker = MoveMarker


def move_window(size: int) -> Callable[[Words, int], MoveWindow]:
    """Make ``(buffer, first)``: a window of that size on a list of moves."""
    return lambda buffer, first: MoveWindow(buffer[:size], first)


def copy_row(source: Row, target: Row) -> None:
    """Copy a row."""
    target[:] = source


def feature_row(length: int) -> Callable[[npt.NDArray[np.float32], int, int], Row]:
    """Make ``(out, n, i)``: row i of an array."""
    return lambda out, n, i: out[i]


def unchecked(array: Row) -> Row:
    """The array itself: interpreted, negative indices always wrap around."""
    return array


def local_words(size: int) -> Callable[[], Words]:
    """Make ``()``: a buffer of that many words."""
    return lambda: np.zeros(size, np.int64)
