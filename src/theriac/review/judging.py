"""Mistakes judged again, by the strongest player that is fast enough.

By the reference policy a move looks bad if the policy continues badly after it. So where the game
has a network, the decisions that seem to cost most are judged again, by playouts in which the
network plays all seats (`engine.network_playouts`). Elsewhere they get more playouts by the policy.

It is a race: all decisions that may matter first get a few playouts, and then always those that
may have cost most get as many again as they had.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from theriac.review.choices import ChoiceStudy
from theriac.review.judged import Columns, Judged
from theriac.review.playouts import EndValues, Playouts
from theriac.review.results import WORDS

#: Imagined states in which the network rates the moves of each decision, at most, and the share of
#: the budget for that.
_RATED_STATES: Final = 16
_RATING_SHARE: Final = 0.25
#: Moves that are rated: those that the heuristics like best.
_RATED_MOVES: Final = 24
#: Moves that the network rates best and that are compared with the one made.
_BEST_RATED: Final = 2
#: Imagined states of the first stage, and its share of the budget.
_FIRST_ROWS: Final = 24
_FIRST_SHARE: Final = 0.4
#: With a small budget there are fewer: one for this many playouts.
_PER_FIRST_ROW: Final = 40
_FEWEST_ROWS: Final = 6
#: After that, this number of decisions get as many playouts again, and so on.
_AT_ONCE: Final = 3
#: Before a decision was judged in this number of states, what it seemed to cost counts, too: the
#: few states of the first stage can make a wrong move look like the best.
_ENOUGH_ROWS: Final = 190
#: A loss that is known as exactly as this needs no more playouts.
_EXACT: Final = 0.01


class Judge:
    """The race of one review."""

    def __init__(
        self, studies: Sequence[ChoiceStudy], playouts: Playouts, budget: Callable[[], float]
    ) -> None:
        self._studies = studies
        self._playouts = playouts
        #: What is left for judging, in playouts.
        self._budget = budget
        #: What each decision costs by the ratings of the network.
        self._rated = np.zeros(len(studies))
        #: The most that each decision seemed to cost before it was judged again.
        self._highest = np.zeros(len(studies))
        #: The moves of each decision to compare.
        self._contenders: list[Columns] = []

    def run(self) -> None:
        """Judge the decisions that seem to cost most."""
        if not self._studies:
            return
        total = self._budget()
        self._choose_contenders(_RATING_SHARE * total)
        self._judge_first(_FIRST_SHARE * total)
        self._race()

    def _choose_contenders(self, budget: float) -> None:
        """The moves to compare: the one made, the best so far, the policy's, and the best rated."""
        moves = sum(min(_RATED_MOVES, len(study.choice.tried)) for study in self._studies)
        rows = min(_RATED_STATES, int(budget / moves)) if self._playouts.has_network else 0
        for i, study in enumerate(self._studies):
            choice = study.choice
            found = [choice.made_index, study.best, int(choice.policy[0])]
            if rows:
                columns = np.union1d(choice.by_rating[:_RATED_MOVES], found)
                ratings = self._playouts.rate(choice, columns, rows)
                self._rated[i] = ratings.max() - ratings[columns == choice.made_index][0]
                found += columns[np.argsort(-ratings, kind="stable")][:_BEST_RATED].tolist()
            self._contenders.append(np.unique(found))

    def _judge_first(self, budget: float) -> None:
        """A few playouts for all decisions that may matter, as far as the budget goes."""
        values = self._playouts.values()
        highest = np.array([_highest_loss(study, values) for study in self._studies])
        self._highest = highest = np.maximum(highest, self._rated)
        before = self._playouts.count
        rows = max(_FEWEST_ROWS, min(_FIRST_ROWS, int(budget / _PER_FIRST_ROW)))
        for i in np.argsort(-highest, kind="stable"):
            study = self._studies[i]
            spent = self._playouts.count - before
            if highest[i] < min(WORDS.values()) or spent > budget or self._budget() <= 0:
                break
            if len(self._contenders[i]) > 1:
                study.judged = Judged.of(study.choice, self._contenders[i], self._playouts.ways)
                study.judged.play(self._playouts, rows)

    def _race(self) -> None:
        """Judge those again that may have cost most, until all is known or spent."""
        running = [study.judged for study in self._studies if study.judged]
        while running:
            values = self._playouts.values()
            for judged in running:
                judged.choose(values)
            running = self._largest(values)
            for judged in running:
                judged.play(self._playouts, judged.rows)

    def _largest(self, values: EndValues) -> list[Judged]:
        """The decisions that may have cost most and are not known exactly, if they can be paid."""
        bounds: list[tuple[float, Judged]] = []
        for study, highest in zip(self._studies, self._highest, strict=True):
            if study.judged:
                loss, error = study.loss(values)
                bound = loss + 2 * error
                if study.judged.rows < _ENOUGH_ROWS:
                    bound = max(bound, float(highest))
                if error > _EXACT and bound > min(WORDS.values()):
                    bounds.append((bound, study.judged))
        bounds.sort(key=lambda bound: -bound[0])
        found, left = [], self._budget()
        for _, judged in bounds[:_AT_ONCE]:
            if judged.cost_of_as_many <= left:
                found.append(judged)
                left -= judged.cost_of_as_many
        return found


def _highest_loss(study: ChoiceStudy, values: EndValues) -> float:
    """How much a decision may have cost.

    The best move by few playouts may be a wrong one; what the heuristics rate best is a second
    witness.
    """
    loss, error = study.loss(values)
    behind, behind_error = study.behind(values)
    return max(loss + error, behind + behind_error)
