"""A game whose every step is chosen from outside, for tests that compare games."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
from hypothesis import strategies as st

from theriac.engine.contract import NATURE, NOBODY
from theriac.testing.advised import best_advised
from theriac.testing.setups import Setup

#: Steps after which a game is abandoned: with a part of a deck it may never end.
LONG = 2000
#: Moves that are compared in a careful game.
FEW = 30


class Choices:
    """The choices in a game: first those given, then random ones."""

    def __init__(self, written: list[int], seed: int) -> None:
        self.written = list(written)
        self.random = Random(seed)
        self.careful = seed % 2 == 1
        self.source = f"Choices({written}, {seed})"

    def __repr__(self) -> str:
        return self.source

    def below(self, n: int) -> int:
        """A number from 0 to n - 1."""
        return self.written.pop(0) % n if self.written else self.random.randrange(n)


def choices() -> st.SearchStrategy[Choices]:
    """Choices drawn by Hypothesis, which can simplify the given part."""
    return st.builds(Choices, st.lists(st.integers(0, 59), max_size=40), st.integers(0, 2**32 - 1))


def differing_fields(one: Any, other: Any) -> list[str]:
    """The fields in which two records differ."""
    return [name for name in one.dtype.names if np.any(one[name] != other[name])]


class Walk:
    """One game at one speed, whose every step is chosen from outside."""

    def __init__(self, setup: Setup, speed: Any) -> None:
        self.setup = setup
        self.game = setup.game
        self.players = setup.settings.players
        self.catalogue = setup.settings.text.catalogue()
        self.actions = setup.settings.text.actions
        self.engine = setup.game.engine(speed)
        self.g = self.engine.state()
        self.v = self.engine.view()
        self.chance = self.engine.chance()
        self.moves = self.engine.moves()
        self.engine.setup(self.g, setup.settings.options)

    @property
    def over(self) -> bool:
        return bool(self.g.to_act == NOBODY)

    @property
    def deciding(self) -> bool:
        """Is a player to act?"""
        return bool(self.g.to_act >= 0)

    def outcomes(self) -> list[int]:
        """Nature's cards, one entry per copy."""
        cards = self.left_in(int(self.g.pile))
        assert cards
        return cards

    def left_in(self, pile: int) -> list[int]:
        """The cards left in a pile."""
        counts = np.zeros(self.game.shape.cards, np.int16)
        total = self.engine.list_pile(self.g, pile, counts)
        cards = [card for card, n in enumerate(counts.tolist()) for _ in range(n)]
        assert total == len(cards)
        return cards

    def legal(self) -> list[int]:
        n = self.engine.list_legal(self.g, self.moves)
        assert 0 < n <= self.game.shape.moves
        moves: list[int] = self.moves[:n].tolist()
        return moves

    def options(self) -> list[int]:
        """What can happen next: nature's cards or a player's moves."""
        return self.outcomes() if self.g.to_act == NATURE else self.legal()

    def take(self, option: int) -> None:
        """Apply a card or a move."""
        if self.g.to_act == NATURE:
            self.engine.deal(self.g, option)
        else:
            assert self.engine.step(self.g, option) == 0

    def see(self, seat: int) -> bytes:
        self.engine.see(self.g, seat, self.v)
        seen: bytes = self.v.tobytes()
        return seen

    def encoded(self) -> bytes:
        """The view last seen, as numbers."""
        out = np.full(self.game.shape.features, np.nan, np.float32)
        self.engine.encode(self.v, out)
        assert np.isfinite(out).all(), "encode must write every number"
        return out.tobytes()

    def take_aliased_fields(self) -> None:
        """Copy the aliased fields from state to view: on a GPU `see` does not."""
        for name in self.game.gpu.aliased_fields:
            getattr(self.v, name)[...] = getattr(self.g, name)

    def scores(self) -> tuple[list[int], list[float]]:
        scores = np.zeros(self.players, np.int64)
        results = np.zeros(self.players, np.float64)
        self.engine.write_scores(self.g, self.players, scores, results)
        return scores.tolist(), results.tolist()

    def steps(self, choices: Choices) -> Iterator[None]:
        """Play to the end (or the first decision after LONG steps); yield there and at every
        decision before.
        """
        steps = 0
        while not self.over and not (self.deciding and steps >= LONG):
            if self.deciding:
                yield
            self.take(self.pick(choices))
            steps += 1
        yield

    def pick(self, choices: Choices) -> int:
        """Choose what happens next: anything, or in a careful game the best of a few moves.

        Some games end at once when everybody plays at random.
        """
        options = self.options()
        if not choices.careful or not self.deciding:
            return options[choices.below(len(options))]
        few = [options[choices.below(len(options))] for _ in range(FEW)]
        self.see(int(self.g.to_act))
        return best_advised(self.engine, self.v, few)

    def stop_somewhere(self, choices: Choices, most: int = 300) -> None:
        """Play to a random decision, or to the end."""
        left = choices.below(most)
        for _ in self.steps(choices):
            left -= 1
            if left <= 0:
                return
