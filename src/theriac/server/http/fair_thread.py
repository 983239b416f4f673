"""A thread for work that takes long and that anybody may ask for, such as replays.

There is one for all of it. While a thread runs Python, the event loop waits for the interpreter's
lock again and again: one thread delays a move by some milliseconds, several delay it by many.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from theriac.server.bots.fair_turns import FairTurns

Result = TypeVar("Result")

#: How many seconds a piece of work is expected to take.
EXPECTED_S = 0.05


class FairThread:
    """Works on one thing after another. Addresses take turns, by the time that each has used."""

    def __init__(self) -> None:
        self._turns = FairTurns(1, EXPECTED_S)
        self._thread = ThreadPoolExecutor(1, "fair-thread")

    async def run(self, address: str, do: Callable[..., Result], *arguments: Any) -> Result:
        """Do something in the thread when it is the turn of this address; what it returns."""
        loop = asyncio.get_running_loop()
        async with self._turns.turn(address):
            return await loop.run_in_executor(self._thread, partial(do, *arguments))

    def stop(self) -> None:
        """Begin nothing more."""
        self._thread.shutdown(wait=False, cancel_futures=True)
