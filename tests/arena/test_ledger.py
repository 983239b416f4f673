"""What is kept: nothing is lost, nothing is counted twice."""

from __future__ import annotations

import csv
import subprocess
import sys
from collections.abc import Generator, Iterable
from pathlib import Path

import pytest

from tests.arena.contest import plan_of, sit
from theriac.arena.ledger import GAMES, Ledger, has_parquet, rows_of, write_rows
from theriac.arena.plan import Seating
from theriac.arena.run import run
from theriac.arena.sitting import Played
from theriac.faults import Fault

PLAN = plan_of("greedy", "random", deals=1)


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THERIAC_JIT", "0")


def fill(folder: Path, games: int) -> None:
    with Ledger(folder, PLAN) as ledger:
        for seating in list(PLAN.seatings())[:games]:
            ledger.add(sit(seating))


def test_games_are_there_when_it_is_opened_again(tmp_path: Path) -> None:
    fill(tmp_path, 3)
    with Ledger(tmp_path, PLAN) as ledger:
        assert sorted(ledger.games) == [(0, 0, 0), (0, 0, 1), (0, 0, 2)]
        assert ledger.missing == 5


def test_only_what_is_missing_is_played(tmp_path: Path) -> None:
    fill(tmp_path, 3)
    asked = []

    class Recorder:
        def play(self, seatings: Iterable[Seating]) -> Generator[Played, None, None]:
            for seating in seatings:
                asked.append(seating.key)
                yield sit(seating)

    with Ledger(tmp_path, PLAN) as ledger:
        told: list[Played] = []
        games = run(ledger, Recorder(), told.append)
    assert asked == [(0, 0, n) for n in range(3, 8)]
    assert [game.key for game in told] == asked
    assert [game.key for game in games] == [(0, 0, n) for n in range(8)]


def test_a_game_is_kept_once(tmp_path: Path) -> None:
    fill(tmp_path, 2)
    fill(tmp_path, 3)
    lines = (tmp_path / GAMES).read_bytes().splitlines()
    assert len(lines) == 3
    (tmp_path / GAMES).write_bytes(b"\n".join([*lines, lines[0], b""]))
    with Ledger(tmp_path, PLAN) as ledger:
        assert len(ledger.ordered()) == 3


@pytest.mark.parametrize("cut", [1, 5, 200])
def test_a_line_that_was_cut_off_is_played_again(cut: int, tmp_path: Path) -> None:
    fill(tmp_path, 3)
    path = tmp_path / GAMES
    path.write_bytes(path.read_bytes()[:-cut])
    with Ledger(tmp_path, PLAN) as ledger:
        assert len(ledger.games) == 2
    fill(tmp_path, 3)
    with Ledger(tmp_path, PLAN) as ledger:
        assert len(ledger.games) == 3


@pytest.mark.parametrize("line", [b"{}\n", b"nonsense\n"])
def test_what_is_no_game_is_not_thrown_away(line: bytes, tmp_path: Path) -> None:
    fill(tmp_path, 2)
    path = tmp_path / GAMES
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([lines[0], line, lines[1]]))
    with pytest.raises(Fault, match="line 2 is no game of this plan"):
        Ledger(tmp_path, PLAN).__enter__()
    strange = lines[0].replace(b'"key":[0,0,0]', b'"key":[0,7,0]')
    path.write_bytes(strange + lines[1])
    with pytest.raises(Fault, match="line 1 is no game"):
        Ledger(tmp_path, PLAN).__enter__()
    assert path.read_bytes() == strange + lines[1]


def test_another_plan_is_refused(tmp_path: Path) -> None:
    fill(tmp_path, 1)
    with pytest.raises(Fault, match="it was begun with deals 1, not 2"):
        Ledger(tmp_path, plan_of("greedy", "random", deals=2)).__enter__()
    with pytest.raises(Fault, match="begun with bots"):
        Ledger(tmp_path, plan_of("random", "greedy", deals=1)).__enter__()


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").touch()
    with pytest.raises(Fault, match="not empty"):
        Ledger(tmp_path, PLAN).__enter__()
    with pytest.raises(Fault, match="cannot be stored there"):
        Ledger(tmp_path / "letter.txt", PLAN).__enter__()


@pytest.mark.skipif(sys.platform == "win32", reason="no locks there")
def test_two_runs_do_not_write_at_once(tmp_path: Path) -> None:
    fill(tmp_path, 1)
    code = "import fcntl, sys; fcntl.flock(sys.stderr, fcntl.LOCK_EX); print(flush=True); input()"
    pipe, file = subprocess.PIPE, (tmp_path / GAMES).open("ab")
    command = [sys.executable, "-c", code]
    with file, subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=file) as other:
        assert other.stdout is not None
        other.stdout.readline()
        with pytest.raises(Fault, match="another run"):
            Ledger(tmp_path, PLAN).__enter__()
        other.communicate(b"\n")


def test_a_row_for_each_seat(tmp_path: Path) -> None:
    games = [sit(seating) for seating in PLAN.seatings()]
    path = write_rows(tmp_path, rows_of(PLAN, games), "csv")
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 8 * 4
    assert [row["bot"] for row in rows[:4]] == ["greedy", "random", "random", "random"]
    assert [int(row["score"]) for row in rows[:4]] == games[0].scores
    assert {row["options"] for row in rows} == {rows[0]["options"]}


@pytest.mark.skipif(not has_parquet(), reason="needs pyarrow")
def test_the_same_rows_in_parquet(tmp_path: Path) -> None:
    from pyarrow import parquet

    games = [sit(seating) for seating in PLAN.seatings()]
    rows = list(rows_of(PLAN, games))
    match = parquet.read_table(write_rows(tmp_path, rows, "parquet"))
    assert match.to_pylist() == rows
