"""Untrained networks for every game, for tests in which any answer will do."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from theriac.bots.network import Network, metadata_of
from theriac.game import Game, all_games


def blank_network(game: Game, players: int, width: int = 8, seed: int = 1) -> Network:
    """A network with random weights that fits a game."""
    settings = game.settings({"players": players, "first": 0})
    metadata = metadata_of(game, settings, (players,), version="test")
    random = np.random.default_rng(seed)
    sizes = [(metadata.features, width), (width, metadata.actions), (width, 1)]
    layers = [
        (random.normal(0, 0.3, size).astype(np.float32), np.zeros(size[1], np.float32))
        for size in sizes
    ]
    return Network(metadata, tuple(layers))


def write_networks(folder: Path) -> None:
    """One network for each game, for its largest player count."""
    for game in all_games().values():
        blank_network(game, game.players[-1]).write(folder / f"{game.name}.npz")
