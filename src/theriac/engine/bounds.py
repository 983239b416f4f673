"""Rules compiled with bounds checks, for a game that behaves differently when it is compiled.

Compiled code does not check an index: one out of range reads or overwrites whatever lies there.
With THERIAC_BOUNDS=1 it is checked, a little slower, and such an index is an IndexError.
Numba's own error does not say where it happened: so the call is repeated interpreted, which finds
the rule and the line.
"""

from __future__ import annotations

import functools
import os
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np


def bounds_are_checked() -> bool:
    """Whether THERIAC_BOUNDS=1 is set in the environment."""
    return os.environ.get("THERIAC_BOUNDS", "0") not in ("", "0")


def locating(compiled: Callable[..., Any], interpret: Callable[..., Any]) -> Callable[..., Any]:
    """The compiled function; for an index out of range it names the rule and the line.

    `interpret` is the same function, interpreted.
    """

    @functools.wraps(interpret)
    def call(*arguments: Any) -> Any:
        before = [_copy(argument) for argument in arguments]
        try:
            return compiled(*arguments)
        except IndexError:
            pass
        try:
            interpret(*before)
        except IndexError as error:
            raise IndexError(_locate(error)) from None
        raise IndexError(f"{interpret.__name__}: an index is out of bounds, but not interpreted")

    return call


def _copy(argument: Any) -> Any:
    """A copy of an argument that interpreted rules understand: its records have attributes."""
    if isinstance(argument, tuple) and hasattr(argument, "_fields"):
        return type(argument)(*map(_copy, argument))
    if isinstance(argument, np.ndarray):
        copy = argument.copy()
        return copy.view(np.recarray) if copy.dtype.names else copy
    return argument.copy() if isinstance(argument, np.void) else argument


def _locate(error: IndexError) -> str:
    """What is wrong with an index, and where."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{frame.filename}:{frame.lineno}: in the rule {frame.name}, {error}"
