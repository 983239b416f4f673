"""Poison on a GPU."""

from __future__ import annotations

from typing import Final

from theriac.engine.contract import GpuHints

HINTS: Final = GpuHints(cold_fields=("deck", "log", "took"))
