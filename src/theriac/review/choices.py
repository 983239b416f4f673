"""What a seat could have played: which move is best, and how much better.

The best move is found by sequential halving: all moves are tried in the same imagined states, the
better half in as many playouts again, until few are left. How much better it is than the move made
is estimated in states imagined afterwards, so that a move that was only lucky gains nothing by it.

The skill of a move is measured against all that the reference policy might play. Its slips have
little weight, and there may be many: so in every state only one of them is tried, each in equally
many.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from theriac.engine.records import Floats
from theriac.review.account import WeightedEnds, mean_and_error, means_and_errors
from theriac.review.history import Choice
from theriac.review.judged import Judged
from theriac.review.playouts import SLIP, Ends, EndValues, Playouts

Columns = npt.NDArray[np.intp]

#: Fewer imagined states than this say nothing about a move.
_FEWEST_ROWS = 4


class Trial(NamedTuple):
    """Moves that were tried in the same imagined states, and the ends that they reached.

    `slip` is the slip of the policy that was among them, if it can make one.
    """

    columns: Columns
    ends: Ends
    slip: int | None

    def joined(self, other: Trial) -> Trial:
        """With the states of another trial of the same moves."""
        return self._replace(ends=np.vstack([self.ends, other.ends]))

    def weighted(self, weights: Floats) -> WeightedEnds:
        """The ends with a weight for each move, given those of all moves of the choice."""
        return self.ends, weights[self.columns]


@dataclass
class ChoiceStudy:
    """One choice: the moves still compared, and all playouts of it."""

    choice: Choice
    #: The moves still in the running for the best: indices into `choice.tried`.
    survivors: Columns
    best: int = -1
    #: Playouts made to find the best move, and those made afterwards.
    search: list[Trial] = field(default_factory=list)
    fresh: list[Trial] = field(default_factory=list)
    #: Where it was judged again: what was compared then.
    judged: Judged | None = None

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
        """The moves that are never dropped: the one made, and those of the policy but slips."""
        return np.union1d(self.choice.policy, [self.choice.made_index])

    @property
    def compared(self) -> Columns:
        """The moves that matter once the best is known."""
        return np.union1d(self.kept, [self.best])

    # Looking for the best

    def try_survivors(self, playouts: Playouts, budget: float) -> None:
        """Try the moves in the running, and those that are kept, in new imagined states."""
        columns = np.union1d(self.survivors, self.kept)
        rows = max(_FEWEST_ROWS, int(budget / len(columns)))
        self.search += self._try(playouts, columns, rows)

    def halve(self, values: EndValues) -> None:
        """Drop the worse half of the moves in the running; the best so far is the first of them."""
        means = self._means(values)
        order = self.survivors[np.argsort(-means, kind="stable")]
        self.survivors = order[: math.ceil(len(order) / 2)]
        self.best = int(order[0])

    def _means(self, values: EndValues) -> Floats:
        """The value of each survivor for the seat; all were tried in the same states."""
        total, rows = np.zeros(len(self.survivors)), 0
        for columns, ends, _ in self.search:
            mine = ends[:, np.searchsorted(columns, self.survivors)]
            total += values.mean[mine, self.seat].sum(axis=0)
            rows += len(ends)
        means: Floats = total / rows
        return means

    # How much better

    def compare(self, playouts: Playouts, rows: int) -> None:
        """Try the moves that matter in `rows` new imagined states."""
        tried = self._try(playouts, self.compared, rows)
        earlier = self.fresh or [trial._replace(ends=trial.ends[:0]) for trial in tried]
        self.fresh = [old.joined(new) for old, new in zip(earlier, tried, strict=True)]

    def _try(self, playouts: Playouts, moves: Columns, rows: int) -> list[Trial]:
        """Try moves in about `rows` states, with each slip in equally many of them."""
        slips = self.choice.slips.tolist()
        if not slips:
            return [Trial(moves, playouts.imagine(self.choice, moves, rows), None)]
        each = math.ceil(rows / len(slips))
        found = []
        for slip in slips:
            columns = np.union1d(moves, [slip])
            found.append(Trial(columns, playouts.imagine(self.choice, columns, each), slip))
        return found

    def skill_batches(self) -> list[WeightedEnds]:
        """The contrast of the move made and what the policy plays."""
        trials = (*self.search, *self.fresh)
        return [trial.weighted(self._skill_weights(trial.slip)) for trial in trials]

    def _skill_weights(self, slip: int | None) -> Floats:
        """The weights of the moves in the skill; this slip represents all of them."""
        weights = np.zeros(len(self.choice.tried))
        weights[self.choice.made_index] = 1.0
        weights[self.choice.policy] -= 1.0 / len(self.choice.policy)
        if slip is not None:
            weights[self.choice.policy] += SLIP / len(self.choice.policy)
            weights[slip] -= SLIP
        return weights

    @property
    def better(self) -> int:
        """The best move, as far as it is known."""
        return self.best if self.judged is None else self.judged.best

    def loss_batches(self) -> list[WeightedEnds]:
        """The contrast of the best move and the one made, in fresh states; none if it is best."""
        if self.judged is not None:
            return self.judged.loss_batches()
        if self.best == self.choice.made_index:
            return []
        weights = np.zeros(len(self.choice.tried))
        weights[self.best], weights[self.choice.made_index] = 1.0, -1.0
        return [trial.weighted(weights) for trial in self.fresh]

    def skill(self, values: EndValues) -> tuple[float, float]:
        """How much better the move made is for its seat than the policy's, and the error."""
        return mean_and_error(self.skill_batches(), values, self.seat)

    def loss(self, values: EndValues) -> tuple[float, float]:
        """How much better for its seat the best move is than the one made, and the error."""
        batches = self.loss_batches()
        return mean_and_error(batches, values, self.seat) if batches else (0.0, 0.0)

    def behind(self, values: EndValues) -> tuple[float, float]:
        """How much worse for its seat the move made is than those rated best, and the error."""
        weights = -self._skill_weights(None)
        batches = [trial.weighted(weights) for trial in (*self.search, *self.fresh)]
        return mean_and_error(batches, values, self.seat)

    def standard_deviation(self, values: EndValues) -> float:
        """The standard deviation of skill and loss together, from state to state."""
        loss = np.zeros(len(self.choice.tried))
        loss[self.best] += 1.0
        loss[self.choice.made_index] -= 1.0
        latest = self.fresh or self.search[-max(1, len(self.choice.slips)) :]
        variances = [
            (values.mean[trial.ends, self.seat] @ weights[trial.columns]).var()
            for trial in latest
            for weights in (self._skill_weights(trial.slip), loss)
        ]
        return math.sqrt(sum(variances) / len(latest))

    def move_values(self, values: EndValues) -> list[tuple[int, float, float, int]]:
        """For each move tried: its index, its value for the seat, the error, and the states.

        Where some were judged again, only those: values with different players do not compare.
        """
        found = []
        batches = (
            self.judged.best_ways()
            if self.judged
            else [(trial.columns, trial.ends) for trial in (*self.search, *self.fresh)]
        )
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
