"""Compiling a rule for the CPU."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, Final

from theriac.engine.bounds import bounds_are_checked
from theriac.engine.explaining import explained

#: Functions with fewer bytes of bytecode are always inlined: 10 % more moves per second. With all
#: functions inlined, a game with many rules compiles for a minute, and runs slower.
_INLINE_BELOW: Final = 400


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
        forceinline=len(function.__code__.co_code) < _INLINE_BELOW,
        boundscheck=bounds_are_checked(),
        _nrt=False,
    )
    # Numba calls this for new types of arguments. A wrapper around the dispatcher itself would slow
    # down every call.
    dispatcher._compile_for_args = _explaining(dispatcher._compile_for_args, function)  # noqa: SLF001
    return dispatcher


def _explaining(compile_for: Callable[..., Any], function: FunctionType) -> Callable[..., Any]:
    """The same step of Numba's, with its errors explained."""

    def compile_or_explain(*arguments: Any, **keywords: Any) -> Any:
        with explained(function, KeyError, AssertionError):
            return compile_for(*arguments, **keywords)

    return compile_or_explain
