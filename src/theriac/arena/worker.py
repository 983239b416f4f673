"""A process that plays games, and whoever watches it: no bot can stop more than its own game.

The process says in shared memory whose move it is and since when. A bot that hangs, in compiled
code or anywhere else, is seen by the watcher, which kills the process, begins the game anew and
leaves that bot out from the move at which it hung. Bots answer equal views alike, so the game comes
to the same move.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

import msgspec

from theriac.arena.plan import Bar, Seating
from theriac.arena.sitting import AFTERWARDS, Make, Played, Shelf, Sitting, too_long
from theriac.faults import Fault

#: Seconds for a bot's first answer in a process, which does not count: it may have to compile.
WARM_LIMIT = 300.0
#: Seconds beyond the limit before a process is killed: a slow answer may still come by itself.
GRACE = 1.0
#: A process that ends so often in one game does not end by accident.
_BY_ACCIDENT = 1
_HOPELESS = 3

_spawn = multiprocessing.get_context("spawn")


class SharedClock:
    """Whose move it is and since when, for another process to read."""

    def __init__(self) -> None:
        self._numbers = _spawn.RawArray("d", 4)

    def start(self, who: int, move: int, seconds: float) -> None:
        """Bot number `who` is asked for this move and should answer in so many seconds."""
        self._numbers[1:] = [who, move, seconds]
        self._numbers[0] = time.monotonic()

    def stop(self) -> None:
        """It has answered."""
        self._numbers[0] = 0.0

    def current(self, grace: float | None = None) -> tuple[int, int] | None:
        """Which bot is asked for which move; with a grace, only if it is later than that."""
        since, who, move, seconds = self._numbers
        if not since or (grace is not None and time.monotonic() - since <= seconds + grace):
            return None
        return (int(who), int(move)) if self._numbers[0] == since else None


def serve(
    pipe: Connection, clock: SharedClock, make: Make, limit: float, warm_limit: float
) -> None:
    """What the process does: play the games it is sent until there are no more."""
    _stand_alone()
    shelf: Shelf = {}
    with contextlib.suppress(EOFError, OSError):
        known: set[str] = set()
        while True:
            seating, cold = pipe.recv()
            sitting = Sitting(seating, make, clock, limit, shelf)
            sitting.clear_shelf()
            known |= cold
            sitting.warm(known, warm_limit)
            pipe.send(sitting.play())
            sitting.tell_end()
    for one in shelf.values():
        with contextlib.suppress(Exception):
            one.close()


def _stand_alone() -> None:
    """Neither Ctrl-C nor what a bot prints concerns anybody else; without a parent, no work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "setsid"):
        os.setsid()
    sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    with contextlib.suppress(OSError):
        os.dup2(sys.stdout.fileno(), 1)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    kill_family(os.getpid())
    os._exit(1)


def kill_family(process: int) -> None:
    """Kill what a process has started, then the process: a bot may be a program of its own."""
    if not hasattr(signal, "SIGKILL"):
        return
    for each in [*_descendants(process), process]:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(each, signal.SIGKILL)


def _descendants(process: int) -> list[int]:
    """What a process has started, and what that has, where the system tells (Linux)."""
    found: list[int] = []
    for path in Path(f"/proc/{process}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            for word in path.read_text().split():
                found += [*_descendants(int(word)), int(word)]
    return found


class Worker:
    """The watcher's side: gives games, collects results, kills and starts anew."""

    def __init__(self, make: Make, limit: float, warm_limit: float = WARM_LIMIT) -> None:
        self._make = make
        self._limit = limit
        self._warm_limit = warm_limit
        self._cold: set[str] = set()
        self._seating: Seating | None = None
        self._ends = 0
        self._start()

    def _start(self) -> None:
        self._pipe, theirs = _spawn.Pipe()
        self._clock = SharedClock()
        arguments = (theirs, self._clock, self._make, self._limit, self._warm_limit)
        self._process = _spawn.Process(target=serve, args=arguments, daemon=True)
        with _deaf():
            self._process.start()
        theirs.close()

    @property
    def idle(self) -> bool:
        """Has it no game to play?"""
        return self._seating is None

    @property
    def signs(self) -> list[Any]:
        """What to wait for."""
        return [self._pipe, self._process.sentinel]

    def give(self, seating: Seating) -> None:
        """A game to play."""
        self._seating, self._ends = seating, 0
        self._send()

    def collect(self) -> Played | None:
        """The result, if there is one; whoever hangs meanwhile is dealt with. Raises `Fault`."""
        if self._seating is None:
            return None
        with contextlib.suppress(EOFError, OSError):
            if self._pipe.poll():
                played: Played = self._pipe.recv()
                self._seating = None
                return played
        late = self._clock.current(GRACE)
        if late:
            self._stop_late(*late)
        elif not self._process.is_alive():
            self._take_up()
        return None

    def play(self, seating: Seating) -> Played:
        """One game, from here to its end."""
        self.give(seating)
        while (played := self.collect()) is None:
            wait(self.signs, 0.1)
        return played

    def close(self) -> None:
        """End the process, gently if it has nothing to do."""
        self._pipe.close()
        if self.idle:
            self._process.join(1.0)
        self._kill()

    def _send(self) -> None:
        with contextlib.suppress(OSError):
            self._pipe.send((self._seating, self._cold))

    def _stop_late(self, who: int, move: int) -> None:
        """A bot takes too long: if it is asked for a move, it is left out from there on."""
        assert self._seating is not None
        name = list(self._seating.seeds)[who]
        if move != AFTERWARDS:
            self._cold.add(name)  # it has had its time to get going
        if move >= 0:
            self._bar(name, move, too_long(self._limit))
        self._begin_anew()

    def _take_up(self) -> None:
        """The process has ended by itself: once may be an accident, twice is the bot's doing."""
        assert self._seating is not None
        self._ends += 1
        asked = self._clock.current()
        if asked and asked[1] != AFTERWARDS and self._ends > _BY_ACCIDENT:
            name = list(self._seating.seeds)[asked[0]]
            self._cold.add(name)
            self._bar(name, max(asked[1], 0), "ended its process")
        elif self._ends >= _HOPELESS:
            raise Fault(f"a worker process has ended {self._ends} times in the same game")
        self._begin_anew()

    def _bar(self, name: str, move: int, why: str) -> None:
        assert self._seating is not None
        barred = self._seating.barred
        # One that hangs here and there is left out altogether.
        move = 0 if name in barred else move
        changed = {**barred, name: Bar(move, why)}
        self._seating = msgspec.structs.replace(self._seating, barred=changed)

    def _begin_anew(self) -> None:
        self._kill()
        self._pipe.close()
        self._start()
        self._send()

    def _kill(self) -> None:
        if self._process.is_alive():
            assert self._process.pid is not None
            kill_family(self._process.pid)
        self._process.kill()
        self._process.join()
        self._process.close()


@contextlib.contextmanager
def _deaf() -> Iterator[None]:
    """A process started meanwhile does not hear Ctrl-C; here it is heard afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # Started meanwhile, Python's own helper would let the signal through again.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
