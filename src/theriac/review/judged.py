"""A choice that is judged again: some of its moves, each continued in one or two ways.

A seat can choose how to go on, so a move is worth what it brings in the better of the ways. Some of
the playouts choose: the way of each move, and the best move. The others say how much better it is,
so that what was only lucky gains nothing by it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from theriac.engine.records import Floats
from theriac.review.account import WeightedEnds
from theriac.review.history import Choice
from theriac.review.playouts import Ends, EndValues, Playouts

Columns = npt.NDArray[np.intp]

#: One in this many playouts chooses.
_CHOOSING_PART = 3


@dataclass
class Judged:
    """The playouts of a choice that is judged again."""

    choice: Choice
    #: The moves compared, in order: indices into `choice.tried`. The one made is among them.
    moves: Columns
    choosing: list[Ends] = field(default_factory=list)
    #: The playouts that say how much better the best move is.
    fresh: list[Ends] = field(default_factory=list)
    #: The best move, not counting the one made.
    best: int = -1
    #: For each move the column of its better way.
    way_columns: Columns = field(default_factory=lambda: np.zeros(0, np.intp))
    #: What one row of playouts costs.
    row_cost: float = 0.0

    @property
    def rows(self) -> int:
        """The number of states in which moves were tried."""
        return sum(len(ends) for ends in (*self.choosing, *self.fresh))

    def play(self, playouts: Playouts, rows: int) -> None:
        """Try the moves in new imagined states."""
        before = playouts.count
        ends = playouts.imagine_well(self.choice, self.moves, rows)
        self.row_cost = (playouts.count - before) / rows
        first = max(1, rows // _CHOOSING_PART)
        self.choosing.append(ends[:first])
        self.fresh.append(ends[first:])

    def choose(self, values: EndValues) -> None:
        """Choose the better way of each move, and the best move."""
        ends = np.vstack(self.choosing)
        worth: Floats = values.mean[ends, self.choice.seat].mean(axis=0)
        by_way = worth.reshape(-1, len(self.moves))
        self.way_columns = by_way.argmax(axis=0) * len(self.moves) + np.arange(len(self.moves))
        of_moves = by_way.max(axis=0)
        # Not the one made: few playouts must not clear it for good.
        of_moves[self.moves == self.choice.made_index] = -np.inf
        self.best = int(self.moves[np.argmax(of_moves)])

    def loss_batches(self) -> list[WeightedEnds]:
        """The contrast of the best move and the one made."""
        weights = np.zeros(self.fresh[0].shape[1])
        weights[self._column(self.best)] = 1.0
        weights[self._column(self.choice.made_index)] = -1.0
        return [(ends, weights) for ends in self.fresh]

    def best_ways(self) -> list[tuple[Columns, Ends]]:
        """The moves and their playouts, continued in the better way."""
        return [(self.moves, ends[:, self.way_columns]) for ends in self.fresh]

    def _column(self, move: int) -> int:
        return int(self.way_columns[np.searchsorted(self.moves, move)])
