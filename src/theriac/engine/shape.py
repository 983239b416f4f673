"""The sizes and record layouts of a game."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from theriac.engine.chance import chance_dtype


@dataclass(frozen=True)
class Shape:
    """The record dtypes of a game, and the sizes that the engine allocates buffers by.

    `cards`: different cards; `piles`: for each pile the first and last card number that it can
    hold; `pack`: most cards in a pile; `players`: most seats; `moves`: most moves that can be legal
    at once; `features`: numbers that `encode` writes.
    """

    state: np.dtype[Any]
    view: np.dtype[Any]
    options: np.dtype[Any]
    cards: int
    piles: tuple[tuple[int, int], ...]
    pack: int
    players: int
    moves: int
    features: int

    @functools.cached_property
    def chance(self) -> np.dtype[Any]:
        """The dtype of the game's chance state."""
        return chance_dtype(self.cards, len(self.piles), self.pack)
