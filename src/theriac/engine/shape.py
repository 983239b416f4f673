"""The sizes and record layouts of a game."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from theriac.engine.chance import chance_dtype


@dataclass(frozen=True)
class Shape:
    """The record dtypes of a game, and the sizes that the engine allocates buffers by."""

    state: np.dtype[Any]
    view: np.dtype[Any]
    options: np.dtype[Any]
    #: The number of different cards.
    cards: int
    #: For each pile the first and the last card number that it can hold.
    piles: tuple[tuple[int, int], ...]
    #: The most cards that a pile can hold.
    pack: int
    #: The most seats.
    players: int
    #: The most moves that can be legal at once.
    moves: int
    #: The number of features that `encode` writes.
    features: int

    @functools.cached_property
    def chance(self) -> np.dtype[Any]:
        """The dtype of the game's chance state."""
        return chance_dtype(self.cards, len(self.piles), self.pack)
