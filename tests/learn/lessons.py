"""Small trainings for the tests here."""

from __future__ import annotations

from typing import Any

import torch

from theriac.game import find
from theriac.learn.network import Net
from theriac.learn.recipe import Recipe
from theriac.learn.selfplay import Club

#: Four hands of three cards and four rounds: 48 moves.
DECK = "R1 R4 R7 B1 B4 B7 P1 P4 P7 X X X".split()
OPTIONS = {"deck": DECK}


def recipe_of(**given: Any) -> Recipe:
    """A recipe for a small game that learns nothing much, but fast."""
    usual: dict[str, Any] = {
        "game": "poison",
        "players": (4,),
        "options": OPTIONS,
        "games": 12,
        "moves": 40,
        "width": 16,
        "layers": 2,
        "rows": 64,
        "rate": 0.001,
    }
    return Recipe(**(usual | given))


def club_of(recipe: Recipe) -> Club:
    """The games of a recipe with one number of players."""
    return Club(find(recipe.game), recipe, recipe.players[0], recipe.games, "cpu", 0)


def net_of(club: Club, recipe: Recipe, seed: int = 0) -> Net:
    """A network that knows nothing, but likes some moves more than others."""
    torch.manual_seed(seed)
    net = Net(club.batch.shape.features, club.batch.actions, recipe.width, recipe.layers)
    torch.nn.init.normal_(net.policy.weight, 0, 0.5)
    return net


def chance(seed: int = 0) -> torch.Generator:
    """Random numbers of a seed."""
    return torch.Generator().manual_seed(seed)
