"""Plays the games of a schedule that have no result yet, and logs their results."""

from __future__ import annotations

import contextlib
import itertools
import os
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Protocol

from theriac.arena.arena_game import BotFactory, GameResult
from theriac.arena.differences import decided_best
from theriac.arena.results_log import ResultsLog
from theriac.arena.schedule import GameSpec, Schedule
from theriac.arena.worker_pool import WorkerPool
from theriac.bots import Bot, bot
from theriac.bots.registry import current_spec
from theriac.game import find

#: Look again after this many times the deals of the last look.
_NEXT_LOOK = 1.01

#: Is it decided by these results?
StopRule = Callable[[Sequence[GameResult]], bool]


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
    log: ResultsLog,
    runner: GameRunner | None,
    on_result: Callable[[GameResult], object],
    stop: StopRule | None = None,
) -> list[GameResult]:
    """Play the games that the log lacks; returns the results of all games, ordered by key.

    With a rule to stop by, results are those of whole deals in their order: which games are over
    first must have no influence.
    """
    missing = [spec for spec in log.schedule.games() if spec.key not in log.results]
    decided = stop is not None and stop(whole_deals(log))
    if missing and runner and not decided:
        with contextlib.closing(runner.play(missing)) as results:
            progress = DealCount(log)
            for result in results:
                log.add(result)
                on_result(result)
                if stop and progress.look(result) and stop(whole_deals(log)):
                    break
    return whole_deals(log) if stop else log.ordered()


class DealCount:
    """Says when there are enough new deals to look whether it is decided.

    One may look at any time. To look at ten thousand deals after each of them would take long.
    """

    def __init__(self, log: ResultsLog) -> None:
        self._per_deal = sum(len(setup.line_ups) for setup in log.schedule.setups)
        self._games = Counter(deal for _, deal, _ in log.results)
        self._whole = 0
        self._next = 0.0

    def look(self, result: GameResult) -> bool:
        """Count this result; is it time to look?"""
        self._games[result.key[1]] += 1
        before = self._whole
        while self._games[self._whole] == self._per_deal:
            self._whole += 1
        if self._whole == before or self._whole < self._next:
            return False
        self._next = self._whole * _NEXT_LOOK
        return True


def whole_deals(log: ResultsLog) -> list[GameResult]:
    """The results of the first deals, up to the first that is not whole, ordered by key."""
    per_deal = sum(len(setup.line_ups) for setup in log.schedule.setups)
    played = Counter(deal for _, deal, _ in log.results)
    whole = next(deal for deal in itertools.count() if played[deal] < per_deal)
    return [result for result in log.ordered() if result.key[1] < whole]


def stop_when_decided(schedule: Schedule) -> StopRule:
    """Stop as soon as one bot is decided to be better than all others."""
    together = find(schedule.game).together

    def decided(results: Sequence[GameResult]) -> bool:
        return decided_best(schedule.bots, results, together=together) is not None

    return decided
