"""The bot that has learnt: a network answers what its seat sees, in well under a hundredth second.

The networks that come with a game lie in its folder `networks`; `theriac train` makes others.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from theriac.bots.base import Bot, Question
from theriac.bots.network import Network, catalogue_of, read_network
from theriac.bots.parameters import Parameter
from theriac.faults import Fault, quote
from theriac.game import Game, Settings


class NeuralBot(Bot):
    """Plays what a trained network likes best: the game's own, or one that `theriac train` made."""

    PARAMETERS: ClassVar = (
        Parameter("file", "", "a network, or a folder of networks, instead of the game's own"),
        Parameter(
            "temperature",
            0.0,
            "0 plays the most probable move, 1 samples from the policy",
            least=0,
            most=10,
            old_name="heat",
        ),
    )

    def __init__(
        self, name: str, seed: int = 0, *, file: str = "", temperature: float = 0.0
    ) -> None:
        super().__init__(name, seed)
        self._file = Path(file) if file else None
        self._temperature = temperature
        self._last: tuple[Settings, Network] | None = None

    def check(self, game: Game, settings: Settings) -> None:
        """Is there a network for this game? Raises `Fault`."""
        self._network(game, settings)

    def answer(self, question: Question) -> int:
        """The move whose action the network likes best, or one drawn by how it likes them."""
        network = self._network(question.game, question.settings)
        engine = question.game.engine(question.speed)
        catalogue = catalogue_of(question.settings.text)
        # Which action a move is depends on what its seat sees, and is asked of a state: any that
        # the view allows will do.
        g, random = engine.state(), np.zeros(3, np.int64)
        engine.seed_stream(random, 0, 0)
        engine.imagine(question.view, random, g)
        mask = np.zeros(network.label.actions, np.uint8)
        engine.mark_legal(g, catalogue, engine.moves(), mask)
        seen = np.zeros(network.label.features, np.float32)
        engine.encode(question.view, seen)
        legal = np.flatnonzero(mask)
        liking = network.think(seen)[0][legal]
        return int(engine.move_of(g, catalogue, int(legal[self._choose(liking, question)])))

    def _choose(self, liking: npt.NDArray[np.float32], question: Question) -> int:
        if not self._temperature:
            return int(liking.argmax())
        weights = np.exp((liking - liking.max()).astype(np.float64) / self._temperature)
        return self.chance(question).choices(range(len(weights)), weights.tolist())[0]

    def _network(self, game: Game, settings: Settings) -> Network:
        """The network for this table, checked when the table is another; raises `Fault`."""
        if self._last and self._last[0] is settings:
            return self._last[1]
        network = self._find(game, settings.players)
        try:
            network.check(game, settings)
        except Fault as fault:
            raise Fault(f"bot {quote(self.name)}: {fault}") from None
        self._last = settings, network
        return network

    def _find(self, game: Game, players: int) -> Network:
        if self._file and not self._file.is_dir():
            return read_network(self._file)
        folder = self._file or game.folder / "networks"
        found = [read_network(path) for path in sorted(folder.glob("*.npz"))]
        fitting = [n for n in found if n.label.game == game.name and players in n.label.players]
        if fitting:
            return max(fitting, key=lambda network: network.label.steps)
        where = f"in {quote(str(folder), 300)}" if self._file else "with it"
        raise Fault(
            f"bot {quote(self.name)}: no network for {game.name} with {players} players comes "
            f"{where}: train one (theriac train {game.name} --players {players}) and name it "
            "(neural:file=PATH)"
        )
