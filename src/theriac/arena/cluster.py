"""Many games on a Ray cluster: an actor for each of its cores, with a worker process of its own.

An actor that dies, with its machine or alone, is replaced, and its games are played again. A game
is known by its key: whoever finishes it, it is handed on once.
"""

from __future__ import annotations

import itertools
import os
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from typing import Any

from theriac.arena.plan import Key, Seating
from theriac.arena.sitting import Make, Played
from theriac.arena.worker import Worker
from theriac.faults import Fault

#: Actors that may die one after another without a game being finished.
_MOST_DEATHS = 10


class Player:
    """What an actor does."""

    def __init__(self, make: Make, limit: float) -> None:
        self._worker = Worker(make, limit)

    def process(self) -> int:
        """The number of this actor's process."""
        return os.getpid()

    def play(self, seatings: list[Seating]) -> list[Played]:
        """All of these games."""
        return [self._worker.play(seating) for seating in seatings]


class Cluster:
    """So many actors of the cluster that this process belongs to, else of a new local one."""

    def __init__(self, jobs: int | None, make: Make, limit: float) -> None:
        self._ray = _import_ray()
        if not self._ray.is_initialized():
            self._ray.init(log_to_driver=False, logging_level="ERROR", include_dashboard=False)
        self._jobs = jobs or int(self._ray.cluster_resources().get("CPU", 1))
        self._make = make
        self._limit = limit
        self._players: list[Any] = []

    def processes(self) -> list[int]:
        """The process of each actor."""
        processes: list[int] = self._ray.get([one.process.remote() for one in self._players])
        return processes

    def play(self, seatings: Iterable[Seating]) -> Generator[Played, None, None]:
        """Each game once, soon after it is over, in no order."""
        waiting = deque(_deals(seatings))
        busy: dict[Any, tuple[Any, list[Seating]]] = {}
        done: set[Key] = set()
        deaths = 0
        try:
            while waiting or busy:
                self._hand_out(waiting, busy)
                ready, _ = self._ray.wait(list(busy), num_returns=1)
                player, seats = busy.pop(ready[0])
                games = self._result(ready[0])
                if games is None:
                    deaths += 1
                    _check_deaths(deaths)
                    self._players.remove(player)
                    waiting.appendleft(seats)
                    continue
                deaths = 0
                fresh = [game for game in games if game.key not in done]
                done.update(game.key for game in fresh)
                yield from fresh
        finally:
            for player in self._players:
                self._ray.kill(player)
            self._players = []

    def _hand_out(
        self, waiting: deque[list[Seating]], busy: dict[Any, tuple[Any, list[Seating]]]
    ) -> None:
        """Give a deal to each player who has none; there are as many players as are needed."""
        taken = [player for player, _ in busy.values()]
        free = [player for player in self._players if player not in taken]
        while waiting and (free or len(self._players) < self._jobs):
            if not free:
                remote = self._ray.remote(num_cpus=1, max_restarts=0)(Player)
                free.append(remote.remote(self._make, self._limit))
                self._players.append(free[0])
            player, seats = free.pop(), waiting.popleft()
            busy[player.play.remote(seats)] = player, seats

    def _result(self, reference: Any) -> list[Played] | None:
        """The games that an actor has played; None if it is dead."""
        try:
            games: list[Played] = self._ray.get(reference)
        except self._ray.exceptions.RayActorError:
            return None
        return games


def _deals(seatings: Iterable[Seating]) -> Iterator[list[Seating]]:
    """The games of one deal at one table together: each bot is made once for them."""
    for _, games in itertools.groupby(seatings, lambda seating: seating.key[:2]):
        yield list(games)


def _check_deaths(deaths: int) -> None:
    if deaths >= _MOST_DEATHS:
        raise Fault(f"{deaths} Ray workers have died one after another without finishing a game")


def _import_ray() -> Any:
    # Ray warns of a change that only concerns machines with GPUs.
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    import ray

    return ray
