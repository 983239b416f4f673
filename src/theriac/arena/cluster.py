"""Plays many games on a Ray cluster: one actor per core, each with its own worker process.

An actor that dies, alone or with its machine, is replaced, and its games are played again. A game
is identified by its key: if it was finished twice, its result counts once.
"""

from __future__ import annotations

import itertools
import os
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from typing import Any

from theriac.arena.arena_game import BotFactory, GameResult
from theriac.arena.schedule import GameKey, GameSpec
from theriac.arena.worker import ArenaWorker
from theriac.faults import Fault

#: How many actors may die in a row before a game is finished.
_MAX_DEATHS_IN_A_ROW = 10


class RayWorker:
    """The actor: plays games in a worker process on its machine."""

    def __init__(self, make_bot: BotFactory, limit: float) -> None:
        self._worker = ArenaWorker(make_bot, limit)

    def pid(self) -> int:
        """The process id of this actor."""
        return os.getpid()

    def play(self, specs: list[GameSpec]) -> list[GameResult]:
        """Play all of these games."""
        return [self._worker.play(spec) for spec in specs]


class RayCluster:
    """Actors on the Ray cluster that this process is connected to, else on a new local one."""

    def __init__(self, jobs: int | None, make_bot: BotFactory, limit: float) -> None:
        self._ray = _import_ray()
        if not self._ray.is_initialized():
            self._ray.init(log_to_driver=False, logging_level="ERROR", include_dashboard=False)
        self._jobs = jobs or int(self._ray.cluster_resources().get("CPU", 1))
        self._make_bot = make_bot
        self._limit = limit
        self._actors: list[Any] = []

    def pids(self) -> list[int]:
        """The process id of each actor."""
        pids: list[int] = self._ray.get([actor.pid.remote() for actor in self._actors])
        return pids

    def play(self, specs: Iterable[GameSpec]) -> Generator[GameResult, None, None]:
        """Play each game; yields each result once, in no order."""
        waiting = deque(_group_by_deal(specs))
        running: dict[Any, tuple[Any, list[GameSpec]]] = {}
        done: set[GameKey] = set()
        deaths = 0
        try:
            while waiting or running:
                self._assign(waiting, running)
                ready, _ = self._ray.wait(list(running), num_returns=1)
                actor, batch = running.pop(ready[0])
                results = self._results(ready[0])
                if results is None:
                    deaths += 1
                    _check_deaths(deaths)
                    self._actors.remove(actor)
                    waiting.appendleft(batch)
                    continue
                deaths = 0
                new = [result for result in results if result.key not in done]
                done.update(result.key for result in new)
                yield from new
        finally:
            for actor in self._actors:
                self._ray.kill(actor)
            self._actors = []

    def _assign(
        self, waiting: deque[list[GameSpec]], running: dict[Any, tuple[Any, list[GameSpec]]]
    ) -> None:
        """Give the games of a deal to each idle actor; starts actors while there are too few."""
        busy = [actor for actor, _ in running.values()]
        idle = [actor for actor in self._actors if actor not in busy]
        while waiting and (idle or len(self._actors) < self._jobs):
            if not idle:
                remote = self._ray.remote(num_cpus=1, max_restarts=0)(RayWorker)
                idle.append(remote.remote(self._make_bot, self._limit))
                self._actors.append(idle[0])
            actor, batch = idle.pop(), waiting.popleft()
            running[actor.play.remote(batch)] = actor, batch

    def _results(self, reference: Any) -> list[GameResult] | None:
        """The results of an actor; None if it is dead."""
        try:
            results: list[GameResult] = self._ray.get(reference)
        except self._ray.exceptions.RayActorError:
            return None
        return results


def _group_by_deal(specs: Iterable[GameSpec]) -> Iterator[list[GameSpec]]:
    """The games of one deal and table setup together: a bot is made once for all of them."""
    for _, games in itertools.groupby(specs, lambda spec: spec.key[:2]):
        yield list(games)


def _check_deaths(deaths: int) -> None:
    if deaths >= _MAX_DEATHS_IN_A_ROW:
        raise Fault(f"{deaths} Ray workers have died in a row without finishing a game")


def _import_ray() -> Any:
    # Ray warns of a change that only concerns machines with GPUs.
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    import ray

    return ray
