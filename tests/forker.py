"""Forks processes of `theriac`: `python -m tests.forker NUMBER` (`tests.forked` starts it).

Importing takes most of the time of a short command, and until a server serves. This process has
imported everything. It takes orders from the socket with this number: the arguments, the folder and
the environment of a command, and with them its input, its output, its error output, and a pipe for
its exit status. The answer is the id of the new process.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import multiprocessing.process
import os
import select
import signal
import socket
import sys
from typing import Any

#: What a server and the commands import.
IMPORTED = (
    "alembic.command",
    "numba",
    "theriac.cli",
    "theriac.server.app",
    "theriac.server.serve",
    "theriac.__main__",
)
#: More than an order has, in bytes.
LONGEST_ORDER = 1 << 17
#: Input, output, error output, and where the exit status goes.
STREAMS = 4


class Forker:
    """Takes orders, and reports how they end."""

    def __init__(self, orders: socket.socket) -> None:
        self._orders = orders
        #: By a descriptor of a process: its id, and where its exit status goes.
        self._running: dict[int, tuple[int, int]] = {}

    def next_order(self) -> dict[str, Any] | None:
        """Fork for each order until there are no more; in a new process, its order."""
        while True:
            orders = self._orders.fileno()
            ready, _, _ = select.select([orders, *self._running], [], [])
            for ended in self._running.keys() & set(ready):
                self._bury(ended)
            if orders not in ready:
                continue
            message, streams, _, _ = socket.recv_fds(self._orders, LONGEST_ORDER, STREAMS)
            if not message:
                return None
            pid = os.fork()
            if pid == 0:
                self._close()
                _take(streams)
                order: dict[str, Any] = json.loads(message)
                return order
            *others, status = streams
            for stream in others:
                os.close(stream)
            self._running[os.pidfd_open(pid)] = pid, status
            self._orders.send(str(pid).encode())

    def _bury(self, process: int) -> None:
        """Report the exit status of a process that has ended."""
        pid, pipe = self._running.pop(process)
        _, status = os.waitpid(pid, 0)
        with contextlib.suppress(BrokenPipeError):  # nobody asks any more
            os.write(pipe, str(os.waitstatus_to_exitcode(status)).encode())
        for descriptor in (process, pipe):
            os.close(descriptor)

    def _close(self) -> None:
        """Close everything, in a new process."""
        self._orders.close()
        for process, (_, pipe) in self._running.items():
            os.close(process)
            os.close(pipe)


def _take(streams: list[int]) -> None:
    """Make these the standard streams of this process; the last goes to the forker only."""
    for number, stream in enumerate(streams[:-1]):
        os.dup2(stream, number)
    for stream in streams:
        os.close(stream)
    # The files from the start remember what kind of file they were.
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        old = getattr(sys, name)
        buffering = 1 if name == "stderr" else -1
        new = open(number, mode, buffering, old.encoding, old.errors, closefd=False)  # noqa: SIM115
        setattr(sys, name, new)


def _become(order: dict[str, Any]) -> None:
    """Run a command as `python -m theriac` does in its folder."""
    import theriac.__main__ as command

    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.clear()
    os.environ.update(order["environment"])
    os.chdir(order["folder"])
    sys.path[0] = order["folder"]
    sys.argv = [str(command.__file__), *order["arguments"]]
    # Bots are new processes that start where this one started, with its main module.
    multiprocessing.process.ORIGINAL_DIR = order["folder"]  # type: ignore[attr-defined]
    sys.modules["__main__"] = command
    command.main()


def _import_all() -> None:
    for module in IMPORTED:
        importlib.import_module(module)
    # A first command imports what all of them need; nobody reads what it prints.
    importlib.import_module("theriac.cli").run(["games"])
    gc.collect()
    gc.freeze()


def main() -> None:
    """Fork on order, until nobody can order any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the tests end this process by closing the socket
    orders = socket.socket(fileno=int(sys.argv[1]))
    _import_all()
    order = Forker(orders).next_order()
    if order is not None:
        _become(order)


if __name__ == "__main__":
    main()
