"""Networks that have learnt nothing, for every game: what matters is that they answer."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from theriac.bots.network import Network, label_of
from theriac.game import Game, all_games


def blank_network(game: Game, players: int, width: int = 8, seed: int = 1) -> Network:
    """A network of random numbers that fits a game."""
    settings = game.settings({"players": players, "first": 0})
    label = label_of(game, settings, (players,), theriac="test")
    random = np.random.default_rng(seed)
    sizes = [(label.features, width), (width, label.actions), (width, 1)]
    layers = [
        (random.normal(0, 0.3, size).astype(np.float32), np.zeros(size[1], np.float32))
        for size in sizes
    ]
    return Network(label, tuple(layers))


def write_networks(folder: Path) -> None:
    """One for each game with as many players as can play it."""
    for game in all_games().values():
        blank_network(game, game.players[-1]).write(folder / f"{game.name}.npz")
