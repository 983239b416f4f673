"""The struct-of-arrays layout of records in GPU memory.

NumPy keeps an array of records as an array of structs: the numbers of one game lie together, and
the threads of a warp, which read the same field of neighbouring games, touch addresses far apart.
Here the same number of neighbouring games lies side by side, so that a warp's access to it
coalesces. A rule does not see the difference: ``g.hands[seat, card]`` means the same.

Global memory is divided into *warp tiles*: the records of the WARP_SIZE games that one warp plays.
All that a warp touches is contiguous, and offsets within a tile are compile-time constants.

`Layout` says where each field lies. `simulated` reads and writes such records in interpreted code,
`numba_types` in compiled code.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from math import prod
from typing import Any, Final

import numpy as np
import numpy.typing as npt

#: Threads of a warp, and games of a warp tile.
WARP_SIZE: Final = 32
#: Bytes of the widest load or store of a thread.
VECTOR_BYTES: Final = 16


@dataclass(frozen=True)
class Field:
    """A field of a record: its offset in bytes per game, its type, and its shape in one game.

    With n games side by side, element k of game i is at byte
    ``n * (offset + k * itemsize) + i * itemsize``.
    """

    offset: int
    dtype: np.dtype[Any]
    shape: tuple[int, ...]

    @property
    def size(self) -> int:
        """The number of elements in one game."""
        return prod(self.shape)


class Layout:
    """Where each field of a record lies.

    `rows` are the array fields. `scalars` are the fields of a single number, and array fields named
    in `in_registers`: compiled code keeps them in registers. `kept` names the fields that the
    layout has; None keeps all. Array fields that it does not have are `discarded`: they can be
    written to, without effect.

    Rows come before scalars, and rows named in `first` before other rows; within each group wide
    types come before narrow ones, so that all fields are aligned.
    """

    def __init__(
        self,
        dtype: np.dtype[Any],
        kept: Collection[str] | None = None,
        first: Collection[str] = (),
        in_registers: Collection[str] = (),
    ) -> None:
        assert dtype.fields is not None
        types = {name: field[0] for name, field in dtype.fields.items()}
        self.dtype = dtype
        self.names = tuple(name for name in types if kept is None or name in kept)
        scalars = scalar_fields(dtype) | set(in_registers)
        self.discarded = {
            name: field.shape
            for name, field in types.items()
            if name not in scalars and name not in self.names
        }
        wide_first = sorted(self.names, key=lambda name: -types[name].base.itemsize)
        rows = [name for name in wide_first if name not in scalars]
        self.rows, end = _place([name for name in rows if name in first], types)
        others, self.row_bytes = _place([name for name in rows if name not in first], types, end)
        self.rows |= others
        self.scalars, self.scalar_bytes = _place(
            [name for name in wide_first if name in scalars], types
        )

    @property
    def bytes(self) -> int:
        """Bytes per game."""
        return self.row_bytes + self.scalar_bytes

    def field(self, name: str) -> Field:
        """A field in memory where scalars follow the rows."""
        if name in self.rows:
            return self.rows[name]
        field = self.scalars[name]
        return Field(self.row_bytes + field.offset, field.dtype, field.shape)

    def scalar_elements(self) -> list[tuple[str, int]]:
        """Each number of the scalars: its field, and its index there."""
        return [(name, k) for name, field in self.scalars.items() for k in range(field.size)]

    def describe(self) -> dict[str, tuple[int, str, tuple[int, ...]]]:
        """Offset, type and shape of each field: equal for equal layouts only."""
        fields = {name: self.field(name) for name in self.names}
        return {name: (at.offset, at.dtype.str, at.shape) for name, at in fields.items()}

    def tile_words(self) -> int:
        """8-byte words of a warp tile."""
        return self.bytes * WARP_SIZE // 8

    def columns(self, memory: npt.NDArray[np.int64], name: str, n: int) -> npt.NDArray[Any]:
        """A view of one field of n games side by side. Its axes are those of `memory` but the
        last, then those of the field, then one of games.
        """
        field = self.field(name)
        begin = field.offset * n
        end = begin + field.size * field.dtype.itemsize * n
        part = memory.view(np.uint8)[..., begin:end].view(field.dtype)
        return part.reshape(*memory.shape[:-1], *field.shape, n)

    def gather(self, memory: npt.NDArray[np.int64], records: Any) -> None:
        """Fill an array of structs from the warp tiles of a batch."""
        tiles = memory.reshape(-1, self.tile_words())
        for name in self.names:
            columns = np.moveaxis(self.columns(tiles, name, WARP_SIZE), -1, 1)
            records[name] = columns.reshape(-1, *columns.shape[2:])[: len(records)]

    def scatter(self, records: Any, memory: npt.NDArray[np.int64]) -> None:
        """Fill the warp tiles of a batch from an array of structs."""
        tiles = memory.reshape(-1, self.tile_words())
        for name in self.names:
            columns = np.moveaxis(self.columns(tiles, name, WARP_SIZE), -1, 1)
            values = np.zeros((len(tiles) * WARP_SIZE, *columns.shape[2:]), columns.dtype)
            values[: len(records)] = records[name]
            columns[...] = values.reshape(columns.shape)


def scalar_fields(dtype: np.dtype[Any]) -> set[str]:
    """The fields of a record that are single numbers."""
    assert dtype.fields is not None
    return {name for name, (field, *_) in dtype.fields.items() if field.shape == ()}


def _place(
    names: list[str], types: dict[str, np.dtype[Any]], begin: int = 0
) -> tuple[dict[str, Field], int]:
    """Fields one after another; and their end, rounded up to a whole vector load."""
    fields = {}
    end = begin
    for name in names:
        fields[name] = Field(end, types[name].base, types[name].shape)
        end += types[name].itemsize
    return fields, -(-end // VECTOR_BYTES) * VECTOR_BYTES
