"""What a seat could have played: which move is best, and how much better.

The best move is found by sequential halving: all moves are tried in the same imagined states, the
better half in as many playouts again, until few are left. How much better it is than the move made
is estimated in states imagined afterwards, so that a move that was only lucky gains nothing by it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from theriac.engine.records import Floats
from theriac.review.account import WeightedEnds, mean_and_error, means_and_errors
from theriac.review.history import Choice
from theriac.review.playouts import Ends, EndValues, Playouts

Columns = npt.NDArray[np.intp]

#: Fewer imagined states than this say nothing about a move.
_FEWEST_ROWS = 4
#: One in this many playouts with a plan is used to choose the best move.
_CHOOSING_PART = 3


@dataclass
class ChoiceStudy:
    """One choice: the moves still compared, and all playouts of it."""

    choice: Choice
    #: The moves still in the running for the best: indices into `choice.tried`.
    survivors: Columns
    best: int = -1
    #: Playouts made to find the best move, and those made afterwards.
    search: list[tuple[Columns, Ends]] = field(default_factory=list)
    fresh: list[tuple[Columns, Ends]] = field(default_factory=list)
    #: The best move but one, and the best by playouts with a plan, where there are any.
    runner_up: int = -1
    planned_best: int = -1
    planned: tuple[Columns, Ends] | None = None

    @classmethod
    def of(cls, choice: Choice, most: int) -> ChoiceStudy:
        """A study of a choice, with at most `most` moves: those that the game rates best."""
        return cls(choice, choice.by_rating[: max(most, 2)])

    @property
    def seat(self) -> int:
        """Who had the choice."""
        return self.choice.seat

    @property
    def kept(self) -> Columns:
        """The moves that are never dropped: the one made, and those of the policy."""
        return np.union1d(self.choice.policy, [self.choice.made_index])

    @property
    def compared(self) -> Columns:
        """The moves that matter once the best is known."""
        return np.union1d(self.kept, [self.best])

    @property
    def is_settled(self) -> bool:
        """Is there nothing left to compare?"""
        return len(self.compared) == 1

    # Looking for the best

    def try_survivors(self, playouts: Playouts, budget: float) -> None:
        """Try the moves in the running, and those that are kept, in new imagined states."""
        columns = np.union1d(self.survivors, self.kept)
        rows = max(_FEWEST_ROWS, int(budget / len(columns)))
        self.search.append((columns, playouts.imagine(self.choice, columns, rows)))

    def halve(self, values: EndValues) -> None:
        """Drop the worse half of the moves in the running; the best so far is the first of them."""
        means = self._means(values)
        order = self.survivors[np.argsort(-means, kind="stable")]
        self.survivors = order[: math.ceil(len(order) / 2)]
        self.best = int(order[0])
        self.runner_up = int(order[1])

    def _means(self, values: EndValues) -> Floats:
        """The value of each survivor for the seat; all were tried in the same states."""
        total, rows = np.zeros(len(self.survivors)), 0
        for columns, ends in self.search:
            mine = ends[:, np.searchsorted(columns, self.survivors)]
            total += values.mean[mine, self.seat].sum(axis=0)
            rows += len(ends)
        means: Floats = total / rows
        return means

    # How much better

    def compare(self, playouts: Playouts, rows: int) -> None:
        """Try the moves that matter in `rows` new imagined states."""
        columns = self.compared
        self.fresh.append((columns, playouts.imagine(self.choice, columns, rows)))

    def skill_batches(self) -> list[WeightedEnds]:
        """The contrast of the move made and what the policy plays; none if they are the same."""
        made, policy = self.choice.made_index, self.choice.policy
        if policy.tolist() == [made]:
            return []
        weights = np.zeros(len(self.choice.tried))
        weights[made] += 1.0
        weights[policy] -= 1.0 / len(policy)
        return [(ends, weights[columns]) for columns, ends in (*self.search, *self.fresh)]

    @property
    def contenders(self) -> Columns:
        """The moves worth a plan: the one made, the two best, and one of the policy."""
        moves = [self.choice.made_index, self.best, self.runner_up, int(self.choice.policy[0])]
        return np.unique([move for move in moves if move >= 0])

    def take_planned(self, columns: Columns, ends: Ends, values: EndValues) -> None:
        """Take playouts with a plan: the first of them show the best move, the others the loss."""
        first = len(ends) // _CHOOSING_PART
        means = values.mean[ends[:first], self.seat].mean(axis=0)
        # Not the one made: few playouts must not clear it for good.
        means[columns == self.choice.made_index] = -np.inf
        self.planned_best = int(columns[np.argmax(means)])
        self.planned = columns, ends[first:]

    @property
    def better(self) -> int:
        """The best move, as far as it is known."""
        return self.best if self.planned is None else self.planned_best

    def loss_batches(self) -> list[WeightedEnds]:
        """The contrast of the best move and the one made, in fresh states; none if it is best."""
        if self.better == self.choice.made_index:
            return []
        weights = np.zeros(len(self.choice.tried))
        weights[self.better], weights[self.choice.made_index] = 1.0, -1.0
        batches = self.fresh if self.planned is None else [self.planned]
        return [(ends, weights[columns]) for columns, ends in batches]

    def skill(self, values: EndValues) -> tuple[float, float]:
        """How much better the move made is for its seat than the policy's, and the error."""
        batches = self.skill_batches()
        return mean_and_error(batches, values, self.seat) if batches else (0.0, 0.0)

    def loss(self, values: EndValues) -> tuple[float, float]:
        """How much better for its seat the best move is than the one made, and the error."""
        batches = self.loss_batches()
        return mean_and_error(batches, values, self.seat) if batches else (0.0, 0.0)

    def standard_deviation(self, values: EndValues) -> float:
        """The standard deviation of skill and loss together, from state to state."""
        columns, ends = (self.fresh or self.search)[-1]
        worth = values.mean[ends, self.seat]
        made = worth[:, np.searchsorted(columns, self.choice.made_index)]
        best = worth[:, np.searchsorted(columns, self.best)]
        policy = worth[:, np.searchsorted(columns, self.choice.policy)].mean(axis=1)
        return float(np.sqrt((made - policy).var() + (made - best).var()))

    def move_values(self, values: EndValues) -> list[tuple[int, float, float, int]]:
        """For each move tried: its index, its value for the seat, the error, and the states.

        Where some were judged again with a plan, only those: values with and without one do not
        compare.
        """
        found = []
        batches = [*self.search, *self.fresh] if self.planned is None else [self.planned]
        for column in np.unique(np.concatenate([columns for columns, _ in batches])):
            ends = [ends[:, columns == column] for columns, ends in batches if column in columns]
            column_ends = np.vstack(ends)
            means, errors = means_and_errors(column_ends, values)
            mean, error = float(means[0, self.seat]), float(errors[0, self.seat])
            found.append((int(column), mean, error, len(column_ends)))
        return found


def study_choices(
    choices: Sequence[Choice], playouts: Playouts, budget: float
) -> list[ChoiceStudy]:
    """Studies of all choices, each with its best move; `budget` is about the number of playouts."""
    most = int(budget / max(1, len(choices)) / (2 * _FEWEST_ROWS))
    studies = [ChoiceStudy.of(choice, most) for choice in choices]
    _find_best(studies, playouts, budget)
    return studies


def _find_best(studies: list[ChoiceStudy], playouts: Playouts, budget: float) -> None:
    """Sequential halving for all choices; `budget` is about the number of playouts."""
    most = max((len(study.survivors) for study in studies), default=1)
    stages = max(1, math.ceil(math.log2(most)))
    per_study = budget / max(1, len(studies)) / stages
    for _ in range(stages):
        running = [study for study in studies if len(study.survivors) > 1]
        for study in running:
            study.try_survivors(playouts, per_study)
        values = playouts.values()
        for study in running:
            study.halve(values)
