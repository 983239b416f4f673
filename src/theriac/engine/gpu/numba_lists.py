"""Lists of moves and room of a thread's own, as the compiler for CUDA knows them."""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba.cuda import cgutils, types
from numba.cuda.cudadecl import registry as typing
from numba.cuda.cudaimpl import registry as lowering
from numba.cuda.extending import intrinsic, models, register_model
from numba.cuda.np.arrayobj import make_array
from numba.cuda.typing.templates import AbstractTemplate, signature

from theriac.engine.gpu.codegen import INT, constant, pointer_to, value_of


class ListType(types.Type):
    """What `list_legal` writes moves to."""


@typing.register_global(operator.setitem)
class _SetMove(AbstractTemplate):
    key = operator.setitem

    def generic(self, args: Any, kws: Any) -> Any:
        moves, index, _ = args
        if not isinstance(moves, ListType):
            return None
        return signature(types.none, moves, index, types.int64)


# Windows


class WindowType(ListType):
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


def _in_window(context: Any, builder: Any, sig: Any, args: Any) -> tuple[Any, Any]:
    """How far into the window an index leads, and a pointer to that."""
    window = cgutils.create_struct_proxy(sig.args[0])(context, builder, value=args[0])
    index = context.cast(builder, args[1], sig.args[1], types.intp)
    place = builder.sub(index, window.first)
    begin = builder.mul(place, constant(8))
    return place, pointer_to(context, builder, window.data, begin, types.int64)


@lowering.lower(operator.getitem, WindowType, types.Integer)
def _get_window(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    _, pointer = _in_window(context, builder, sig, args)
    return context.unpack_value(builder, types.int64, pointer)


@lowering.lower(operator.setitem, WindowType, types.Integer, types.Integer)
def _set_window(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    place, pointer = _in_window(context, builder, sig, args)
    inside = builder.icmp_unsigned("<", place, constant(sig.args[0].size))
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
            return value_of(window)

        return kind(room, types.intp), generate

    return open_window


# Marks


class MarkerType(ListType):
    """What marks each move that is written to it, instead of keeping it: a list that takes no
    room.
    """

    def __init__(self, mark: Any, g: Any, index: Any, marks: Any) -> None:
        self.mark = mark
        self.given = (g, index, marks, types.intp)
        super().__init__(name=f"Marker({mark}, {g}, {index}, {marks})")


@register_model(MarkerType)
class _MarkerModel(models.StructModel):
    def __init__(self, manager: Any, marker: MarkerType) -> None:
        names = ("g", "index", "marks", "before")
        super().__init__(manager, marker, list(zip(names, marker.given, strict=True)))


@intrinsic
def open_marker(_: Any, mark: Any, g: Any, index: Any, marks: Any, before: Any) -> Any:
    """What calls ``mark(g, index, marks, before, move)`` for each move that is written to it."""
    kind = MarkerType(mark, g, index, marks)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        marker = cgutils.create_struct_proxy(kind)(context, builder)
        marker.g, marker.index, marker.marks, marker.before = args[1:]
        return value_of(marker)

    return kind(mark, g, index, marks, types.intp), generate


@lowering.lower(operator.setitem, MarkerType, types.Integer, types.Integer)
def _set_marker(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind = sig.args[0]
    marker = cgutils.create_struct_proxy(kind)(context, builder, value=args[0])
    known = context.typing_context
    called = kind.mark.get_call_type(known, (*kind.given, types.int64), {})
    mark = context.get_function(kind.mark, called)
    return mark(builder, (marker.g, marker.index, marker.marks, marker.before, args[2]))


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
                room = builder.alloca(ir.ArrayType(INT, size))
            words = make_array(kind)(context, builder)
            context.populate_array(
                words,
                data=builder.bitcast(room, words.data.type),
                shape=[constant(size)],
                strides=[constant(8)],
                itemsize=constant(8),
                meminfo=None,
            )
            return value_of(words)

        return kind(), generate

    return make_words
