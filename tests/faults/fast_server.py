"""`theriac serve` in a process whose time runs faster.

    python -m tests.faults.fast_server 168 serve --port 0

Time enters a server in two ways: it reads a clock (`time.monotonic`, `time.time` and their variants
in nanoseconds), or its event loop wakes it after a while. Both run faster here, so all that a
server does at intervals, after a delay or at a deadline comes sooner. What the machine does takes
as long as ever.
"""

from __future__ import annotations

import asyncio
import selectors
import sys
import time
from collections.abc import Callable
from typing import Any

#: The clocks that run faster. `time.perf_counter` measures how long work takes, and stays.
CLOCKS = ("monotonic", "monotonic_ns", "time", "time_ns")


def _faster(clock: Callable[[], Any], speed: int) -> Callable[[], Any]:
    start = clock()
    return lambda: start + speed * (clock() - start)


class _FastSelector(selectors.DefaultSelector):
    """Waits for a fraction of the time that it is asked to wait."""

    def __init__(self, speed: int) -> None:
        super().__init__()
        self._speed = speed

    def select(self, timeout: float | None = None) -> Any:
        """Wait until a file is ready, or for the fraction of the timeout."""
        return super().select(None if timeout is None else timeout / self._speed)


def run_faster(speed: int) -> None:
    """Let the clocks of this process run faster, and the event loop of uvicorn with them."""
    for name in CLOCKS:
        setattr(time, name, _faster(getattr(time, name), speed))
    import uvicorn

    from theriac.server.running import metrics

    def fast_loop() -> asyncio.AbstractEventLoop:
        return asyncio.SelectorEventLoop(_FastSelector(speed))

    def loop_factory(_: uvicorn.Config) -> Callable[[], asyncio.AbstractEventLoop]:
        return fast_loop

    setattr(uvicorn.Config, "get_loop_factory", loop_factory)  # noqa: B010
    # The lag is of the machine: measuring it 168 times as often would take half of a core.
    metrics.LAG_INTERVAL_S *= speed


if __name__ == "__main__":
    run_faster(int(sys.argv.pop(1)))
    from theriac.cli import main

    main()
