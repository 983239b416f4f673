"""Many games on this machine: a worker process for each core."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable
from multiprocessing.connection import wait

from theriac.arena.plan import Seating
from theriac.arena.sitting import Make, Played
from theriac.arena.worker import Worker

#: Seconds between two looks at the clocks.
_TICK = 0.1


class Crew:
    """So many worker processes of this machine."""

    def __init__(self, jobs: int, make: Make, limit: float) -> None:
        self._jobs = jobs
        self._make = make
        self._limit = limit

    def play(self, seatings: Iterable[Seating]) -> Generator[Played, None, None]:
        """Each game as soon as it is over, in no order."""
        waiting = deque(seatings)
        count = min(self._jobs, len(waiting))
        workers: list[Worker] = []
        try:
            workers += (Worker(self._make, self._limit) for _ in range(count))
            while waiting or not all(worker.idle for worker in workers):
                for worker in workers:
                    if worker.idle and waiting:
                        worker.give(waiting.popleft())
                wait([sign for worker in workers for sign in worker.signs], _TICK)
                for worker in workers:
                    played = worker.collect()
                    if played is not None:
                        yield played
        finally:
            for worker in workers:
                worker.close()
