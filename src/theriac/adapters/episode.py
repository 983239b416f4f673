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

import io
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from rich.console import Console

from theriac.bots import Question
from theriac.bots.base import copy_view
from theriac.engine.contract import NATURE, SPECTATOR
from theriac.engine.records import View, as_plain, records
from theriac.engine.seeds import check_number, key_of_seed
from theriac.faults import Fault, quote
from theriac.game import Game
from theriac.game.position import Fields, NumberedPosition

#: The width of a rendered game, in columns.
_WIDTH = 100


class Episode(NumberedPosition):
    """One game. By default it has the usual number of players, and seat 0 is the first."""

    COPIED: ClassVar = (*NumberedPosition.COPIED, "_chances")
    LINKED: ClassVar = (*NumberedPosition.LINKED, "_chance", "_chance_fields")

    def __init__(self, game: Game, options: Mapping[str, Any]) -> None:
        super().__init__(game, game.usual_settings(options))

    def _allocate(self) -> None:
        super()._allocate()
        self._chances = as_plain(records(self.game.shape.chance, 1))
        self._chance = self._chances[0]
        self._chance_fields: Any = Fields(self._chances)

    # Playing

    def start(self, seed: Any, number: int = 0) -> None:
        """Start game `number` of a seed, up to its first decision; raises `Fault`."""
        key, numbers = key_of_seed(seed), np.array([check_number(number)], np.int64)
        states, options, chosen = self._states, self.settings.options, np.ones(1, np.uint8)
        self._engine.start_all(states, options, self._chances, key, numbers, chosen, 0, 1)

    @property
    def to_act(self) -> int:
        """The seat to act, NATURE or NOBODY."""
        return self.actor

    def play_action(self, action: Any) -> None:
        """Play an action for the seat to act, or raise `Fault`, changing nothing."""
        number = self._check_action(action)
        move = self._move_of(number)
        clause = int(self._engine.step_at(self._states, 0, move))
        if clause:
            raise self._refused(self._move_text(move, number), clause, self.actor)

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

    # Moves and actions

    def action_of(self, move: int) -> int:
        """The action number of a legal move."""
        return int(self._engine.action_of(self._g, self._catalogue, move))

    def move_of(self, action: Any) -> int:
        """The move that an action is now; raises `Fault`."""
        return self._move_of(self._check_action(action))

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

    def question(self) -> Question:
        """The question to a bot on the seat to act."""
        legal = np.array(sorted(self.legal_numbers()), np.int64)
        view = copy_view(self.look(self.actor))
        return Question(self.game, self.settings, view, legal, speed=self.speed)

    def render(self) -> str:
        """The view of the seat to act, or the spectator's at the end, as the terminal shows it."""
        names = [f"seat {seat}" for seat in range(self.players)]
        console = Console(file=io.StringIO(), width=_WIDTH, color_system=None)
        with console.capture() as captured:
            console.print(
                self.game.screen.draw(self.look(max(self.actor, SPECTATOR)), self.text, names)
            )
        return captured.get()

    # Saving and restoring

    @property
    def state(self) -> bytes:
        """The STATE as bytes."""
        return super().state

    @state.setter
    def state(self, state: bytes) -> None:
        self._memory[:] = np.frombuffer(state, np.uint8)
        self._engine.forget_packs(self._chance)  # they belong to another STATE

    def resample(self, seat: int, key: int, stream: int) -> None:
        """Replace the STATE by a random one that is consistent with the seat's VIEW.

        All consistent deals are equally likely.
        """
        self.imagine(self.look(seat), key, stream)

    def imagine(self, view: View, key: int, stream: int) -> None:
        """Replace the STATE by a random one that a VIEW allows."""
        self._engine.seed_stream(self._chance_fields.random, key, stream)
        self._engine.imagine(view, self._chance_fields.random, self._g)
        self._engine.forget_packs(self._chance)
