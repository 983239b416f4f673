"""`theriac arena` as a user runs it: interrupted and resumed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

from tests.arena.samples import alive, without_times
from tests.command import call, environment
from theriac.arena.arena_game import GameResult
from theriac.arena.results_log import RESULTS

DECK = 'game = "poison"\n[cards]\nR1 = 2\nX = 2\n'
GAMES_IN_ALL = 96
ARENA = ("arena", "poison", "greedy", "random", "--games", GAMES_IN_ALL, "--format", "csv")


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THERIAC_JIT", "0")


def read(folder: Path) -> list[GameResult]:
    lines = (folder / RESULTS).read_bytes().splitlines()
    return [msgspec.json.decode(line, type=GameResult) for line in lines]


def wait_for_games(folder: Path, games: int) -> None:
    for _ in range(2400):
        if (folder / RESULTS).exists() and (folder / RESULTS).read_bytes().count(b"\n") >= games:
            return
        time.sleep(0.05)
    raise AssertionError("no games in two minutes")


def children(process: int) -> set[int]:
    """The child processes of a process, where /proc lists them."""
    tasks = Path(f"/proc/{process}/task/{process}/children")
    return {int(word) for word in tasks.read_text().split()} if tasks.exists() else set()


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals")
def test_an_interrupted_run_is_resumed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, deck = tmp_path / "out", tmp_path / "deck.toml"
    deck.write_text(DECK)
    line = [*ARENA, "--deck", deck, "--json"]
    command = [sys.executable, "-m", "theriac", *map(str, line), "--out", str(folder)]
    before = 0
    for number in (signal.SIGINT, signal.SIGKILL):
        with subprocess.Popen(
            command,
            cwd=tmp_path,
            env=environment(tmp_path),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        ) as running:
            wait_for_games(folder, before + 4)
            started = children(running.pid)
            os.killpg(running.pid, number)  # as a terminal does it
            out, err = running.communicate(timeout=120)
        assert out == b""
        if number == signal.SIGINT:
            assert running.returncode == 130
            assert b"of 96 games are saved" in err
            assert f"--out {folder}".encode() in err
        end = time.monotonic() + 100
        while any(alive(process) for process in started):
            assert time.monotonic() < end, "a worker runs on"
            time.sleep(0.05)
        before = len(read(folder))
        assert before < GAMES_IN_ALL
    (folder / RESULTS).write_bytes((folder / RESULTS).read_bytes() + b'{"key":[0,')
    output = json.loads(call(capsys, *line, "--out", folder).out)
    assert output["games"] == GAMES_IN_ALL
    games = read(folder)
    assert len({game.key for game in games}) == len(games) == GAMES_IN_ALL
    whole = tmp_path / "whole"
    call(capsys, *line, "--out", whole, "--jobs", 1)
    assert without_times(sorted(games, key=lambda game: game.key)) == without_times(
        sorted(read(whole), key=lambda game: game.key)
    )


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs Linux's /proc")
def test_a_run_can_be_interrupted_while_workers_start(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "theriac", *map(str, ARENA), "--out", str(tmp_path / "out")]
    with subprocess.Popen(
        command, env=environment(tmp_path), stderr=subprocess.PIPE, start_new_session=True
    ) as running:
        while len(children(running.pid)) < 2:
            time.sleep(0.01)
        time.sleep(0.1)
        os.killpg(running.pid, signal.SIGINT)
        _, err = running.communicate(timeout=120)
    assert running.returncode == 130
    assert len(err.splitlines()) == 1


def test_a_finished_run_plays_nothing_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = (
        "arena",
        "poison",
        "greedy",
        "random",
        "--games",
        1,
        "--out",
        tmp_path / "out",
        "--until-decided",
        "--json",
    )
    first = json.loads(call(capsys, *line).out)
    assert first["verdict"] == "1 deal cannot tell who is better: play more games."
    time_of = (tmp_path / "out" / RESULTS).stat().st_mtime_ns
    again = json.loads(call(capsys, *line).out)
    assert set(first.pop("run")) == set(again.pop("run")) == {"version", "date", "machine", "load"}
    assert again == first
    assert (tmp_path / "out" / RESULTS).stat().st_mtime_ns == time_of


def test_the_json_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = call(
        capsys, "arena", "shock", "greedy", "random", "greedy:slip=0.5",
        "--players", "3,4", "--games", 27, "--out", tmp_path / "out", "--json",
        "--name", "one", "--name", "two", "--name", "three",
    )  # fmt: skip
    output = json.loads(said.out)
    assert (said.status, output["games"], output["deals"]) == (0, 27, 1)
    assert [bot["name"] for bot in output["bots"]] == ["one", "two", "three"]
    assert [(row["bot"], row["other"]) for row in output["differences"]] == [
        ("one", "two"), ("one", "three"), ("two", "three")
    ]  # fmt: skip
    assert "three: greedy:slip=0.5" in Path(output["files"]["report"]).read_text("utf-8")
    for bot in output["bots"]:
        assert 0 <= bot["low"] <= bot["wins"] / bot["games"] <= bot["high"] <= 1
        assert bot["games"] == 3 + 8
        assert bot["forfeits"] == 0
    assert [row["players"] for row in output["players"]] == [3, 4]
    assert Path(output["files"]["games"]).exists()
    assert Path(output["files"]["report"]).exists()


def test_a_run_without_an_output_folder_is_stored_in_the_users_data_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    said = call(capsys, "arena", "dungeon", "random", "--players", 1, "--games", 2)
    assert said.status == 0
    assert "dungeon: 2 games of 2 deals" in said.out
    found = list(tmp_path.rglob("report.html"))
    assert len(found) == 1
    assert str(found[0].parent) in said.out


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("arena chess greedy random", "no game is called chess"),
        ("arena poison", "Missing argument 'BOT...'"),
        ("arena poison greedy", "name two or more"),
        ("arena poison greedy gready", "no bot is called gready"),
        ("arena poison greedy greedy", "bot greedy is named twice"),
        ("arena poison greedy random --players 2", "2 is not 3, 4, 5 or 6 (POI-03)"),
        ("arena poison greedy random --players few", 'write numbers such as 3,4 or "all"'),
        ("arena poison greedy random --games 0", "'--games'"),
        ("arena poison greedy random --name a", "--name is given 1 times for 2 bots"),
        ("arena poison greedy random --name a --name a", "--name a is given twice"),
        ("arena poison greedy random --luck -1", "'--luck'"),
        ("arena poison greedy random --limit 0", "'--limit'"),
        ("arena poison greedy random --on moon", "'--on'"),
        ("arena poison greedy random --format xls", "'--format'"),
        (
            "arena poison greedy random --set wind=1",
            "wind: poison has no option of that name",
        ),
        ("arena poison greedy random --out there.txt/out", "results cannot be stored there"),
        ("lab poison --vary open_piles", "write OPTION=A,B"),
        ("lab poison --vary wind=1,2", "poison has no option of that name"),
        ("lab poison --vary open_piles=true,maybe", "maybe is not false or true (POI-13)"),
        ("lab poison --vary open_piles=true,yes", "yes is given twice"),
        ("lab poison --vary players=3 --vary players=4", "all its values at once"),
        ("lab poison --vary players=2,3", "2 is not 3, 4, 5 or 6"),
        ("lab poison --bot gready", "no bot is called gready"),
        ("lab poison --deck none.toml", "none.toml: cannot be read"),
    ],
)
def test_bad_input_is_one_sentence(
    line: str,
    sentence: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there.txt").touch()
    said = call(capsys, *line.split())
    assert (said.status, said.out) == (2, "")
    assert sentence in said.err
    assert len(said.err.splitlines()) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["there.txt"]
