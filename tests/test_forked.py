"""Forked processes of `theriac` are as real ones: their ends, streams, folders and variables."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import environment, start
from tests.forked import ForkedProcess, can_fork

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing is forked")


def test_each_end_is_known_in_any_order(tmp_path: Path) -> None:
    with start(tmp_path, "play", "poison") as first, start(tmp_path, "play", "no-such") as second:
        assert isinstance(first, ForkedProcess)
        assert second.wait(120) == 2
        assert first.poll() is None
        with pytest.raises(subprocess.TimeoutExpired):
            first.wait(0.01)
        first.kill()
        assert first.wait(120) == -signal.SIGKILL
        first.kill()  # it has ended: nothing happens


def test_it_can_be_interrupted(tmp_path: Path) -> None:
    with start(tmp_path, "count", "poison", "--depth", "40") as running:
        assert running.stdout is not None
        running.stdout.readline()
        running.send_signal(signal.SIGINT)
        assert running.wait(120) == 130


def test_it_works_in_its_folder_with_its_variables(tmp_path: Path) -> None:
    (tmp_path / "six.toml").write_text('game = "poison"\n[cards]\nR1 = 1\n')
    narrow = {**environment(tmp_path), "COLUMNS": "40"}
    said = ForkedProcess(["deck", "check", "six.toml"], tmp_path, narrow).communicate(timeout=120)
    real = subprocess.run(
        [sys.executable, "-m", "theriac", "deck", "check", "six.toml"],
        cwd=tmp_path, env=narrow, capture_output=True, check=False,
    )  # fmt: skip
    assert said == (real.stdout, real.stderr)
    assert b"six.toml" in b"".join(said)


def test_what_python_reads_when_it_starts_asks_for_a_real_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert can_fork(os.environ)
    monkeypatch.setenv("RAY_OF_A_PACKAGE", "1")  # set in this process by what it has imported
    assert can_fork(os.environ)
    assert not can_fork({**os.environ, "RAY_OF_A_PACKAGE": "0"})
    with monkeypatch.context() as changed:
        changed.setenv("TERM", "other")
        assert not can_fork(os.environ)
    assert can_fork({**os.environ, "THERIAC_JIT": "0", "HOME": "/nowhere"})
    for name in ("PYTHONPATH", "LANG", "NUMBA_DISABLE_JIT"):
        assert not can_fork({**os.environ, name: "other"})
