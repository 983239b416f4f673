"""A choice that is judged again: some of its moves, each continued in one or two ways.

A seat can choose how to go on, so a move is worth what it brings in the better of the ways. Some of
the playouts choose: the way of each move, and the best move. The others say how much better it is,
so that what was only lucky gains nothing by it. Each time that the choice is played again, what is
in the worse half of those compared with the move made is dropped, unless the difference may be
chance, and so is a way of that move that is clearly worse.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from theriac.engine.records import Floats
from theriac.review.account import WeightedEnds
from theriac.review.history import Choice
from theriac.review.playouts import Ends, EndValues, Playouts

Columns = npt.NDArray[np.intp]

#: One in this many playouts chooses.
_CHOOSING_PART = 3
#: A way of the move made is dropped if it is worse by more than this number of standard errors.
_WORSE = 2.5
#: And what is compared with it, if it is in the worse half, and worse by more than this number.
_BEHIND = 2.0


class Stage(NamedTuple):
    """Playouts of some continuations in the same imagined states: one column for each."""

    continuations: Columns
    choosing: Ends
    #: The playouts that say how much better the best move is.
    fresh: Ends

    def column_of(self, continuation: int) -> int:
        """Where its ends are."""
        return int(np.searchsorted(self.continuations, continuation))


@dataclass
class Judged:
    """The playouts of a choice that is judged again."""

    choice: Choice
    #: The moves compared, in order: indices into `choice.tried`. The one made is among them.
    moves: Columns
    #: What is still played: a move and a way, as the index of the move plus the number of moves
    #: times the way.
    continuations: Columns
    stages: list[Stage] = field(default_factory=list)
    #: The best move, not counting the one made.
    best: int = -1
    #: For each move its continuation in the better way.
    better_ways: Columns = field(default_factory=lambda: np.zeros(0, np.intp))
    #: What one playout costs.
    cost: float = 0.0

    @classmethod
    def of(cls, choice: Choice, moves: Columns, ways: int) -> Judged:
        """Nothing played yet."""
        found = cls(choice, moves, np.arange(ways * len(moves)))
        found.better_ways = np.arange(len(moves))
        return found

    @property
    def rows(self) -> int:
        """The number of states in which moves were tried."""
        return sum(len(stage.choosing) + len(stage.fresh) for stage in self.stages)

    @property
    def cost_of_as_many(self) -> float:
        """What it costs to play in as many states again."""
        return self.rows * len(self.continuations) * self.cost

    def play(self, playouts: Playouts, rows: int) -> None:
        """Try what is still compared in new imagined states."""
        before = playouts.count
        moves = self.moves[self.continuations % len(self.moves)]
        ends = playouts.imagine_well(
            self.choice, moves, self.continuations // len(self.moves), rows
        )
        self.cost = (playouts.count - before) / ends.size
        first = max(1, rows // _CHOOSING_PART)
        self.stages.append(Stage(self.continuations, ends[:first], ends[first:]))

    def choose(self, values: EndValues) -> None:
        """Choose the better way of each move and the best move, and drop what is worse."""
        worth, move = self._worth(values), self.continuations % len(self.moves)
        order = np.argsort(-worth.mean(axis=0), kind="stable")
        for continuation in self.continuations[order[::-1]]:
            self.better_ways[continuation % len(self.moves)] = continuation
        made = int(np.searchsorted(self.moves, self.choice.made_index))
        mine, others = order[move[order] == made], order[move[order] != made]
        # Not the one made: few playouts must not clear it for good.
        self.best = int(self.moves[move[others[0]]])
        # Few playouts say little: the best move could be in the worse half by chance.
        kept = ~_is_worse(worth[:, others], worth[:, others[:1]], _BEHIND)
        kept[: math.ceil(len(others) / 2)] = True
        others = others[kept]
        # A wrong way of the move made would make it look worse than it is.
        mine = mine[~_is_worse(worth[:, mine], worth[:, mine[:1]], _WORSE)]
        self.continuations = np.sort(self.continuations[np.concatenate([mine, others])])

    def _worth(self, values: EndValues) -> Floats:
        """What each of the continuations still played brings its seat, by the playouts that choose.

        What is still played was played in all stages.
        """
        ends = np.vstack(
            [
                stage.choosing[:, np.searchsorted(stage.continuations, self.continuations)]
                for stage in self.stages
            ]
        )
        worth: Floats = values.mean[ends, self.choice.seat]
        return worth

    def loss_batches(self) -> list[WeightedEnds]:
        """The contrast of the best move and the one made."""
        found = []
        best, made = (self._better_way(move) for move in (self.best, self.choice.made_index))
        for stage in self.stages:
            weights = np.zeros(len(stage.continuations))
            weights[stage.column_of(best)] = 1.0
            weights[stage.column_of(made)] = -1.0
            found.append((stage.fresh, weights))
        return found

    def ends_of_moves(self) -> Iterator[tuple[int, Ends]]:
        """Each move, and the ends that it reached in the better way."""
        for move in self.moves.tolist():
            way = self._better_way(move)
            stages = [stage for stage in self.stages if way in stage.continuations]
            yield move, np.vstack([stage.fresh[:, [stage.column_of(way)]] for stage in stages])

    def _better_way(self, move: int) -> int:
        """The continuation of a move in the better way."""
        return int(self.better_ways[np.searchsorted(self.moves, move)])


def _is_worse(some: Floats, best: Floats, errors: float) -> npt.NDArray[np.bool_]:
    """Which columns are below another one by more than this number of standard errors."""
    below = best - some
    error = below.std(axis=0) / math.sqrt(len(below))
    worse: npt.NDArray[np.bool_] = below.mean(axis=0) > errors * error
    return worse
