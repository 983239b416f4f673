"""Run tests many times, each time in a fork of one process that has the libraries loaded.

`tools.mutants` starts it in a copy of the project. It reads lines of JSON, each a list of tests,
and answers each with a line: the exit status of pytest, and its output, which ends with the name of
the test that failed.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import signal
import sys
import tempfile
from typing import IO, NoReturn

import pytest

#: What the tests of a clause import, except the games: a fork imports them with its mutant.
LOADED = (
    "hypothesis",
    "numba",
    "scipy.stats",
    "theriac.bots",
    "theriac.engine.entry_points",
    "theriac.match",
    "theriac.record",
    "theriac.server.app",
)
#: A mutant can make a game endless. Seconds of the CPU do not depend on what else is running;
#: those of the clock are for a test that waits.
CPU_SECONDS = 60
WAITING_SECONDS = 600
#: One failure is enough, and nobody reads what it says: only which test it is.
OPTIONS = ("-x", "-q", "--tb=no", "--no-summary", "--assert=plain", "-pno:cacheprovider")


def load() -> None:
    """Import what forks share; raises `RuntimeError` if a game comes with it."""
    for name in LOADED:
        importlib.import_module(name)
    games = [name for name in sys.modules if name.startswith("theriac.games.")]
    if games:
        raise RuntimeError(f"{games[0]} is loaded before it is broken: take it out of LOADED")


class FirstFailure:
    """A plugin of pytest: the name of the test that failed."""

    def __init__(self) -> None:
        self.name = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the name of a test that failed."""
        if report.failed:
            self.name = report.nodeid


def run_tests(names: list[str], output: IO[bytes]) -> NoReturn:
    """Run the tests in this process, a fork, and end it."""
    os.setsid()
    signal.alarm(WAITING_SECONDS)
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    for stream in (sys.stdout, sys.stderr):
        os.dup2(output.fileno(), stream.fileno())
    first = FirstFailure()
    status = pytest.main([*OPTIONS, "-oaddopts=--import-mode=importlib", *names], [first])
    print(first.name, flush=True)
    os._exit(status)


def fork_and_run(names: list[str]) -> tuple[int, str]:
    """The exit status of pytest, or less than zero if it ran too long, and its output."""
    with tempfile.TemporaryFile() as output:
        child = os.fork()
        if child == 0:
            run_tests(names, output)
        _, ended = os.waitpid(child, 0)
        _end_group(child)
        output.seek(0)
        return os.waitstatus_to_exitcode(ended), output.read().decode(errors="replace")


def _end_group(group: int) -> None:
    """End what a killed test had started."""
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return


def main() -> None:
    """Answer each line until there are no more."""
    load()
    for line in sys.stdin:
        status, output = fork_and_run(json.loads(line))
        print(json.dumps([status, output]), flush=True)


if __name__ == "__main__":
    main()
