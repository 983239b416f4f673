"""Two bots that do not search: one plays at random, one by a game's rules of thumb."""

from __future__ import annotations

from abc import ABC, abstractmethod
from random import Random as Generator
from typing import Any, ClassVar

from theriac.table import Table


class Bot(ABC):
    """Answers a view with a move. Equal views and seeds give equal answers."""

    name: ClassVar[str]

    def __init__(self, seed: int = 0) -> None:
        self._random = Generator(seed)

    def play(self, table: Table) -> str:
        """Choose and play a move for the seat to act; returns its text."""
        assert table.to_act is not None
        legal = sorted(table.legal_numbers())
        move = self.choose(table.look(table.to_act), legal, table.game.engine())
        text = table.settings.text.write(move)
        table.play(text)
        return text

    @abstractmethod
    def choose(self, view: Any, legal: list[int], engine: Any) -> int:
        """One of the legal moves, from the VIEW of the seat to act."""


class Random(Bot):
    """Plays any legal move."""

    name = "random"

    def choose(self, view: Any, legal: list[int], engine: Any) -> int:
        """Any of them."""
        return self._random.choice(legal)


class Greedy(Bot):
    """Plays the move that the game's rules of thumb like best, ties broken at random."""

    name = "greedy"

    def choose(self, view: Any, legal: list[int], engine: Any) -> int:
        """The best advised."""
        advice = [engine.advise(view, move) for move in legal]
        best = max(advice)
        return self._random.choice([m for m, a in zip(legal, advice, strict=True) if a == best])
