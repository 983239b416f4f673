"""The clock of a game that is played in real time."""

from __future__ import annotations

import contextlib
import math
import signal
import threading
import time
from typing import TYPE_CHECKING, Any

from theriac.faults import BadRecord, quote

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from theriac.match import Match

#: Where a saved game keeps the seconds that are left.
KEY = "x_seconds_left"


class TimeUp(Exception):
    """The time has run out while something was waited for."""


class Clock:
    """How many seconds are left; it stands still until it is started."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._started: float | None = None

    def start(self) -> None:
        """Let it run."""
        self._started = time.monotonic()

    @property
    def left(self) -> float:
        """The seconds that are left, never below zero."""
        gone = 0.0 if self._started is None else time.monotonic() - self._started
        return max(0.0, self._seconds - gone)

    @property
    def told(self) -> str:
        """As a clock shows it: 5:07."""
        minutes, seconds = divmod(math.ceil(self.left), 60)
        return f"{minutes}:{seconds:02}"

    @contextlib.contextmanager
    def limit(self) -> Iterator[None]:
        """Raise `TimeUp` from what is done meanwhile, or after it where it cannot be disturbed."""
        with _disturb_after(self.left):
            yield
        if not self.left:
            raise TimeUp


def clock_of(match: Match, kept: Mapping[str, Any]) -> Clock | None:
    """The clock for a game, as a save has kept it; None for a game without. Raises `BadRecord`."""
    most = match.time_limit
    if most is None:
        return None
    seconds = kept.get(KEY, most)
    if type(seconds) not in (int, float) or not 0 <= seconds <= most:
        raise BadRecord(f'"{KEY}" must be a number from 0 to {most}, not {quote(seconds)}')
    return Clock(seconds)


@contextlib.contextmanager
def _disturb_after(seconds: float) -> Iterator[None]:
    """Raise `TimeUp` inside after so many seconds, where the system has alarms."""
    in_main = threading.current_thread() is threading.main_thread()
    if not hasattr(signal, "setitimer") or not in_main:
        yield
        return

    def ring(*_: object) -> None:
        raise TimeUp

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.001))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
