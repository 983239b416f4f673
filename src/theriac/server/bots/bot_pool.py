"""Bots at the table think in processes of their own: nobody waits for them.

A process is handed what the seat may know (its VIEW and the legal moves), never a STATE.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from theriac import seal
from theriac.bots import Question, ask, bot
from theriac.engine.records import records
from theriac.engine.rule import Speed
from theriac.faults import BadBot
from theriac.game import find
from theriac.match import Match

#: How long a bot may take before its process is given up, in seconds. Bots mind the time, so this
#: is for one that hangs. It leaves room for a process to start on a busy machine, and for search
#: to be compiled where `theriac setup` was not run.
LONGEST = 90.0


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


def task_for(table: Match, level: str) -> Task:
    """What the bot of the seat to act is asked."""
    question = ask(table)
    assert table.seed is not None
    seed = next(seal.words(table.seed, f"bot {question.seat}"))
    first = seal.first_seat(table.seed, table.players)
    view = question.view.tobytes()
    return Task(
        table.game.name,
        dict(table.settings.given),
        first,
        view,
        question.legal,
        level,
        seed,
        table.speed,
    )


def answer(task: Task) -> str:
    """What a bot answers: the text of a move. Runs in a process of its own."""
    game = find(task.game)
    settings = game.settings(task.options, task.first)
    views = records(game.shape.view, 1)
    np.asarray(views).view(np.uint8)[:] = np.frombuffer(task.view, np.uint8)
    seated = bot(task.level, task.seed)
    move = int(seated.answer(Question(game, settings, views[0], task.legal, speed=task.speed)))
    if move not in task.legal:
        raise BadBot(seated.name, f"answered {move}, which is not a legal move")
    return settings.text.write(move)


def _prepare() -> None:
    """Who stops the server with Ctrl-C does not mean to see this process complain."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(OSError):
        os.nice(5)  # moves of people come first
    threading.Thread(target=_end_with_server, daemon=True).start()


def _end_with_server() -> None:
    """A server that is killed ends nobody: this process has to notice by itself."""
    server = multiprocessing.parent_process()
    assert server is not None
    server.join()
    os._exit(1)


class Thinkers:
    """A few processes that think."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._pool: ProcessPoolExecutor | None = None
        #: Who waits for a process is not thinking yet: no time counts.
        self._free = asyncio.Semaphore(processes)

    async def ask(self, table: Match, level: str) -> str:
        """What a bot of this level plays for the seat to act; raises `BadBot`."""
        task = task_for(table, level)
        async with self._free:
            for _ in range(2):
                pool = self._opened()
                try:
                    answering = asyncio.get_running_loop().run_in_executor(pool, answer, task)
                    return await asyncio.wait_for(answering, LONGEST)
                except BrokenProcessPool:
                    self._end(pool)
                except TimeoutError:
                    self._end(pool)
                    break
        raise BadBot(level, "gave no answer")

    def _opened(self) -> ProcessPoolExecutor:
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self._processes, context, _prepare)
        return self._pool

    def _end(self, pool: ProcessPoolExecutor, *, wait: bool = False) -> None:
        """End the processes of a pool. Others who wait for them ask anew, in another pool."""
        if self._pool is pool:
            self._pool = None
        for worker in list((pool._processes or {}).values()):  # noqa: SLF001 - no public way
            worker.terminate()
        pool.shutdown(wait=wait)

    def stop(self) -> None:
        """End all processes."""
        if self._pool is not None:
            self._end(self._pool, wait=True)
