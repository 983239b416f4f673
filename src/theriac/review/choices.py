"""What a seat could have played: which move is best, and how much better.

The best move is found by sequential halving: all moves are tried in the same imagined states, the
better half in as many playouts again, until few are left. How much better it is than the move made
is estimated in states imagined afterwards, so that a move that was only lucky gains nothing by it.

The skill of a move is measured against all that the reference policy might play. Its slips have
little weight, and there may be many: so in every state only one of them is tried, all in turn.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
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
_FEWEST_ROWS = 2


class Trial(NamedTuple):
    """Moves that were tried in the same imagined states, and the ends that they reached.

    If the policy can slip, the last column has one slip per row: a move like any other, of the
    number that follows theirs. `slips` says which it was in each row.
    """

    columns: Columns
    ends: Ends
    slips: Columns

    def weighted(self, weights: Floats) -> WeightedEnds:
        """The ends with a weight for each move, given those of all moves of the choice."""
        return self.ends, weights[self.columns]

    def ends_of(self, move: int) -> Ends:
        """The ends that this move reached: a column, shorter where it was tried as a slip."""
        if move in self.columns:
            return self.ends[:, self.columns == move]
        return self.ends[np.flatnonzero(self.slips == move), -1:]


@dataclass
class ChoiceStudy:
    """One choice: the moves still compared, and all playouts of it."""

    choice: Choice
    #: The moves still in the running for the best: indices into `choice.tried`.
    survivors: Columns
    #: The slips of the policy, in the order in which they are tried.
    slips: Columns
    best: int = -1
    #: Playouts made to find the best move, and those made afterwards.
    search: list[Trial] = field(default_factory=list)
    fresh: list[Trial] = field(default_factory=list)
    #: Where it was judged again: what was compared then.
    judged: Judged | None = None

    @classmethod
    def of(cls, choice: Choice, most: int) -> ChoiceStudy:
        """A study of a choice, with at most `most` moves: those that the game rates best."""
        slips = np.random.default_rng(choice.n).permutation(choice.slips)
        return cls(choice, choice.by_rating[: max(most, 2)], slips)

    @property
    def seat(self) -> int:
        """Who had the choice."""
        return self.choice.seat

    @property
    def trials(self) -> list[Trial]:
        """All playouts by the reference policy."""
        return [*self.search, *self.fresh]

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
        moves = np.union1d(self.survivors, self.kept)
        rows = max(_FEWEST_ROWS, int(budget / len(moves)))
        self.search.append(self._try(playouts, moves, rows))

    def halve(self, values: EndValues) -> None:
        """Drop the worse half of the moves in the running; the best so far is the first of them."""
        means = self._means(values)
        order = self.survivors[np.argsort(-means, kind="stable")]
        self.survivors = order[: math.ceil(len(order) / 2)]
        self.best = int(order[0])

    def _means(self, values: EndValues) -> Floats:
        """The value of each survivor for the seat; all were tried in the same states."""
        total, rows = np.zeros(len(self.survivors)), 0
        for trial in self.search:
            mine = trial.ends[:, np.searchsorted(trial.columns, self.survivors)]
            total += values.mean[mine, self.seat].sum(axis=0)
            rows += len(mine)
        means: Floats = total / rows
        return means

    # How much better

    def compare(self, playouts: Playouts, rows: int) -> None:
        """Try the moves that matter in `rows` new imagined states."""
        self.fresh.append(self._try(playouts, self.compared, rows))

    def _try(self, playouts: Playouts, moves: Columns, rows: int) -> Trial:
        """Try moves in this many states, with the slips in turn."""
        first = sum(len(trial.ends) for trial in self.trials)
        ends = playouts.imagine(self.choice, moves, rows, self.slips)
        if not len(self.slips):
            return Trial(moves, ends, self.slips)
        slips = self.slips[np.arange(first, first + rows) % len(self.slips)]
        return Trial(np.append(moves, len(self.choice.tried)), ends, slips)

    def skill_batches(self) -> list[WeightedEnds]:
        """The contrast of the move made and what the policy plays."""
        weights = self._skill_weights()
        return [trial.weighted(weights) for trial in self.trials]

    def _skill_weights(self, slip: float = SLIP) -> Floats:
        """The weights of the moves in the skill, and of the slip."""
        weights, policy = self._no_weights(), self.choice.policy
        slip = slip if len(self.slips) else 0.0
        weights[self.choice.made_index] = 1.0
        weights[policy] -= (1.0 - slip) / len(policy)
        weights[-1] = -slip
        return weights

    def _loss_weights(self) -> Floats:
        """The weights of the moves in the loss."""
        weights = self._no_weights()
        weights[self.best] += 1.0
        weights[self.choice.made_index] -= 1.0
        return weights

    def _no_weights(self) -> Floats:
        """A weight of 0 for each move, and for the slip."""
        return np.zeros(len(self.choice.tried) + 1)

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
        weights = self._loss_weights()
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
        weights = -self._skill_weights(slip=0.0)
        return mean_and_error([trial.weighted(weights) for trial in self.trials], values, self.seat)

    def standard_deviation(self, values: EndValues) -> float:
        """The standard deviation of skill and loss together, from state to state."""
        latest = self.trials[-1]
        worth = values.mean[latest.ends, self.seat]
        weights = np.stack([self._skill_weights(), self._loss_weights()], axis=1)
        variances = (worth @ weights[latest.columns]).var(axis=0)
        return math.sqrt(variances.sum())

    def move_values(self, values: EndValues) -> list[tuple[int, float, float, int]]:
        """For each move tried: its index, its value for the seat, the error, and the states.

        Where some were judged again, only those: values with different players do not compare.
        """
        found = []
        for move, ends in self.judged.ends_of_moves() if self.judged else self._ends_of_moves():
            means, errors = means_and_errors(ends, values)
            mean, error = float(means[0, self.seat]), float(errors[0, self.seat])
            found.append((move, mean, error, len(ends)))
        return found

    def _ends_of_moves(self) -> Iterator[tuple[int, Ends]]:
        """Each move that was tried in two states at least, and the ends that it reached."""
        tried = np.unique(np.concatenate([(*each.columns, *each.slips) for each in self.trials]))
        for move in tried[tried < len(self.choice.tried)].tolist():
            ends = np.vstack([trial.ends_of(move) for trial in self.trials])
            if len(ends) > 1:
                yield move, ends


def study_choices(
    choices: Sequence[Choice], playouts: Playouts, budget: float
) -> list[ChoiceStudy]:
    """Studies of all choices, each with its best move; `budget` is about the number of playouts."""
    most = int(budget / max(1, len(choices)) / (4 * _FEWEST_ROWS))
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
