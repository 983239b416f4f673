"""Many games in one array, played on CPU threads or on a GPU.

>>> import theriac
>>> batch = theriac.batch("poison", 1000, players=4, seed=1)
>>> actions = batch.masks().argmax(axis=1)   # the first legal action of each game
>>> int(batch.step(actions).max())           # 0: no clause forbids it
0
>>> int(batch.play_out().min())              # 199 moves were left in each game
199
>>> batch.results().sum(axis=1).max().item()
1.0
"""

from __future__ import annotations

import itertools
import os
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from theriac.engine.build import Engine
from theriac.engine.chance import ChanceState
from theriac.engine.contract import NOBODY
from theriac.engine.records import (
    Features,
    Floats,
    Ints,
    Mask,
    Moves,
    Options,
    Records,
    State,
    records,
)
from theriac.engine.shape import Shape
from theriac.faults import Fault

Device = Literal["cpu", "cuda"]
#: A NumPy array; on a GPU an array in its memory, which NumPy and PyTorch can read.
Array = Any


class Batch(ABC):
    """n games with the same options; game i is game number i of the seed, on every device.

    An action is the index of a move in the `catalogue`, the ascending array of all moves; a game
    with too many moves for that has its own action numbers, 0 to `actions` - 1.

    With `auto_reset` a game that ends is replaced at once by another of the same seed, whose number
    is n higher; `ended` and `rewards` describe the game that ended.

    Methods return NumPy arrays. On a GPU they return arrays in its memory, which belong to the
    batch: the next call of the same method overwrites them.
    """

    device: Device

    def __init__(
        self,
        shape: Shape,
        options: Options,
        catalogue: Moves,
        actions: int,
        n: int,
        *,
        auto_reset: bool,
    ) -> None:
        self.shape = shape
        self.options = options
        self.catalogue = catalogue
        self.actions = actions
        self.players = int(options.players)
        self.auto_reset = auto_reset
        self.seed = 0
        self._n = n

    def __len__(self) -> int:
        return self._n

    @property
    @abstractmethod
    def states(self) -> Records[State]:
        """The STATE of each game, an array of records; on a GPU a copy of it."""

    @property
    @abstractmethod
    def numbers(self) -> Array:
        """The number of the game that is played at each index."""

    @property
    @abstractmethod
    def to_act(self) -> Array:
        """The seat to act in each game; -2 where the game is over."""

    @property
    def over(self) -> npt.NDArray[np.bool_]:
        """True for each game that is over."""
        return np.asarray(np.asarray(self.to_act) == NOBODY)

    @property
    def ended(self) -> Array:
        """1 for each game that ended in the last step, else 0 (with `auto_reset`)."""
        return self._last_ended()[0]

    @property
    def rewards(self) -> Array:
        """Each seat's share of the win in the games that ended in the last step, zeros elsewhere
        (with `auto_reset`).
        """
        return self._last_ended()[1]

    def _last_ended(self) -> tuple[Array, Array]:
        if not self.auto_reset:
            raise Fault(
                "ended and rewards need a batch made with auto_reset=True; "
                "without it finished games stay: use over and results()"
            )
        return self._ended_and_rewards()

    @abstractmethod
    def _ended_and_rewards(self) -> tuple[Array, Array]:
        """The values of `ended` and `rewards`."""

    @abstractmethod
    def reset(self, seed: int = 0, first: int = 0) -> None:
        """Start the games of a seed, from number `first`."""

    @abstractmethod
    def step(self, actions: Any) -> Array:
        """Play an action in each game, and nature's cards after it.

        Returns for each game the number of the clause that forbids the action, 0 where it was
        played. An illegal action changes nothing in its game; where the game is over, every
        action is illegal.
        """

    @abstractmethod
    def random_actions(self) -> Array:
        """A legal action of each game, chosen uniformly at random; 0 where the game is over.

        It comes from the game's own stream of random numbers, as in `play_out`.
        """

    @abstractmethod
    def play_out(self) -> Array:
        """Play every game at random to its end; returns how many moves each took."""

    @abstractmethod
    def play_games(self, games: int, first: int = 0) -> tuple[Array, Array]:
        """Play `games` whole random games at each index, apart from the games of the batch.

        Index i plays the numbers first + i, first + i + n, first + i + 2 n, ... of the seed.
        Returns the number of moves, and the sum of each seat's shares of the win.
        """

    @abstractmethod
    def masks(self) -> Array:
        """For each game and action 1 if it is legal, else 0; all 0 where the game is over."""

    @abstractmethod
    def observations(self) -> Array:
        """What the seat to act sees in each game, as features for a network."""

    @abstractmethod
    def scores(self) -> Array:
        """The points of each seat in each game."""

    @abstractmethod
    def results(self) -> Array:
        """Each seat's share of the win; zeros where the game is not over."""


class CpuBatch(Batch):
    """A batch on CPU threads."""

    device = "cpu"

    def __init__(
        self,
        engine: Engine,
        options: Options,
        catalogue: Moves,
        actions: int,
        n: int,
        *,
        seed: int = 0,
        auto_reset: bool = False,
        threads: int | None = None,
    ) -> None:
        super().__init__(engine.shape, options, catalogue, actions, n, auto_reset=auto_reset)
        self.engine = engine
        self._states: Records[State] = records(engine.shape.state, n)
        self._chances: Records[ChanceState] = records(engine.shape.chance, n)
        self._numbers = np.zeros(n, np.int64)
        self._ended = np.zeros(n, np.uint8)
        self._rewards = np.zeros((n, self.players), np.float32)
        self._threads = threads or _cores()
        self._pool = ThreadPoolExecutor(self._threads)
        self.reset(seed)

    @property
    def states(self) -> Records[State]:
        """The STATE of each game."""
        return self._states

    @property
    def numbers(self) -> Ints:
        """The number of the game that is played at each index."""
        return self._numbers.copy()

    @property
    def to_act(self) -> npt.NDArray[np.int16]:
        """The seat to act in each game; -2 where the game is over."""
        return np.asarray(self._states.to_act).copy()

    def _ended_and_rewards(self) -> tuple[Mask, Features]:
        return self._ended.copy(), self._rewards.copy()

    def reset(self, seed: int = 0, first: int = 0) -> None:
        """Start the games of a seed, from number `first`."""
        self.seed = seed
        self._ended[:] = 0
        self._rewards[:] = 0
        self._numbers[:] = first + np.arange(len(self))
        self._on_threads(
            lambda begin, end: self.engine.start_all(
                self._states, self.options, self._chances, seed, first, begin, end
            )
        )

    def step(self, actions: npt.ArrayLike) -> Ints:
        """Play an action in each game, and nature's cards after it."""
        given = np.asarray(actions)
        if given.shape != (len(self),) or given.dtype.kind not in "iu":
            raise ValueError(
                f"actions of shape {given.shape} and type {given.dtype}: "
                f"give {len(self)} integers, one per game"
            )
        if len(self) and not 0 <= given.min() <= given.max() < self.actions:
            raise ValueError(
                f"actions from {given.min()} to {given.max()}: "
                f"an action is a number from 0 to {self.actions - 1}"
            )
        wanted = given.astype(np.int64)
        clauses = np.zeros(len(self), np.int64)
        self._on_threads(
            lambda begin, end: self.engine.step_all(
                self._states, self._chances, self.catalogue, wanted, clauses, begin, end
            )
        )
        if self.auto_reset:
            self._on_threads(self._reset_finished)
        return clauses

    def _reset_finished(self, begin: int, end: int) -> None:
        self.engine.reset_finished_all(
            self._states,
            self.options,
            self._chances,
            self.seed,
            self._numbers,
            self._rewards,
            self._ended,
            begin,
            end,
        )

    def random_actions(self) -> Ints:
        """A legal action of each game, chosen uniformly at random; 0 where the game is over."""
        actions = np.zeros(len(self), np.int64)
        self._on_threads(
            lambda begin, end: self.engine.random_action_all(
                self._states,
                self._chances,
                self.catalogue,
                self.engine.moves(),
                actions,
                begin,
                end,
            )
        )
        return actions

    def play_out(self) -> Ints:
        """Play every game at random to its end; returns how many moves each took."""
        moves_played = np.zeros(len(self), np.int64)
        self._on_threads(
            lambda begin, end: self.engine.playout_all(
                self._states, self._chances, self.engine.moves(), moves_played, begin, end
            )
        )
        return moves_played

    def play_games(self, games: int, first: int = 0) -> tuple[Ints, Floats]:
        """Play `games` whole random games at each index, apart from the games of the batch."""
        moves_played = np.zeros(len(self), np.int64)
        results = np.zeros((len(self), self.players), np.float64)
        self._on_threads(
            lambda begin, end: self.engine.play_games_all(
                self.engine.state(),
                self.options,
                self.engine.chance(),
                self.engine.moves(),
                self.seed,
                first,
                games,
                moves_played,
                results,
                begin,
                end,
            )
        )
        return moves_played, results

    def masks(self) -> Mask:
        """For each game and action 1 if it is legal, else 0; all 0 where the game is over."""
        masks = np.zeros((len(self), self.actions), np.uint8)
        self._on_threads(
            lambda begin, end: self.engine.mark_legal_all(
                self._states, self.catalogue, self.engine.moves(), masks, begin, end
            )
        )
        return masks

    def observations(self) -> Features:
        """What the seat to act sees in each game, as features for a network."""
        out = np.zeros((len(self), self.shape.features), np.float32)
        self._on_threads(
            lambda begin, end: self.engine.observe_all(
                self._states, self.engine.view(), out, begin, end
            )
        )
        return out

    def scores(self) -> Ints:
        """The points of each seat in each game."""
        return self._scores_and_results()[0]

    def results(self) -> Floats:
        """Each seat's share of the win; zeros where the game is not over."""
        return self._scores_and_results()[1]

    def _scores_and_results(self) -> tuple[Ints, Floats]:
        scores = np.zeros((len(self), self.players), np.int64)
        results = np.zeros((len(self), self.players), np.float64)
        self._on_threads(
            lambda begin, end: self.engine.write_scores_all(
                self._states, self.players, scores, results, begin, end
            )
        )
        return scores, results

    def _on_threads(self, work: Callable[[int, int], None]) -> None:
        """Split all games evenly among the threads, and wait for them."""
        edges = np.linspace(0, len(self), self._threads + 1).astype(int).tolist()
        for future in [self._pool.submit(work, *pair) for pair in itertools.pairwise(edges)]:
            future.result()


def _cores() -> int:
    """How many threads can run at once on this machine."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
