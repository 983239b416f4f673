"""How a bot is asked for a move: a question is all that leaves the table for it.

>>> import theriac
>>> match = theriac.new("poison", players=4, first=0, seed=bytes(32))
>>> question = ask(match)
>>> question.seat == match.to_act, len(question.legal) == len(match.legal())
(True, True)
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from theriac.engine.rule import Speed
from theriac.faults import BadBot
from theriac.game import Game, Settings
from theriac.match import Fields, Match, tell


@dataclass(frozen=True)
class Question:
    """The VIEW of the seat to act (a record of its own) and the legal moves, ascending.

    `ms` is how many milliseconds the answer may take; None where nobody has said. `speed` is that
    of the table: a bot that only asks the rules does so at the same.
    """

    game: Game
    settings: Settings
    view: Any
    legal: npt.NDArray[np.int64]
    ms: int | None = None
    speed: Speed | None = None

    @property
    def seat(self) -> int:
        """Who is asked."""
        return int(self.view.to_act)

    def told(self) -> dict[str, Any]:
        """What `theriac replay --seat N --json` prints for the seat that is asked.

        >>> import theriac
        >>> match = theriac.new("shokoba", players=3, first=0, seed=bytes(32))
        >>> ask(match).told() == match.view(match.to_act)
        True
        """
        text = self.settings.text
        v = Fields(np.asarray(self.view).reshape(1))
        legal = sorted(text.write(move) for move in self.legal.tolist())
        return {**tell(self.game, self.settings, v, legal, []), "hand": text.hand(v)}


def ask(match: Match, ms: int | None = None) -> Question:
    """What the seat to act is asked."""
    legal = np.array(sorted(match.legal_numbers()), np.int64)
    view = match.look(match.to_act).copy()
    return Question(match.game, match.settings, view, legal, ms, match.speed)


class Bot(ABC):
    """Answers a question with one of its legal moves.

    Equal views and equal seeds give equal answers: a bot remembers nothing, and draws whatever it
    leaves to chance from its seed and the view.
    """

    def __init__(self, name: str, seed: int = 0) -> None:
        self.name = name
        self.seed = seed

    @abstractmethod
    def answer(self, question: Question) -> int:
        """One of the legal moves; raises `BadBot` if there is no answer."""

    def play(self, match: Match) -> str:
        """Answer for the seat to act and play the answer; returns its text. Raises `BadBot`."""
        question = ask(match)
        move = int(self.answer(question))
        if move not in question.legal:
            raise BadBot(self.name, f"answered {move}, which is not a legal move")
        text = match.settings.text.write(move)
        match.play(text)
        return text

    def check(self, game: Game, settings: Settings) -> None:  # noqa: B027
        """Can it play with these settings? Raises `Fault` before a game begins that it cannot."""

    def end(self, view: Mapping[str, Any]) -> None:  # noqa: B027
        """Hear that a game is over, and what its seat sees then (as `Match.view` tells it)."""

    def close(self) -> None:  # noqa: B027
        """Let go of whatever the bot holds."""

    def chance(self, question: Question) -> Random:
        """Random numbers for one answer."""
        digest = hashlib.blake2b(key=self.seed.to_bytes(8, "big"))
        plain = np.asarray(question.view)
        # Field by field: NumPy leaves anything at all in the gaps between them when it copies.
        for name in question.game.shape.view.names or ():
            digest.update(plain[name].tobytes())
        return Random(digest.digest())
