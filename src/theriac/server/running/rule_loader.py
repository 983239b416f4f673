"""How fast the rules of each game are: compiled, or plain where they are not ready.

Compiled rules are loaded in a thread after the server has begun to serve. Nothing is compiled here:
that takes a minute, and `theriac setup` does it.
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
from theriac.server.tables.previews import foresee

log = logging.getLogger(__name__)

#: How long a table waits for its rules to be loaded before it is played with the plain ones, in
#: seconds. Those take a hundred times as long for each move, and everybody waits for it.
PATIENCE = 5.0


class Speeds:
    """The speed of each game, as far as it is known."""

    def __init__(self) -> None:
        # Games of one folder have the same compiled rules.
        self._speeds: dict[str, Speed] = {}
        self._settled: dict[str, asyncio.Event] = {}
        self._loading: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to load the rules of all games."""
        self._settled = {game.module: asyncio.Event() for game in all_games().values()}
        self._loading = asyncio.create_task(self._load())

    def of(self, name: str) -> Speed:
        """The speed of a game as it is now."""
        return self._speeds.get(find(name).module, "plain")

    async def wait_for(self, name: str) -> Speed:
        """The speed of a game when its rules are loaded, unless that takes too long."""
        settled = self._settled.get(find(name).module)
        if settled is not None and not settled.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(settled.wait(), PATIENCE)
        return self.of(name)

    async def _load(self) -> None:
        for game in {game.module: game for game in all_games().values()}.values():
            self._speeds[game.module] = await asyncio.to_thread(rehearse, game)
            self._settled[game.module].set()
        gc_tuning.be_patient()

    async def stop(self) -> None:
        """Load no more."""
        if self._loading is not None:
            self._loading.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._loading


def rehearse(game: Game) -> Speed:
    """Do once all that is done at a table, so that it is loaded; returns the speed to play at."""
    if default_speed() == "plain":
        return "plain"
    if not is_compiled(game.folder.name):
        _complain(game)
        return "plain"
    try:
        with only_compiled():
            table = Match(game, {"players": game.usual_players}, seed=bytes(32), speed="cpu")
            foresee(table, table.legal()[:1])
            table.play(table.legal()[0])
            table.view(0)
            table.out_of_turn()
            table.results()
    except NotCompiled:
        _complain(game)
        return "plain"
    return "cpu"


def _complain(game: Game) -> None:
    log.warning(
        "the rules of %s are not compiled, and its tables are slow: run `theriac setup`", game.name
    )
