"""Shock! on a GPU: its hints.

In Shock! the games of a warp do different things: in one a trick ends, in another a round, in a
third the chest is opened. The rules help lanes to converge: a step of `rules` returns the code of
the next step instead of calling it, so that each step is compiled once, in one place, and all lanes
that take it do so together.
"""

from __future__ import annotations

from typing import Final

from theriac.engine.contract import GpuHints

HINTS: Final = GpuHints(
    cold_fields=(
        *("chest_deck", "large", "small", "chest_seen", "chest_seen_before", "door_odds"),
        *("shown", "buried", "buried_before", "down", "covered", "kept", "kept_cards"),
        "voids_before",
    ),
)
