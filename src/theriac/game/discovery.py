"""Finding games: every folder of `theriac.games` has a tuple `GAMES`.

>>> find("poison").title
"Reiner Knizia's Poison"
"""

from __future__ import annotations

import functools
import importlib
import pkgutil

from theriac.faults import Fault, listed, quote
from theriac.game.descriptor import Game


@functools.cache
def all_games() -> dict[str, Game]:
    """All games, by name."""
    import theriac.games as home

    found: dict[str, Game] = {}
    for folder in sorted(entry.name for entry in pkgutil.iter_modules(home.__path__)):
        for game in importlib.import_module(f"theriac.games.{folder}").GAMES:
            found[game.name] = game
    return found


def find(name: str) -> Game:
    """The game of that name; raises `Fault` with the names there are."""
    known = all_games()
    if name not in known:
        raise Fault(f"no game is called {quote(name)}: there are {listed(list(known))}")
    return known[name]
