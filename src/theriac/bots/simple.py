"""Two bots that do not search: one plays at random, one by a game's rules of thumb."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import numpy.typing as npt

from theriac.bots.base import Bot, Question
from theriac.bots.parameters import Parameter

#: A slip is one of so many moves that look best after the best one.
NEAR = 2


class RandomBot(Bot):
    """Plays any legal move."""

    def answer(self, question: Question) -> int:
        """Any of them."""
        return int(self.rng(question).choice(question.legal))


class GreedyBot(Bot):
    """Plays the move that the game's rules of thumb like best, ties broken at random."""

    PARAMETERS: ClassVar = (
        Parameter("slip", 0.0, "how often it plays a move that looks a little worse", 0, 1),
    )

    def __init__(self, name: str, seed: int = 0, *, slip: float = 0.0) -> None:
        super().__init__(name, seed)
        self._slip = slip

    def answer(self, question: Question) -> int:
        """The best advised, or by a slip one that looks nearly as good."""
        worths = np.zeros(len(question.legal))
        question.game.engine(question.speed).advise_moves(question.view, question.legal, worths)
        random = self.rng(question)
        best = random.choice(question.legal[worths == worths.max()])
        if self._slip and random.random() < self._slip:
            return int(random.choice(_near(question.legal, worths)))
        return int(best)


def _near(legal: npt.NDArray[np.int64], worths: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """The moves of the next best worths after the best, in the better half; else the best ones."""
    values = np.unique(worths)[::-1]
    better = values[: (len(values) + 1) // 2] if len(values) > 2 else values
    next_best = better[1 : 1 + NEAR] if len(better) > 1 else better
    return legal[np.isin(worths, next_best)]
