"""The independent referee of each game."""

from __future__ import annotations

import importlib
from typing import Any

from tests.contract.setups import Setup
from tests.referee import base
from theriac.game import Game


def referee_of(game: Game) -> type[base.Game]:
    """The referee class of this game, in `tests/referee/<game>.py`."""
    module = importlib.import_module(f"tests.referee.{game.name}")
    for value in vars(module).values():
        is_referee = isinstance(value, type) and issubclass(value, base.Game)
        if is_referee and getattr(value, "name", None) == game.name:
            found: type[base.Game] = value
            return found
    raise LookupError(f"tests/referee/{game.name}.py has no class for the game {game.name}")


def judge(
    setup: Setup, first: int, deals: list[list[str]], shuffle: base.Shuffle | None = None
) -> base.Game:
    """The referee at the start of a game with these deals; later shuffles are random."""
    options: dict[str, Any] = {**setup.given, "first": first}
    deck = options.pop("deck", None)
    return referee_of(setup.game)(options, deals, shuffle, deck=deck)
