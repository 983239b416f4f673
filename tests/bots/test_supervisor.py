"""The supervisor of worker processes: timeouts, restarts, and nothing left behind."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from multiprocessing.connection import Connection

import psutil
import pytest

from theriac.bots.supervisor import (
    PythonWorker,
    Supervisor,
    WorkerEnded,
    WorkerTimeout,
    kill_tree,
)

SLEEP = [sys.executable, "-c", "import time; time.sleep(300)"]
TIMEOUT = 60.0


def serve(connection: Connection, greeting: str) -> None:
    """Answers with a greeting; some requests misbehave."""
    while True:
        request = connection.recv()
        match request:
            case "hang":
                time.sleep(300)
            case "exit":
                os._exit(3)
            case "start a program":
                program = subprocess.Popen(SLEEP, start_new_session=True)
                connection.send(program.pid)
            case _:
                connection.send((os.getpid(), f"{greeting}, {request}"))


@pytest.fixture
def supervisor() -> Iterator[Supervisor[PythonWorker]]:
    made = Supervisor(partial(PythonWorker, serve, "hello"))
    yield made
    made.stop()


def runs(pid: int) -> bool:
    return psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 100  # the machine may be busy
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_it_starts_when_it_is_needed_and_stays(supervisor: Supervisor[PythonWorker]) -> None:
    before = supervisor.running
    pid, answer = supervisor.request("Ana", TIMEOUT)
    assert answer == "hello, Ana"
    assert (before, supervisor.running) == (False, True)
    assert supervisor.request("Bo", TIMEOUT) == (pid, "hello, Bo")


def test_a_worker_that_hangs_is_killed_and_the_next_request_starts_another(
    supervisor: Supervisor[PythonWorker],
) -> None:
    pid, _ = supervisor.request("Ana", TIMEOUT)
    with pytest.raises(WorkerTimeout, match=r"gave no answer within 0\.2 seconds"):
        supervisor.request("hang", 0.2)
    assert not runs(pid)
    other, _ = supervisor.request("Bo", TIMEOUT)
    assert other != pid


def test_a_worker_that_exits_fails_its_request(supervisor: Supervisor[PythonWorker]) -> None:
    with pytest.raises(WorkerEnded):
        supervisor.request("exit", TIMEOUT)
    assert supervisor.request("Bo", TIMEOUT)[1] == "hello, Bo"


def test_programs_of_a_worker_are_killed_with_it(supervisor: Supervisor[PythonWorker]) -> None:
    """Even one that leads a session of its own."""
    program = supervisor.request("start a program", TIMEOUT)
    assert runs(program)
    with pytest.raises(WorkerTimeout):
        supervisor.request("hang", 0.2)
    wait_until(lambda: not runs(program))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no process groups")
def test_an_orphan_in_the_process_group_is_killed() -> None:
    """Its parent has exited, so it is no longer in the tree of processes."""
    orphan = (
        "import os, subprocess, sys, time\n"
        "if os.fork() == 0:\n"
        f"    print(subprocess.Popen({SLEEP!r}, stdout=subprocess.DEVNULL).pid, flush=True)\n"
        "    os._exit(0)\n"
        "time.sleep(300)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", orphan], stdout=subprocess.PIPE, start_new_session=True
    ) as leader:
        assert leader.stdout is not None
        pid = int(leader.stdout.readline())
        assert runs(pid)
        kill_tree(leader.pid)
        wait_until(lambda: not runs(pid))
        assert leader.wait(100) == -9


def test_a_killed_worker_fails_the_request_that_waits(
    supervisor: Supervisor[PythonWorker],
) -> None:
    supervisor.worker.send("hang")
    supervisor.kill()
    with pytest.raises(WorkerEnded):
        supervisor.worker.receive(TIMEOUT)


def test_nothing_is_left_when_the_supervisor_is_forgotten() -> None:
    lost = Supervisor(partial(PythonWorker, serve, "hello"))
    pid, _ = lost.request("Ana", TIMEOUT)
    lost.worker.send("hang")  # it does not notice that its connection is closed
    time.sleep(0.2)
    del lost
    gc.collect()
    wait_until(lambda: not runs(pid))


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="no such signals")
def test_a_worker_is_sent_all_that_it_needs_before_ctrl_c_interrupts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Another thread gets the signal that the starting one blocks, and Python interrupts that."""
    start = PythonWorker._start
    made: list[PythonWorker] = []

    def start_and_interrupt(worker: PythonWorker) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.2)  # a thread that is not interrupted here goes on to start the process
        start(worker)
        made.append(worker)

    monkeypatch.setattr(PythonWorker, "_start", start_and_interrupt)
    done = threading.Event()
    threading.Thread(target=done.wait, daemon=True).start()
    before = signal.getsignal(signal.SIGINT)
    try:
        with pytest.raises(KeyboardInterrupt):
            PythonWorker(serve, "hello")
    finally:
        done.set()
    assert signal.getsignal(signal.SIGINT) is before
    (worker,) = made
    worker._process.terminate()
    worker._process.join()
