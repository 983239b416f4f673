"""Many games on CPU threads."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from theriac.engine.batch import Batch, BatchSource
from theriac.engine.build import Engine
from theriac.engine.chance import ChanceState
from theriac.engine.records import Features, Floats, Ints, Mask, Records, State, records
from theriac.engine.saved_batch import BatchContent
from theriac.engine.seeds import check_number


class CpuBatch(Batch):
    """A batch on CPU threads."""

    device = "cpu"

    def __init__(self, source: BatchSource, engine: Engine, threads: int | None) -> None:
        super().__init__(source)
        self.engine = engine
        n = source.n
        self._states: Records[State] = records(engine.shape.state, n)
        self._chances: Records[ChanceState] = records(engine.shape.chance, n)
        self._numbers = np.zeros(n, np.int64)
        self._ended = np.zeros(n, np.uint8)
        self._rewards = np.zeros((n, self.players), np.float32)
        self._threads = threads or available_cores()
        self._pool = ThreadPoolExecutor(self._threads)

    @property
    def states(self) -> Records[State]:
        """The STATE of each game."""
        return self._states

    @property
    def chances(self) -> Records[ChanceState]:
        """What nature draws from in each game."""
        return self._chances

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

    def _clear_ended(self) -> None:
        self._ended[:] = 0
        self._rewards[:] = 0

    def _start(self, numbers: Ints, chosen: Mask) -> None:
        self._numbers[:] = numbers
        self._on_threads(
            lambda begin, end: self.engine.start_all(
                *(self._states, self.options, self._chances, self._key, self._numbers, chosen),
                *(begin, end),
            )
        )

    def step(self, actions: npt.ArrayLike) -> Ints:
        """Play an action in each game, and nature's cards after it."""
        given = np.asarray(actions)
        self._check_length(given)
        self._check_range(given)
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
            self._key,
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

    def play_bots(self, bots: Mask, streams: Ints) -> None:
        """In each game, let bots play until a seat without one is to act or the game is over.

        `bots` has a bot of `engine.bot_loops` for each seat, `streams` the random stream of the
        bots of each game.
        """
        self._on_threads(
            lambda begin, end: self.engine.play_bots_all(
                self._states,
                self._chances,
                streams,
                bots,
                self.engine.view(),
                self.engine.moves(),
                begin,
                end,
            )
        )

    def play_games(self, games: int, first: int = 0) -> tuple[Ints, Floats]:
        """Play `games` whole random games at each index, apart from the games of the batch."""
        first = check_number(first, games * len(self))
        moves_played = np.zeros(len(self), np.int64)
        results = np.zeros((len(self), self.players), np.float64)
        self._on_threads(
            lambda begin, end: self.engine.play_games_all(
                self.engine.state(),
                self.options,
                self.engine.chance(),
                self.engine.moves(),
                self._key,
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

    def observations(self, seat: int | None = None) -> Features:
        """What a seat, by default the one to act, sees in each game, as features for a network."""
        viewer = self._viewer(seat)
        out = np.zeros((len(self), self.shape.features), np.float32)
        self._on_threads(
            lambda begin, end: self.engine.observe_all(
                self._states, viewer, self.engine.view(), out, begin, end
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

    # Copies

    def _state_of(self, i: int) -> bytes:
        state: Any = self._states[i]
        return bytes(state.tobytes())

    def _content(self) -> BatchContent:
        return BatchContent(self._states, self._chances, self._numbers, self._ended, self._rewards)

    def _copy_from(self, other: Self) -> None:
        self._load(other._content())

    def _load(self, content: BatchContent) -> None:
        for own, loaded in zip(self._content(), content, strict=True):
            np.asarray(own)[:] = np.asarray(loaded)

    def _on_threads(self, work: Callable[[int, int], None]) -> None:
        """Split all games evenly among the threads, and wait for them."""
        edges = np.linspace(0, len(self), self._threads + 1).astype(int).tolist()
        for future in [self._pool.submit(work, *pair) for pair in itertools.pairwise(edges)]:
            future.result()


def available_cores() -> int:
    """The number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
