"""What is put right in Numba's compiler for CUDA, and small parts of what it generates."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba.cuda import cgutils, types
from numba.cuda.core.imputils import RefType, iternext_impl
from numba.cuda.cpython import numbers
from numba.cuda.cpython.rangeobj import registry as ranges
from numba.cuda.np.math import numbers as np_numbers

INT = ir.IntType(64)


def _promise_nothing(_: Any) -> list[str]:
    """Numba promises the compiler that no sum overflows ("nsw"). libNVVM 13.0 and 13.4 then take an
    index like ``n + 2 + i`` for -1 where i is -1 and n grows in a loop: wrong numbers, and writes
    to anywhere. So nothing is promised.
    """
    return []


for _module in (numbers, np_numbers):
    _module._int_arith_flags = _promise_nothing  # noqa: SLF001 - Numba has no switch for it


@ranges.lower("iternext", types.range_iter32_type)
@ranges.lower("iternext", types.range_iter64_type)
@iternext_impl(RefType.BORROWED)
def _next_in_range(context: Any, builder: Any, sig: Any, args: Any, result: Any) -> None:
    """The next number of a range. Numba's own counts on only if there is one: libNVVM then makes
    six instructions of what is one addition, in every turn of every loop.

    A count of 32 bits comes from a record: so many players, cards. Loops of so few turns, how many
    is not known, would be written out four turns at a time: twice the code, which a GPU must fetch.
    """
    walk = cgutils.create_struct_proxy(sig.args[0])(context, builder, value=args[0])
    left = builder.load(walk.count)
    value = builder.load(walk.iter)
    result.set_valid(builder.icmp_signed(">", left, left.type(0)))
    result.yield_(value)
    less = builder.sub(left, left.type(1))
    builder.store(less if left.type == INT else unknown(builder, less), walk.count)
    builder.store(builder.add(value, walk.step), walk.iter)


def value_of(made: Any) -> Any:
    """What the compiler passes on, of a struct whose members are set."""
    return made._getvalue()  # noqa: SLF001 - Numba has no other name for it


def constant(value: int) -> Any:
    """A number that is known when kernels are compiled."""
    return ir.Constant(INT, value)


def unknown(builder: Any, value: Any) -> Any:
    """A number to one who does not look what it is: loops that it counts are not written out."""
    name, letter = ("u64", "l") if value.type == INT else ("u32", "r")
    kind = ir.FunctionType(value.type, [value.type])
    return builder.asm(kind, f"mov.{name} $0, $1;", f"={letter},{letter}", [value], False)


def some(builder: Any, value: int) -> Any:
    """So many turns of a loop that is not to be written out turn by turn: for a hundred loops that
    would take all registers there are.
    """
    return unknown(builder, constant(value))


def width(kind: Any) -> int:
    """Bytes of a number."""
    return int(np.dtype(str(kind)).itemsize)


def pointer_to(context: Any, builder: Any, data: Any, begin: Any, kind: Any) -> Any:
    """A pointer to a number so many bytes behind `data`.

    The compiler follows such pointers back to where they come from, and so knows which kind of
    memory they lead to; through Numba's own arithmetic of strided arrays it would not.
    """
    at = builder.gep(data, [begin])
    return builder.bitcast(at, context.get_data_type(kind).as_pointer())
