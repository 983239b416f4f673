"""What a move costs in games that searches play on: a witness apart from the review.

In states that the seat could imagine, both moves are made and the game is played on to its end,
every seat choosing each move by a short search of its own view. No network and not the reference
policy takes part. The search is the one of the bot `search`, with the game's own parameters: the
playouts inside it may use the game's heuristics.

Both moves are tried in the same states, with the same cards to come, and equal positions get equal
searches (common random numbers). So the cost is a mean of paired differences, with its error.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from theriac.bots import ask
from theriac.bots.search import TreeSearch
from theriac.engine.contract import NOBODY
from theriac.engine.records import View
from theriac.engine.search import SearchConfig
from theriac.game import Game
from theriac.match import Match

#: Simulations of each search.
SIMULATIONS = 200
#: States are imagined in batches of this size.
BATCH = 8
_MAX_NODES = 1 << 10
#: Searches of one game have streams apart.
_MOST_MOVES = 1 << 16


class Cost(NamedTuple):
    """What a move costs, as a share of the win, with its standard error."""

    mean: float = 0.0
    error: float = 0.0
    states: int = 0

    @classmethod
    def of(cls, differences: Sequence[float]) -> Cost:
        """From the differences in each state. A few equal ones do not mean that it is certain."""
        states = len(differences)
        error = np.std(differences, ddof=1) / states**0.5
        return cls(float(np.mean(differences)), max(float(error), 1 / states), states)

    def behind(self, other: Cost) -> float:
        """By how many standard errors it is smaller than another one."""
        return (other.mean - self.mean) / float(np.hypot(self.error, other.error))


class Witness:
    """Plays games on by searches."""

    def __init__(self, game: Game, simulations: int = SIMULATIONS) -> None:
        self._game = game
        self._engine = game.engine()
        self._config = SearchConfig.of(game.search)
        self._search = TreeSearch(game, _MAX_NODES)
        self._simulations = simulations
        self._g, self._view = self._engine.state(), self._engine.view()
        self._chance, self._moves = self._engine.chance(), self._engine.moves()

    def cost(
        self, match: Match, worse: int, better: int, key: int, known: Callable[[Cost], bool]
    ) -> Cost:
        """What the worse move costs: in more and more states, until that is known well enough."""
        differences: list[float] = []
        view, players = ask(match).view, match.settings.players
        while True:
            for _ in range(BATCH):
                row = len(differences)
                shares = [self._share(view, players, each, key, row) for each in (better, worse)]
                differences.append(shares[0] - shares[1])
            found = Cost.of(differences)
            if known(found):
                return found

    def _share(self, view: View, players: int, move: int, key: int, row: int) -> float:
        """The share of the win of the seat to act after a move, in the state of a row."""
        engine, g, chance = self._engine, self._g, self._chance
        engine.seed_stream(chance.random, key, 2 * row)
        engine.imagine(view, chance.random, g)
        engine.seed_stream(chance.random, key, 2 * row + 1)
        engine.forget_packs(chance)
        engine.play(g, move)
        engine.advance(g, chance)
        made = 0
        while g.to_act != NOBODY:
            engine.play(g, self._choose(key + 1, row * _MOST_MOVES + made))
            engine.advance(g, chance)
            made += 1
        scores, results = np.zeros(players, np.int64), np.zeros(players)
        engine.write_scores(g, players, scores, results)
        return float(results[view.to_act]) * (players if self._game.together else 1)

    def _choose(self, key: int, stream: int) -> int:
        """The move that a search of the seat to act visits most."""
        g, search = self._g, self._search
        if self._engine.list_legal(g, self._moves) == 1:
            return int(self._moves[0])
        self._engine.see(g, g.to_act, self._view)
        search.reset(key, stream)
        search.run(self._view, self._config, self._simulations)
        children = search.nodes[1:][search.nodes.parent[1:] == 0]
        return int(children.move[children.visits.argmax()])
