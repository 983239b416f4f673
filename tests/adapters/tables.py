"""The games and player counts that the adapter tests use: all of them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

from theriac.adapters.episode import Episode
from theriac.game import Game, all_games

GAMES = list(all_games().values())
SIZES = [(game, players) for game in GAMES for players in game.players]
#: The smallest and the largest player count of each game.
ENDS = [(game, players) for game in GAMES for players in {game.players[0], game.players[-1]}]


def _names(sizes: list[tuple[Game, int]]) -> list[str]:
    return [f"{game.name}-{players}" for game, players in sizes]


each_game = pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
each_size = pytest.mark.parametrize(("game", "players"), SIZES, ids=_names(SIZES))
each_end = pytest.mark.parametrize(("game", "players"), ENDS, ids=_names(ENDS))


def pick(mask: Any, random: Random) -> int:
    """A legal action."""
    return int(random.choice(np.flatnonzero(mask).tolist()))


def resampled(episode: Episode, seat: int) -> Iterator[bytes]:
    """Put the episode into states with the same VIEW for a seat, one by one; yields each STATE."""
    true = episode.state
    for number in range(3):
        episode.resample(seat, 7, number)
        yield episode.state
        episode.state = true
