"""The bot that searches with a network: `engine.guided_search`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from theriac.bots.base import Question
from theriac.bots.network import Network, catalogue_of
from theriac.bots.network_choice import FILE, NetworkChoice
from theriac.bots.parameters import Parameter
from theriac.bots.search import BUDGET, MAX_NODES, SearchBot, TreeSearch
from theriac.engine.guided_search import Guide, GuidedBuffers, GuidedConfig
from theriac.engine.inference import NetworkArrays
from theriac.engine.records import View
from theriac.engine.rule import Speed
from theriac.game import Game, Settings


class GuidedSearch(TreeSearch):
    """The search of one thread."""

    def __init__(self, game: Game, guide: Guide, max_nodes: int, speed: Speed = "cpu") -> None:
        super().__init__(game, max_nodes, speed)
        self._guide = guide
        self._guided_buffers = GuidedBuffers.of(self._buffers, guide.network)

    def run(self, view: View, config: Any, simulations: int) -> None:
        """Run more simulations."""
        buffers = self._guided_buffers
        self.engine.search_guided(view, self._guide, self._tree, buffers, config, simulations)


class GuidedBot(SearchBot):
    """Searches with a trained network, which proposes moves and values positions."""

    PARAMETERS: ClassVar[tuple[Parameter, ...]] = (
        *BUDGET,
        FILE,
        Parameter("exploration", None, "exploration constant of PUCT", 0, 100),
        Parameter("temperature", None, "of the policy: above 1 it is flatter", 0.01, 100),
        Parameter("width", None, "consider only the N most probable moves; 0: all", 0, 1000),
        Parameter("reuse", None, "simulations per sampled state", 1, 1000),
        Parameter("sampled", None, "1: other seats play by the policy", 0, 1),
    )

    def __init__(self, name: str, seed: int = 0, *, file: str = "", **search: float) -> None:
        super().__init__(name, seed, **search)  # type: ignore[arg-type]
        self._networks = NetworkChoice(name, file)
        self._last: tuple[Settings, Sequence[TreeSearch]] | None = None

    def check(self, game: Game, settings: Settings) -> None:
        """Raise `Fault` if there is no network for this game with these settings."""
        self._networks.find(game, settings)

    def _config(self, game: Game) -> GuidedConfig:
        return GuidedConfig.of({**game.guided, **self._search})

    def _searches_for(self, question: Question) -> Sequence[TreeSearch]:
        """One search per thread, made once per game."""
        game, settings = question.game, question.settings
        if self._last is None or self._last[0] is not settings:
            guide = guide_of(game, settings, self._networks.find(game, settings))
            searches = [GuidedSearch(game, guide, MAX_NODES) for _ in range(self._threads)]
            self._last = settings, searches
        return self._last[1]


def guide_of(game: Game, settings: Settings, network: Network) -> Guide:
    """A network, and what the search has to know to use it in a game with these settings."""
    return Guide(arrays_of(network), catalogue_of(settings.text), settings.players, game.together)


def arrays_of(network: Network) -> NetworkArrays:
    """The weights of a network as the engine needs them."""
    *hidden, policy, value = network.layers
    return NetworkArrays.of(hidden, policy, value)
