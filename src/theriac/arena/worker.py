"""A worker process that plays games, and its supervisor: no bot can stop more than its own game.

The worker writes to shared memory which bot it asks for a move, and since when. If a bot hangs, in
compiled code or anywhere else, the supervisor kills the process, restarts the game, and excludes
that bot from the move at which it hung. Bots give equal answers to equal views, so the game
reaches the same move.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import time
from functools import partial
from multiprocessing.connection import Connection, wait
from typing import Any

import msgspec

from theriac.arena.arena_game import (
    AFTER_GAME,
    ArenaGame,
    BotCache,
    BotFactory,
    GameResult,
    too_long,
)
from theriac.arena.schedule import Exclusion, GameSpec
from theriac.bots.supervisor import PythonWorker, Supervisor, WorkerEnded, WorkerTimeout
from theriac.faults import Fault

#: Seconds for a bot's first answer in a process, which does not count: it may have to compile.
WARM_UP_LIMIT = 300.0
#: Seconds beyond the limit before a process is killed: a slow answer may still arrive.
KILL_GRACE = 1.0
#: Seconds that an idle worker has to close its bots.
EXIT_GRACE = 1.0
#: Crashes of the process in one game that are forgiven the bot to move, and that end the run.
_FORGIVEN_CRASHES = 1
_MAX_CRASHES = 3
#: Seconds between two checks of the move timer.
POLL_INTERVAL = 0.1


class SharedMoveTimer:
    """Which bot is asked for which move, and since when. The worker writes it, its parent reads."""

    def __init__(self) -> None:
        self._numbers = multiprocessing.get_context("spawn").RawArray("d", 4)

    def start(self, bot: int, move: int, seconds: float) -> None:
        """Bot number `bot` is asked for this move and should answer within `seconds`."""
        self._numbers[1:] = [bot, move, seconds]
        self._numbers[0] = time.monotonic()

    def stop(self) -> None:
        """It has answered."""
        self._numbers[0] = 0.0

    def current(self) -> tuple[int, int] | None:
        """The bot that is asked now, and for which move."""
        return self._asked_longer_than(None)

    def overdue(self, grace: float) -> tuple[int, int] | None:
        """The same, if the answer is late by more than `grace` seconds."""
        return self._asked_longer_than(grace)

    def _asked_longer_than(self, grace: float | None) -> tuple[int, int] | None:
        since, bot, move, seconds = self._numbers
        if not since or (grace is not None and time.monotonic() - since <= seconds + grace):
            return None
        return (int(bot), int(move)) if self._numbers[0] == since else None


def serve(
    connection: Connection,
    timer: SharedMoveTimer,
    make_bot: BotFactory,
    limit: float,
    warm_up_limit: float,
) -> None:
    """Play the games that arrive until the connection is closed. Runs in the worker process."""
    bots: BotCache = {}
    warmed_up: set[str] = set()
    with contextlib.suppress(EOFError, OSError):
        while True:
            spec, skip_warm_up = connection.recv()
            game = ArenaGame(spec, make_bot, timer, limit, bots)
            game.close_unused_bots()
            warmed_up |= skip_warm_up
            game.warm_up(warmed_up, warm_up_limit)
            connection.send(game.play())
            game.announce_end()
    for bot in bots.values():
        with contextlib.suppress(Exception):
            bot.close()


class ArenaWorker:
    """Plays one game at a time in a worker process, which is killed and restarted if it hangs."""

    def __init__(
        self, make_bot: BotFactory, limit: float, warm_up_limit: float = WARM_UP_LIMIT
    ) -> None:
        self._limit = limit
        self._timer = SharedMoveTimer()
        self._supervisor = Supervisor(
            partial(PythonWorker, serve, self._timer, make_bot, limit, warm_up_limit)
        )
        self._skip_warm_up: set[str] = set()
        self._spec: GameSpec | None = None
        self._crashes = 0
        _ = self._supervisor.worker  # start now: importing takes seconds

    @property
    def idle(self) -> bool:
        """Is no game being played?"""
        return self._spec is None

    @property
    def waitables(self) -> list[Any]:
        """For `multiprocessing.connection.wait`."""
        return self._supervisor.worker.waitables

    def submit(self, spec: GameSpec) -> None:
        """Start to play a game."""
        self._spec, self._crashes = spec, 0
        self._send()

    def collect(self) -> GameResult | None:
        """The result if the game is over; handles a bot that hangs meanwhile. Raises `Fault`."""
        if self._spec is None:
            return None
        try:
            result: GameResult = self._supervisor.worker.receive(0)
        except WorkerTimeout:
            overdue = self._timer.overdue(KILL_GRACE)
            if overdue:
                self._exclude_overdue(*overdue)
            return None
        except WorkerEnded:
            self._retry_after_crash()
            return None
        self._spec = None
        return result

    def play(self, spec: GameSpec) -> GameResult:
        """Play one game and wait for its result."""
        self.submit(spec)
        while (result := self.collect()) is None:
            wait(self.waitables, POLL_INTERVAL)
        return result

    def close(self) -> None:
        """End the process; an idle one may close its bots."""
        self._supervisor.stop(EXIT_GRACE if self.idle else 0)

    def _send(self) -> None:
        self._supervisor.worker.send((self._spec, self._skip_warm_up))

    def _exclude_overdue(self, number: int, move: int) -> None:
        """A bot takes too long: if it was asked for a move, exclude it from there on."""
        assert self._spec is not None
        name = list(self._spec.seeds)[number]
        if move != AFTER_GAME:
            self._skip_warm_up.add(name)  # it has had its time to warm up
        if move >= 0:
            self._exclude(name, move, too_long(self._limit))
        self._restart()

    def _retry_after_crash(self) -> None:
        """The process has ended by itself: once may be an accident, twice is the bot's fault."""
        assert self._spec is not None
        self._crashes += 1
        asked = self._timer.current()
        if asked and asked[1] != AFTER_GAME and self._crashes > _FORGIVEN_CRASHES:
            name = list(self._spec.seeds)[asked[0]]
            self._skip_warm_up.add(name)
            self._exclude(name, max(asked[1], 0), "ended its process")
        elif self._crashes >= _MAX_CRASHES:
            raise Fault(f"a worker process has ended {self._crashes} times in the same game")
        self._restart()

    def _exclude(self, name: str, move: int, reason: str) -> None:
        assert self._spec is not None
        excluded = self._spec.excluded
        # A bot that hangs a second time in a game is excluded from the first move on.
        move = 0 if name in excluded else move
        changed = {**excluded, name: Exclusion(move, reason)}
        self._spec = msgspec.structs.replace(self._spec, excluded=changed)

    def _restart(self) -> None:
        self._supervisor.stop()
        self._timer.stop()
        self._send()
