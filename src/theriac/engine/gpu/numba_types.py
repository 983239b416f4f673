"""What the compiler for CUDA must know of `spread`: its records, and how they are read and written.

A spread record keeps its single numbers in registers, for as long as a kernel works on it, and its
rows where its caller said: beside those of other games in shared or global memory, or alone in
local memory. The parts stand beside this file, in `spread_rows` and `spread_lists`.
"""

from __future__ import annotations

from collections.abc import Collection
from math import prod
from typing import Any

import numba
from llvmlite import ir
from numba.cuda import cgutils, types
from numba.cuda.cudadecl import registry as typing
from numba.cuda.cudaimpl import registry as lowering
from numba.cuda.extending import intrinsic, models, register_model
from numba.cuda.np.arrayobj import make_array
from numba.cuda.typing.templates import AttributeTemplate

from theriac.engine.gpu.codegen import INT, constant, pointer_to, value_of
from theriac.engine.gpu.layout import AT_ONCE, TILE, Layout
from theriac.engine.gpu.numba_lists import open_marker, window_of, words_of
from theriac.engine.gpu.numba_rows import (
    NowhereType,
    RowType,
    as_row,
    column_of,
    copy_columns,
    copy_numbers,
    in_parts,
    make_row,
    nowhere,
    open_row,
)

__all__ = [
    "as_row",
    "beside_tile",
    "column_of",
    "copy_columns",
    "copy_singles",
    "copy_spread",
    "desk_to_tile",
    "in_store",
    "on_desk",
    "open_marker",
    "put_away",
    "tile_to_desk",
    "window_of",
    "words_of",
]


class SpreadType(types.Type):
    """A record that is laid out so. What it does not keep may stay `behind`, in a tile that is laid
    out like that: all rows, or those that are only `told`.
    """

    def __init__(
        self,
        layout: Layout,
        behind: Layout | None = None,
        told: Collection[str] | None = None,
    ) -> None:
        self.layout = layout
        self.behind = behind
        self.told = told
        # Numba takes types of one name for the same.
        super().__init__(name=f"Spread({layout.places()}, {behind and behind.places()}, {told})")

    def is_behind(self, name: str) -> bool:
        """Is this a row that stays behind?"""
        left = self.layout.forgotten if self.told is None else self.told
        return self.behind is not None and name in left

    def row(self, name: str) -> tuple[Layout, RowType]:
        """In which layout a field is found, and as what; a single number as a row of one."""
        behind = self.behind if self.behind is not None and self.is_behind(name) else None
        layout = behind or self.layout
        field = layout.column(name)
        kept = behind is None or self.told is None
        return layout, RowType(numba.from_dtype(field.dtype), field.shape, kept)


@register_model(SpreadType)
class _SpreadModel(models.StructModel):
    def __init__(self, manager: Any, spread: SpreadType) -> None:
        members = [
            ("scalars", types.voidptr),
            ("rows", types.voidptr),
            ("tile", types.voidptr),
            ("n", types.intp),
            ("i", types.intp),
            ("tile_i", types.intp),
        ]
        super().__init__(manager, spread, members)


@typing.register_attr
class _SpreadAttribute(AttributeTemplate):
    key = SpreadType

    def generic_resolve(self, spread: SpreadType, name: str) -> Any:
        if name in spread.layout.scalars:
            field = spread.layout.scalars[name]
            number = numba.from_dtype(field.dtype)
            return RowType(number, field.shape) if field.shape else number
        if name in spread.layout.rows or spread.is_behind(name):
            return spread.row(name)[1]
        if name in spread.layout.forgotten:
            return NowhereType(len(spread.layout.forgotten[name]))
        return None


def _scalar(
    context: Any, builder: Any, kind: SpreadType, value: Any, name: str, k: int = 0
) -> tuple[Any, Any]:
    """The type of a single number (or of number k of a few), and where it is."""
    field = kind.layout.scalars[name]
    spread = cgutils.create_struct_proxy(kind)(context, builder, value=value)
    number = numba.from_dtype(field.dtype)
    begin = constant(field.begin + k * field.dtype.itemsize)
    return number, pointer_to(context, builder, spread.scalars, begin, number)


def _stored(
    context: Any, builder: Any, kind: SpreadType, value: Any, name: str, k: int
) -> tuple[Any, Any]:
    """The same where it lies in a tile."""
    row, column = _column(context, builder, kind, value, name)
    opened, step = open_row(context, builder, row, column)
    before = builder.mul(constant(k), step)
    return row.kind, pointer_to(context, builder, opened.data, before, row.kind)


def _column(context: Any, builder: Any, kind: SpreadType, value: Any, name: str) -> tuple[Any, Any]:
    """The row type of a field, and that row of this game; of a single number, a row of one."""
    spread = cgutils.create_struct_proxy(kind)(context, builder, value=value)
    layout, row = kind.row(name)
    rows, n, i = spread.rows, spread.n, spread.i
    if layout is not kind.layout:
        rows, n, i = spread.tile, constant(TILE), spread.tile_i
    field = layout.column(name)
    begin = builder.add(
        builder.mul(constant(field.begin), n),
        builder.mul(constant(field.dtype.itemsize), i),
    )
    data = builder.gep(rows, [begin])
    return row, make_row(context, builder, row, data, n)


@lowering.lower_getattr_generic(SpreadType)
def _get_field(context: Any, builder: Any, kind: SpreadType, value: Any, name: str) -> Any:
    if name in kind.layout.forgotten and not kind.is_behind(name):
        return nowhere(context, builder, len(kind.layout.forgotten[name]))
    if name in kind.layout.rows or kind.is_behind(name):
        return _column(context, builder, kind, value, name)[1]
    number, pointer = _scalar(context, builder, kind, value, name)
    field = kind.layout.scalars[name]
    if field.shape:
        data = builder.bitcast(pointer, ir.IntType(8).as_pointer())
        return make_row(context, builder, RowType(number, field.shape), data, constant(1))
    return context.unpack_value(builder, number, pointer)


@lowering.lower_setattr_generic(SpreadType)
def _set_field(context: Any, builder: Any, sig: Any, args: Any, name: str) -> None:
    kind, value_kind = sig.args
    number, pointer = _scalar(context, builder, kind, args[0], name)
    value = context.cast(builder, args[1], value_kind, number)
    context.pack_value(builder, number, value, pointer)


def _lay(context: Any, builder: Any, kind: SpreadType, rows: Any, n: Any, i: Any) -> Any:
    """A record at place i of n, its rows from there, its single numbers not yet known."""
    words = max(kind.layout.scalar_bytes // 8, 1)
    spread = cgutils.create_struct_proxy(kind)(context, builder)
    room = cgutils.alloca_once(builder, ir.ArrayType(INT, words))
    spread.scalars = builder.bitcast(room, spread.scalars.type)
    spread.rows = builder.bitcast(rows, spread.rows.type)
    spread.n = n
    spread.i = i
    return value_of(spread)


def on_desk(layout: Layout) -> Any:
    """What makes a record in memory that has room for its rows: called ``(memory, n, i)``."""
    kind = SpreadType(layout)

    @intrinsic
    def lay(_: Any, memory: Any, n: Any, i: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            array, n, i = args
            rows = make_array(sig.args[0])(context, builder, value=array).data
            return _lay(context, builder, kind, rows, n, i)

        return kind(memory, types.intp, types.intp), generate

    return lay


def beside_tile(layout: Layout, behind: Layout, told: Collection[str] | None = None) -> Any:
    """What makes a record at place `at` of n on a desk that leaves rows in the memory of the batch,
    where it is game i: called ``(desk, n, at, memory, i)``.

    All rows that it does not have itself; or only those that are `told`: what is written to these
    is forgotten.
    """
    kind = SpreadType(layout, behind, told)

    @intrinsic
    def lay(_: Any, desk: Any, n: Any, at: Any, memory: Any, i: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            desk, n, at, memory, i = args
            rows = make_array(sig.args[0])(context, builder, value=desk).data
            value = _lay(context, builder, kind, rows, n, at)
            spread = cgutils.create_struct_proxy(kind)(context, builder, value=value)
            tile = _tile_of(context, builder, behind, sig.args[3], memory, i)
            spread.tile = builder.bitcast(tile, spread.tile.type)
            spread.tile_i = builder.and_(i, constant(TILE - 1))
            return value_of(spread)

        return kind(desk, types.intp, types.intp, memory, types.intp), generate

    return lay


def _tile_of(context: Any, builder: Any, layout: Layout, kind: Any, memory: Any, i: Any) -> Any:
    """Where the tile of game i begins in the memory of a batch."""
    tiles = make_array(kind)(context, builder, value=memory).data
    before = builder.lshr(i, constant(TILE.bit_length() - 1))
    return builder.gep(tiles, [builder.mul(before, constant(layout.tile_words()))])


def in_store(layout: Layout) -> Any:
    """What takes record i out of the memory of a batch: called ``(memory, i)``."""
    kind = SpreadType(layout)

    @intrinsic
    def take_out(_: Any, memory: Any, i: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            array, i = args
            rows = _tile_of(context, builder, layout, sig.args[0], array, i)
            place = builder.and_(i, constant(TILE - 1))
            value = _lay(context, builder, kind, rows, constant(TILE), place)
            for which in layout.singles():
                number, there = _stored(context, builder, kind, value, *which)
                _, here = _scalar(context, builder, kind, value, *which)
                single = context.unpack_value(builder, number, there)
                context.pack_value(builder, number, single, here)
            return value

        return kind(memory, types.intp), generate

    return take_out


@intrinsic
def put_away(_: Any, spread: Any) -> Any:
    """Write the single numbers of a record back to the memory that it was taken from."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kind, value = sig.args[0], args[0]
        for which in kind.layout.singles():
            number, there = _stored(context, builder, kind, value, *which)
            _, here = _scalar(context, builder, kind, value, *which)
            context.pack_value(builder, number, context.unpack_value(builder, number, here), there)
        return context.get_dummy_value()

    return types.none(spread), generate


@intrinsic
def copy_singles(_: Any, source: Any, target: Any) -> Any:
    """Copy the single numbers that both have."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        _copy_singles(context, builder, sig.args, args)
        return context.get_dummy_value()

    return types.none(source, target), generate


def _copy_singles(context: Any, builder: Any, kinds: Any, records: Any) -> None:
    source, target = kinds
    for which in source.layout.singles():
        if which[0] in target.layout.scalars:
            number, there = _scalar(context, builder, source, records[0], *which)
            _, here = _scalar(context, builder, target, records[1], *which)
            context.pack_value(builder, number, context.unpack_value(builder, number, there), here)


def tile_to_desk(tile: Layout, desk: Layout) -> Any:
    """What brings the rows of a tile to a desk, called by all its threads ``(memory, desk, i)``."""
    return _carrier(tile, desk, to_desk=True)


def desk_to_tile(tile: Layout, desk: Layout) -> Any:
    """What puts them back."""
    return _carrier(tile, desk, to_desk=False)


def _carrier(tile: Layout, desk: Layout, *, to_desk: bool) -> Any:
    """Desks are laid out as tiles begin: so it does not matter which thread copies what."""
    whole = ir.VectorType(ir.IntType(32), AT_ONCE // 4).as_pointer()

    @intrinsic
    def carry(_: Any, memory: Any, room: Any, i: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            memory, room, i = args
            ends = [
                _tile_of(context, builder, tile, sig.args[0], memory, i),
                make_array(sig.args[1])(context, builder, value=room).data,
            ]
            source, target = (builder.bitcast(end, whole) for end in ends[:: 1 if to_desk else -1])
            lane = builder.and_(i, constant(TILE - 1))

            def copy(begin: Any, count: int) -> None:
                places = [builder.add(begin, constant(k)) for k in range(count)]
                places = [builder.add(builder.mul(k, constant(TILE)), lane) for k in places]
                values = [builder.load(builder.gep(source, [k]), align=AT_ONCE) for k in places]
                for value, k in zip(values, places, strict=True):
                    builder.store(value, builder.gep(target, [k]), align=AT_ONCE)

            in_parts(builder, desk.row_bytes // AT_ONCE, copy)
            return context.get_dummy_value()

        return types.none(memory, room, types.intp), generate

    return carry


@intrinsic
def copy_spread(_: Any, source: Any, target: Any) -> Any:
    """Copy the fields that both have."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kinds = sig.args
        _copy_singles(context, builder, kinds, args)
        for name in kinds[0].layout.rows:
            if name in kinds[1].layout.rows:
                ends = [
                    _column(context, builder, kind, record, name)
                    for kind, record in zip(kinds, args, strict=True)
                ]
                opened = [open_row(context, builder, *end) for end in ends]
                copy_numbers(context, builder, ends[0][0].kind, opened, prod(ends[0][0].shape))
        return context.get_dummy_value()

    return types.none(source, target), generate
