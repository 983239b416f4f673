"""What the compiler for CUDA must know of `spread`: three types, and how they are read and written.

A spread record keeps its single numbers in registers, for as long as a kernel works on it, and its
rows where its caller said: beside those of other games in shared or global memory, or alone in
local memory. No index wraps around: a rule never uses one below zero.
"""

from __future__ import annotations

import operator
from math import prod
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.cuda import cgutils, types
from numba.cuda.cpython import numbers
from numba.cuda.cudadecl import registry as typing
from numba.cuda.cudaimpl import registry as lowering
from numba.cuda.extending import intrinsic, models, register_model
from numba.cuda.np.arrayobj import make_array
from numba.cuda.np.math import numbers as np_numbers
from numba.cuda.typing.templates import AbstractTemplate, AttributeTemplate, signature

from theriac.engine.spread import Layout

_INT = ir.IntType(64)


def _promise_nothing(_: Any) -> list[str]:
    """Numba promises the compiler that no sum overflows ("nsw"). libNVVM 13.0 and 13.4 then take an
    index like ``n + 2 + i`` for -1 where i is -1 and n grows in a loop: wrong numbers, and writes
    to anywhere. So nothing is promised.
    """
    return []


for _module in (numbers, np_numbers):
    _module._int_arith_flags = _promise_nothing  # noqa: SLF001 - Numba has no switch for it


def _value(made: Any) -> Any:
    """What the compiler passes on, of a struct whose members are set."""
    return made._getvalue()  # noqa: SLF001 - Numba has no other name for it


def _number(value: int) -> Any:
    return ir.Constant(_INT, value)


def _some(builder: Any, value: int) -> Any:
    """The same to one who does not look: a loop of so many turns is not written out turn by turn,
    which for a hundred loops takes all registers there are.
    """
    kind = ir.FunctionType(_INT, [_INT])
    return builder.asm(kind, "mov.u64 $0, $1;", "=l,l", [_number(value)], side_effect=False)


def _width(kind: Any) -> int:
    """Bytes of a number."""
    return int(np.dtype(str(kind)).itemsize)


def _pointer(context: Any, builder: Any, data: Any, begin: Any, kind: Any) -> Any:
    """A pointer to a number so many bytes behind `data`.

    The compiler follows such pointers back to where they come from, and so knows which kind of
    memory they lead to; through Numba's own arithmetic of strided arrays it would not.
    """
    at = builder.gep(data, [begin])
    return builder.bitcast(at, context.get_data_type(kind).as_pointer())


# Rows


class RowType(types.Type):
    """Numbers of one game: neighbours are `n` numbers apart. The first axis may be of any length,
    which is then -1 here.
    """

    def __init__(self, kind: Any, shape: tuple[int, ...]) -> None:
        self.kind = kind
        self.shape = shape
        super().__init__(name=f"Row({kind}, {shape})")


@register_model(RowType)
class _RowModel(models.StructModel):
    def __init__(self, manager: Any, row: RowType) -> None:
        super().__init__(manager, row, [("data", types.voidptr), ("n", types.intp)])


def _indices(kind: Any) -> tuple[Any, ...]:
    return tuple(kind) if isinstance(kind, types.BaseTuple) else (kind,)


@typing.register_global(operator.getitem)
class _GetRow(AbstractTemplate):
    key = operator.getitem

    def generic(self, args: Any, kws: Any) -> Any:
        row, index = args
        if not isinstance(row, RowType):
            return None
        if isinstance(index, types.SliceType):
            return signature(RowType(row.kind, (-1, *row.shape[1:])), row, index)
        rest = row.shape[len(_indices(index)) :]
        return signature(RowType(row.kind, rest) if rest else row.kind, row, index)


@typing.register_global(operator.setitem)
class _SetRow(AbstractTemplate):
    key = operator.setitem

    def generic(self, args: Any, kws: Any) -> Any:
        row, index, _ = args
        return signature(types.none, row, index, row.kind) if isinstance(row, RowType) else None


def _open_row(context: Any, builder: Any, kind: RowType, value: Any) -> tuple[Any, Any]:
    """Where a row begins, and the bytes from one of its numbers to the next."""
    row = cgutils.create_struct_proxy(kind)(context, builder, value=value)
    return row, builder.mul(row.n, _number(_width(kind.kind)))


def _make_row(context: Any, builder: Any, kind: RowType, data: Any, n: Any) -> Any:
    row = cgutils.create_struct_proxy(kind)(context, builder)
    row.data = data
    row.n = n
    return _value(row)


def _count(context: Any, builder: Any, shape: tuple[int, ...], kind: Any, index: Any) -> Any:
    """How many numbers lie before the indexed one."""
    single = not isinstance(kind, types.BaseTuple)
    parts = [index] if single else cgutils.unpack_tuple(builder, index)
    before = _number(0)
    for axis, (part_kind, part) in enumerate(zip(_indices(kind), parts, strict=True)):
        whole = context.cast(builder, part, part_kind, types.intp)
        before = builder.add(before, builder.mul(whole, _number(prod(shape[axis + 1 :]))))
    return before


@lowering.lower(operator.getitem, RowType, types.Any)
def _get_row(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind, index_kind = sig.args
    row, step = _open_row(context, builder, kind, args[0])
    if isinstance(index_kind, types.SliceType):
        part = context.make_helper(builder, index_kind, value=args[1])
        before = builder.mul(part.start, _number(prod(kind.shape[1:])))
    else:
        before = _count(context, builder, kind.shape, index_kind, args[1])
    begin = builder.mul(before, step)
    if isinstance(sig.return_type, RowType):
        data = builder.gep(row.data, [begin])
        return _make_row(context, builder, sig.return_type, data, row.n)
    pointer = _pointer(context, builder, row.data, begin, kind.kind)
    return context.unpack_value(builder, kind.kind, pointer)


@lowering.lower(operator.setitem, RowType, types.Any, types.Any)
def _set_row(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind, index_kind, value_kind = sig.args
    row, step = _open_row(context, builder, kind, args[0])

    def put(before: Any) -> None:
        begin = builder.mul(before, step)
        pointer = _pointer(context, builder, row.data, begin, value_kind)
        context.pack_value(builder, value_kind, args[2], pointer)

    if isinstance(index_kind, types.SliceType):  # row[:] = value
        with cgutils.for_range(builder, _number(prod(kind.shape))) as loop:
            put(loop.index)
    else:
        put(_count(context, builder, kind.shape, index_kind, args[1]))
    return context.get_dummy_value()


# Records


class SpreadType(types.Type):
    """A record that is laid out so."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        super().__init__(name=f"Spread({layout.dtype.descr}, {layout.names})")


@register_model(SpreadType)
class _SpreadModel(models.StructModel):
    def __init__(self, manager: Any, spread: SpreadType) -> None:
        members = [
            ("scalars", types.voidptr),
            ("rows", types.voidptr),
            ("n", types.intp),
            ("i", types.intp),
        ]
        super().__init__(manager, spread, members)


@typing.register_attr
class _SpreadAttribute(AttributeTemplate):
    key = SpreadType

    def generic_resolve(self, spread: SpreadType, name: str) -> Any:
        if name in spread.layout.scalars:
            return numba.from_dtype(spread.layout.scalars[name].dtype)
        if name in spread.layout.rows:
            field = spread.layout.rows[name]
            return RowType(numba.from_dtype(field.dtype), field.shape)
        return None


def _scalar(context: Any, builder: Any, kind: SpreadType, value: Any, name: str) -> tuple[Any, Any]:
    """The type of a single number, and where it is."""
    field = kind.layout.scalars[name]
    spread = cgutils.create_struct_proxy(kind)(context, builder, value=value)
    number = numba.from_dtype(field.dtype)
    return number, _pointer(context, builder, spread.scalars, _number(field.begin), number)


def _column(context: Any, builder: Any, kind: SpreadType, value: Any, name: str) -> tuple[Any, Any]:
    """The row type of a field, and that row of this game; of a single number, a row of one."""
    field = kind.layout.column(name)
    spread = cgutils.create_struct_proxy(kind)(context, builder, value=value)
    begin = builder.add(
        builder.mul(_number(field.begin), spread.n),
        builder.mul(_number(field.dtype.itemsize), spread.i),
    )
    row = RowType(numba.from_dtype(field.dtype), field.shape)
    data = builder.gep(spread.rows, [begin])
    return row, _make_row(context, builder, row, data, spread.n)


@lowering.lower_getattr_generic(SpreadType)
def _get_field(context: Any, builder: Any, kind: SpreadType, value: Any, name: str) -> Any:
    if name in kind.layout.rows:
        return _column(context, builder, kind, value, name)[1]
    number, pointer = _scalar(context, builder, kind, value, name)
    return context.unpack_value(builder, number, pointer)


@lowering.lower_setattr_generic(SpreadType)
def _set_field(context: Any, builder: Any, sig: Any, args: Any, name: str) -> None:
    kind, value_kind = sig.args
    number, pointer = _scalar(context, builder, kind, args[0], name)
    value = context.cast(builder, args[1], value_kind, number)
    context.pack_value(builder, number, value, pointer)


def _lay(context: Any, builder: Any, kind: SpreadType, memory_kind: Any, args: Any) -> Any:
    """A record at place i of n in memory, its single numbers not yet known."""
    memory, n, i = args
    words = max(kind.layout.scalar_bytes // 8, 1)
    spread = cgutils.create_struct_proxy(kind)(context, builder)
    room = cgutils.alloca_once(builder, ir.ArrayType(_INT, words))
    spread.scalars = builder.bitcast(room, spread.scalars.type)
    data = make_array(memory_kind)(context, builder, value=memory).data
    spread.rows = builder.bitcast(data, spread.rows.type)
    spread.n = n
    spread.i = i
    return _value(spread)


def on_desk(layout: Layout) -> Any:
    """What makes a record in memory that has room for its rows: called ``(memory, n, i)``."""
    kind = SpreadType(layout)

    @intrinsic
    def lay(_: Any, memory: Any, n: Any, i: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return _lay(context, builder, kind, sig.args[0], args)

        return kind(memory, types.intp, types.intp), generate

    return lay


def in_store(layout: Layout) -> Any:
    """What takes a record out of memory that has room for all of it: called ``(memory, n, i)``."""
    kind = SpreadType(layout)

    @intrinsic
    def take_out(_: Any, memory: Any, n: Any, i: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            value = _lay(context, builder, kind, sig.args[0], args)
            for name in layout.scalars:
                row, column = _column(context, builder, kind, value, name)
                stored, _ = _open_row(context, builder, row, column)
                number, pointer = _scalar(context, builder, kind, value, name)
                there = _pointer(context, builder, stored.data, _number(0), number)
                context.pack_value(
                    builder, number, context.unpack_value(builder, number, there), pointer
                )
            return value

        return kind(memory, types.intp, types.intp), generate

    return take_out


@intrinsic
def put_away(_: Any, spread: Any) -> Any:
    """Write the single numbers of a record back to the memory that it was taken from."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kind, value = sig.args[0], args[0]
        for name in kind.layout.scalars:
            row, column = _column(context, builder, kind, value, name)
            stored, _ = _open_row(context, builder, row, column)
            number, pointer = _scalar(context, builder, kind, value, name)
            there = _pointer(context, builder, stored.data, _number(0), number)
            context.pack_value(
                builder, number, context.unpack_value(builder, number, pointer), there
            )
        return context.get_dummy_value()

    return types.none(spread), generate


@intrinsic
def copy_spread(_: Any, source: Any, target: Any) -> Any:
    """Copy the fields that both have."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kinds = sig.args
        for name in kinds[0].layout.names:
            if name not in kinds[1].layout.names:
                continue
            if name in kinds[0].layout.scalars:
                value = _get_field(context, builder, kinds[0], args[0], name)
                number, pointer = _scalar(context, builder, kinds[1], args[1], name)
                context.pack_value(builder, number, value, pointer)
                continue
            ends = [_column(context, builder, k, a, name) for k, a in zip(kinds, args, strict=True)]
            opened = [_open_row(context, builder, *end) for end in ends]
            number = ends[0][0].kind
            _copy_row(context, builder, number, opened, prod(ends[0][0].shape))
        return context.get_dummy_value()

    return types.none(source, target), generate


#: How many numbers of a row are read before the first of them is written: they come together, from
#: however far away.
_AT_ONCE = 8


def _copy_row(context: Any, builder: Any, number: Any, ends: Any, size: int) -> None:
    """Copy so many numbers of a type from one end to the other."""

    def copy(begin: Any, count: int) -> None:
        places = [builder.add(begin, _number(k)) for k in range(count)]
        there, here = (
            [_pointer(context, builder, row.data, builder.mul(k, step), number) for k in places]
            for row, step in ends
        )
        values = [context.unpack_value(builder, number, pointer) for pointer in there]
        for value, pointer in zip(values, here, strict=True):
            context.pack_value(builder, number, value, pointer)

    whole, rest = divmod(size, _AT_ONCE)
    if whole:
        with cgutils.for_range(builder, _some(builder, whole)) as loop:
            copy(builder.mul(loop.index, _number(_AT_ONCE)), _AT_ONCE)
    if rest:
        copy(_number(whole * _AT_ONCE), rest)


def column_of(length: int) -> Any:
    """What takes the numbers of game i of n out of an array of columns, `length` of them."""

    @intrinsic
    def take_column(_: Any, memory: Any, n: Any, i: Any) -> Any:
        row = RowType(memory.dtype, (length,))

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            array, n, i = args
            data = make_array(sig.args[0])(context, builder, value=array).data
            begin = builder.mul(i, _number(_width(row.kind)))
            data = builder.gep(builder.bitcast(data, ir.IntType(8).as_pointer()), [begin])
            return _make_row(context, builder, row, data, n)

        return row(memory, types.intp, types.intp), generate

    return take_column


# Windows


class WindowType(types.Type):
    """The part of a list that there is room for."""

    def __init__(self, size: int) -> None:
        self.size = size
        super().__init__(name=f"Window({size})")


@register_model(WindowType)
class _WindowModel(models.StructModel):
    def __init__(self, manager: Any, window: WindowType) -> None:
        super().__init__(manager, window, [("data", types.voidptr), ("first", types.intp)])


@typing.register_global(operator.getitem)
class _GetWindow(AbstractTemplate):
    key = operator.getitem

    def generic(self, args: Any, kws: Any) -> Any:
        window, index = args
        return signature(types.int64, window, index) if isinstance(window, WindowType) else None


@typing.register_global(operator.setitem)
class _SetWindow(AbstractTemplate):
    key = operator.setitem

    def generic(self, args: Any, kws: Any) -> Any:
        window, index, _ = args
        if not isinstance(window, WindowType):
            return None
        return signature(types.none, window, index, types.int64)


def _in_window(context: Any, builder: Any, sig: Any, args: Any) -> tuple[Any, Any]:
    """How far into the window an index leads, and a pointer to that."""
    window = cgutils.create_struct_proxy(sig.args[0])(context, builder, value=args[0])
    index = context.cast(builder, args[1], sig.args[1], types.intp)
    place = builder.sub(index, window.first)
    begin = builder.mul(place, _number(8))
    return place, _pointer(context, builder, window.data, begin, types.int64)


@lowering.lower(operator.getitem, WindowType, types.Integer)
def _get_window(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    _, pointer = _in_window(context, builder, sig, args)
    return context.unpack_value(builder, types.int64, pointer)


@lowering.lower(operator.setitem, WindowType, types.Integer, types.Integer)
def _set_window(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    place, pointer = _in_window(context, builder, sig, args)
    inside = builder.icmp_unsigned("<", place, _number(sig.args[0].size))
    with builder.if_then(inside):
        context.pack_value(builder, types.int64, args[2], pointer)
    return context.get_dummy_value()


def window_of(size: int) -> Any:
    """What opens a window of that size on an array of int64: ``(room, first)``."""
    kind = WindowType(size)

    @intrinsic
    def open_window(_: Any, room: Any, first: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            data = make_array(sig.args[0])(context, builder, value=args[0]).data
            window = cgutils.create_struct_proxy(kind)(context, builder)
            window.data = builder.bitcast(data, window.data.type)
            window.first = args[1]
            return _value(window)

        return kind(room, types.intp), generate

    return open_window


# Room


def words_of(size: int) -> Any:
    """What makes room for so many int64 in a thread's own memory, with anything in it: Numba's own
    local arrays are filled with zeros, all of them at the start of every kernel.
    """
    kind = types.Array(types.int64, 1, "C")

    @intrinsic
    def make_words(_: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            with builder.goto_entry_block():
                room = builder.alloca(ir.ArrayType(_INT, size))
            words = make_array(kind)(context, builder)
            context.populate_array(
                words,
                data=builder.bitcast(room, words.data.type),
                shape=[_number(size)],
                strides=[_number(8)],
                itemsize=_number(8),
                meminfo=None,
            )
            return _value(words)

        return kind(), generate

    return make_words
