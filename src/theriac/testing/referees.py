"""The independent referee of each game."""

from __future__ import annotations

import importlib
from typing import Any

from theriac.game import Game
from theriac.testing import referee
from theriac.testing.setups import Setup


def referee_of(game: Game) -> type[referee.Game]:
    """The referee class of this game, in `tests/referee.py` of its folder; raises `LookupError`."""
    name = f"{game.module}.tests.referee"
    missing = LookupError(
        f"{game.name} has no independent referee: {game.folder / 'tests' / 'referee.py'} would "
        f'have a subclass of theriac.testing.referee.Game with name = "{game.name}"'
    )
    if not (game.folder / "tests" / "referee.py").exists():
        raise missing
    for value in vars(importlib.import_module(name)).values():
        is_referee = isinstance(value, type) and issubclass(value, referee.Game)
        if is_referee and getattr(value, "name", None) == game.name:
            found: type[referee.Game] = value
            return found
    raise missing


def referee_at(
    setup: Setup,
    first: int,
    deals: list[list[str]],
    shuffle: referee.Shuffle | None = None,
    kind: type[referee.Game] | None = None,
) -> referee.Game:
    """The referee at the start of a game with these deals; later shuffles are random.

    `kind` is `referee_of` the game, for those who need many and look for it once.
    """
    options: dict[str, Any] = {**setup.given, "first": first}
    deck = options.pop("deck", None)
    return (kind or referee_of(setup.game))(options, deals, shuffle, deck=deck)
