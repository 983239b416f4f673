"""Background tasks: work that no request waits for."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

log = logging.getLogger(__name__)


#: How long to wait before a loop that has failed begins again, in seconds.
RESTART_AFTER_S = 1.0


#: Begins to do something again and again, for ever.
Loop = Callable[[], Coroutine[Any, Any, None]]


async def keep_running(loop: Loop) -> None:
    """Run an endless loop until cancelled. An error that it does not expect is logged, and it
    begins again: without it, bans would not be followed or clocks would not run.
    """
    while True:
        try:
            await loop()
        except Exception:
            log.exception("a background loop failed: it begins again")
        await asyncio.sleep(RESTART_AFTER_S)


class BackgroundTasks:
    """Keeps tasks alive until they are done, and logs those that fail."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Start a task, and hold a reference to it until it is done."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._on_done)
        return task

    def _on_done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.error("a background task failed", exc_info=error)

    async def stop(self) -> None:
        """Cancel all tasks."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
