"""The sizes and record layouts of a game."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from theriac.engine import open_fields
from theriac.engine.chance import chance_dtype
from theriac.engine.open_fields import FieldRoles


@dataclass(frozen=True, kw_only=True)
class Shape:
    """The record dtypes of a game, and the sizes that the engine allocates buffers by.

    A game gives its dtypes, `cards` and `moves`; what is left out is derived.
    """

    state: np.dtype[Any]
    view: np.dtype[Any]
    options: np.dtype[Any]
    #: The number of different cards.
    cards: int
    #: The most moves that can be legal at once. In a game without a `list_legal` of its own, moves
    #: are numbered from 0, and this is how many there are.
    moves: int
    #: For each pile the first and the last card number that it can hold. By default all cards.
    piles: tuple[tuple[int, int], ...] = ()
    #: The most cards that a pile can hold. By default each different card once.
    pack: int = 0
    #: The most seats, and the number of features that `encode` writes. `Game` knows both.
    players: int = 0
    features: int = 0
    #: Private fields of VIEW, each with the field of STATE that has one per seat: only those whose
    #: names do not follow the pattern ``hand`` and ``hands``.
    private: Mapping[str, str] = field(default_factory=dict, hash=False)
    #: Array fields, each with the field that says how many of its elements count: a seat sees zeros
    #: instead of the others.
    sized: Mapping[str, str] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        names = self.state.names or ()
        piles = self.state["shuffles"].shape[0] if "shuffles" in names else 1
        self._default("piles", ((0, self.cards - 1),) * piles)
        self._default("pack", self.cards)

    def _default(self, name: str, value: Any) -> None:
        if not getattr(self, name):
            object.__setattr__(self, name, value)

    @functools.cached_property
    def chance(self) -> np.dtype[Any]:
        """The dtype of the game's chance state."""
        return chance_dtype(self.cards, len(self.piles), self.pack)

    @functools.cached_property
    def fields(self) -> FieldRoles:
        """Which fields are open, private and hidden."""
        private, sized = tuple(self.private.items()), tuple(self.sized.items())
        return FieldRoles(self.state, self.view, private, sized, self.cards)

    @property
    def copy_open(self) -> Any:
        """The rule ``(source, target)``: copy the open fields from STATE to VIEW, or back."""
        return open_fields.copy_open(self.fields)

    @property
    def fill_view(self) -> Any:
        """The rule ``(g, seat, v)``: the usual `see`, for one that adds something to it."""
        return open_fields.fill_view(self.fields)
