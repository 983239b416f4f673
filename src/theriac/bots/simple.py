"""Two bots that do not search: one plays at random, one by the heuristics of the game."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import numpy.typing as npt

from theriac.bots.base import Bot, Question
from theriac.bots.parameters import Parameter
from theriac.bots.style import HEURISTIC_STYLE, RANDOM_STYLE, Style
from theriac.game import Game, Settings

#: A slip is a move with one of this many ratings after the best.
SLIP_RANKS = 2


class RandomBot(Bot):
    """Plays a random legal move."""

    def answer(self, question: Question) -> int:
        """One of the legal moves, uniformly at random."""
        return int(self.rng(question).choice(question.legal))

    def policy(self, question: Question) -> npt.NDArray[np.float64]:
        """All legal moves are equally likely."""
        return np.full(len(question.legal), 1 / len(question.legal))

    def style(self, game: Game, settings: Settings) -> Style:
        """It plays at random."""
        return RANDOM_STYLE


class GreedyBot(Bot):
    """Plays the move that the heuristics of the game rate best; ties are broken at random."""

    PARAMETERS: ClassVar = (
        Parameter("slip", 0.0, "how often it plays a move rated a little worse", 0, 1),
    )

    def __init__(self, name: str, seed: int = 0, *, slip: float = 0.0) -> None:
        super().__init__(name, seed)
        self._slip = slip

    def answer(self, question: Question) -> int:
        """The move rated best, or with the probability of a slip one rated a little worse."""
        ratings = _ratings(question)
        random = self.rng(question)
        best = random.choice(question.legal[ratings == ratings.max()])
        if self._slip and random.random() < self._slip:
            return int(random.choice(question.legal[is_slip(ratings)]))
        return int(best)

    def policy(self, question: Question) -> npt.NDArray[np.float64]:
        """The moves rated best are equally likely, and so are those of a slip."""
        ratings = _ratings(question)
        best = ratings == ratings.max()
        slips = is_slip(ratings)
        chances: npt.NDArray[np.float64] = (1 - self._slip) * best / best.sum()
        chances += self._slip * slips / slips.sum()
        return chances

    def style(self, game: Game, settings: Settings) -> Style:
        """It plays by the heuristics; slips are left out."""
        return HEURISTIC_STYLE


def _ratings(question: Question) -> npt.NDArray[np.float64]:
    """What the heuristics of the game think of each legal move."""
    ratings = np.zeros(len(question.legal))
    question.game.engine(question.speed).advise_moves(question.view, question.legal, ratings)
    return ratings


def is_slip(ratings: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """Which moves have the next ratings after the best, in the better half; else the best moves."""
    values = np.unique(ratings)[::-1]
    better = values[: (len(values) + 1) // 2] if len(values) > 2 else values
    next_best = better[1 : 1 + SLIP_RANKS] if len(better) > 1 else better
    return np.isin(ratings, next_best)
