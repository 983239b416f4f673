"""One game played by action numbers, as researchers' libraries do.

It is to one game what `engine.batch` is to many: game `number` of a seed is the same in both, and
actions have the same numbers. The STATE leaves this class only as bytes, for OpenSpiel; everything
that a seat is shown comes from its VIEW.

>>> from theriac.game import find
>>> episode = Episode(find("poison"), {"players": 4})
>>> episode.start(seed=1)
>>> episode.to_act, int(episode.action_mask().sum())
(1, 27)
>>> episode.play_action(0)
Traceback (most recent call last):
theriac.faults.Refused: R1@1: R1 is not in hand (POI-07)
"""

from __future__ import annotations

import importlib
import io
import operator
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.console import Console

from theriac.bots import Question
from theriac.engine.contract import NATURE, SPECTATOR
from theriac.engine.records import as_plain, records
from theriac.faults import Fault, quote
from theriac.game import Game
from theriac.position import Fields, Position

#: The key of a random stream has 32 bits.
_KEY_RANGE = 1 << 32
#: The width of a rendered game, in columns.
_WIDTH = 100


def as_int(value: Any) -> int | None:
    """An integer of any type as a Python int; None for anything else."""
    try:
        return operator.index(value)
    except TypeError:
        return None


class Episode(Position):
    """One game. By default it has the fewest players, and seat 0 is the first."""

    def __init__(self, game: Game, options: Mapping[str, Any]) -> None:
        settings = game.settings({"players": game.players[0], "first": 0, **options})
        super().__init__(game, settings)
        self.actions = self.text.actions
        self._catalogue = self.text.catalogue()
        self._chances = as_plain(records(game.shape.chance, 1))
        self._chance = self._chances[0]
        self._chance_fields: Any = Fields(self._chances)
        self._moves = self._engine.moves()
        self._mask = np.zeros((1, self.actions), np.uint8)

    # Playing

    def start(self, seed: Any, number: int = 0) -> None:
        """Start game `number` of a seed, up to its first decision; raises `Fault`."""
        key = as_int(seed)
        if key is None:
            raise Fault(f"seed {quote(seed)} is not an integer")
        options = self.settings.options
        self._engine.start_all(self._states, options, self._chances, key % _KEY_RANGE, number, 0, 1)

    @property
    def to_act(self) -> int:
        """The seat to act, NATURE or NOBODY."""
        return self.actor

    def play_action(self, action: Any) -> None:
        """Play an action for the seat to act, or raise `Fault`, changing nothing."""
        number = self._check_action(action)
        move = int(self._engine.move_of(self._g, self._catalogue, number))
        clause = int(self._engine.step_at(self._states, 0, move))
        if clause:
            raise self._refused(self._move_text(move, number), clause, self.actor)

    def _check_action(self, action: Any) -> int:
        number = as_int(action)
        if number is None or not 0 <= number < self.actions:
            last = self.actions - 1
            raise Fault(f"{quote(action)} is not an action: use an integer from 0 to {last}")
        return number

    def play_move(self, move: int) -> None:
        """Play a legal move for the seat to act."""
        clause = self._engine.step_at(self._states, 0, move)
        assert not clause

    def deal_cards(self) -> None:
        """Deal random cards until a player is to act or the game is over."""
        if self.actor == NATURE:
            self._engine.advance(self._g, self._chance)

    def chance_outcomes(self) -> list[tuple[int, int]]:
        """The cards that can be dealt next, and how many of each are left."""
        counts = self._count_pile(int(self._now.pile))
        return [(card, n) for card, n in enumerate(counts.tolist()) if n]

    def deal(self, card: Any) -> None:
        """Deal a card, or raise `Fault`, changing nothing."""
        if card not in dict(self.chance_outcomes()):
            raise Fault(f"{quote(card)} is not the number of a card that is left to deal")
        self._engine.deal_at(self._states, 0, np.array([card], np.int16), 0)

    # Observing

    def view_bytes(self, seat: int) -> bytes:
        """The VIEW of a seat as bytes: all that it knows."""
        self.look(seat)
        view: bytes = self._views.tobytes()
        return view

    def observation(self, seat: int) -> npt.NDArray[np.float32]:
        """The encoding of what a seat knows."""
        out = np.zeros(self.game.shape.features, np.float32)
        self._engine.encode(self.look(seat), out)
        return out

    def action_mask(self) -> npt.NDArray[np.int8]:
        """1 for each action that is legal for the seat to act, else 0."""
        self._engine.mark_legal_all(self._states, self._catalogue, self._moves, self._mask, 0, 1)
        mask: npt.NDArray[np.int8] = self._mask[0].astype(np.int8)
        return mask

    def legal_actions(self) -> list[int]:
        """The legal actions of the seat to act, ascending."""
        actions: list[int] = np.flatnonzero(self.action_mask()).tolist()
        return actions

    def action_text(self, action: int) -> str:
        """The move that an action is in this position, as text; else its number."""
        number = self._check_action(action)
        return self._move_text(int(self._engine.move_of(self._g, self._catalogue, number)), number)

    def _move_text(self, move: int, action: int) -> str:
        return self.text.write(move) if move >= 0 else f"action {action}"

    def question(self) -> Question:
        """The question to a bot on the seat to act."""
        legal = np.array(sorted(self.legal_numbers()), np.int64)
        view = self.look(self.actor).copy()
        return Question(self.game, self.settings, view, legal, speed=self.speed)

    def render(self) -> str:
        """The view of the seat to act, or the spectator's at the end, as the terminal shows it."""
        screen = importlib.import_module(f"{self.game.module}.screen")
        names = [f"seat {seat}" for seat in range(self.players)]
        console = Console(file=io.StringIO(), width=_WIDTH, color_system=None)
        with console.capture() as captured:
            console.print(screen.draw(self.look(max(self.actor, SPECTATOR)), self.text, names))
        return captured.get()

    # Saving and restoring

    @property
    def state(self) -> bytes:
        """The STATE as bytes."""
        return self._memory.tobytes()

    @state.setter
    def state(self, state: bytes) -> None:
        self._memory[:] = np.frombuffer(state, np.uint8)
        self._engine.forget_packs(self._chance)  # they belong to another STATE

    def resample(self, seat: int, key: int, stream: int) -> None:
        """Replace the STATE by a random one that is consistent with the seat's VIEW.

        All consistent deals are equally likely.
        """
        self._engine.seed_stream(self._chance_fields.random, key, stream)
        self._engine.imagine(self.look(seat), self._chance_fields.random, self._g)
        self._engine.forget_packs(self._chance)
