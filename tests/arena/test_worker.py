"""Worker processes: a bot that hangs or ends its process harms its own game only."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.arena.samples import alive, make_bot, play_here, schedule_of, without_times
from theriac.arena.worker import ArenaWorker
from theriac.arena.worker_pool import WorkerPool


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THERIAC_JIT", "0")


def test_hanging_and_crashing_bots_forfeit_and_the_run_continues() -> None:
    schedule = schedule_of("hang", "die", "random", "greedy", deals=1, limit=0.5)
    games = list(WorkerPool(2, make_bot, 0.5).play(schedule.games()))
    assert sorted(game.key for game in games) == [one.key for one in schedule.games()]
    for game in games:
        assert game.forfeits["hang"] == "took longer than 0.5 s for a move"
        assert game.forfeits["die"] == "ended its process"
        assert not {"random", "greedy"} & set(game.forfeits)
        shares = dict(zip(game.bots, game.shares, strict=True))
        assert shares["random"] + shares["greedy"] == pytest.approx(1)


def test_a_bot_that_never_starts_forfeits() -> None:
    worker = ArenaWorker(make_bot, 0.3, warm_up_limit=0.3)
    games = list(schedule_of("stuck", "random", deals=1).games())[:2]
    assert all(list(worker.play(one).forfeits) == ["stuck"] for one in games)
    worker.close()


def test_a_bot_that_hangs_on_close_does_not_forfeit() -> None:
    worker = ArenaWorker(make_bot, 0.3)
    games = [list(schedule_of("clingy", "random", deals=3).games())[i] for i in (0, 8, 16)]
    assert not any(worker.play(one).forfeits for one in games)
    worker.close()


def test_the_game_of_a_killed_worker_is_played_again_identically() -> None:
    spec = next(schedule_of("nap", "random").games())
    worker = ArenaWorker(make_bot, 10.0)
    worker.submit(spec)
    while (worker._timer.current() or (0, -1))[1] < 2:  # until a bot thinks about a move
        assert worker.collect() is None
        time.sleep(0.01)
    os.kill(worker._supervisor.worker.pid, signal.SIGKILL)
    while (played := worker.collect()) is None:
        time.sleep(0.01)
    worker.close()
    assert without_times([played]) == without_times([play_here(spec)])
    assert played.forfeits == {}


def test_programs_of_a_killed_worker_are_killed(tmp_path: Path) -> None:
    """With a bot that is a program in its own session, as `process:` bots are."""
    program = tmp_path / "program.py"
    notes = tmp_path / "pid"
    program.write_text(
        f"import os, time; open({str(notes)!r}, 'w').write(str(os.getpid())); time.sleep(1000)"
    )
    worker = ArenaWorker(make_bot, 0.3, warm_up_limit=5.0)
    name = f"process:{sys.executable} {program}"
    assert list(worker.play(next(schedule_of(name, "random").games())).forfeits) == [name]
    worker.close()
    assert notes.exists()
    assert not alive(int(notes.read_text()))


def test_a_hanging_worker_ends_with_its_parent() -> None:
    code = (
        "from tests.arena.samples import make_bot, schedule_of\n"
        "from theriac.arena.worker import ArenaWorker\n"
        "import os\n"
        "if __name__ == '__main__':\n"
        "    worker = ArenaWorker(make_bot, 1000.0)\n"
        "    worker.submit(next(schedule_of('stuck', 'random').games()))\n"
        "    while not worker._timer.current():\n"
        "        pass\n"
        "    print(worker._supervisor.worker.pid, flush=True)\n"
        "    os._exit(0)\n"
    )
    command, no = [sys.executable, "-c", code], subprocess.DEVNULL
    with subprocess.Popen(command, stdin=no, stdout=subprocess.PIPE, stderr=no) as parent:
        assert parent.stdout is not None
        process = int(parent.stdout.readline())
    for _ in range(2000):
        if not alive(process):
            return
        time.sleep(0.05)
    os.kill(process, signal.SIGKILL)
    raise AssertionError("the worker went on without its parent")


def test_what_bots_print_is_not_shown(capfd: pytest.CaptureFixture[str]) -> None:
    worker = ArenaWorker(make_bot, 10.0)
    played = worker.play(next(schedule_of("chat", "random").games()))
    worker.close()
    assert played.forfeits == {}
    assert capfd.readouterr().out == ""
