"""The bot pool: bots at the tables think in processes of their own, so that no request waits.

A process gets what the seat may know (its VIEW and the legal moves), never a STATE. Requests wait
for a process in a fair queue.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from multiprocessing.connection import Connection
from random import Random
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from theriac import seal
from theriac.bots import Question, ask, bot
from theriac.bots.supervisor import PythonWorker, Supervisor, WorkerEnded, WorkerTimeout
from theriac.engine.records import records
from theriac.engine.rule import Speed
from theriac.faults import BadBot
from theriac.game import find
from theriac.match import Match
from theriac.server.bots.fair_queue import FairQueue, Urgency, Waiting
from theriac.server.running.metrics import Metrics

#: How long a bot may take before its process is killed, in seconds. Bots watch the time themselves,
#: so this is for one that hangs. It includes the start of a process on a busy machine, and the
#: compilation of the search where `theriac setup` was not run.
BOT_TIMEOUT_S = 90.0
#: How long a bot is expected to think that has not been asked yet, in seconds, and how much each
#: answer changes what is expected of the next.
FIRST_ESTIMATE_S, ESTIMATE_RATE = 1.0, 0.3
#: How many times are kept that the bots of a game and a level have thought for.
KEPT_TIMES = 20


class Spender(Protocol):
    """Something that is charged for the time that a bot thinks."""

    def spend(self, seconds: float) -> None:
        """A bot has thought for so long."""


class Asker(NamedTuple):
    """For whom a bot thinks.

    `person` is charged in the queue. A request for `table` becomes more urgent when somebody comes
    to it. `budget` is charged too.
    """

    person: str = ""
    urgency: Urgency = Urgency.PLAYED
    table: str | None = None
    budget: Spender | None = None


NOBODY = Asker()


class Task(NamedTuple):
    """A question for a bot, as it is sent to another process."""

    game: str
    options: dict[str, Any]
    first: int
    view: bytes
    legal: npt.NDArray[np.int64]
    level: str
    seed: int
    speed: Speed


def task_for(match: Match, level: str) -> Task:
    """The question for a bot that plays the seat to act."""
    question = ask(match)
    assert match.seed is not None
    seed = next(seal.words(match.seed, f"bot {question.seat}"))
    first = seal.first_seat(match.seed, match.players)
    view = question.view.tobytes()
    return Task(
        match.game.name,
        dict(match.settings.given),
        first,
        view,
        question.legal,
        level,
        seed,
        match.speed,
    )


def answer(task: Task) -> str:
    """A bot's answer: the text of a move. Runs in a worker process."""
    game = find(task.game)
    settings = game.settings(task.options, task.first)
    views = records(game.shape.view, 1)
    np.asarray(views).view(np.uint8)[:] = np.frombuffer(task.view, np.uint8)
    seated = bot(task.level, task.seed)
    move = int(seated.answer(Question(game, settings, views[0], task.legal, speed=task.speed)))
    if move not in task.legal:
        raise BadBot(seated.name, f"answered {move}, which is not a legal move")
    return settings.text.write(move)


def serve(connection: Connection) -> None:
    """Answer tasks, each with a move or with what went wrong. Runs in a worker process."""
    with contextlib.suppress(OSError):
        os.nice(5)  # requests of people come first
    loaded: set[tuple[str, str]] = set()
    while True:
        task = connection.recv()
        kind = task.game, task.level
        move, failure, started = None, None, time.perf_counter()
        try:
            move = answer(task)
        except BadBot as fault:
            failure = fault.why
        except Exception as error:  # noqa: BLE001 - a bot may raise anything
            failure = f"raised {type(error).__name__}: {error}"
        seconds = time.perf_counter() - started
        connection.send(Thought(move, failure, seconds, loads=kind not in loaded))
        loaded.add(kind)


class Thought(NamedTuple):
    """What a worker replies: a move or what went wrong, and how long it took, in seconds.

    The first bot of a game and a level `loads` what those after it have: that takes seconds.
    """

    move: str | None
    failure: str | None
    seconds: float
    loads: bool = False


class _Request(NamedTuple):
    """A request in the queue."""

    task: Task
    asker: Asker
    answered: asyncio.Future[str]
    since: float


class BotPool:
    """A pool of worker processes in which bots think."""

    def __init__(self, processes: int, metrics: Metrics | None = None) -> None:
        self._workers = [Supervisor(partial(PythonWorker, serve)) for _ in range(processes)]
        #: The worker used last is taken first: it has compiled what it needs.
        self._idle = list(reversed(self._workers))
        self._threads = ThreadPoolExecutor(processes)
        self._metrics = metrics or Metrics()
        self._queue = FairQueue[_Request]()
        #: What waits for each table.
        self._of_table: dict[str, Waiting[_Request]] = {}
        #: How long a bot is expected to think, in seconds, by its game and level.
        self._estimates: dict[tuple[str, str], float] = {}
        #: How long bots have thought that had a choice, by their game and level, in seconds.
        self._times: dict[tuple[str, str], deque[float]] = {}
        self._stopped = False
        for urgency in Urgency:
            length = self._metrics.bot_queue.labels(urgency.name.lower())
            length.set_function(partial(self._queue.length, urgency))

    async def ask(self, match: Match, level: str, asker: Asker = NOBODY) -> str:
        """The move of a bot of this level for the seat to act; raises `BadBot`."""
        task = task_for(match, level)
        answered: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        request = _Request(task, asker, answered, time.perf_counter())
        cost_s = self._estimates.get((task.game, level), FIRST_ESTIMATE_S)
        waiting = self._queue.put(request, asker.person, asker.urgency, cost_s)
        if asker.table is not None:
            self._of_table[asker.table] = waiting
        self._start_next()
        try:
            move = await answered
            if len(task.legal) == 1:
                # Else a quick move would tell the others that there was no choice.
                await asyncio.sleep(self._usual_s(task))
            return move
        finally:
            self._queue.remove(waiting)  # if the caller was cancelled before its turn
            if asker.table is not None:
                self._of_table.pop(asker.table, None)

    def _usual_s(self, task: Task) -> float:
        """How long such a bot might have thought if it had had a choice."""
        times = self._times.get((task.game, task.level))
        return Random().choice(times) if times else 0.0

    def promote(self, table: str, urgency: Urgency) -> None:
        """Somebody has come to a table: what waits for it is more urgent."""
        waiting = self._of_table.get(table)
        if waiting is not None:
            self._queue.promote(waiting, urgency)

    def _start_next(self) -> None:
        """Give requests to idle workers."""
        while self._idle and not self._stopped and (waiting := self._queue.get()):
            request = waiting.item
            self._metrics.bot_wait_seconds.observe(time.perf_counter() - request.since)
            worker = self._idle.pop()
            # The time limit starts now. If the caller is cancelled, the worker is busy until it has
            # answered.
            loop = asyncio.get_running_loop()
            answering = loop.run_in_executor(
                self._threads, self._request, worker, request.task, BOT_TIMEOUT_S
            )
            answering.add_done_callback(partial(self._on_answer, worker, waiting))

    def _request(self, worker: Supervisor[PythonWorker], task: Task, timeout: float) -> Thought:
        """Ask a worker; one that was killed is restarted and asked once more."""
        started = time.perf_counter()
        for _ in range(2):
            try:
                thought: Thought = worker.request(task, timeout)
            except WorkerTimeout:
                break
            except WorkerEnded:
                if self._stopped:
                    break
                continue
            return thought
        return Thought(None, "gave no answer", time.perf_counter() - started)

    def _on_answer(
        self,
        worker: Supervisor[PythonWorker],
        waiting: Waiting[_Request],
        answering: asyncio.Future[Thought],
    ) -> None:
        self._idle.append(worker)
        answered = waiting.item.answered
        if answering.cancelled():  # the server stops
            answered.cancel()
            return
        if error := answering.exception():
            thought = Thought(None, None, 0.0)
        else:
            thought = answering.result()
            if thought.move is None:
                error = BadBot(waiting.item.task.level, thought.failure or "")
        self._charge(waiting, thought)
        if not answered.done():  # the caller was not cancelled
            if error:
                answered.set_exception(error)
            else:
                answered.set_result(str(thought.move))
        self._start_next()

    def _charge(self, waiting: Waiting[_Request], thought: Thought) -> None:
        """Charge who asked for the time that a bot has thought, and learn from it."""
        task, asker = waiting.item.task, waiting.item.asker
        # Who comes first does not pay for what all others need, too.
        seconds = min(thought.seconds, waiting.cost_s) if thought.loads else thought.seconds
        self._queue.charge(waiting, seconds)
        if asker.budget is not None:
            asker.budget.spend(seconds)
        if thought.loads:
            return
        kind = task.game, task.level
        expected = self._estimates.get(kind, seconds)
        self._estimates[kind] = expected + ESTIMATE_RATE * (seconds - expected)
        if len(task.legal) > 1:
            self._times.setdefault(kind, deque(maxlen=KEPT_TIMES)).append(seconds)

    def stop(self) -> None:
        """End all processes."""
        self._stopped = True
        for worker in self._workers:
            worker.kill()
        self._threads.shutdown(cancel_futures=True)
        for worker in self._workers:
            worker.stop()
