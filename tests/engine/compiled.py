"""Rules compiled by themselves, without a game."""

from __future__ import annotations

from typing import Any

from theriac.engine.rule import Linker


def compiled(function: Any) -> Any:
    """The function at the speed ``cpu``."""
    import numba

    return Linker({}, lambda f: numba.njit(f, error_model="numpy")).build(function)
