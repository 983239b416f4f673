"""Many games in one array, played on CPU threads or on a GPU.

>>> import theriac
>>> batch = theriac.batch("poison", 1000, players=4, seed=1)
>>> actions = batch.masks().argmax(axis=1)   # the first legal move of each
>>> int(batch.step(actions).max())           # no clause forbids it
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

from theriac.engine.build import Engine, Shape, records
from theriac.engine.contract import NOBODY
from theriac.faults import Fault

Device = Literal["cpu", "cuda"]


class Batch(ABC):
    """n games of the same options; game i is game number i of the seed, however it is computed.

    An action is the place of a move in the `catalogue`, the ascending array of all moves; a game
    of too many moves for that has its own numbers, `actions` of them.

    With `auto_reset` a game that ends begins anew at once, as the game n numbers further on of the
    same seed; `ended` and `rewards` tell of the game that ended.

    What a method returns is a NumPy array; on a GPU it lies there, belongs to the batch, and is
    written over by the next call of the same method.
    """

    device: Device

    def __init__(
        self,
        shape: Shape,
        options: Any,
        catalogue: npt.NDArray[np.int64],
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
    def states(self) -> Any:
        """The STATE of each game, an array of records; on a GPU a copy of it."""

    @property
    @abstractmethod
    def numbers(self) -> Any:
        """The number of the game that is played in each place."""

    @property
    @abstractmethod
    def to_act(self) -> Any:
        """The seat to act in each game; -2 where the game is over."""

    @property
    def over(self) -> npt.NDArray[np.bool_]:
        """Which games have ended?"""
        return np.asarray(np.asarray(self.to_act) == NOBODY)

    @property
    def ended(self) -> Any:
        """1 for each game that ended in the last step, else 0 (with `auto_reset`)."""
        return self._renewed()[0]

    @property
    def rewards(self) -> Any:
        """Each seat's share of the win in a game that ended in the last step; zeros elsewhere
        (with `auto_reset`).
        """
        return self._renewed()[1]

    def _renewed(self) -> tuple[Any, Any]:
        if not self.auto_reset:
            raise Fault(
                "ended and rewards are told by a batch made with auto_reset=True; "
                "without it, finished games stay: ask for over and results()"
            )
        return self._renewals()

    @abstractmethod
    def _renewals(self) -> tuple[Any, Any]:
        """What `ended` and `rewards` give."""

    @abstractmethod
    def reset(self, seed: int = 0, first: int = 0) -> None:
        """Begin games number `first` and up of a seed."""

    @abstractmethod
    def step(self, actions: Any) -> Any:
        """Play an action in each game, and nature's cards after it.

        Returns the number of the clause that forbids it for each game, 0 where it was played: an
        illegal action changes nothing in its game. Any action is refused where the game is over.
        """

    @abstractmethod
    def random_actions(self) -> Any:
        """A legal action of each game, all being equally likely; 0 where the game is over.

        They are drawn from the game's own stream of random numbers: as those of `play_out`.
        """

    @abstractmethod
    def play_out(self) -> Any:
        """Play every game at random to its end; returns how many moves each took."""

    @abstractmethod
    def play_games(self, games: int, first: int = 0) -> tuple[Any, Any]:
        """Play so many whole random games in each place, beside those of the batch.

        Place i plays game number first + i of the seed and those n, 2 n, ... further on. Returns
        how many moves that took, and each seat's shares of the wins added up.
        """

    @abstractmethod
    def masks(self) -> Any:
        """For each game and action 1 if it is legal, else 0; all 0 where the game is over."""

    @abstractmethod
    def observations(self) -> Any:
        """What the seat to act sees in each game, as numbers for a network."""

    @abstractmethod
    def scores(self) -> Any:
        """The points of each game and seat."""

    @abstractmethod
    def results(self) -> Any:
        """Each seat's share of the win; zeros where the game is not over."""


class CpuBatch(Batch):
    """On threads of the CPU."""

    device = "cpu"

    def __init__(
        self,
        engine: Engine,
        options: Any,
        catalogue: npt.NDArray[np.int64],
        actions: int,
        n: int,
        *,
        seed: int = 0,
        auto_reset: bool = False,
        threads: int | None = None,
    ) -> None:
        super().__init__(engine.shape, options, catalogue, actions, n, auto_reset=auto_reset)
        self.engine = engine
        self._states = records(engine.shape.state, n)
        self._chances = records(engine.shape.chance(), n)
        self._numbers = np.zeros(n, np.int64)
        self._ended = np.zeros(n, np.uint8)
        self._rewards = np.zeros((n, self.players), np.float32)
        self._threads = threads or _cores()
        self._pool = ThreadPoolExecutor(self._threads)
        self.reset(seed)

    @property
    def states(self) -> Any:
        """The STATE of each game."""
        return self._states

    @property
    def numbers(self) -> npt.NDArray[np.int64]:
        """The number of the game that is played in each place."""
        return self._numbers.copy()

    @property
    def to_act(self) -> npt.NDArray[np.int16]:
        """The seat to act in each game; -2 where the game is over."""
        return np.asarray(self._states.to_act).copy()

    def _renewals(self) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
        return self._ended.copy(), self._rewards.copy()

    def reset(self, seed: int = 0, first: int = 0) -> None:
        """Begin games number `first` and up of a seed."""
        self.seed = seed
        self._ended[:] = 0
        self._rewards[:] = 0
        self._numbers[:] = first + np.arange(len(self))
        self._each(
            lambda begin, end: self.engine.start_all(
                self._states, self.options, self._chances, seed, first, begin, end
            )
        )

    def step(self, actions: npt.ArrayLike) -> npt.NDArray[np.int64]:
        """Play an action in each game, and nature's cards after it."""
        chosen = np.asarray(actions)
        if chosen.shape != (len(self),) or chosen.dtype.kind not in "iu":
            raise ValueError(f"actions must be {len(self)} whole numbers, one a game")
        if len(self) and not 0 <= chosen.min() <= chosen.max() < self.actions:
            raise ValueError(f"an action is a number from 0 to {self.actions - 1}")
        wanted = chosen.astype(np.int64)
        clauses = np.zeros(len(self), np.int64)
        self._each(
            lambda begin, end: self.engine.step_all(
                self._states, self._chances, self.catalogue, wanted, clauses, begin, end
            )
        )
        if self.auto_reset:
            self._each(self._renew)
        return clauses

    def _renew(self, begin: int, end: int) -> None:
        self.engine.renew_all(
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

    def random_actions(self) -> npt.NDArray[np.int64]:
        """A legal action of each game, all being equally likely; 0 where the game is over."""
        actions = np.zeros(len(self), np.int64)
        self._each(
            lambda begin, end: self.engine.choose_all(
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

    def play_out(self) -> npt.NDArray[np.int64]:
        """Play every game at random to its end; returns how many moves each took."""
        made = np.zeros(len(self), np.int64)
        self._each(
            lambda begin, end: self.engine.play_all(
                self._states, self._chances, self.engine.moves(), made, begin, end
            )
        )
        return made

    def play_games(
        self, games: int, first: int = 0
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """Play so many whole random games in each place, beside those of the batch."""
        made = np.zeros(len(self), np.int64)
        results = np.zeros((len(self), self.players), np.float64)
        self._each(
            lambda begin, end: self.engine.play_fresh(
                self.engine.state(),
                self.options,
                self.engine.chance(),
                self.engine.moves(),
                self.seed,
                first,
                games,
                made,
                results,
                begin,
                end,
            )
        )
        return made, results

    def masks(self) -> npt.NDArray[np.uint8]:
        """For each game and action 1 if it is legal, else 0; all 0 where the game is over."""
        masks = np.zeros((len(self), self.actions), np.uint8)
        self._each(
            lambda begin, end: self.engine.mark_all(
                self._states, self.catalogue, self.engine.moves(), masks, begin, end
            )
        )
        return masks

    def observations(self) -> npt.NDArray[np.float32]:
        """What the seat to act sees in each game, as numbers for a network."""
        out = np.zeros((len(self), self.shape.features), np.float32)
        self._each(
            lambda begin, end: self.engine.observe_all(
                self._states, self.engine.view(), out, begin, end
            )
        )
        return out

    def scores(self) -> npt.NDArray[np.int64]:
        """The points of each game and seat."""
        return self._tell()[0]

    def results(self) -> npt.NDArray[np.float64]:
        """Each seat's share of the win; zeros where the game is not over."""
        return self._tell()[1]

    def _tell(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        scores = np.zeros((len(self), self.players), np.int64)
        results = np.zeros((len(self), self.players), np.float64)
        self._each(
            lambda begin, end: self.engine.tell_all(
                self._states, self.players, scores, results, begin, end
            )
        )
        return scores, results

    def _each(self, work: Callable[[int, int], None]) -> None:
        """Do the work on all games, a share for each thread."""
        edges = np.linspace(0, len(self), self._threads + 1).astype(int).tolist()
        shares = itertools.pairwise(edges)
        for done in [self._pool.submit(work, begin, end) for begin, end in shares]:
            done.result()


def _cores() -> int:
    """How many threads can run at once here."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
