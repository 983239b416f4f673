"""The bot that searches with a network: `engine.guided_search`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from theriac.bots.base import Question
from theriac.bots.network import Network, catalogue_of
from theriac.bots.network_choice import FILE, NetworkChoice
from theriac.bots.parameters import Parameter
from theriac.bots.search import BUDGET, SearchBot, TreeSearch
from theriac.bots.style import Style
from theriac.engine.guided_search import Guide, GuidedBuffers, GuidedConfig
from theriac.engine.inference import NetworkArrays
from theriac.engine.records import View
from theriac.engine.rule import Speed
from theriac.engine.styled_playouts import BY_NETWORK
from theriac.game import Game, Settings

#: Nodes of a tree: 7 MB per thread. A search of a second adds fewer.
_MAX_NODES = 1 << 17


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
        Parameter("sampled", None, "1: other seats play by the policy; 0: they search, too", 0, 1),
        Parameter("playout", None, "how much a playout counts beside the network", 0, 1),
        Parameter("playout_width", None, "of its random moves, a playout plays the best", 1, 1000),
        Parameter("rounds", None, "search N rounds; 0: to the end of the game", 0, 1000),
    )

    def __init__(self, name: str, seed: int = 0, *, file: str = "", **search: Any) -> None:
        super().__init__(name, seed, **search)
        self._networks = NetworkChoice(name, file)
        self._settings: Settings | None = None

    def check(self, game: Game, settings: Settings) -> None:
        """Raise `Fault` if there is no network for this game with these settings."""
        self._networks.find(game, settings)

    def suits(self, game: Game, settings: Settings) -> bool:
        """Whether the network was trained with these options."""
        return self._networks.trained_for(game, settings)

    def style(self, game: Game, settings: Settings) -> Style:
        """It plays much like its network."""
        return Style(BY_NETWORK, self._networks.find(game, settings))

    def _config(self, game: Game) -> GuidedConfig:
        return GuidedConfig.of({**game.guided, **self._search})

    def _searches_for(self, question: Question) -> Sequence[TreeSearch]:
        """One search per thread; other settings can have another network."""
        if self._settings is not question.settings:
            self._settings = question.settings
            self._searches.clear()
        return super()._searches_for(question)

    def _make_search(self, question: Question) -> TreeSearch:
        game, settings = question.game, question.settings
        guide = guide_of(game, settings, self._networks.find(game, settings))
        return GuidedSearch(game, guide, _MAX_NODES)


def guide_of(game: Game, settings: Settings, network: Network) -> Guide:
    """A network, and what the search has to know to use it in a game with these settings."""
    arrays = NetworkArrays.of(network.hidden, *network.heads)
    return Guide(arrays, catalogue_of(settings.text), settings.players, game.together)
