"""The types of lists of moves in compiled code, and local buffers."""

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


class MoveListType(types.Type):
    """What `list_legal` writes moves to."""


@typing.register_global(operator.setitem)
class _SetMove(AbstractTemplate):
    key = operator.setitem

    def generic(self, args: Any, kws: Any) -> Any:
        moves, index, _ = args
        if not isinstance(moves, MoveListType):
            return None
        return signature(types.none, moves, index, types.int64)


# Windows


class MoveWindowType(MoveListType):
    """A list that keeps only the moves from index `first` that fit its buffer."""

    def __init__(self, size: int) -> None:
        self.size = size
        super().__init__(name=f"MoveWindow({size})")


@register_model(MoveWindowType)
class _MoveWindowModel(models.StructModel):
    def __init__(self, manager: Any, window: MoveWindowType) -> None:
        super().__init__(manager, window, [("data", types.voidptr), ("first", types.intp)])


@typing.register_global(operator.getitem)
class _GetMove(AbstractTemplate):
    key = operator.getitem

    def generic(self, args: Any, kws: Any) -> Any:
        window, index = args
        return signature(types.int64, window, index) if isinstance(window, MoveWindowType) else None


def _in_window(context: Any, builder: Any, sig: Any, args: Any) -> tuple[Any, Any]:
    """The place in the buffer that an index leads to, and a pointer to it."""
    window = cgutils.create_struct_proxy(sig.args[0])(context, builder, value=args[0])
    index = context.cast(builder, args[1], sig.args[1], types.intp)
    place = builder.sub(index, window.first)
    offset = builder.mul(place, constant(8))
    return place, pointer_to(context, builder, window.data, offset, types.int64)


@lowering.lower(operator.getitem, MoveWindowType, types.Integer)
def _get_move(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    _, pointer = _in_window(context, builder, sig, args)
    return context.unpack_value(builder, types.int64, pointer)


@lowering.lower(operator.setitem, MoveWindowType, types.Integer, types.Integer)
def _set_move(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    place, pointer = _in_window(context, builder, sig, args)
    inside = builder.icmp_unsigned("<", place, constant(sig.args[0].size))
    with builder.if_then(inside):
        context.pack_value(builder, types.int64, args[2], pointer)
    return context.get_dummy_value()


def move_window(size: int) -> Any:
    """Make ``(buffer, first)``: a window of that size on a list of moves."""
    kind = MoveWindowType(size)

    @intrinsic
    def make(_: Any, buffer: Any, first: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            data = make_array(sig.args[0])(context, builder, value=args[0]).data
            window = cgutils.create_struct_proxy(kind)(context, builder)
            window.data = builder.bitcast(data, window.data.type)
            window.first = args[1]
            return value_of(window)

        return kind(buffer, types.intp), generate

    return make


# Markers


class MoveMarkerType(MoveListType):
    """A list that keeps nothing: each move written to it is passed to the function `mark`."""

    def __init__(self, mark: Any, g: Any, move_table: Any, marks: Any) -> None:
        self.mark = mark
        self.arguments = (g, move_table, marks, types.intp)
        super().__init__(name=f"MoveMarker({mark}, {g}, {move_table}, {marks})")


@register_model(MoveMarkerType)
class _MoveMarkerModel(models.StructModel):
    def __init__(self, manager: Any, marker: MoveMarkerType) -> None:
        names = ("g", "move_table", "marks", "offset")
        super().__init__(manager, marker, list(zip(names, marker.arguments, strict=True)))


@intrinsic
def move_marker(_: Any, mark: Any, g: Any, move_table: Any, marks: Any, offset: Any) -> Any:
    """A list that calls ``mark(g, move_table, marks, offset, move)`` for each move written."""
    kind = MoveMarkerType(mark, g, move_table, marks)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        marker = cgutils.create_struct_proxy(kind)(context, builder)
        marker.g, marker.move_table, marker.marks, marker.offset = args[1:]
        return value_of(marker)

    return kind(mark, g, move_table, marks, types.intp), generate


@lowering.lower(operator.setitem, MoveMarkerType, types.Integer, types.Integer)
def _mark_move(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind = sig.args[0]
    marker = cgutils.create_struct_proxy(kind)(context, builder, value=args[0])
    call = kind.mark.get_call_type(context.typing_context, (*kind.arguments, types.int64), {})
    mark = context.get_function(kind.mark, call)
    return mark(builder, (marker.g, marker.move_table, marker.marks, marker.offset, args[2]))


# Local memory


def local_words(size: int) -> Any:
    """Make ``()``: an uninitialised buffer of that many words in local memory. Numba's own local
    arrays are zeroed at the start of every kernel.
    """
    kind = types.Array(types.int64, 1, "C")

    @intrinsic
    def make(_: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            with builder.goto_entry_block():
                memory = builder.alloca(ir.ArrayType(INT, size))
            words = make_array(kind)(context, builder)
            context.populate_array(
                words,
                data=builder.bitcast(memory, words.data.type),
                shape=[constant(size)],
                strides=[constant(8)],
                itemsize=constant(8),
                meminfo=None,
            )
            return value_of(words)

        return kind(), generate

    return make
