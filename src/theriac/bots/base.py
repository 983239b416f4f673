"""How a bot is asked for a move: it gets a `Question`, and nothing else of the match.

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

from theriac.bots.style import HEURISTIC_STYLE, Style
from theriac.engine.records import record
from theriac.engine.rule import Speed
from theriac.faults import BadBot
from theriac.game import Game, Settings
from theriac.game.position import Fields, view_as_dict
from theriac.match import Match


@dataclass(frozen=True)
class Question:
    """The VIEW record of the seat to act (a copy) and the legal moves, ascending.

    `ms` is the time limit for the answer in milliseconds; None means no limit. `speed` is that of
    the match: a bot that calls the rules calls them at the same speed.
    """

    game: Game
    settings: Settings
    view: Any
    legal: npt.NDArray[np.int64]
    ms: int | None = None
    speed: Speed | None = None

    @property
    def seat(self) -> int:
        """The seat to act."""
        return int(self.view.to_act)

    def view_dict(self) -> dict[str, Any]:
        """The view as `theriac replay --seat N --json` prints it for the seat to act.

        >>> import theriac
        >>> match = theriac.new("shokoba", players=3, first=0, seed=bytes(32))
        >>> ask(match).view_dict() == match.view(match.to_act)
        True
        """
        text = self.settings.text
        v = Fields(np.asarray(self.view).reshape(1))
        legal = sorted(text.write(move) for move in self.legal.tolist())
        return {**view_as_dict(self.game, self.settings, v, legal, []), "hand": text.hand(v)}


def ask(match: Match, ms: int | None = None) -> Question:
    """The question for the seat to act."""
    legal = np.array(sorted(match.legal_numbers()), np.int64)
    view = copy_view(match.look(match.to_act))
    return Question(match.game, match.settings, view, legal, ms, match.speed)


def copy_view(view: Any) -> Any:
    """A copy of a VIEW record, with zeros between its fields.

    `view.copy()` leaves there what the memory held before, and that can be hidden cards.
    """
    copied = record(view.dtype)
    for name in view.dtype.names:
        copied[name] = view[name]
    return copied


class Bot(ABC):
    """Answers a question with one of its legal moves.

    Equal views and equal seeds give equal answers: a bot keeps no memory between questions, and
    its random numbers depend on its seed and the view alone.
    """

    def __init__(self, name: str, seed: int = 0) -> None:
        self.name = name
        self.seed = seed

    @abstractmethod
    def answer(self, question: Question) -> int:
        """One of the legal moves; raises `BadBot` if the bot has no answer."""

    def play(self, match: Match) -> str:
        """Play a move for the seat to act; returns its text. Raises `BadBot`."""
        question = ask(match)
        move = int(self.answer(question))
        if move not in question.legal:
            raise BadBot(self.name, f"answered {move}, which is not a legal move")
        text = match.settings.text.write(move)
        match.play(text)
        return text

    def policy(self, question: Question) -> npt.NDArray[np.float64] | None:
        """How likely each legal move is, if it is drawn with known chances; None: not known.

        The arena takes the luck of the draw out of results (`theriac.arena.luck`).
        """
        return None

    def style(self, game: Game, settings: Settings) -> Style:
        """What plays most like this bot in playouts, which have no time to think.

        Any answer is allowed: the closer it is, the more luck the arena can take out of results.
        """
        return HEURISTIC_STYLE

    def check(self, game: Game, settings: Settings) -> None:  # noqa: B027
        """Raise `Fault` if the bot cannot play with these settings. Called before a game starts."""

    def suits(self, game: Game, settings: Settings) -> bool:
        """Whether the bot is as strong with these settings as usual: a level asks."""
        return True

    def end(self, view: Mapping[str, Any]) -> None:  # noqa: B027
        """Called when a game is over, with the final view of the bot's seat (`Match.view`)."""

    def close(self) -> None:  # noqa: B027
        """Release the resources of the bot."""

    def rng(self, question: Question) -> Random:
        """The random number generator for one answer."""
        digest = hashlib.blake2b(key=self.seed.to_bytes(8, "big"))
        plain = np.asarray(question.view)
        # Field by field: the padding between fields holds arbitrary bytes after a plain copy.
        for name in question.game.shape.view.names or ():
            digest.update(plain[name].tobytes())
        return Random(digest.digest())
