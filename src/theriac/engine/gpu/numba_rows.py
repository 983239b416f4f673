"""Rows of spread records, as the compiler for CUDA knows them: numbers of one game, those of others
lying between them. No index wraps around: a rule never uses one below zero.
"""

from __future__ import annotations

import operator
from math import prod
from typing import Any

from llvmlite import ir
from numba.cuda import cgutils, types
from numba.cuda.cudadecl import registry as typing
from numba.cuda.cudaimpl import registry as lowering
from numba.cuda.extending import intrinsic, models, register_model
from numba.cuda.np.arrayobj import make_array
from numba.cuda.typing.templates import AbstractTemplate, signature

from theriac.engine.gpu.codegen import constant, pointer_to, some, value_of, width


class RowType(types.Type):
    """Numbers of one game: neighbours are `n` numbers apart. The first axis may be of any length,
    which is then -1 here. What is written to a row may not be `kept`.
    """

    def __init__(self, kind: Any, shape: tuple[int, ...], kept: bool = True) -> None:
        self.kind = kind
        self.shape = shape
        self.kept = kept
        super().__init__(name=f"Row({kind}, {shape}, {kept})")

    def part(self, shape: tuple[int, ...]) -> RowType:
        """A row that is a part of this one."""
        return RowType(self.kind, shape, self.kept)


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
        return signature(row.part(rest) if rest else row.kind, row, index)


@typing.register_global(operator.setitem)
class _SetRow(AbstractTemplate):
    key = operator.setitem

    def generic(self, args: Any, kws: Any) -> Any:
        row, index, _ = args
        return signature(types.none, row, index, row.kind) if isinstance(row, RowType) else None


def open_row(context: Any, builder: Any, kind: RowType, value: Any) -> tuple[Any, Any]:
    """Where a row begins, and the bytes from one of its numbers to the next."""
    row = cgutils.create_struct_proxy(kind)(context, builder, value=value)
    return row, builder.mul(row.n, constant(width(kind.kind)))


def make_row(context: Any, builder: Any, kind: RowType, data: Any, n: Any) -> Any:
    """A row that begins there."""
    row = cgutils.create_struct_proxy(kind)(context, builder)
    row.data = data
    row.n = n
    return value_of(row)


def _count(context: Any, builder: Any, shape: tuple[int, ...], kind: Any, index: Any) -> Any:
    """How many numbers lie before the indexed one."""
    single = not isinstance(kind, types.BaseTuple)
    parts = [index] if single else cgutils.unpack_tuple(builder, index)
    before = constant(0)
    for axis, (part_kind, part) in enumerate(zip(indices(kind), parts, strict=True)):
        whole = context.cast(builder, part, part_kind, types.intp)
        before = builder.add(before, builder.mul(whole, constant(prod(shape[axis + 1 :]))))
    return before


@lowering.lower(operator.getitem, RowType, types.Any)
def _get_row(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind, index_kind = sig.args
    row, step = open_row(context, builder, kind, args[0])
    if isinstance(index_kind, types.SliceType):
        part = context.make_helper(builder, index_kind, value=args[1])
        before = builder.mul(part.start, constant(prod(kind.shape[1:])))
    else:
        before = _count(context, builder, kind.shape, index_kind, args[1])
    begin = builder.mul(before, step)
    if isinstance(sig.return_type, RowType):
        data = builder.gep(row.data, [begin])
        return make_row(context, builder, sig.return_type, data, row.n)
    pointer = pointer_to(context, builder, row.data, begin, kind.kind)
    return context.unpack_value(builder, kind.kind, pointer)


@lowering.lower(operator.setitem, RowType, types.Any, types.Any)
def _set_row(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind, index_kind, value_kind = sig.args
    if not kind.kept:
        return context.get_dummy_value()
    row, step = open_row(context, builder, kind, args[0])

    def put(before: Any) -> None:
        begin = builder.mul(before, step)
        pointer = pointer_to(context, builder, row.data, begin, value_kind)
        context.pack_value(builder, value_kind, args[2], pointer)

    if isinstance(index_kind, types.SliceType):  # row[:] = value
        with cgutils.for_range(builder, constant(prod(kind.shape))) as loop:
            put(loop.index)
    else:
        put(_count(context, builder, kind.shape, index_kind, args[1]))
    return context.get_dummy_value()


# What is written to be forgotten


class NowhereType(types.Type):
    """A row, or some axes of it, that a record does not keep. It cannot be read."""

    def __init__(self, axes: int) -> None:
        self.axes = axes
        super().__init__(name=f"Nowhere({axes})")


@register_model(NowhereType)
class _NowhereModel(models.StructModel):
    def __init__(self, manager: Any, nowhere: NowhereType) -> None:
        super().__init__(manager, nowhere, [])


@typing.register_global(operator.getitem)
class _GetNowhere(AbstractTemplate):
    key = operator.getitem

    def generic(self, args: Any, kws: Any) -> Any:
        row, index = args
        if not isinstance(row, NowhereType) or len(indices(index)) >= row.axes:
            return None
        return signature(NowhereType(row.axes - len(indices(index))), row, index)


@typing.register_global(operator.setitem)
class _SetNowhere(AbstractTemplate):
    key = operator.setitem

    def generic(self, args: Any, kws: Any) -> Any:
        row, index, value = args
        return signature(types.none, row, index, value) if isinstance(row, NowhereType) else None


def nowhere(context: Any, builder: Any, axes: int) -> Any:
    """A row of so many axes that is not kept."""
    return value_of(cgutils.create_struct_proxy(NowhereType(axes))(context, builder))


@lowering.lower(operator.getitem, NowhereType, types.Any)
def _get_nowhere(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return nowhere(context, builder, sig.return_type.axes)


@lowering.lower(operator.setitem, NowhereType, types.Any, types.Any)
def _set_nowhere(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return context.get_dummy_value()


# Whole rows


@intrinsic
def copy_columns(_: Any, source: Any, target: Any) -> Any:
    """Copy a row."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        if isinstance(sig.args[1], NowhereType) or not sig.args[1].kept:
            return context.get_dummy_value()
        opened = [open_row(context, builder, *end) for end in zip(sig.args, args, strict=True)]
        copy_numbers(context, builder, sig.args[0].kind, opened, prod(sig.args[0].shape))
        return context.get_dummy_value()

    return types.none(source, target), generate


#: How many numbers are read before the first of them is written: they come together, from however
#: far away.
_TOGETHER = 16


def in_parts(builder: Any, size: int, copy: Any) -> None:
    """Copy so many numbers: `copy` is asked for parts, where they begin and how many they are."""
    whole, rest = divmod(size, _TOGETHER)
    if whole:
        with cgutils.for_range(builder, some(builder, whole)) as loop:
            copy(builder.mul(loop.index, constant(_TOGETHER)), _TOGETHER)
    if rest:
        copy(constant(whole * _TOGETHER), rest)


def copy_numbers(context: Any, builder: Any, number: Any, ends: Any, size: int) -> None:
    """Copy so many numbers of a type from one end to the other."""

    def copy(begin: Any, count: int) -> None:
        places = [builder.add(begin, constant(k)) for k in range(count)]
        there, here = (
            [pointer_to(context, builder, row.data, builder.mul(k, step), number) for k in places]
            for row, step in ends
        )
        values = [context.unpack_value(builder, number, pointer) for pointer in there]
        for value, pointer in zip(values, here, strict=True):
            context.pack_value(builder, number, value, pointer)

    in_parts(builder, size, copy)


def column_of(length: int) -> Any:
    """What takes the numbers of game i of n out of an array of columns, `length` of them."""

    @intrinsic
    def take_column(_: Any, memory: Any, n: Any, i: Any) -> Any:
        row = RowType(memory.dtype, (length,))

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            array, n, i = args
            data = make_array(sig.args[0])(context, builder, value=array).data
            begin = builder.mul(i, constant(width(row.kind)))
            data = builder.gep(builder.bitcast(data, ir.IntType(8).as_pointer()), [begin])
            return make_row(context, builder, row, data, n)

        return row(memory, types.intp, types.intp), generate

    return take_column


@intrinsic
def as_row(_: Any, array: Any) -> Any:
    """An array of one axis as a row: no index wraps around."""
    row = RowType(array.dtype, (-1,))

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        data = make_array(sig.args[0])(context, builder, value=args[0]).data
        data = builder.bitcast(data, ir.IntType(8).as_pointer())
        return make_row(context, builder, row, data, constant(1))

    return row(array), generate
