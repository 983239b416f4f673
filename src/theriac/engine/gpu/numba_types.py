"""The functions of `memory.Memory` for compiled code, and the record type that they return.

A compiled record keeps its scalar fields in registers for as long as a kernel works on it. Its
array fields stay in memory: interleaved with those of other games in shared or global memory, or
alone in local memory. `numba_rows` has the type of array fields, `numba_lists` those of lists of
moves. `simulated` has the same functions, with the same names, for interpreted code.
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

from theriac.engine.gpu import numba_memory  # noqa: F401 - registers a type
from theriac.engine.gpu.codegen import INT, constant, pointer_to, value_of
from theriac.engine.gpu.layout import VECTOR_BYTES, WARP_SIZE, Layout
from theriac.engine.gpu.numba_lists import local_words, move_marker, move_window
from theriac.engine.gpu.numba_rows import (
    DiscardedType,
    RowType,
    copy_elements,
    copy_row,
    discarded_row,
    feature_row,
    in_chunks,
    make_row,
    open_row,
    unchecked,
)

__all__ = [
    "buffer_record",
    "copy_record",
    "copy_row",
    "copy_scalars",
    "feature_row",
    "local_words",
    "move_marker",
    "move_window",
    "split_record",
    "stage_tile",
    "tile_record",
    "unchecked",
    "unstage_tile",
    "write_back",
]


class SoaRecordType(types.Type):
    """A record of a layout. It may be `backed` by another in a warp tile of the layout `backing`:
    for all array fields that it does not have, or for the `readonly` ones only.
    """

    def __init__(
        self,
        layout: Layout,
        backing: Layout | None = None,
        readonly: Collection[str] | None = None,
    ) -> None:
        self.layout = layout
        self.backing = backing
        self.readonly = readonly
        backing_fields = backing and backing.describe()
        # Numba treats types of the same name as equal: the name must distinguish layouts.
        super().__init__(name=f"SoaRecord({layout.describe()}, {backing_fields}, {readonly})")

    def is_backed(self, name: str) -> bool:
        """Whether an array field is that of the record in the warp tile."""
        backed = self.layout.discarded if self.readonly is None else self.readonly
        return self.backing is not None and name in backed

    def row(self, name: str) -> tuple[Layout, RowType]:
        """The layout that has a field, and its type as a row: a scalar is a row of one."""
        backing = self.backing if self.is_backed(name) else None
        layout = backing or self.layout
        field = layout.field(name)
        readonly = backing is not None and self.readonly is not None
        return layout, RowType(numba.from_dtype(field.dtype), field.shape, readonly)


@register_model(SoaRecordType)
class _SoaRecordModel(models.StructModel):
    def __init__(self, manager: Any, record: SoaRecordType) -> None:
        members = [
            ("scalars", types.voidptr),
            ("rows", types.voidptr),
            ("tile", types.voidptr),
            ("n", types.intp),
            ("i", types.intp),
            ("tile_i", types.intp),
        ]
        super().__init__(manager, record, members)


@typing.register_attr
class _SoaRecordAttribute(AttributeTemplate):
    key = SoaRecordType

    def generic_resolve(self, record: SoaRecordType, name: str) -> Any:
        if name in record.layout.scalars:
            field = record.layout.scalars[name]
            number = numba.from_dtype(field.dtype)
            return RowType(number, field.shape) if field.shape else number
        if name in record.layout.rows or record.is_backed(name):
            return record.row(name)[1]
        if name in record.layout.discarded:
            return DiscardedType(len(record.layout.discarded[name]))
        return None


# Fields


def _register(
    context: Any, builder: Any, kind: SoaRecordType, value: Any, name: str, k: int = 0
) -> tuple[Any, Any]:
    """The type of a scalar (or of element k of an array in registers), and a pointer to it.

    The pointer is to stack memory of the thread, which the compiler turns into registers.
    """
    field = kind.layout.scalars[name]
    record = cgutils.create_struct_proxy(kind)(context, builder, value=value)
    number = numba.from_dtype(field.dtype)
    offset = constant(field.offset + k * field.dtype.itemsize)
    return number, pointer_to(context, builder, record.scalars, offset, number)


def _stored_scalar(
    context: Any, builder: Any, kind: SoaRecordType, value: Any, name: str, k: int
) -> tuple[Any, Any]:
    """The same scalar in the warp tile."""
    row, column = _row(context, builder, kind, value, name)
    opened, stride = open_row(context, builder, row, column)
    offset = builder.mul(constant(k), stride)
    return row.number, pointer_to(context, builder, opened.data, offset, row.number)


def _row(context: Any, builder: Any, kind: SoaRecordType, value: Any, name: str) -> tuple[Any, Any]:
    """The type of a field as a row, and that row; a scalar is a row of one."""
    record = cgutils.create_struct_proxy(kind)(context, builder, value=value)
    layout, row = kind.row(name)
    rows, n, i = record.rows, record.n, record.i
    if layout is not kind.layout:
        rows, n, i = record.tile, constant(WARP_SIZE), record.tile_i
    field = layout.field(name)
    offset = builder.add(
        builder.mul(constant(field.offset), n),
        builder.mul(constant(field.dtype.itemsize), i),
    )
    data = builder.gep(rows, [offset])
    return row, make_row(context, builder, row, data, n)


@lowering.lower_getattr_generic(SoaRecordType)
def _get_field(context: Any, builder: Any, kind: SoaRecordType, value: Any, name: str) -> Any:
    if name in kind.layout.discarded and not kind.is_backed(name):
        return discarded_row(context, builder, len(kind.layout.discarded[name]))
    if name in kind.layout.rows or kind.is_backed(name):
        return _row(context, builder, kind, value, name)[1]
    number, pointer = _register(context, builder, kind, value, name)
    field = kind.layout.scalars[name]
    if field.shape:
        data = builder.bitcast(pointer, ir.IntType(8).as_pointer())
        return make_row(context, builder, RowType(number, field.shape), data, constant(1))
    return context.unpack_value(builder, number, pointer)


@lowering.lower_setattr_generic(SoaRecordType)
def _set_field(context: Any, builder: Any, sig: Any, args: Any, name: str) -> None:
    kind, value_kind = sig.args
    number, pointer = _register(context, builder, kind, args[0], name)
    value = context.cast(builder, args[1], value_kind, number)
    context.pack_value(builder, number, value, pointer)


# Making records


def _make_record(context: Any, builder: Any, kind: SoaRecordType, rows: Any, n: Any, i: Any) -> Any:
    """Record i of n whose rows begin at `rows`; its scalars are not yet set."""
    words = max(kind.layout.scalar_bytes // 8, 1)
    record = cgutils.create_struct_proxy(kind)(context, builder)
    registers = cgutils.alloca_once(builder, ir.ArrayType(INT, words))
    record.scalars = builder.bitcast(registers, record.scalars.type)
    record.rows = builder.bitcast(rows, record.rows.type)
    record.n = n
    record.i = i
    return value_of(record)


def _tile_of(context: Any, builder: Any, layout: Layout, kind: Any, memory: Any, i: Any) -> Any:
    """A pointer to the warp tile of game i."""
    tiles = make_array(kind)(context, builder, value=memory).data
    tile = builder.lshr(i, constant(WARP_SIZE.bit_length() - 1))
    return builder.gep(tiles, [builder.mul(tile, constant(layout.tile_words()))])


def _lane_of(builder: Any, i: Any) -> Any:
    """The place of game i in its warp tile."""
    return builder.and_(i, constant(WARP_SIZE - 1))


def buffer_record(layout: Layout) -> Any:
    """Make ``(buffer, lanes, lane)``: a record in a buffer."""
    kind = SoaRecordType(layout)

    @intrinsic
    def make(_: Any, buffer: Any, lanes: Any, lane: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            buffer, lanes, lane = args
            rows = make_array(sig.args[0])(context, builder, value=buffer).data
            return _make_record(context, builder, kind, rows, lanes, lane)

        return kind(buffer, types.intp, types.intp), generate

    return make


def split_record(layout: Layout, backing: Layout, readonly: Collection[str] | None = None) -> Any:
    """Make ``(buffer, lanes, lane, memory, i)``: a record of which some array fields lie in a
    buffer, others in warp tiles of the layout `backing`, where it is game i.

    Those are all array fields that `layout` does not have; or, if given, the `readonly` ones only,
    and writing to these has no effect.
    """
    kind = SoaRecordType(layout, backing, readonly)

    @intrinsic
    def make(_: Any, buffer: Any, lanes: Any, lane: Any, memory: Any, i: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            buffer, lanes, lane, memory, i = args
            rows = make_array(sig.args[0])(context, builder, value=buffer).data
            value = _make_record(context, builder, kind, rows, lanes, lane)
            record = cgutils.create_struct_proxy(kind)(context, builder, value=value)
            tile = _tile_of(context, builder, backing, sig.args[3], memory, i)
            record.tile = builder.bitcast(tile, record.tile.type)
            record.tile_i = _lane_of(builder, i)
            return value_of(record)

        return kind(buffer, types.intp, types.intp, memory, types.intp), generate

    return make


def tile_record(layout: Layout) -> Any:
    """Make ``(memory, i)``: record i in the warp tiles of a batch, its scalars in registers."""
    kind = SoaRecordType(layout)

    @intrinsic
    def load(_: Any, memory: Any, i: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            memory, i = args
            rows = _tile_of(context, builder, layout, sig.args[0], memory, i)
            lane = _lane_of(builder, i)
            value = _make_record(context, builder, kind, rows, constant(WARP_SIZE), lane)
            for element in layout.scalar_elements():
                number, stored = _stored_scalar(context, builder, kind, value, *element)
                _, register = _register(context, builder, kind, value, *element)
                scalar = context.unpack_value(builder, number, stored)
                context.pack_value(builder, number, scalar, register)
            return value

        return kind(memory, types.intp), generate

    return load


@intrinsic
def write_back(_: Any, record: Any) -> Any:
    """Store the scalars of a record in the warp tile from which it was loaded."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kind, value = sig.args[0], args[0]
        for element in kind.layout.scalar_elements():
            number, stored = _stored_scalar(context, builder, kind, value, *element)
            _, register = _register(context, builder, kind, value, *element)
            scalar = context.unpack_value(builder, number, register)
            context.pack_value(builder, number, scalar, stored)
        return context.get_dummy_value()

    return types.none(record), generate


# Copying


@intrinsic
def copy_scalars(_: Any, source: Any, target: Any) -> Any:
    """Copy the scalar fields that both records have."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        _copy_scalars(context, builder, sig.args, args)
        return context.get_dummy_value()

    return types.none(source, target), generate


def _copy_scalars(context: Any, builder: Any, kinds: Any, records: Any) -> None:
    source, target = kinds
    for element in source.layout.scalar_elements():
        if element[0] in target.layout.scalars:
            number, there = _register(context, builder, source, records[0], *element)
            _, here = _register(context, builder, target, records[1], *element)
            context.pack_value(builder, number, context.unpack_value(builder, number, there), here)


@intrinsic
def copy_record(_: Any, source: Any, target: Any) -> Any:
    """Copy all fields that both records have."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kinds = sig.args
        _copy_scalars(context, builder, kinds, args)
        for name in kinds[0].layout.rows:
            if name in kinds[1].layout.rows:
                ends = [
                    _row(context, builder, kind, record, name)
                    for kind, record in zip(kinds, args, strict=True)
                ]
                opened = [open_row(context, builder, *end) for end in ends]
                row = ends[0][0]
                copy_elements(context, builder, row.number, opened, prod(row.shape))
        return context.get_dummy_value()

    return types.none(source, target), generate


def stage_tile(tile: Layout, staged: Layout) -> Any:
    """Make ``(memory, buffer, i)``: copy rows of a warp tile to shared memory; every thread of the
    warp calls it.
    """
    return _tile_copy(tile, staged, to_buffer=True)


def unstage_tile(tile: Layout, staged: Layout) -> Any:
    """Make ``(memory, buffer, i)``: copy them back."""
    return _tile_copy(tile, staged, to_buffer=False)


def _tile_copy(tile: Layout, staged: Layout, *, to_buffer: bool) -> Any:
    """The rows of `staged` are laid out as those that `tile` begins with: so a warp copies bytes,
    one vector per lane at a time, and it does not matter which field they belong to.
    """
    vector = ir.VectorType(ir.IntType(32), VECTOR_BYTES // 4).as_pointer()

    @intrinsic
    def copy(_: Any, memory: Any, buffer: Any, i: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            memory, buffer, i = args
            ends = [
                _tile_of(context, builder, tile, sig.args[0], memory, i),
                make_array(sig.args[1])(context, builder, value=buffer).data,
            ]
            source, target = (
                builder.bitcast(end, vector) for end in ends[:: 1 if to_buffer else -1]
            )
            lane = _lane_of(builder, i)

            def copy_chunk(begin: Any, count: int) -> None:
                rounds = [builder.add(begin, constant(k)) for k in range(count)]
                places = [builder.add(builder.mul(k, constant(WARP_SIZE)), lane) for k in rounds]
                values = [
                    builder.load(builder.gep(source, [k]), align=VECTOR_BYTES) for k in places
                ]
                for value, k in zip(values, places, strict=True):
                    builder.store(value, builder.gep(target, [k]), align=VECTOR_BYTES)

            in_chunks(builder, staged.row_bytes // VECTOR_BYTES, copy_chunk)
            return context.get_dummy_value()

        return types.none(memory, buffer, types.intp), generate

    return copy
