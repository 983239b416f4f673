"""The bot that searches: `engine.search` with a budget, on as many threads as are given."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from theriac.bots.base import Bot, Question
from theriac.bots.parameters import Parameter
from theriac.engine.build import records
from theriac.engine.rule import Speed
from theriac.engine.search import COUNTS, HOW, MOVES, NODE, NODES, SIMULATIONS
from theriac.game import Game

#: Nodes of a tree: 13 MB a thread. A full tree goes on learning in the nodes it has.
_MOST_NODES = 1 << 18
_DEEPEST = 64
#: Simulations before the first look at the clock; then twice as many each time, until they take
#: so many seconds.
_AT_FIRST = 64
_BETWEEN_LOOKS = 0.001
#: How much of the time that is allowed is searched.
_OF_THE_TIME = 0.5


@dataclass(frozen=True)
class How:
    """How to search; see `engine.search`."""

    exploration: float = 0.7
    playout_width: int = 1
    width: int = 0
    rounds: int = 1
    reuse: int = 1

    def asked(self) -> npt.NDArray[np.float64]:
        """As the search wants it."""
        asked = np.array(
            [self.exploration, self.playout_width, self.width, self.rounds, self.reuse], np.float64
        )
        assert len(asked) == HOW
        return asked


class Tree:
    """One thread's tree, and the paper it needs."""

    def __init__(self, game: Game, nodes: int, speed: Speed = "cpu") -> None:
        self.engine = game.engine(speed)
        shape = game.shape
        self._chance = self.engine.chance()
        self._states = records(shape.state, 2)
        self._w = self.engine.view()
        self._room = self.engine.moves()
        self._worths = np.zeros(shape.moves)
        self._kids = np.zeros(shape.moves, np.int32)
        self._fresh = np.zeros(shape.moves, np.int32)
        self._nodes = records(NODE, nodes)
        self._buckets = np.zeros(2 * nodes, np.int32)
        self._path = np.zeros((_DEEPEST, 2), np.int32)
        self._ends = np.zeros(shape.players)
        self.counts = np.zeros(COUNTS, np.int64)

    def begin(self, key: int, stream: int) -> None:
        """Forget everything, and draw from this stream of random numbers."""
        self.counts[:] = 0
        self._buckets[:] = 0
        self.engine.seed_stream(self._chance.random, key, stream)

    def grow(self, view: Any, how: npt.NDArray[np.float64], times: int) -> None:
        """Simulate so many times."""
        self.engine.search_more(
            view, self._w, self._states, self._chance, self._room, self._worths, self._kids,
            self._fresh, self._nodes, self._buckets, self._path, self._ends, how, self.counts,
            times,
        )  # fmt: skip

    @property
    def nodes(self) -> Any:
        """Those there are, an `engine.search.NODE` each; the root is the first."""
        return self._nodes[: int(self.counts[NODES])]

    @property
    def nbytes(self) -> int:
        """How much room it takes."""
        return int(self._nodes.nbytes + self._buckets.nbytes)

    def visits(self) -> dict[int, float]:
        """How often each move from the root was tried."""
        first = self.nodes[1:][self.nodes.parent[1:] == 0]
        return {int(node.move): float(node.visits) for node in first}


class SearchBot(Bot):
    """Looks ahead for so many milliseconds a move, or so many simulations.

    A move that is searched by simulations is always the same; one that is searched by the clock
    depends on how fast the machine is. What is not said about how to search is as the game says.
    """

    PARAMETERS: ClassVar = (
        Parameter("ms", 200.0, "milliseconds per move", 0, 3_600_000),
        Parameter("simulations", 0, "simulations per move and thread, instead of ms", 0),
        Parameter("threads", 1, "threads, each with its own tree", 1, 256),
        Parameter("exploration", None, "exploration constant of UCB1", 0, 100, "curiosity"),
        Parameter(
            "playout_width",
            None,
            "a playout plays the best of N random moves; 1: random",
            1,
            1000,
            "few",
        ),
        Parameter("width", None, "expand only the N moves rated best; 0: all", 0, 1000),
        Parameter("reuse", None, "simulations per sampled state", 1, 1000, "again"),
        Parameter("rounds", None, "stop a playout after N rounds; 0: at the end", 0, 1000),
    )

    def __init__(
        self,
        name: str,
        seed: int = 0,
        *,
        ms: float = 200,
        simulations: int = 0,
        threads: int = 1,
        **how: float,
    ) -> None:
        super().__init__(name, seed)
        self._ms = ms
        self._simulations = simulations
        self._threads = threads
        self._how = how
        self._trees: dict[str, list[Tree]] = {}

    def answer(self, question: Question) -> int:
        """The move tried most often."""
        if len(question.legal) == 1:
            return int(question.legal[0])
        visits = self.look_ahead(question)
        return max(sorted(visits), key=lambda move: visits[move])

    def look_ahead(self, question: Question) -> dict[int, float]:
        """How often each move was tried, over all threads."""
        trees = self.trees(question.game)
        key = self.chance(question).getrandbits(62)
        for number, tree in enumerate(trees):
            tree.begin(key, number)
        if len(trees) == 1:
            self._grow(trees[0], question)
        else:
            with ThreadPoolExecutor(len(trees)) as pool:
                list(pool.map(lambda tree: self._grow(tree, question), trees))
        total: dict[int, float] = {}
        for tree in trees:
            for move, visits in tree.visits().items():
                total[move] = total.get(move, 0.0) + visits
        return total

    def _grow(self, tree: Tree, question: Question) -> None:
        """Simulate until the budget is spent, looking at the clock now and then."""
        how = How(**{**question.game.search, **self._how}).asked()  # type: ignore[arg-type]
        ms = self._ms if question.ms is None else min(self._ms, question.ms * _OF_THE_TIME)
        end = time.perf_counter() + ms / 1000
        times = _AT_FIRST
        while True:
            left = self._simulations - int(tree.counts[SIMULATIONS])
            start = time.perf_counter()
            tree.grow(question.view, how, min(times, left) if self._simulations else times)
            now = time.perf_counter()
            if left <= times if self._simulations else now >= end:
                return
            if now - start < _BETWEEN_LOOKS:
                times *= 2

    def trees(self, game: Game) -> list[Tree]:
        """A tree a thread."""
        if game.name not in self._trees:
            self._trees[game.name] = [Tree(game, _MOST_NODES) for _ in range(self._threads)]
        return self._trees[game.name]

    def simulated(self, game: Game) -> tuple[int, int]:
        """How many simulations and moves the last search of a game made."""
        counts = [tree.counts for tree in self.trees(game)]
        return sum(int(c[SIMULATIONS]) for c in counts), sum(int(c[MOVES]) for c in counts)
