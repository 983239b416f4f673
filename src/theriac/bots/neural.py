"""The bot that plays with a trained policy network, in well under ten milliseconds per move.

Networks that ship with a game are in its folder `networks`; `theriac train` makes others.
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
    """Plays with a trained network: one that ships with the game, or one from `theriac train`."""

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
        """Raise `Fault` if there is no network for this game with these settings."""
        self._network(game, settings)

    def answer(self, question: Question) -> int:
        """The most probable legal move, or one sampled from the policy."""
        network = self._network(question.game, question.settings)
        engine = question.game.engine(question.speed)
        catalogue = catalogue_of(question.settings.text)
        # The action numbers of moves depend only on what the seat sees, but the rules look them up
        # in a full state: any state that is consistent with the view gives the same numbers.
        g, stream = engine.state(), np.zeros(3, np.int64)
        engine.seed_stream(stream, 0, 0)
        engine.imagine(question.view, stream, g)
        mask = np.zeros(network.metadata.actions, np.uint8)
        engine.mark_legal(g, catalogue, engine.moves(), mask)
        observation = np.zeros(network.metadata.features, np.float32)
        engine.encode(question.view, observation)
        legal_actions = np.flatnonzero(mask)
        logits = network.forward(observation)[0][legal_actions]
        action = int(legal_actions[self._choose(logits, question)])
        return int(engine.move_of(g, catalogue, action))

    def _choose(self, logits: npt.NDArray[np.float32], question: Question) -> int:
        """The index of the largest logit, or a sample from the softmax at the temperature."""
        if not self._temperature:
            return int(logits.argmax())
        weights = np.exp((logits - logits.max()).astype(np.float64) / self._temperature)
        return self.rng(question).choices(range(len(weights)), weights.tolist())[0]

    def _network(self, game: Game, settings: Settings) -> Network:
        """The network for these settings, found and checked once per game; raises `Fault`."""
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
        """The file that was named, or of the networks that fit the one trained for most steps."""
        if self._file and not self._file.is_dir():
            return read_network(self._file)
        folder = self._file or game.folder / "networks"
        networks = [read_network(path) for path in sorted(folder.glob("*.npz"))]
        fitting = [
            network
            for network in networks
            if network.metadata.game == game.name and players in network.metadata.players
        ]
        if fitting:
            return max(fitting, key=lambda network: network.metadata.steps)
        where = f"is in {quote(str(folder), 300)}" if self._file else "ships with the game"
        raise Fault(
            f"bot {quote(self.name)}: no network for {game.name} with {players} players {where}: "
            f"train one (theriac train {game.name} --players {players}) and name it "
            "(neural:file=PATH)"
        )
