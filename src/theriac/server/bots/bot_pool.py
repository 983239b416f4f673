"""The bot pool: bots at the tables think in processes of their own, so that no request waits.

A process gets what the seat may know (its VIEW and the legal moves), never a STATE.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

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

#: How long a bot may take before its process is killed, in seconds. Bots watch the time themselves,
#: so this is for one that hangs. It includes the start of a process on a busy machine, and the
#: compilation of the search where `theriac setup` was not run.
BOT_TIMEOUT_S = 90.0


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
    while True:
        task = connection.recv()
        reply: tuple[str | None, str | None]
        try:
            reply = answer(task), None
        except BadBot as fault:
            reply = None, fault.why
        except Exception as error:  # noqa: BLE001 - a bot may raise anything
            reply = None, f"raised {type(error).__name__}: {error}"
        connection.send(reply)


class BotPool:
    """A pool of worker processes in which bots think."""

    def __init__(self, processes: int) -> None:
        self._workers = [Supervisor(partial(PythonWorker, serve)) for _ in range(processes)]
        #: The worker used last comes first: it has compiled what it needs.
        self._idle: asyncio.LifoQueue[Supervisor[PythonWorker]] = asyncio.LifoQueue()
        for worker in reversed(self._workers):
            self._idle.put_nowait(worker)
        self._threads = ThreadPoolExecutor(processes)
        self._stopped = False

    async def ask(self, match: Match, level: str) -> str:
        """The move of a bot of this level for the seat to act; raises `BadBot`."""
        task = task_for(match, level)
        worker = await self._idle.get()  # the time limit starts when a worker is free
        loop = asyncio.get_running_loop()
        answering = loop.run_in_executor(self._threads, self._request, worker, task, BOT_TIMEOUT_S)
        answering.add_done_callback(partial(self._release, worker))
        # If the caller is cancelled, the worker is busy until it has answered.
        return await asyncio.shield(answering)

    def _request(self, worker: Supervisor[PythonWorker], task: Task, timeout: float) -> str:
        """Ask a worker; one that was killed is restarted and asked once more."""
        for _ in range(2):
            try:
                move, failure = worker.request(task, timeout)
            except WorkerTimeout:
                break
            except WorkerEnded:
                if self._stopped:
                    break
                continue
            if failure:
                raise BadBot(task.level, failure)
            return str(move)
        raise BadBot(task.level, "gave no answer")

    def _release(self, worker: Supervisor[PythonWorker], answering: asyncio.Future[str]) -> None:
        self._idle.put_nowait(worker)
        if not answering.cancelled():
            answering.exception()  # seen, even if the caller was cancelled

    def stop(self) -> None:
        """End all processes."""
        self._stopped = True
        for worker in self._workers:
            worker.kill()
        self._threads.shutdown(cancel_futures=True)
        for worker in self._workers:
            worker.stop()
