"""What is hidden in a state, as single facts: a number in a field, a card in a set or in a row.

The fields of STATE that are not open are read by their types alone, so that it works for any game:

- a number, or one per seat: the fact is its value;
- a set of cards (an int64): each card in it is a fact;
- a count of each card: each card that is there is a fact;
- any other row: each number in it is a fact. Rows that differ in their order only are equal: in
  which order somebody holds cards is nothing to know.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Literal, NamedTuple

import numpy as np

from theriac.engine.shape import Shape

#: A field of STATE, and an index into it.
Place = tuple[str, tuple[int, ...]]


class Fact(NamedTuple):
    """A number at a place: the only one there (its value), or one of several."""

    place: Place
    number: int
    kind: Literal["value", "card", "entry"]


class HiddenFacts:
    """The hidden facts of a game's states."""

    def __init__(self, shape: Shape) -> None:
        self._shape = shape
        self._sized = dict(shape.sized)
        self.fields = tuple(
            name
            for name in shape.state.names or ()
            if name not in shape.fields.open and shape.state[name].base.kind in "iu"
        )

    def of(self, g: Any, fields: Collection[str] | None = None) -> frozenset[Fact]:
        """All hidden facts of a state, or those in some fields."""
        names = self.fields if fields is None else fields
        return frozenset(fact for name in names for fact in self._facts(g, name))

    def _facts(self, g: Any, name: str) -> Iterator[Fact]:
        values = np.asarray(g[name])
        if values.dtype.itemsize == 8:
            for index, cards in np.ndenumerate(values):
                yield from (Fact((name, index), card, "card") for card in _bits(int(cards)))
        elif values.shape in ((), (self._shape.players,)):
            for index, number in np.ndenumerate(values):
                yield Fact((name, index), int(number), "value")
        else:
            for index in np.ndindex(values.shape[:-1]):
                yield from self._facts_of_row(g, (name, index), values[index])

    def _facts_of_row(self, g: Any, place: Place, row: Any) -> Iterator[Fact]:
        name, index = place
        if len(row) == self._shape.cards:
            yield from (Fact(place, card, "card") for card, n in enumerate(row.tolist()) if n)
        else:
            size = g[self._sized[name]][index] if name in self._sized else len(row)
            yield from (Fact(place, number, "entry") for number in row[:size].tolist())


def _bits(cards: int) -> Iterator[int]:
    """The cards of a set."""
    cards &= (1 << 64) - 1
    while cards:
        yield (cards & -cards).bit_length() - 1
        cards &= cards - 1
