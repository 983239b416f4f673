"""Workarounds for the CUDA compilers, and small parts of generated code.

Importing this module changes what Numba generates: no promises that sums do not overflow, and a
cheaper `range`.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba.cuda import cgutils, types
from numba.cuda.core.imputils import RefType, iternext_impl
from numba.cuda.cpython import numbers
from numba.cuda.cpython.rangeobj import registry as ranges
from numba.cuda.np.math import numbers as np_numbers

INT: Final = ir.IntType(64)


def _no_flags(_: Any) -> list[str]:
    """The flags of integer arithmetic: none.

    Numba marks sums as "nsw" (no signed wrap). libNVVM 13.0 and 13.4 then miscompile an index such
    as ``n + 2 + i`` where i is -1 and n grows in a loop: wrong results, and writes out of bounds.
    """
    return []


for _module in (numbers, np_numbers):
    _module._int_arith_flags = _no_flags  # noqa: SLF001 - Numba has no switch for it


@ranges.lower("iternext", types.range_iter32_type)
@ranges.lower("iternext", types.range_iter64_type)
@iternext_impl(RefType.BORROWED)
def _next_in_range(context: Any, builder: Any, sig: Any, args: Any, result: Any) -> None:
    """The next number of a range, without a branch around the increment: from Numba's own code
    libNVVM makes six instructions per iteration where one addition is enough.

    A count of 32 bits comes from a record: players, cards. Such loops have few iterations, and
    unrolling them by four, as libNVVM would, doubles the code that a warp must fetch.
    """
    walk = cgutils.create_struct_proxy(sig.args[0])(context, builder, value=args[0])
    left = builder.load(walk.count)
    value = builder.load(walk.iter)
    result.set_valid(builder.icmp_signed(">", left, left.type(0)))
    result.yield_(value)
    less = builder.sub(left, left.type(1))
    builder.store(less if left.type == INT else opaque(builder, less), walk.count)
    builder.store(builder.add(value, walk.step), walk.iter)


def value_of(made: Any) -> Any:
    """The LLVM value of a struct proxy whose members are set."""
    return made._getvalue()  # noqa: SLF001 - Numba has no other name for it


def constant(value: int) -> Any:
    """A 64-bit constant."""
    return ir.Constant(INT, value)


def opaque(builder: Any, value: Any) -> Any:
    """The same number through inline assembly, which hides it from the optimiser: loops that count
    it are not unrolled.
    """
    name, letter = ("u64", "l") if value.type == INT else ("u32", "r")
    kind = ir.FunctionType(value.type, [value.type])
    return builder.asm(kind, f"mov.{name} $0, $1;", f"={letter},{letter}", [value], False)


def trip_count(builder: Any, value: int) -> Any:
    """How often a loop runs that must not be unrolled: a hundred unrolled copy loops would take
    all registers.
    """
    return opaque(builder, constant(value))


def width(number: Any) -> int:
    """Bytes of a number of a Numba type."""
    return int(np.dtype(str(number)).itemsize)


def pointer_to(context: Any, builder: Any, data: Any, offset: Any, kind: Any) -> Any:
    """A pointer to a number, `offset` bytes after `data`.

    The compiler can trace such a pointer to its origin, and so infers its address space (shared,
    global, local). Through Numba's arithmetic of strided arrays it cannot.
    """
    at = builder.gep(data, [offset])
    return builder.bitcast(at, context.get_data_type(kind).as_pointer())
