"""The type of a record's array fields in compiled code: numbers of one game, strided, because the
same numbers of other games lie between them. Negative indices do not wrap around: rules use none.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from math import prod
from typing import Any, Final

from llvmlite import ir
from numba.cuda import cgutils, types
from numba.cuda.cudadecl import registry as typing
from numba.cuda.cudaimpl import registry as lowering
from numba.cuda.extending import intrinsic, models, register_model
from numba.cuda.np.arrayobj import make_array
from numba.cuda.typing.templates import AbstractTemplate, signature

from theriac.engine.gpu.codegen import constant, pointer_to, trip_count, value_of, width


class RowType(types.Type):
    """Numbers with a stride of `n` numbers. The first axis has length -1 where it is not known at
    compile time. Writing to a `readonly` row has no effect.
    """

    def __init__(self, number: Any, shape: tuple[int, ...], readonly: bool = False) -> None:
        self.number = number
        self.shape = shape
        self.readonly = readonly
        super().__init__(name=f"Row({number}, {shape}, {readonly})")

    def part(self, shape: tuple[int, ...]) -> RowType:
        """The type of a part of this row."""
        return RowType(self.number, shape, self.readonly)


@register_model(RowType)
class _RowModel(models.StructModel):
    def __init__(self, manager: Any, row: RowType) -> None:
        super().__init__(manager, row, [("data", types.voidptr), ("n", types.intp)])


def indices(kind: Any) -> tuple[Any, ...]:
    """The types of an index."""
    return tuple(kind) if isinstance(kind, types.BaseTuple) else (kind,)


@typing.register_global(operator.getitem)
class _GetRow(AbstractTemplate):
    key = operator.getitem

    def generic(self, args: Any, kws: Any) -> Any:
        row, index = args
        if not isinstance(row, RowType):
            return None
        if isinstance(index, types.SliceType):
            return signature(row.part((-1, *row.shape[1:])), row, index)
        rest = row.shape[len(indices(index)) :]
        return signature(row.part(rest) if rest else row.number, row, index)


@typing.register_global(operator.setitem)
class _SetRow(AbstractTemplate):
    key = operator.setitem

    def generic(self, args: Any, kws: Any) -> Any:
        row, index, _ = args
        return signature(types.none, row, index, row.number) if isinstance(row, RowType) else None


def open_row(context: Any, builder: Any, kind: RowType, value: Any) -> tuple[Any, Any]:
    """The members of a row, and its stride in bytes."""
    row = cgutils.create_struct_proxy(kind)(context, builder, value=value)
    return row, builder.mul(row.n, constant(width(kind.number)))


def make_row(context: Any, builder: Any, kind: RowType, data: Any, n: Any) -> Any:
    """A row that begins at `data`."""
    row = cgutils.create_struct_proxy(kind)(context, builder)
    row.data = data
    row.n = n
    return value_of(row)


def _flat_index(context: Any, builder: Any, shape: tuple[int, ...], kind: Any, index: Any) -> Any:
    """How many numbers precede the indexed one."""
    single = not isinstance(kind, types.BaseTuple)
    parts = [index] if single else cgutils.unpack_tuple(builder, index)
    flat = constant(0)
    for axis, (part_kind, part) in enumerate(zip(indices(kind), parts, strict=True)):
        whole = context.cast(builder, part, part_kind, types.intp)
        flat = builder.add(flat, builder.mul(whole, constant(prod(shape[axis + 1 :]))))
    return flat


@lowering.lower(operator.getitem, RowType, types.Any)
def _get_row(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind, index_kind = sig.args
    row, stride = open_row(context, builder, kind, args[0])
    if isinstance(index_kind, types.SliceType):
        part = context.make_helper(builder, index_kind, value=args[1])
        flat = builder.mul(part.start, constant(prod(kind.shape[1:])))
    else:
        flat = _flat_index(context, builder, kind.shape, index_kind, args[1])
    offset = builder.mul(flat, stride)
    if isinstance(sig.return_type, RowType):
        data = builder.gep(row.data, [offset])
        return make_row(context, builder, sig.return_type, data, row.n)
    pointer = pointer_to(context, builder, row.data, offset, kind.number)
    return context.unpack_value(builder, kind.number, pointer)


@lowering.lower(operator.setitem, RowType, types.Any, types.Any)
def _set_row(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind, index_kind, value_kind = sig.args
    if kind.readonly:
        return context.get_dummy_value()
    row, stride = open_row(context, builder, kind, args[0])

    def store(flat: Any) -> None:
        offset = builder.mul(flat, stride)
        pointer = pointer_to(context, builder, row.data, offset, value_kind)
        context.pack_value(builder, value_kind, args[2], pointer)

    if isinstance(index_kind, types.SliceType):  # row[:] = value
        with cgutils.for_range(builder, constant(prod(kind.shape))) as loop:
            store(loop.index)
    else:
        store(_flat_index(context, builder, kind.shape, index_kind, args[1]))
    return context.get_dummy_value()


# Array fields that a record does not have


class DiscardedType(types.Type):
    """An array field, or a part of it, that a record does not have. Writing to it has no effect; it
    cannot be read.
    """

    def __init__(self, axes: int) -> None:
        self.axes = axes
        super().__init__(name=f"Discarded({axes})")


@register_model(DiscardedType)
class _DiscardedModel(models.StructModel):
    def __init__(self, manager: Any, row: DiscardedType) -> None:
        super().__init__(manager, row, [])


@typing.register_global(operator.getitem)
class _GetDiscarded(AbstractTemplate):
    key = operator.getitem

    def generic(self, args: Any, kws: Any) -> Any:
        row, index = args
        if not isinstance(row, DiscardedType) or len(indices(index)) >= row.axes:
            return None
        return signature(DiscardedType(row.axes - len(indices(index))), row, index)


@typing.register_global(operator.setitem)
class _SetDiscarded(AbstractTemplate):
    key = operator.setitem

    def generic(self, args: Any, kws: Any) -> Any:
        row, index, value = args
        return signature(types.none, row, index, value) if isinstance(row, DiscardedType) else None


def discarded_row(context: Any, builder: Any, axes: int) -> Any:
    """A discarded field of that many axes."""
    return value_of(cgutils.create_struct_proxy(DiscardedType(axes))(context, builder))


@lowering.lower(operator.getitem, DiscardedType, types.Any)
def _get_discarded(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return discarded_row(context, builder, sig.return_type.axes)


@lowering.lower(operator.setitem, DiscardedType, types.Any, types.Any)
def _set_discarded(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return context.get_dummy_value()


# Whole rows


@intrinsic
def copy_row(_: Any, source: Any, target: Any) -> Any:
    """Copy a row."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        source, target = sig.args
        if isinstance(target, DiscardedType) or target.readonly:
            return context.get_dummy_value()
        opened = [open_row(context, builder, *end) for end in zip(sig.args, args, strict=True)]
        copy_elements(context, builder, source.number, opened, prod(source.shape))
        return context.get_dummy_value()

    return types.none(source, target), generate


#: Loads that are issued before the first of their values is stored: their latencies overlap.
_CHUNK: Final = 16


def in_chunks(builder: Any, size: int, copy: Callable[[Any, int], None]) -> None:
    """Copy `size` elements with calls of ``copy(begin, count)``."""
    whole, rest = divmod(size, _CHUNK)
    if whole:
        with cgutils.for_range(builder, trip_count(builder, whole)) as loop:
            copy(builder.mul(loop.index, constant(_CHUNK)), _CHUNK)
    if rest:
        copy(constant(whole * _CHUNK), rest)


def copy_elements(context: Any, builder: Any, number: Any, ends: Any, size: int) -> None:
    """Copy `size` numbers of a type from the first to the second of two opened rows."""

    def copy(begin: Any, count: int) -> None:
        places = [builder.add(begin, constant(k)) for k in range(count)]
        there, here = (
            [pointer_to(context, builder, row.data, builder.mul(k, stride), number) for k in places]
            for row, stride in ends
        )
        values = [context.unpack_value(builder, number, pointer) for pointer in there]
        for value, pointer in zip(values, here, strict=True):
            context.pack_value(builder, number, value, pointer)

    in_chunks(builder, size, copy)


def feature_row(length: int) -> Any:
    """Make ``(out, n, i)``: row i of n, of that length, in a column-major array."""

    @intrinsic
    def make(_: Any, out: Any, n: Any, i: Any) -> Any:
        row = RowType(out.dtype, (length,))

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            array, n, i = args
            data = make_array(sig.args[0])(context, builder, value=array).data
            offset = builder.mul(i, constant(width(row.number)))
            data = builder.gep(builder.bitcast(data, ir.IntType(8).as_pointer()), [offset])
            return make_row(context, builder, row, data, n)

        return row(out, types.intp, types.intp), generate

    return make


@intrinsic
def unchecked(_: Any, array: Any) -> Any:
    """A one-dimensional array as a row: negative indices do not wrap around."""
    row = RowType(array.dtype, (-1,))

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        data = make_array(sig.args[0])(context, builder, value=args[0]).data
        data = builder.bitcast(data, ir.IntType(8).as_pointer())
        return make_row(context, builder, row, data, constant(1))

    return row(array), generate
