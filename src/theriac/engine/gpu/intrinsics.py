"""Rules of the engine that a GPU has an instruction for, or a faster way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from numba import cuda

from theriac.engine import bits, rows
from theriac.engine.gpu.memory import Row, memory
from theriac.engine.rule import rule


@rule
def population_count(cards: int) -> int:
    """`bits.count_bits` as one instruction."""
    return int(cuda.popc(int(cards)))


@rule
def find_first_set(cards: int) -> int:
    """`bits.lowest` as one instruction."""
    return int(cuda.ffs(int(cards))) - 1


@rule
def copy_row(source: Row, target: Row) -> None:
    """`rows.copy_row` with all loads of a part in flight before its first store."""
    memory.copy_row(source, target)


@rule
def clear_row(row: Row) -> None:
    """`rows.clear_row` of a row whose length is known at compile time."""
    row[:] = 0


#: libNVVM does not recognise the loops on the left: the linker replaces them.
GPU_INTRINSICS: Final[dict[Callable[..., Any], Callable[..., Any]]] = {
    bits.count_bits: population_count,
    bits.lowest: find_first_set,
    rows.copy_row: copy_row,
    rows.clear_row: clear_row,
}
