"""`theriac play dungeon`: the clock."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.command import process
from tests.forts import easy, play
from tests.test_cli_play import Terminal, saved
from theriac.cli import clock
from theriac.cli.clock import Clock, TimeUp
from theriac.record import replay


def test_the_clock_is_shown_saved_and_resumed(tmp_path: Path) -> None:
    said, record = play(tmp_path, "0000@1,1\n", *easy(tmp_path))
    assert "The clock starts now: 6:00 left" in said.out
    assert "] Your move" in said.out
    assert 300 < record[clock.KEY] <= 360
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record | {clock.KEY: 82.5}))
    said, record = play(tmp_path, "", "--resume", str(file))
    assert "[1:23] Your move" in said.out
    assert 60 < record[clock.KEY] <= 82.5


def test_a_clock_runs_from_its_start(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    running = Clock(90)
    now = 200.0
    assert (running.left, running.display) == (90, "1:30")
    running.start()
    now = 225.5
    assert (running.left, running.display) == (64.5, "1:05")
    now = 300.0
    assert (running.left, running.display) == (0, "0:00")


def test_a_game_whose_time_has_run_out_is_over_at_once(tmp_path: Path) -> None:
    _, record = play(tmp_path, "0000@1,1\n", *easy(tmp_path))
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record | {clock.KEY: 0}))
    said, record = play(tmp_path, "0000@2,2\n", "--resume", str(file))
    assert record["moves"] == ["0000@1,1", "timeout"]
    assert "The time has run out: the fort is lost. (KKD-23)" in said.out
    assert replay(record, "plain").view()["table"]["why"] == "KKD-23"


def test_the_time_runs_out_while_nothing_is_typed(tmp_path: Path) -> None:
    _, record = play(tmp_path, "", *easy(tmp_path))
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record | {clock.KEY: 1}))
    terminal = Terminal(tmp_path, "play", "--resume", str(file))
    terminal.read_until("Your move")
    terminal.type("0000 ")
    assert "All lose" in terminal.read_until("kept in") or "Lost" in terminal.shown
    assert terminal.running.wait(120) == 0
    assert saved(file)["moves"] == ["timeout"]


def test_without_alarms_the_clock_is_checked_after_the_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr("signal.setitimer")
    running = Clock(0.001)
    running.start()
    with pytest.raises(TimeUp), running.limit():
        while running.left:
            pass
    with Clock(5).limit():
        pass


@pytest.mark.parametrize("seconds", [-1, 361, "9", None, True])
def test_bad_clocks_are_refused(seconds: Any, tmp_path: Path) -> None:
    _, record = play(tmp_path, "", *easy(tmp_path))
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record | {clock.KEY: seconds}))
    said = process(tmp_path, "play", "--resume", str(file))
    assert said.status == 2
    assert '"x_seconds_left" must be a number from 0 to 360' in said.err
