"""Supervises a worker process: requests with a timeout, restarts, and no process left behind.

A `Worker` is a running process and the channel to it. There are two kinds: `PythonWorker` runs a
function of ours and exchanges pickled objects; `LineWorker` (in `line_worker`) runs any program and
exchanges lines. A `Supervisor` starts a worker when it is needed, kills it together with every
process that it has started, and starts another.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import FrameType
from typing import Any, Generic, Protocol, TypeVar

import psutil

from theriac.faults import Fault

_spawn = multiprocessing.get_context("spawn")

#: The exit status of a worker that, while it imports the script, is asked to start workers itself.
_NO_MAIN_GUARD = 113
#: Seconds between the end of a channel and that of its process.
_EXIT_SECONDS = 1.0
#: One start at a time hides the script.
_hiding = threading.Lock()


class WorkerTimeout(Fault):
    """The worker gave no reply in time."""


class WorkerEnded(Fault):
    """The worker process has ended, or has closed its channel; the text says how."""


class Worker(Protocol):
    """A running process and the channel to it."""

    @property
    def pid(self) -> int:
        """Its process id."""

    def send(self, message: Any) -> None:
        """Send a message; does nothing if the process has ended."""

    def receive(self, timeout: float) -> Any:
        """The next message; raises `WorkerTimeout` or `WorkerEnded`."""

    def stop(self, grace: float) -> None:
        """Close the channel, wait this many seconds for the process to exit, then kill it."""


W = TypeVar("W", bound=Worker)


class Supervisor(Generic[W]):
    """Keeps at most one worker running. `start` makes a new one.

    The worker is killed when the supervisor is garbage-collected, or when Python exits.
    """

    def __init__(self, start: Callable[[], W]) -> None:
        self._start = start
        self._worker: W | None = None
        self._kill: weakref.finalize[..., Any] | None = None

    @property
    def running(self) -> bool:
        """Has a worker been started, and not stopped since?"""
        return self._worker is not None

    @property
    def worker(self) -> W:
        """The running worker; it is started if there is none."""
        if self._worker is None:
            self._worker = self._start()
            self._kill = weakref.finalize(self, self._worker.stop, 0)
        return self._worker

    def request(self, message: Any, timeout: float) -> Any:
        """Send a message and wait for the reply; raises `WorkerTimeout` or `WorkerEnded`.

        A worker that fails to reply is killed: the next request starts another.
        """
        worker = self.worker
        try:
            worker.send(message)
            return worker.receive(timeout)
        except (WorkerTimeout, WorkerEnded):
            self.stop()
            raise

    def kill(self) -> None:
        """Kill the worker's process, from any thread; a waiting request raises `WorkerEnded`."""
        worker = self._worker
        if worker is not None:
            kill_tree(worker.pid)

    def restart(self) -> None:
        """Kill the worker and start another."""
        self.stop()
        _ = self.worker

    def stop(self, grace: float = 0.0) -> None:
        """End the worker: it has this many seconds to exit before it is killed."""
        worker, self._worker = self._worker, None
        if worker is not None:
            assert self._kill is not None
            self._kill.detach()
            worker.stop(grace)


class PythonWorker:
    """Runs `serve(connection, *arguments)` in a process of its own, and exchanges pickled objects.

    `serve` reads requests from the connection and sends a reply to each, until the connection is
    closed. The process ignores Ctrl-C, ends when its parent does, and prints nothing. It imports
    the script that was started only if an argument is defined there.
    """

    def __init__(self, serve: Callable[..., None], *arguments: Any) -> None:
        self._connection, theirs = _spawn.Pipe()
        self._process = _spawn.Process(target=_run, args=(serve, theirs, *arguments), daemon=True)
        needed = any(_is_of_script(value) for value in (serve, *arguments))
        with _sigint_blocked(), contextlib.nullcontext() if needed else _script_hidden():
            self._start()
        theirs.close()
        assert self._process.pid is not None
        self.pid: int = self._process.pid

    def _start(self) -> None:
        try:
            self._process.start()
        except RuntimeError as error:
            if "bootstrapping" not in str(error):
                raise
            # This is itself a worker, which imports a script without a main guard.
            raise SystemExit(_NO_MAIN_GUARD) from None

    @property
    def waitables(self) -> list[Any]:
        """For `multiprocessing.connection.wait`: ready on a reply, and when the process ends."""
        return [self._connection, self._process.sentinel]

    def send(self, message: Any) -> None:
        """Pickle and send a message; does nothing if the process has ended."""
        with contextlib.suppress(OSError):
            self._connection.send(message)

    def receive(self, timeout: float) -> Any:
        """The next message; raises `WorkerTimeout`, `WorkerEnded`, or `Fault` if the process cannot
        start at all.
        """
        if not wait(self.waitables, timeout):
            raise WorkerTimeout(f"gave no answer within {timeout:g} seconds")
        with contextlib.suppress(EOFError, OSError):
            if self._connection.poll():
                return self._connection.recv()
        self._process.join(_EXIT_SECONDS)
        if self._process.exitcode == _NO_MAIN_GUARD:
            raise Fault(
                "the script has no main guard: its worker processes import it for the bots that it "
                'defines, so start them below a line if __name__ == "__main__":'
            )
        raise WorkerEnded("ended its process")

    def stop(self, grace: float) -> None:
        """Close the connection, wait for the process to exit, then kill what is left of it."""
        self._connection.close()
        if grace:
            self._process.join(grace)
        if self._process.is_alive():
            kill_tree(self.pid)
        self._process.join()
        self._process.close()


def kill_tree(pid: int) -> None:
    """Kill a process with its descendants, and its process group if it leads one.

    The group holds descendants whose own parent has ended: they are no longer in the tree.
    """
    try:
        process = psutil.Process(pid)
        family = [*process.children(recursive=True), process]
    except psutil.Error:
        family = []
    for each in family[:-1]:
        with contextlib.suppress(psutil.Error):
            each.kill()
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
    for each in family[-1:]:
        with contextlib.suppress(psutil.Error):
            each.kill()


def _is_of_script(value: Any) -> bool:
    """Whether a value is defined in the script, so that it can be unpickled only with it."""
    try:
        return b"__main__" in pickle.dumps(value)
    except (AttributeError, RuntimeError, TypeError, pickle.PicklingError):
        return False  # a channel or shared memory, which only a starting process can take


@contextlib.contextmanager
def _script_hidden() -> Iterator[None]:
    """Start a process that does not import the script: without a main guard it would run again."""
    script = vars(sys.modules["__main__"])
    with _hiding:
        hidden: dict[str, Any] = {
            name: script[name] for name in ("__file__", "__spec__") if name in script
        }
        script.pop("__file__", None)
        script["__spec__"] = None
        try:
            yield
        finally:
            script.update(hidden)


# In the process of a PythonWorker


def _run(serve: Callable[..., None], connection: Connection, *arguments: Any) -> None:
    _isolate()
    with contextlib.suppress(EOFError, OSError):
        serve(connection, *arguments)


def _isolate() -> None:
    """Ctrl-C is for the parent, output is dropped, and the process ends with its parent."""
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
    parent.join()
    kill_tree(os.getpid())
    os._exit(1)


@contextlib.contextmanager
def _sigint_blocked() -> Iterator[None]:
    """Start a process with Ctrl-C blocked: it could come before the process ignores it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # Started with the first process, Python's own resource tracker would unblock the signal.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        with _interrupt_delayed():
            yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def _interrupt_delayed() -> Iterator[None]:
    """Ctrl-C interrupts this process only afterwards.

    Another thread may receive what this one blocks, and Python would interrupt this one: a process
    that has not been sent all that it needs to start would print a traceback.
    """
    usual = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(usual):
        yield
        return
    came: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda number, frame: came.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
    if came:
        usual(*came[0])
