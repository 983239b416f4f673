"""A game played at random of which every card and every move is kept, to change one of them.

Two cards of a shuffle change places, or a seat makes another move, and everything after it happens
as before. What a seat sees may be the same then: it cannot tell which of the two games it is in.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np

from theriac.engine.build import Engine
from theriac.engine.contract import NATURE, NOBODY
from theriac.engine.rule import Speed
from theriac.game import Game, Settings
from theriac.testing.advised import best_advised

#: How many of the latest moves are changed, of the secret moves before them, and of the cards.
_LATEST: Final = 8
_SECRET: Final = 8
_CARDS: Final = 8
#: Moves that are compared in a careful game.
_FEW: Final = 30


class Stepper:
    """Takes single steps in states: a step is one of nature's cards or a player's move."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._moves = engine.moves()

    def options(self, g: Any) -> list[int]:
        """What can happen next: the cards left, one entry per copy, or the legal moves."""
        if g.to_act == NATURE:
            return [card for card, n in enumerate(self._pile(g)) for _ in range(n)]
        found: list[int] = self._moves[: self.engine.list_legal(g, self._moves)].tolist()
        return found

    def choose(self, g: Any, random: Random, careful: bool) -> int:
        """What happens next: anything, or in a careful game the best of a few moves.

        Some games end at once when everybody plays at random.
        """
        options = self.options(g)
        if not careful or g.to_act == NATURE:
            return random.choice(options)
        view = self.see(g, int(g.to_act))
        return best_advised(self.engine, view, random.choices(options, k=_FEW))

    def can_happen(self, g: Any, option: int) -> bool:
        """Can this happen next?"""
        if g.to_act == NATURE:
            return self._pile(g)[option] > 0
        return not self.engine.refuse(g, option)

    def _pile(self, g: Any) -> list[int]:
        """How many of each card are left in the pile that nature deals from."""
        counts = np.zeros(self.engine.shape.cards, np.int16)
        self.engine.list_pile(g, int(g.pile), counts)
        found: list[int] = counts.tolist()
        return found

    def take(self, g: Any, option: int) -> None:
        """Let it happen."""
        if g.to_act == NATURE:
            self.engine.deal(g, option)
        else:
            self.engine.play(g, option)

    def see(self, g: Any, viewpoint: int) -> Any:
        """The view of a state."""
        view = self.engine.view()
        self.engine.see(g, viewpoint, view)
        return view


class Step(NamedTuple):
    """A card or a move, with the state before it."""

    before: Any
    option: int

    @property
    def actor(self) -> int:
        """The seat that made the move; NATURE for a card."""
        return int(self.before.to_act)


class Alternative(NamedTuple):
    """The state that a game would be in, had a seat (or nature) acted otherwise."""

    state: Any
    actor: int


class History:
    """A game in progress, and how it came about."""

    def __init__(self, game: Game, settings: Settings, speed: Speed, seed: int) -> None:
        self.text, self.players = settings.text, settings.players
        self.random = Random(seed)
        self._careful = seed % 2 == 1
        self.steps: list[Step] = []
        self._stepper = Stepper(game.engine(speed))
        self.g = self._stepper.engine.state()
        self._stepper.engine.setup(self.g, settings.options)
        self._deal()

    @property
    def over(self) -> bool:
        """Is the game over?"""
        return bool(self.g.to_act == NOBODY)

    @property
    def is_last_secret(self) -> bool:
        """Was the latest move one of which others get another text?"""
        moves = [number for number, step in enumerate(self.steps) if step.actor >= 0]
        return bool(moves) and self._is_secret(moves[-1])

    def play(self) -> None:
        """The seat to act makes a random move, and cards are dealt up to the next decision."""
        self._happen()
        self._deal()

    def _deal(self) -> None:
        while self.g.to_act == NATURE:
            self._happen()

    def _happen(self) -> None:
        option = self._stepper.choose(self.g, self.random, self._careful)
        self.steps.append(Step(self.g.copy(), option))
        self._stepper.take(self.g, option)

    # The game that it could have been

    def alternatives(self) -> Iterator[Alternative]:
        """States in which the game would be, had one card or one move been another."""
        for number in self._steps_to_change():
            step = self.steps[number]
            options = self._stepper.options(step.before)
            others = [option for option in options if option != step.option]
            state = self._replay(number, self.random.choice(others)) if others else None
            if state is not None:
                yield Alternative(state, step.actor)

    def _steps_to_change(self) -> list[int]:
        """The latest moves, some of the secret moves before them, and some cards."""
        moves = [number for number, step in enumerate(self.steps) if step.actor >= 0]
        cards = [number for number, step in enumerate(self.steps) if step.actor == NATURE]
        secret = [number for number in moves[:-_LATEST] if self._is_secret(number)]
        return [*moves[-_LATEST:], *self._some(secret, _SECRET), *self._some(cards, _CARDS)]

    def _is_secret(self, number: int) -> bool:
        move = self.steps[number].option
        return self.text.write_public(move) != self.text.write(move)

    def _some(self, numbers: list[int], most: int) -> list[int]:
        return self.random.sample(numbers, min(most, len(numbers)))

    def _replay(self, number: int, option: int) -> Any:
        """The state after the same steps with one changed; None if one of the others cannot happen.

        A card that comes earlier than it did changes places with the one that it replaces.
        """
        changed = self.steps[number]
        g = changed.before.copy()
        self._stepper.take(g, option)
        comes_earlier = changed.actor == NATURE
        for step in self.steps[number + 1 :]:
            wanted = step.option
            if comes_earlier and step.actor == NATURE and wanted == option:
                wanted, comes_earlier = changed.option, False
            if g.to_act != step.actor or not self._stepper.can_happen(g, wanted):
                return None
            self._stepper.take(g, wanted)
        return g if g.to_act == self.g.to_act else None
