"""Compiling a rule for the CPU."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any, Final

from theriac.engine.bounds import bounds_are_checked
from theriac.engine.explaining import explained

#: Functions with fewer bytes of bytecode are always inlined; of the engine, only smaller ones. With
#: 400 for both there were up to 17 % fewer moves per second. With 1000 for both there are no more,
#: and it takes longer to compile.
_INLINE_BELOW: Final = 1000
_INLINE_BELOW_IN_ENGINE: Final = 400


def compile_rule(function: FunctionType, cached: bool = False) -> Any:
    """A linked function, compiled when it is first called; then raises `BadRule` if it cannot be.

    `cached`: in the folder that Numba has for that.
    """
    import numba

    # Rules allocate nothing. Without its runtime (NRT), Numba counts no references, and refuses a
    # rule that allocates.
    dispatcher = numba.njit(
        function,
        nogil=True,
        error_model="numpy",
        cache=cached,
        forceinline=is_inlined(function),
        boundscheck=bounds_are_checked(),
        _nrt=False,
    )
    # Numba calls this for new types of arguments. A wrapper around the dispatcher itself would slow
    # down every call.
    dispatcher._compile_for_args = _explaining(dispatcher._compile_for_args, function)  # noqa: SLF001
    return dispatcher


def is_inlined(function: FunctionType) -> bool:
    """Whether a function is compiled into each of its callers."""
    own = function.__module__.startswith("theriac.engine.")
    most = _INLINE_BELOW_IN_ENGINE if own else _INLINE_BELOW
    return len(function.__code__.co_code) < most


def _explaining(compile_for: Callable[..., Any], function: FunctionType) -> Callable[..., Any]:
    """The same step of Numba's, with its errors explained."""

    def compile_or_explain(*arguments: Any, **keywords: Any) -> Any:
        with explained(function, KeyError, AssertionError), indices_from_zero():
            return compile_for(*arguments, **keywords)

    return compile_or_explain


@contextlib.contextmanager
def indices_from_zero() -> Iterator[None]:
    """A context in which Numba compiles no test whether an index is below zero.

    In Python such an index counts from the end, and Numba tests each one. Rules use none, on the
    CPU as on a GPU: without the tests there are 5 to 15 % more moves per second. Numba has no
    option for it, so its function is replaced while a rule is compiled, under the lock that keeps
    other threads from compiling meanwhile.
    """
    from numba.core.compiler_lock import global_compiler_lock
    from numba.np import arrayobj

    with global_compiler_lock:
        usual = arrayobj.fix_integer_index
        arrayobj.fix_integer_index = _as_it_is
        try:
            yield
        finally:
            arrayobj.fix_integer_index = usual


def _as_it_is(context: Any, builder: Any, kind: Any, index: Any, length: Any) -> Any:
    """The index, as an integer of the size of a pointer."""
    from numba.core import types

    return context.cast(builder, index, kind, types.intp if kind.signed else types.uintp)
