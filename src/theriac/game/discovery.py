"""Finding games: the folders of `theriac.games`, and installed packages.

Each has a tuple `GAMES`. A distribution names its module in the entry point group `theriac.games`.

>>> find("poison").title
"Reiner Knizia's Poison"
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
import re
from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType

from theriac.faults import Fault, listed, quote
from theriac.game.descriptor import Game

#: The group of the entry points by which a distribution brings games.
GROUP = "theriac.games"
#: A game's name is part of commands, addresses and file names.
_NAME = re.compile(r"[a-z][a-z0-9_]*", re.ASCII)


@functools.cache
def all_games() -> dict[str, Game]:
    """All games, by name; raises `Fault` if an installed package does not bring its games."""
    found: dict[str, Game] = {}
    origins: dict[str, str] = {}
    for origin, game in (*_built_in(), *_installed()):
        if game.name in found:
            raise Fault(
                f"{origin}: its game {game.name} has the name of a game of "
                f"{origins[game.name]}: rename one of them, or uninstall one"
            )
        found[game.name] = game
        origins[game.name] = origin
    return found


def find(name: str) -> Game:
    """The game of that name; raises `Fault` with the names there are."""
    known = all_games()
    if name not in known:
        raise Fault(f"no game is called {quote(name)}: there are {listed(list(known), 'and')}")
    return known[name]


def _built_in() -> Iterator[tuple[str, Game]]:
    import theriac.games as home

    for folder in sorted(entry.name for entry in pkgutil.iter_modules(home.__path__)):
        for game in importlib.import_module(f"{home.__name__}.{folder}").GAMES:
            yield "Theriac itself", game


def _installed() -> Iterator[tuple[str, Game]]:
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: (_origin(entry), entry.name)):
        for game in _load(entry):
            yield _origin(entry), game


def _origin(entry: EntryPoint) -> str:
    """The distribution of an entry point, in words."""
    return f"the package {entry.dist.name}" if entry.dist else "an unknown package"


def _load(entry: EntryPoint) -> tuple[Game, ...]:
    """The games of an entry point, checked; raises `Fault`."""
    try:
        module = importlib.import_module(entry.value)
    except Exception as error:
        raise Fault(
            f"{_origin(entry)}: its module {entry.value} cannot be imported "
            f"({type(error).__name__}: {error}): repair or uninstall the package"
        ) from error
    games = getattr(module, "GAMES", None)
    if not isinstance(games, tuple) or not all(isinstance(game, Game) for game in games):
        raise Fault(
            f"{_origin(entry)}: its module {entry.value} has no tuple GAMES of games: "
            f"write GAMES = (Game(...),)"
        )
    for game in games:
        _check(entry, game)
    return games


def _check(entry: EntryPoint, game: Game) -> None:
    """Raise `Fault` where a game cannot be found by its name or by its module."""
    if not _NAME.fullmatch(game.name):
        raise Fault(
            f"{_origin(entry)}: the name of its game {quote(game.name)} is not made of lower-case "
            f"letters, digits and _, with a letter first"
        )
    module = _find_module(game.module)
    if not hasattr(module, "__path__") or game not in getattr(module, "GAMES", ()):
        raise Fault(
            f"{_origin(entry)}: the module of its game {game.name}, {quote(game.module)}, is not "
            f"the package whose GAMES has it: write module=__name__ in the __init__.py with GAMES"
        )


def _find_module(name: str) -> ModuleType | None:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None
