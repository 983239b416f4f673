"""A thread for work that takes long and that anybody may ask for, such as replays.

There is one for all of it. While a thread runs Python, the event loop waits for the interpreter's
lock again and again: one thread delays a move by some milliseconds, several delay it by many.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple, TypeVar

from theriac.server.bots.fair_queue import FairQueue, Urgency, Waiting

Result = TypeVar("Result")

#: How many seconds a piece of work is expected to take.
EXPECTED_S = 0.05


class _Work(NamedTuple):
    """What to do, and the future of the request that waits for it."""

    do: Callable[[], Any]
    done: asyncio.Future[Any]


class FairThread:
    """Works on one thing after another. Addresses take turns, by the time that each has used."""

    def __init__(self) -> None:
        self._queue = FairQueue[_Work]()
        self._thread = ThreadPoolExecutor(1, "fair-thread")
        self._busy = False

    async def run(self, address: str, do: Callable[..., Result], *arguments: Any) -> Result:
        """Do something in the thread when it is the turn of this address; what it returns."""
        done: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        work = _Work(partial(do, *arguments), done)
        waiting = self._queue.put(work, address, Urgency.PLAYED, EXPECTED_S)
        self._start_next()
        try:
            return await done
        finally:
            self._queue.remove(waiting)  # if the caller was cancelled before its turn

    def _start_next(self) -> None:
        if self._busy or (waiting := self._queue.get()) is None:
            return
        self._busy = True
        began = time.monotonic()
        working = asyncio.get_running_loop().run_in_executor(self._thread, waiting.item.do)
        working.add_done_callback(partial(self._on_end, waiting, began))

    def _on_end(self, waiting: Waiting[_Work], began: float, working: asyncio.Future[Any]) -> None:
        self._busy = False
        self._queue.charge(waiting, time.monotonic() - began)
        done = waiting.item.done
        if working.cancelled():  # the server stops
            done.cancel()
            return
        error = working.exception()
        if not done.done():  # the caller was not cancelled
            if error is None:
                done.set_result(working.result())
            else:
                done.set_exception(error)
        self._start_next()

    def stop(self) -> None:
        """Begin nothing more."""
        self._thread.shutdown(wait=False, cancel_futures=True)
