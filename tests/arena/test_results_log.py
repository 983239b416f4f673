"""The results log: no game is lost or counted twice."""

from __future__ import annotations

import csv
import subprocess
import sys
from collections.abc import Generator, Iterable
from pathlib import Path

import pytest

from tests.arena.samples import play_here, schedule_of
from theriac.arena.arena_game import GameResult
from theriac.arena.export import has_parquet, seat_rows, write_table
from theriac.arena.results_log import RESULTS, ResultsLog
from theriac.arena.run import play_missing
from theriac.arena.schedule import GameSpec
from theriac.faults import Fault

SCHEDULE = schedule_of("greedy", "random", deals=1)


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THERIAC_JIT", "0")


def fill(folder: Path, games: int) -> None:
    with ResultsLog(folder, SCHEDULE) as log:
        for spec in list(SCHEDULE.games())[:games]:
            log.add(play_here(spec))


def test_games_are_read_when_the_log_is_opened_again(tmp_path: Path) -> None:
    fill(tmp_path, 3)
    with ResultsLog(tmp_path, SCHEDULE) as log:
        assert sorted(log.results) == [(0, 0, 0), (0, 0, 1), (0, 0, 2)]
        assert log.missing == 5


def test_only_missing_games_are_played(tmp_path: Path) -> None:
    fill(tmp_path, 3)
    asked = []

    class Recorder:
        def play(self, games: Iterable[GameSpec]) -> Generator[GameResult, None, None]:
            for spec in games:
                asked.append(spec.key)
                yield play_here(spec)

    with ResultsLog(tmp_path, SCHEDULE) as log:
        output: list[GameResult] = []
        games = play_missing(log, Recorder(), output.append)
    assert asked == [(0, 0, n) for n in range(3, 8)]
    assert [game.key for game in output] == asked
    assert [game.key for game in games] == [(0, 0, n) for n in range(8)]


def test_a_game_is_stored_once(tmp_path: Path) -> None:
    fill(tmp_path, 2)
    fill(tmp_path, 3)
    lines = (tmp_path / RESULTS).read_bytes().splitlines()
    assert len(lines) == 3
    (tmp_path / RESULTS).write_bytes(b"\n".join([*lines, lines[0], b""]))
    with ResultsLog(tmp_path, SCHEDULE) as log:
        assert len(log.ordered()) == 3


@pytest.mark.parametrize("cut", [1, 5, 200])
def test_the_game_of_a_truncated_line_is_played_again(cut: int, tmp_path: Path) -> None:
    fill(tmp_path, 3)
    path = tmp_path / RESULTS
    path.write_bytes(path.read_bytes()[:-cut])
    with ResultsLog(tmp_path, SCHEDULE) as log:
        assert len(log.results) == 2
    fill(tmp_path, 3)
    with ResultsLog(tmp_path, SCHEDULE) as log:
        assert len(log.results) == 3


@pytest.mark.parametrize("line", [b"{}\n", b"nonsense\n"])
def test_a_line_that_is_not_a_game_is_refused_and_kept(line: bytes, tmp_path: Path) -> None:
    fill(tmp_path, 2)
    path = tmp_path / RESULTS
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([lines[0], line, lines[1]]))
    with pytest.raises(Fault, match="line 2 is no game of this schedule"):
        ResultsLog(tmp_path, SCHEDULE).__enter__()
    strange = lines[0].replace(b'"key":[0,0,0]', b'"key":[0,7,0]')
    path.write_bytes(strange + lines[1])
    with pytest.raises(Fault, match="line 1 is no game"):
        ResultsLog(tmp_path, SCHEDULE).__enter__()
    assert path.read_bytes() == strange + lines[1]


def test_another_schedule_is_refused(tmp_path: Path) -> None:
    fill(tmp_path, 1)
    with pytest.raises(Fault, match="it was started with deals 1, not 2"):
        ResultsLog(tmp_path, schedule_of("greedy", "random", deals=2)).__enter__()
    with pytest.raises(Fault, match="started with bots"):
        ResultsLog(tmp_path, schedule_of("random", "greedy", deals=1)).__enter__()


def test_a_folder_that_is_not_a_run_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").touch()
    with pytest.raises(Fault, match="not empty"):
        ResultsLog(tmp_path, SCHEDULE).__enter__()
    with pytest.raises(Fault, match="cannot be stored there"):
        ResultsLog(tmp_path / "letter.txt", SCHEDULE).__enter__()


@pytest.mark.skipif(sys.platform == "win32", reason="no locks there")
def test_two_runs_do_not_write_at_once(tmp_path: Path) -> None:
    fill(tmp_path, 1)
    code = "import fcntl, sys; fcntl.flock(sys.stderr, fcntl.LOCK_EX); print(flush=True); input()"
    pipe, file = subprocess.PIPE, (tmp_path / RESULTS).open("ab")
    command = [sys.executable, "-c", code]
    with file, subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=file) as other:
        assert other.stdout is not None
        other.stdout.readline()
        with pytest.raises(Fault, match="another run"):
            ResultsLog(tmp_path, SCHEDULE).__enter__()
        other.communicate(b"\n")


def test_a_row_for_each_seat(tmp_path: Path) -> None:
    games = [play_here(spec) for spec in SCHEDULE.games()]
    path = write_table(tmp_path, seat_rows(SCHEDULE, games), "csv")
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 8 * 4
    assert [row["bot"] for row in rows[:4]] == ["greedy", "random", "random", "random"]
    assert [int(row["score"]) for row in rows[:4]] == games[0].scores
    assert {row["options"] for row in rows} == {rows[0]["options"]}


@pytest.mark.skipif(not has_parquet(), reason="needs pyarrow")
def test_the_same_rows_in_parquet(tmp_path: Path) -> None:
    from pyarrow import parquet

    games = [play_here(spec) for spec in SCHEDULE.games()]
    rows = list(seat_rows(SCHEDULE, games))
    match = parquet.read_table(write_table(tmp_path, rows, "parquet"))
    assert match.to_pylist() == rows
