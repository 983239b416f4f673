"""Which network a bot plays with: one that ships with the game, or one from `theriac train`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np

from theriac.bots.network import Network, read_network
from theriac.bots.parameters import Parameter
from theriac.faults import Fault, quote
from theriac.game import Game, Settings

#: The parameter of a bot that plays with a network.
FILE: Final = Parameter("file", "", "a network, or a folder of networks, instead of the game's own")


class NoNetwork(Fault):
    """There is no network for this game with these settings."""


class NetworkChoice:
    """Finds the network for a game: in the file or folder named, or in the folder of the game."""

    def __init__(self, bot: str, file: str) -> None:
        self._bot = bot
        self._file = Path(file) if file else None
        self._last: tuple[Settings, Network] | None = None

    def find(self, game: Game, settings: Settings) -> Network:
        """The network for these settings, found and checked once per game; raises `Fault`."""
        if self._last and self._last[0] is settings:
            return self._last[1]
        network = self._choose(game, settings.players)
        try:
            network.check(game, settings)
        except Fault as fault:
            raise NoNetwork(f"bot {quote(self._bot)}: {fault}") from None
        self._last = settings, network
        return network

    def trained_for(self, game: Game, settings: Settings) -> bool:
        """Whether there is a network that was trained with these options."""
        try:
            network = self.find(game, settings)
        except Fault:
            return False
        same = {"players": settings.players, "first": int(settings.options.first)}
        trained = game.settings({**network.metadata.options, **same})
        return bool(np.asarray(trained.options).tobytes() == np.asarray(settings.options).tobytes())

    def _choose(self, game: Game, players: int) -> Network:
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
        raise NoNetwork(
            f"bot {quote(self._bot)}: no network for {game.name} with {players} players {where}: "
            f"train one (theriac train {game.name} --players {players}) and name it "
            f"({self._bot.partition(':')[0]}:file=PATH)"
        )


def shipped_network(game: Game, settings: Settings) -> Network | None:
    """The network that ships with a game for these settings; None if there is none."""
    try:
        return NetworkChoice("neural", "").find(game, settings)
    except NoNetwork:
        return None
