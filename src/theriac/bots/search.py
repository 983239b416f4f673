"""The bot that searches: `engine.search` with a budget, on one or more threads."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar, Final

from theriac.bots.base import Bot, Question
from theriac.bots.parameters import Parameter
from theriac.engine.records import View
from theriac.engine.rule import Speed
from theriac.engine.search import SearchBuffers, SearchConfig, SearchTree
from theriac.game import Game

#: Nodes of a tree: 13 MB per thread. A full tree still updates its nodes.
_MAX_NODES = 1 << 18
#: Keys of random numbers. The bots of recorded games had keys of 32 bits.
_KEYS = 1 << 32
#: Simulations before the clock is first read, doubled until a batch takes this many seconds.
_FIRST_BATCH = 64
_BATCH_SECONDS = 0.001
#: The share of the time allowed that is spent on searching.
_SHARE_OF_TIME = 0.5


class TreeSearch:
    """The search of one thread: its tree and its buffers."""

    def __init__(self, game: Game, max_nodes: int, speed: Speed = "cpu") -> None:
        self.engine = game.engine(speed)
        self._tree = SearchTree.of(max_nodes)
        self._buffers = SearchBuffers.of(game.shape)

    def reset(self, key: int, stream: int) -> None:
        """Empty the tree, and start a stream of random numbers."""
        counts = self._tree.counts
        counts.nodes = counts.simulations = counts.moves = 0
        self._tree.slots[:] = 0
        self.engine.seed_stream(self._buffers.chance.random, key, stream)

    def run(self, view: View, config: Any, simulations: int) -> None:
        """Run more simulations."""
        self.engine.search_more(view, self._tree, self._buffers, config, simulations)

    @property
    def nodes(self) -> Any:
        """The nodes in use, an `engine.search.NODE` each; the root is the first."""
        return self._tree.nodes[: int(self._tree.counts.nodes)]

    @property
    def simulations(self) -> int:
        """Simulations run since the tree was empty."""
        return int(self._tree.counts.simulations)

    @property
    def moves(self) -> int:
        """Moves played in these simulations."""
        return int(self._tree.counts.moves)

    @property
    def nbytes(self) -> int:
        """The memory of the tree."""
        return int(self._tree.nodes.nbytes + self._tree.slots.nbytes)

    def visits(self) -> dict[int, float]:
        """The visits of each move from the root."""
        children = self.nodes[1:][self.nodes.parent[1:] == 0]
        return {int(node.move): float(node.visits) for node in children}


#: The budget of a bot that searches.
BUDGET: Final = (
    Parameter("ms", 200.0, "milliseconds per move", 0, 3_600_000),
    Parameter("simulations", 0, "simulations per move and thread, instead of ms", 0),
    Parameter("threads", 1, "threads, each with its own tree", 1, 256),
)


class SearchBot(Bot):
    """Searches for a number of milliseconds per move, or for a number of simulations.

    With simulations the same seed gives the same move; with milliseconds the move depends on how
    fast the machine is. Search parameters that are not given are the game's own.
    """

    PARAMETERS: ClassVar[tuple[Parameter, ...]] = (
        *BUDGET,
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
        **search: float,
    ) -> None:
        super().__init__(name, seed)
        self._ms = ms
        self._simulations = simulations
        self._threads = threads
        self._search = search
        self._searches: dict[str, Sequence[TreeSearch]] = {}

    def answer(self, question: Question) -> int:
        """The move with the most visits."""
        if len(question.legal) == 1:
            return int(question.legal[0])
        visits = self.look_ahead(question)
        return max(sorted(visits), key=lambda move: visits[move])

    def look_ahead(self, question: Question) -> dict[int, float]:
        """The visits of each move, over all threads."""
        searches = self._searches_for(question)
        key = self.rng(question).getrandbits(62) % _KEYS
        for number, search in enumerate(searches):
            search.reset(key, number)
        if len(searches) == 1:
            self._run(searches[0], question)
        else:
            with ThreadPoolExecutor(len(searches)) as pool:
                list(pool.map(lambda search: self._run(search, question), searches))
        total: dict[int, float] = {}
        for search in searches:
            for move, visits in search.visits().items():
                total[move] = total.get(move, 0.0) + visits
        return total

    def _run(self, search: TreeSearch, question: Question) -> None:
        """Run simulations in batches until the budget is spent, reading the clock in between."""
        config = self._config(question.game)
        ms = self._ms if question.ms is None else min(self._ms, question.ms * _SHARE_OF_TIME)
        end = time.perf_counter() + ms / 1000
        batch = _FIRST_BATCH
        while True:
            left = self._simulations - search.simulations
            start = time.perf_counter()
            search.run(question.view, config, min(batch, left) if self._simulations else batch)
            now = time.perf_counter()
            if left <= batch if self._simulations else now >= end:
                return
            if now - start < _BATCH_SECONDS:
                batch *= 2

    def _config(self, game: Game) -> Any:
        """The config that searches of a game run with."""
        return SearchConfig.of({**game.search, **self._search})

    def _searches_for(self, question: Question) -> Sequence[TreeSearch]:
        """One search per thread, made for the first question about a game."""
        name = question.game.name
        if name not in self._searches:
            self._searches[name] = [self._make_search(question) for _ in range(self._threads)]
        return self._searches[name]

    def _make_search(self, question: Question) -> TreeSearch:
        """The search of one thread."""
        return TreeSearch(question.game, _MAX_NODES)

    def searches(self, game: Game) -> Sequence[TreeSearch]:
        """The searches of the threads, after a question about the game."""
        return self._searches[game.name]

    def simulated(self, game: Game) -> tuple[int, int]:
        """The number of simulations and moves in the last search of a game."""
        searches = self.searches(game)
        return sum(s.simulations for s in searches), sum(s.moves for s in searches)
