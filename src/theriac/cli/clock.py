"""The clock of a game with a time limit."""

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

#: The key of a save file that holds the seconds left.
KEY = "x_seconds_left"


class TimeUp(Exception):
    """The time ran out."""


class Clock:
    """A countdown; it does not run until it is started."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._started: float | None = None

    def start(self) -> None:
        """Start the countdown."""
        self._started = time.monotonic()

    @property
    def left(self) -> float:
        """The seconds left, never below zero."""
        gone = 0.0 if self._started is None else time.monotonic() - self._started
        return max(0.0, self._seconds - gone)

    @property
    def display(self) -> str:
        """The time left as minutes and seconds: 5:07."""
        minutes, seconds = divmod(math.ceil(self.left), 60)
        return f"{minutes}:{seconds:02}"

    @contextlib.contextmanager
    def limit(self) -> Iterator[None]:
        """Raise `TimeUp` inside the block when time runs out; without alarms, after the block."""
        with _raise_after(self.left):
            yield
        if not self.left:
            raise TimeUp


def clock_of(match: Match, saved: Mapping[str, Any]) -> Clock | None:
    """The clock of a game, with the time left in its save file; None if the game has no clock.

    Raises `BadRecord`.
    """
    most = match.time_limit
    if most is None:
        return None
    seconds = saved.get(KEY, most)
    if type(seconds) not in (int, float) or not 0 <= seconds <= most:
        raise BadRecord(f'"{KEY}" must be a number from 0 to {most}, not {quote(seconds)}')
    return Clock(seconds)


@contextlib.contextmanager
def _raise_after(seconds: float) -> Iterator[None]:
    """Raise `TimeUp` inside the block after `seconds`, where the system has alarms."""
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
