"""Plays the games of a schedule that have no result yet, and logs their results."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Generator, Iterable
from typing import Protocol

from theriac.arena.arena_game import BotFactory, GameResult
from theriac.arena.results_log import ResultsLog
from theriac.arena.schedule import GameSpec
from theriac.arena.worker_pool import WorkerPool
from theriac.bots import Bot, bot
from theriac.bots.registry import current_spec


class GameRunner(Protocol):
    """Plays many games: a `WorkerPool` of this machine, or a `RayCluster`."""

    def play(self, specs: Iterable[GameSpec]) -> Generator[GameResult, None, None]:
        """Play the games; yields each result as soon as there is one, in no order."""


def make_runner(
    on: str | None, jobs: int | None, limit: float, make_bot: BotFactory | None = None
) -> GameRunner:
    """A runner on Ray if `on` is "ray", else on this machine."""
    if on == "ray":
        from theriac.arena.cluster import RayCluster

        return RayCluster(jobs, make_bot or make_stored_bot, limit)
    return WorkerPool(jobs or available_cores(), make_bot or make_stored_bot, limit)


def make_stored_bot(spec: str, seed: int) -> Bot:
    """Make a bot; a stored schedule may call its parameters by their old names."""
    return bot(current_spec(spec), seed)


def available_cores() -> int:
    """The number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def play_missing(
    log: ResultsLog, runner: GameRunner | None, on_result: Callable[[GameResult], object]
) -> list[GameResult]:
    """Play the games that the log lacks; returns the results of all games, ordered by key."""
    missing = [spec for spec in log.schedule.games() if spec.key not in log.results]
    if missing and runner:
        with contextlib.closing(runner.play(missing)) as results:
            for result in results:
                log.add(result)
                on_result(result)
    return log.ordered()
