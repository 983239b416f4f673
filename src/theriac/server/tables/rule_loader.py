"""Loads the compiled rules of the games, after the server has started to serve.

Nothing is compiled here: that takes a minute, and `theriac setup` does it. A game whose rules are
not compiled is played with the interpreted ones.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging

from theriac.engine.cache import NotCompiled, is_compiled, only_compiled
from theriac.engine.rule import Speed, default_speed
from theriac.game import Game, all_games, find
from theriac.match import Match
from theriac.server.running import gc_tuning
from theriac.server.tables.previews import preview_moves

log = logging.getLogger(__name__)

#: How long a table waits for its compiled rules before it is played with the interpreted ones, in
#: seconds. Those take a hundred times as long per move and block the event loop meanwhile.
RULES_TIMEOUT_S = 5.0


class RuleLoader:
    """The speed at which each game can be played now."""

    def __init__(self) -> None:
        # The games of one folder share their compiled rules.
        self._speeds: dict[str, Speed] = {}
        self._loaded: dict[str, asyncio.Event] = {}
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start loading the rules of all games."""
        self._loaded = {game.module: asyncio.Event() for game in all_games().values()}
        self._task = asyncio.create_task(self._load_all())

    def speed_of(self, name: str) -> Speed:
        """The speed of a game now."""
        return self._speeds.get(find(name).module, "plain")

    async def wait_for(self, name: str) -> Speed:
        """The speed of a game once its rules are loaded, or after a timeout."""
        loaded = self._loaded.get(find(name).module)
        if loaded is not None and not loaded.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(loaded.wait(), RULES_TIMEOUT_S)
        return self.speed_of(name)

    async def _load_all(self) -> None:
        for game in {game.module: game for game in all_games().values()}.values():
            self._speeds[game.module] = await asyncio.to_thread(load_rules, game)
            self._loaded[game.module].set()
        gc_tuning.freeze_and_tune()

    async def stop(self) -> None:
        """Stop loading."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task


def load_rules(game: Game) -> Speed:
    """Load all that a table uses, by using it once; returns the speed to play at."""
    if default_speed() == "plain":
        return "plain"
    if not is_compiled(game.module):
        _warn(game)
        return "plain"
    try:
        with only_compiled():
            match = Match(game, {"players": game.usual_players}, seed=bytes(32), speed="cpu")
            first = match.legal()[0]
            preview_moves(match, [first])
            match.refusal(first)
            match.play(first)
            match.view(0)
            match.out_of_turn()
            match.results()
    except NotCompiled:
        _warn(game)
        return "plain"
    return "cpu"


def _warn(game: Game) -> None:
    log.warning(
        "the rules of %s are not compiled, and its tables are slow: run `theriac setup`", game.name
    )
