"""Networks that are given to a run: a frozen opponent, or the weights to start with.

>>> FrozenSpec.read("neural:temperature=1").text
'neural:temperature=1'
>>> FrozenSpec.read("greedy")
Traceback (most recent call last):
theriac.faults.Fault: greedy: only networks can be played against: name a network file, or write ...
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from theriac.bots.network import Network
from theriac.bots.network_choice import NetworkChoice
from theriac.bots.neural import NeuralBot
from theriac.bots.parameters import read_parameters
from theriac.engine.batch import Device
from theriac.faults import Fault, quote
from theriac.game import Game, Settings
from theriac.learn.policy import ActorCritic

_BOT = "neural"


class FrozenSpec(NamedTuple):
    """A spec of the bot `neural`: `file` is "" for the network that ships with the game."""

    file: str
    temperature: float

    @classmethod
    def read(cls, text: str) -> FrozenSpec:
        """The spec in a text, or that of a file or folder; raises `Fault`."""
        name, _, rest = text.partition(":")
        if name != _BOT:
            if not Path(text).exists():
                raise Fault(
                    f"{quote(text, 300)}: only networks can be played against: name a network "
                    f"file, or write {_BOT} for the network that ships with the game"
                )
            return cls(str(Path(text).absolute()), 0.0)
        values = read_parameters(_BOT, rest, NeuralBot.PARAMETERS)
        file, temperature = str(values.get("file", "")), float(values.get("temperature") or 0)
        return cls(str(Path(file).absolute()) if file else "", temperature)

    @property
    def text(self) -> str:
        """What names the same bot from any folder."""
        parts = [f"file={self.file}"] if self.file else []
        parts += [f"temperature={self.temperature:g}"] if self.temperature else []
        return ":".join([_BOT, *([",".join(parts)] if parts else [])])

    def network(self, game: Game, settings: Settings) -> Network:
        """The network for these settings; raises `Fault`."""
        return NetworkChoice(_BOT, self.file).find(game, settings)

    def opponent(self, game: Game, settings: Settings) -> ActorCritic:
        """A policy that plays as the bot does, and does not learn; raises `Fault`."""
        policy = ActorCritic.from_network(self.network(game, settings), self.temperature)
        policy.requires_grad_(False)
        return policy


def frozen_opponents(
    spec: str, game: Game, all_settings: Sequence[Settings], device: Device
) -> dict[int, ActorCritic]:
    """The frozen opponent of each player count; none without a spec. Raises `Fault`."""
    if not spec:
        return {}
    if game.together:
        raise Fault(
            f"{game.name}: all players win or lose together, so there is nobody to play against: "
            "train without --against"
        )
    frozen = FrozenSpec.read(spec)
    opponents = {settings.players: frozen.opponent(game, settings) for settings in all_settings}
    for opponent in opponents.values():
        opponent.to(device)
    return opponents


def load_initial(policy: ActorCritic, spec: str, game: Game, settings: Settings) -> None:
    """Give a new policy the weights of a network, except for its share head; raises `Fault`."""
    initial = ActorCritic.from_network(FrozenSpec.read(spec).network(game, settings))
    if initial.sizes != policy.sizes:
        width, layers = initial.sizes
        raise Fault(
            f"{quote(spec, 300)}: the network has {layers} hidden layers of {width} units: train "
            f"with --width {width} --layers {layers}"
        )
    policy.load_state_dict(initial.state_dict(), strict=False)
