"""The review pool: finished games are reviewed in processes of their own, step by step.

A review takes seconds of a core, and nobody's move waits for it. So its process has the least
priority: it gets what bots and requests leave. Reviews wait for a process in a fair queue of their
own.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import psutil

from theriac.bots.supervisor import PythonWorker, Supervisor, WorkerEnded, WorkerTimeout
from theriac.faults import Fault
from theriac.record import replay_each
from theriac.review import Mistake, review_steps
from theriac.server.bots.fair_queue import FairQueue, Urgency, Waiting
from theriac.server.running.metrics import Metrics
from theriac.server.tables.previews import preview_moves

log = logging.getLogger(__name__)

#: The lowest priority that a process can have.
LOWEST_PRIORITY = 19
#: How many seconds the first review is expected to take, and how much each changes what is expected
#: of the next.
FIRST_ESTIMATE_S, ESTIMATE_RATE = 10.0, 0.3
#: How long a process without work is kept, in seconds: it holds a lot of memory.
IDLE_S = 120.0
#: How often it is checked whether a review takes too long, in seconds, and after how many it has
#: taken too long, however little processor time it got.
CHECK_EVERY_S, LONGEST_S = 5.0, 3600.0
#: How often a review is begun: once more if its process was killed.
ATTEMPTS = 2


class Task(NamedTuple):
    """A finished game to review, as it is sent to another process."""

    record: Mapping[str, Any]
    playouts: int


class Step(NamedTuple):
    """What is known after a step: the review and the previews of its mistakes, both as JSON."""

    number: int
    done: bool
    progress: float
    review: bytes
    previews: bytes


class Failure(NamedTuple):
    """Why there is no review."""

    why: str


# In the process of a worker


def serve(connection: Connection) -> None:
    """Review games, step by step. Runs in a worker process."""
    _give_way()
    while True:
        task = connection.recv()
        try:
            for step in steps_of(task):
                connection.send(step)
        except Fault as fault:
            connection.send(Failure(str(fault)))
        except Exception as error:  # noqa: BLE001 - who waits must hear of it, whatever it is
            connection.send(Failure(f"the review raised {type(error).__name__}: {error}"))


def _give_way() -> None:
    """Let every other process come first."""
    with contextlib.suppress(OSError):
        os.nice(LOWEST_PRIORITY)
    # Linux may share the time out between sessions first, and this process has its own.
    with contextlib.suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(LOWEST_PRIORITY), encoding="ascii")


def steps_of(task: Task) -> Iterator[Step]:
    """The steps of a review; raises `Fault`."""
    for number, review in enumerate(review_steps(task.record, budget=task.playouts), 1):
        done = review.stage == "done"
        yield Step(
            number,
            done,
            1.0 if done else min(0.99, review.playouts / task.playouts),
            msgspec.json.encode(review),
            msgspec.json.encode(previews_of(task.record, review.mistakes)),
        )


def previews_of(
    record: Mapping[str, Any], mistakes: list[Mistake]
) -> dict[int, dict[str, dict[str, Any]]]:
    """For each mistake, what was sure after the move played and after the best one."""
    compared = {mistake.n: [mistake.move, mistake.best] for mistake in mistakes}
    return {
        number: preview_moves(match, compared[number])
        for match in replay_each(record)
        if (number := len(match.moves) + 1) in compared
    }


# In the server


def cpu_seconds(pid: int) -> float:
    """The processor time that a process has used; 0 if it has ended."""
    try:
        used = psutil.Process(pid).cpu_times()
    except psutil.Error:
        return 0.0
    return float(used.user + used.system)


def _receive_in_time(process: PythonWorker, cpu_limit: float, deadline: float) -> Any:
    """The next message; raises `WorkerEnded`, or `WorkerTimeout` if the review takes too long.

    What counts is processor time: on a busy machine a review of the lowest priority takes long.
    """
    while True:
        try:
            return process.receive(CHECK_EVERY_S)
        except WorkerTimeout:
            if cpu_seconds(process.pid) > cpu_limit or time.monotonic() > deadline:
                raise


class Job:
    """A review that waits, is under way or has ended."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.latest: Step | None = None
        self.failed: str | None = None
        self.waiting: Waiting[Job] | None = None
        #: Set at the next change.
        self.changed = asyncio.Event()

    @property
    def ended(self) -> bool:
        """Will there be no further step?"""
        return self.failed is not None or (self.latest is not None and self.latest.done)

    def note(self, step: Step) -> None:
        """A step has come. A review that was begun again repeats the first ones."""
        if self.latest is None or step.number > self.latest.number:
            self.latest = step
            self.tell()

    def fail(self, why: str) -> None:
        """There will be no further step."""
        if not self.ended:
            self.failed = why
            self.tell()

    def tell(self) -> None:
        """Wake all who wait for a change."""
        self.changed.set()
        self.changed = asyncio.Event()


class ReviewPool:
    """Processes that review games, and the queue for them."""

    def __init__(self, processes: int, timeout_s: float, metrics: Metrics) -> None:
        self._workers = [Supervisor(partial(PythonWorker, serve)) for _ in range(processes)]
        self._idle = list(self._workers)
        self._threads = ThreadPoolExecutor(processes)
        self._timeout_s = timeout_s
        self._metrics = metrics
        self._queue = FairQueue[Job]()
        self._expected_s = FIRST_ESTIMATE_S
        self._ending: asyncio.TimerHandle | None = None
        self._stopped = False
        metrics.review_queue.set_function(self._queue.__len__)

    def __len__(self) -> int:
        """The number of reviews that wait."""
        return len(self._queue)

    def start(self, task: Task, person: str) -> Job:
        """Begin a review as soon as there is a process for it. `person` is charged."""
        job = Job(task)
        job.waiting = self._queue.put(job, person, Urgency.ALONE, self._expected_s)
        self._start_next()
        return job

    def place(self, job: Job) -> int | None:
        """The place of a review in the queue, from 1; None if it does not wait."""
        waiting = job.waiting
        return None if waiting is None or waiting.served else self._queue.place(waiting)

    def _start_next(self) -> None:
        while self._idle and not self._stopped and (waiting := self._queue.get()):
            worker = self._idle.pop()
            loop = asyncio.get_running_loop()
            work = loop.run_in_executor(self._threads, self._work, worker, waiting.item, loop)
            work.add_done_callback(partial(self._on_end, worker, waiting))
            waiting.item.tell()

    def _work(
        self,
        worker: Supervisor[PythonWorker],
        job: Job,
        loop: asyncio.AbstractEventLoop,
    ) -> float:
        """Review a game, in a thread; the seconds that it took. A process that was killed is
        started again, once.
        """
        began = time.monotonic()
        why = "the process of the review was ended: ask for it again"
        for _ in range(ATTEMPTS):
            try:
                failure = self._receive(worker, job, loop)
            except WorkerEnded:
                worker.stop()
                if self._stopped:
                    break
                continue
            except WorkerTimeout:
                worker.stop()
                failure = Failure("the review took too long: it was ended")
            if failure is None:
                return time.monotonic() - began
            why = failure.why
            break
        loop.call_soon_threadsafe(job.fail, why)
        return time.monotonic() - began

    def _receive(
        self,
        worker: Supervisor[PythonWorker],
        job: Job,
        loop: asyncio.AbstractEventLoop,
    ) -> Failure | None:
        """Pass the steps of a review on; raises `WorkerEnded` or `WorkerTimeout`."""
        process = worker.worker
        cpu_limit = cpu_seconds(process.pid) + self._timeout_s
        deadline = time.monotonic() + LONGEST_S
        process.send(job.task)
        while True:
            message: Step | Failure = _receive_in_time(process, cpu_limit, deadline)
            if isinstance(message, Failure):
                return message
            loop.call_soon_threadsafe(job.note, message)
            if message.done:
                return None

    def _on_end(
        self,
        worker: Supervisor[PythonWorker],
        waiting: Waiting[Job],
        work: asyncio.Future[float],
    ) -> None:
        self._idle.append(worker)
        if work.cancelled():  # the server stops
            waiting.item.fail("the server stops: ask again in a moment")
            return
        if error := work.exception():
            log.error("a review failed", exc_info=error)
            waiting.item.fail("the server has made a mistake: it is logged")
        else:
            self._queue.charge(waiting, work.result())
        if waiting.item.failed is None:
            self._expected_s += ESTIMATE_RATE * (work.result() - self._expected_s)
            self._metrics.review_seconds.observe(work.result())
        self._metrics.reviews.labels("failed" if waiting.item.failed else "done").inc()
        self._start_next()
        self._end_when_idle()

    def _end_when_idle(self) -> None:
        """End the processes if there is nothing to do for a while."""
        if self._ending is not None:
            self._ending.cancel()
        loop = asyncio.get_running_loop()
        self._ending = loop.call_later(IDLE_S, self._end_idle)

    def _end_idle(self) -> None:
        for worker in [worker for worker in self._idle if worker.running]:
            self._idle.remove(worker)
            loop = asyncio.get_running_loop()
            stopping = loop.run_in_executor(self._threads, worker.stop)
            stopping.add_done_callback(partial(self._on_stopped, worker))

    def _on_stopped(self, worker: Supervisor[PythonWorker], stopping: asyncio.Future[None]) -> None:
        self._idle.append(worker)
        if not stopping.cancelled():
            self._start_next()

    def stop(self) -> None:
        """End all processes."""
        self._stopped = True
        if self._ending is not None:
            self._ending.cancel()
        for worker in self._workers:
            worker.kill()
        self._threads.shutdown(cancel_futures=True)
        for worker in self._workers:
            worker.stop()
