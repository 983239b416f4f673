"""The bot that plays with a trained policy network, in well under ten milliseconds per move.

Networks that ship with a game are in its folder `networks`; `theriac train` makes others.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import numpy.typing as npt

from theriac.bots.base import Bot, Question
from theriac.bots.network import catalogue_of
from theriac.bots.network_choice import FILE, NetworkChoice
from theriac.bots.parameters import Parameter
from theriac.bots.style import Style
from theriac.engine.records import Moves
from theriac.engine.styled_playouts import BY_NETWORK
from theriac.game import Game, Settings


class NeuralBot(Bot):
    """Plays with a trained network: one that ships with the game, or one from `theriac train`."""

    PARAMETERS: ClassVar = (
        FILE,
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
        self._networks = NetworkChoice(name, file)
        self._temperature = temperature

    def check(self, game: Game, settings: Settings) -> None:
        """Raise `Fault` if there is no network for this game with these settings."""
        self._networks.find(game, settings)

    def suits(self, game: Game, settings: Settings) -> bool:
        """Whether the network was trained with these options."""
        return self._networks.trained_for(game, settings)

    def answer(self, question: Question) -> int:
        """The most probable legal move, or one sampled from the policy."""
        moves, weights = self._weigh(question)
        if not self._temperature:
            return int(moves[weights.argmax()])
        return int(self.rng(question).choices(moves.tolist(), weights.tolist())[0])

    def policy(self, question: Question) -> npt.NDArray[np.float64]:
        """The policy of the network at the temperature; at 0 one move is certain."""
        moves, weights = self._weigh(question)
        chances = np.zeros(len(question.legal))
        np.add.at(chances, np.searchsorted(question.legal, moves), weights / weights.sum())
        return chances

    def style(self, game: Game, settings: Settings) -> Style:
        """It plays just so."""
        return Style(BY_NETWORK, self._networks.find(game, settings), self._temperature)

    def _weigh(self, question: Question) -> tuple[Moves, npt.NDArray[np.float64]]:
        """The moves that it can play, and how likely each is, up to a factor."""
        network = self._networks.find(question.game, question.settings)
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
        moves = [engine.move_of(g, catalogue, int(action)) for action in legal_actions]
        if not self._temperature:
            weights = (np.arange(len(logits)) == logits.argmax()).astype(np.float64)
        else:
            weights = np.exp((logits - logits.max()).astype(np.float64) / self._temperature)
        return np.array(moves, np.int64), weights
