"""Knock, Knock! Dungeon! on a GPU: 5.6 kB of state per game, most of it the grid of cells.

A warp tile does not fit shared memory, so games are stepped in global memory. Views alias what
everybody knows, which is nearly all of the state.
"""

from __future__ import annotations

from typing import Final

from theriac.engine.contract import GpuHints
from theriac.games.dungeon.state import OPEN_ROWS

HINTS: Final = GpuHints(
    cold_fields=(
        *("corners", "creature", "silent", "chests", "deck", "burnt", "tokens", "defeated"),
        *("frozen", "place_us", "place_vs", "spots", "chain"),
    ),
    aliased_fields=OPEN_ROWS,
)
