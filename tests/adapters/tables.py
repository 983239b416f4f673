"""Which games and tables the adapters are tried with: all that are found."""

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
#: The smallest and the largest table of each game.
ENDS = [(game, players) for game in GAMES for players in {game.players[0], game.players[-1]}]


def _names(sizes: list[tuple[Game, int]]) -> list[str]:
    return [f"{game.name}-{players}" for game, players in sizes]


each_game = pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
each_size = pytest.mark.parametrize(("game", "players"), SIZES, ids=_names(SIZES))
each_end = pytest.mark.parametrize(("game", "players"), ENDS, ids=_names(ENDS))


def pick(mask: Any, random: Random) -> int:
    """A legal action."""
    return int(random.choice(np.flatnonzero(mask).tolist()))


def imagined(episode: Episode, seat: int) -> Iterator[bytes]:
    """Let the match go through states that look the same to a seat; gives each STATE."""
    true = episode.memory
    for number in range(3):
        episode.imagine(seat, 7, number)
        yield episode.memory
        episode.memory = true
