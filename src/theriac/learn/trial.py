"""How good is it by now? Against random play, in many games at once.

It is a quick look and no more: `theriac arena` measures on the same deals from every seat.
"""

from __future__ import annotations

from typing import Any

import torch

from theriac.engine.batch import Device
from theriac.game import Game, Settings
from theriac.learn.network import Net
from theriac.learn.selfplay import batch_actions, take


def share_against_random(
    net: Net, game: Game, settings: Settings, games: int, device: Device, seed: int
) -> float:
    """The share of the win of a seat that plays the likeliest action, all others at random.

    In a game that is won or lost together the network has all seats: the share of games won.
    """
    batch = game.batch(settings, games, device=device, seed=seed)
    places = torch.arange(games, device=device)
    own = places % batch.players
    while True:
        seats = take(batch.to_act)
        if bool((seats < 0).all()):
            break
        likely = think(net, batch)
        mine = torch.ones_like(seats, dtype=torch.bool) if game.together else seats == own
        batch.step(batch_actions(torch.where(mine, likely, take(batch.random_actions()))))
    shares = take(batch.results())
    won = shares.sum(-1) if game.together else shares[places, own]
    return float(won.mean())


def think(net: Net, batch: Any) -> Any:
    """The likeliest action of each game."""
    with torch.no_grad():
        likely, _ = net(take(batch.observations()), take(batch.masks()).bool())
    return likely.argmax(-1)
