"""One game in the engine's arrays, played by the numbers of its actions.

It is to one game what `engine.batch` is to many: game `number` of a seed is the same in both, and
an action has the same number. The STATE goes no further than this file and, as bytes, a state of
OpenSpiel; what a seat is told is made from its VIEW.

>>> from theriac.game import find
>>> episode = Episode(find("poison"), {"players": 4})
>>> episode.begin(seed=1)
>>> episode.to_act, int(episode.mask().sum())
(1, 27)
>>> episode.act(0)
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
from theriac.engine.contract import NATURE, NOBODY, REFEREE, SPECTATOR
from theriac.engine.records import as_plain, records
from theriac.faults import Fault, Refused, quote
from theriac.game import Game
from theriac.match import Fields, tell

#: Keys of random streams are 32 bits wide.
_KEYS = 1 << 32
#: How wide a game is drawn.
_WIDTH = 100


def whole(value: Any) -> int | None:
    """A whole number of whatever type as Python's; None if it is none."""
    try:
        return operator.index(value)
    except TypeError:
        return None


class Episode:
    """One game. Options that are not given: the fewest players, and seat 0 is the first."""

    def __init__(self, game: Game, options: Mapping[str, Any]) -> None:
        shape = game.shape
        self.game = game
        self.settings = game.settings({"players": game.players[0], "first": 0, **options})
        self.text = self.settings.text
        self.players = self.settings.players
        self.actions = self.text.actions
        self._catalogue = self.text.catalogue()
        self._engine = game.engine()
        states, views, chances = (
            records(kind, 1) for kind in (shape.state, shape.view, shape.chance)
        )
        self._g, self._v, self._chance = states[0], views[0], chances[0]
        # Compiled code takes a plain array as an argument six times as fast as one of records,
        # which interpreted code needs. Reading a field of a record is slow, too.
        plain = self._engine.speed == "plain"
        self._states = states if plain else as_plain(states)
        self._views = views if plain else as_plain(views)
        self._chances = chances if plain else as_plain(chances)
        self._memory = np.asarray(states).view(np.uint8)
        self._sight = np.asarray(views).view(np.uint8)
        self._now: Any = Fields(states)
        self._seen: Any = Fields(views)
        self._packs: Any = Fields(chances)
        self._room = self._engine.moves()
        self._mask = np.zeros((1, self.actions), np.uint8)
        self._engine.setup(self._g, self.settings.options)

    # Playing

    def begin(self, seed: Any, number: int = 0) -> None:
        """Begin game `number` of a seed, up to its first decision."""
        key = whole(seed)
        if key is None:
            raise Fault(f"seed {quote(seed)} is not a whole number")
        options = self.settings.options
        self._engine.start_all(self._states, options, self._chances, key % _KEYS, number, 0, 1)

    @property
    def to_act(self) -> int:
        """The seat to act, NATURE or NOBODY."""
        return int(self._now.to_act)

    @property
    def over(self) -> bool:
        """Has the game ended?"""
        return self.to_act == NOBODY

    def act(self, action: Any) -> None:
        """Play an action for the seat to act, or raise `Fault`, changing nothing."""
        number = self._number(action)
        move = int(self._engine.move_of(self._g, self._catalogue, number))
        clause = int(self._engine.step_at(self._states, 0, move))
        if clause:
            written = self.text.write(move) if move >= 0 else f"action {number}"
            why = self.text.explain(self.look(self.to_act), written, clause)
            raise Refused(written, why, self.game.clause(clause))

    def _number(self, action: Any) -> int:
        number = whole(action)
        if number is None or not 0 <= number < self.actions:
            last = self.actions - 1
            raise Fault(f"{quote(action)} is not an action, a whole number from 0 to {last}")
        return number

    def play(self, move: int) -> None:
        """Play a legal move for the seat to act."""
        clause = self._engine.step_at(self._states, 0, move)
        assert not clause

    def feed(self) -> None:
        """Let nature deal until a player is to act or the game is over."""
        if self.to_act == NATURE:
            self._engine.advance(self._g, self._chance)

    def outcomes(self) -> list[tuple[int, int]]:
        """Nature's next card: each that there can be, and how many of it are left."""
        counts = np.zeros(self.game.shape.cards, np.int16)
        self._engine.list_pile(self._g, int(self._now.pile), counts)
        return [(card, n) for card, n in enumerate(counts.tolist()) if n]

    def deal(self, card: Any) -> None:
        """Nature's move, or raise `Fault`, changing nothing."""
        if card not in dict(self.outcomes()):
            raise Fault(f"{quote(card)} is not the number of a card that is left to deal")
        self._engine.deal_at(self._states, 0, np.array([card], np.int16), 0)

    # Looking

    def look(self, seat: int) -> Any:
        """The VIEW of a seat. It is overwritten by the next look."""
        self._engine.see_at(self._states, 0, seat, self._views)
        return self._v

    def see(self, seat: int) -> bytes:
        """The VIEW of a seat, byte by byte: all that it knows."""
        self.look(seat)
        return self._sight.tobytes()

    def observe(self, seat: int) -> npt.NDArray[np.float32]:
        """What a seat sees, as numbers."""
        out = np.zeros(self.game.shape.features, np.float32)
        self._engine.encode(self.look(seat), out)
        return out

    def mask(self) -> npt.NDArray[np.int8]:
        """1 for each action that is legal for the seat to act, else 0."""
        self._engine.mark_legal_all(self._states, self._catalogue, self._room, self._mask, 0, 1)
        mask: npt.NDArray[np.int8] = self._mask[0].astype(np.int8)
        return mask

    def question(self) -> Question:
        """What a bot is asked that has the seat to act."""
        legal = np.sort(self._moves())
        view = self.look(self.to_act).copy()
        return Question(self.game, self.settings, view, legal, speed=self._engine.speed)

    def _moves(self) -> npt.NDArray[np.int64]:
        return self._room[: self._engine.list_at(self._states, 0, self._room)]

    def results(self) -> list[float]:
        """Each seat's share of the win; zeros until the game is over."""
        scores = np.zeros((1, self.players), np.int64)
        results = np.zeros((1, self.players), np.float64)
        self._engine.write_scores_all(self._states, self.players, scores, results, 0, 1)
        shares: list[float] = results[0].tolist()
        return shares

    def tell(self, seat: int) -> dict[str, Any]:
        """What `Match.view` tells a seat, or the referee."""
        asked = self.to_act >= 0 and seat in (REFEREE, self.to_act)
        legal = sorted(map(self.text.write, self._moves().tolist())) if asked else []
        shares = self.results() if self.over else []
        winners = [winner for winner, share in enumerate(shares) if share > 0]
        self.look(seat)
        told = tell(self.game, self.settings, self._seen, legal, winners)
        return told if seat == REFEREE else {**told, "hand": self.text.hand(self._seen)}

    def legal(self) -> list[int]:
        """The legal actions of the seat to act, ascending."""
        actions: list[int] = np.flatnonzero(self.mask()).tolist()
        return actions

    def write(self, action: int) -> str:
        """The text of an action, as far as it stands for a move now."""
        move = int(self._engine.move_of(self._g, self._catalogue, self._number(action)))
        return self.text.write(move) if move >= 0 else f"action {action}"

    def draw(self) -> str:
        """How the terminal shows the game to the seat to act, or to all when it is over."""
        screen = importlib.import_module(f"{self.game.module}.screen")
        names = [f"seat {seat}" for seat in range(self.players)]
        paper = Console(file=io.StringIO(), width=_WIDTH, color_system=None)
        with paper.capture() as drawn:
            paper.print(screen.draw(self.look(max(self.to_act, SPECTATOR)), self.text, names))
        return drawn.get()

    # Remembering

    @property
    def memory(self) -> bytes:
        """The STATE."""
        return self._memory.tobytes()

    @memory.setter
    def memory(self, state: bytes) -> None:
        self._memory[:] = np.frombuffer(state, np.uint8)
        self._engine.forget_packs(self._chance)  # they belong to another state

    def imagine(self, seat: int, key: int, stream: int) -> None:
        """Go on in a state drawn from those that the seat's view allows, all equally likely."""
        self._engine.seed_stream(self._packs.random, key, stream)
        self._engine.imagine(self.look(seat), self._packs.random, self._g)
        self._engine.forget_packs(self._chance)
