"""Many games in one array, played on CPU threads.

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
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from theriac.engine.build import Engine, records
from theriac.engine.contract import NOBODY


class Batch:
    """n games of the same options; game i is game number i of the seed, however it is computed.

    An action is the place of a move in the `catalogue`, the ascending array of all moves; a game
    of too many moves for that has its own numbers, `actions` of them.
    """

    def __init__(
        self,
        engine: Engine,
        options: Any,
        catalogue: npt.NDArray[np.int64],
        actions: int,
        n: int,
        *,
        seed: int = 0,
        threads: int | None = None,
    ) -> None:
        self.engine = engine
        self.options = options
        self.catalogue = catalogue
        self.actions = actions
        self.players = int(options.players)
        self.states = records(engine.shape.state, n)
        self._urns = records(engine.shape.urn(), n)
        self._threads = threads or _cores()
        self._pool = ThreadPoolExecutor(self._threads)
        self.reset(seed)

    def __len__(self) -> int:
        return len(self.states)

    def reset(self, seed: int = 0, first: int = 0) -> None:
        """Begin games number `first` and up of a seed."""
        self._each(
            lambda begin, end: self.engine.start_all(
                self.states, self.options, self._urns, seed, first, begin, end
            )
        )

    @property
    def to_act(self) -> npt.NDArray[np.int16]:
        """The seat to act in each game; -2 where the game is over."""
        return np.asarray(self.states.to_act).copy()

    @property
    def over(self) -> npt.NDArray[np.bool_]:
        """Which games have ended?"""
        return self.to_act == NOBODY

    def step(self, actions: npt.ArrayLike) -> npt.NDArray[np.int64]:
        """Play an action in each game, and nature's cards after it.

        Returns the number of the clause that forbids it for each game, 0 where it was played: an
        illegal action changes nothing in its game. Any action is refused where the game is over.
        """
        chosen = np.asarray(actions)
        if chosen.shape != (len(self),) or chosen.dtype.kind not in "iu":
            raise ValueError(f"actions must be {len(self)} whole numbers, one a game")
        if len(self) and not 0 <= chosen.min() <= chosen.max() < self.actions:
            raise ValueError(f"an action is a number from 0 to {self.actions - 1}")
        wanted = chosen.astype(np.int64)
        clauses = np.zeros(len(self), np.int64)
        self._each(
            lambda begin, end: self.engine.step_all(
                self.states, self._urns, self.catalogue, wanted, clauses, begin, end
            )
        )
        return clauses

    def play_out(self) -> npt.NDArray[np.int64]:
        """Play every game at random to its end; returns how many moves each took."""
        made = np.zeros(len(self), np.int64)
        self._each(
            lambda begin, end: self.engine.play_all(
                self.states, self._urns, self.engine.moves(), made, begin, end
            )
        )
        return made

    def masks(self) -> npt.NDArray[np.uint8]:
        """For each game and action 1 if it is legal, else 0; all 0 where the game is over."""
        masks = np.zeros((len(self), self.actions), np.uint8)
        self._each(
            lambda begin, end: self.engine.mark_all(
                self.states, self.catalogue, self.engine.moves(), masks, begin, end
            )
        )
        return masks

    def observations(self) -> npt.NDArray[np.float32]:
        """What the seat to act sees in each game, as numbers for a network."""
        out = np.zeros((len(self), self.engine.shape.features), np.float32)
        self._each(
            lambda begin, end: self.engine.observe_all(
                self.states, self.engine.view(), out, begin, end
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
                self.states, self.players, scores, results, begin, end
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
