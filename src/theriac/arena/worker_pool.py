"""Plays many games on this machine, in one worker process per core."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable
from multiprocessing.connection import wait

from theriac.arena.arena_game import BotFactory, GameResult
from theriac.arena.schedule import GameSpec
from theriac.arena.worker import POLL_INTERVAL, ArenaWorker


class WorkerPool:
    """A fixed number of worker processes on this machine."""

    def __init__(self, jobs: int, make_bot: BotFactory, limit: float) -> None:
        self._jobs = jobs
        self._make_bot = make_bot
        self._limit = limit

    def play(self, specs: Iterable[GameSpec]) -> Generator[GameResult, None, None]:
        """Play the games; yields each result as soon as there is one, in no order."""
        waiting = deque(specs)
        count = min(self._jobs, len(waiting))
        workers: list[ArenaWorker] = []
        try:
            workers += (ArenaWorker(self._make_bot, self._limit) for _ in range(count))
            while waiting or not all(worker.idle for worker in workers):
                for worker in workers:
                    if worker.idle and waiting:
                        worker.submit(waiting.popleft())
                wait([each for worker in workers for each in worker.waitables], POLL_INTERVAL)
                for worker in workers:
                    result = worker.collect()
                    if result is not None:
                        yield result
        finally:
            for worker in workers:
                worker.close()
