"""The command line as a whole: greeting, help, completion, bad input."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import theriac
from tests.command import call, environment, process, start
from theriac.game import all_games

COMMANDS = (
    "games",
    "rules",
    "play",
    "replay",
    "verify",
    "check",
    "count",
    "bench",
    "setup",
    "bots",
    "bot",
    "arena",
    "lab",
    "backup",
    "restore",
)


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THERIAC_JIT", "0")


def test_without_arguments_it_greets_in_five_lines(capsys: pytest.CaptureFixture[str]) -> None:
    said = call(capsys)
    assert said.status == 0
    assert len(said.out.splitlines()) == 5
    assert "theriac play" in said.out


def test_alone_on_a_terminal_it_compiles_and_opens_the_page(tmp_path: Path) -> None:
    instead = "theriac.cli.run = lambda arguments: print('run', *arguments) or 0"
    code = f"import theriac.cli; {instead}; theriac.cli.main()"
    ours, theirs = pty.openpty()
    with os.fdopen(ours, "rb") as screen:
        command = [sys.executable, "-c", code]
        done = subprocess.run(
            command, check=False, stdin=theirs, stdout=theirs, env=environment(tmp_path)
        )
        os.close(theirs)
        said = screen.read1().decode().splitlines()
    assert done.returncode == 0
    assert "opens in the browser; stop it with Ctrl-C" in said[0]
    assert said[-2:] == ["run setup", "run serve --open"]


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, "--version").out == f"theriac {theriac.__version__}\n"


@pytest.mark.parametrize("command", [*COMMANDS, "deck show", "deck check"])
def test_every_command_has_help_with_examples(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = call(capsys, *command.split(), "--help")
    assert said.status == 0
    assert "Examples:" in said.out
    assert f"theriac {command}" in said.out.split("Examples:")[1]


def test_the_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    said = call(capsys, "-h")
    assert all(f" {command} " in said.out for command in (*COMMANDS, "deck"))


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("nonsense", "No such command 'nonsense' (see theriac --help)"),
        ("--nonsense", "No such option: --nonsense"),
        ("play", "name a game"),
        ("play chess", "no game is called chess"),
        ("play poison extra", "unexpected extra argument"),
        ("play poison --players 2", "option players: 2 is not 3, 4, 5 or 6 (POI-03)"),
        ("play poison --players two", "'--players'"),
        ("play poison --set wind=1", "option wind: poison has no option of that name"),
        ("play poison --set open_piles", "write NAME=VALUE, such as open_piles=true"),
        ("play poison --set open_piles=maybe", "maybe is not false or true (POI-13)"),
        ("play poison --set players=4", "use --players instead"),
        ("play poison --set first=4", "option first: 4 is not a seat from 0 to 3"),
        ("play poison --set first=one", "option first: one is not a seat from 0 to 3"),
        ("play shokoba --set target=12", "option target: 12 is not 11, 16 or 21 (SHO-03)"),
        ("play shokoba --set target=11 --set target=16", "option target is set twice"),
        ("play shokoba --set teams=yes", "needs 4 players, not 3 (SHO-02)"),
        ("play poison --seat 4", "seat 4: there are seats 0 to 3"),
        ("play poison --seat -1", "seat -1: there are seats 0 to 3"),
        ("play poison --seed 12", "64 hex digits"),
        ("play poison --bots deep", "no bot is called deep"),
        ("play poison --deck none.toml", "none.toml: cannot be read"),
        ("play poison --save none/game.json", "the game cannot be saved there"),
        ("play --resume none.json", "none.json: No such file"),
        ("rules chess", "no game is called chess"),
        ("rules poison POI-99", "clause POI-99: poison has clauses POI-01 to POI-21"),
        ("rules poison SHO-01", "clause SHO-01: poison has clauses POI-01 to POI-21"),
        ("rules poison --language xx", "language xx: poison has rules in en"),
        ("replay none.json", "none.json: No such file"),
        ("replay . --json", "Is a directory"),
        ("verify none.json", "none.json: No such file"),
        ("deck", "Missing command (see theriac deck --help)"),
        ("deck show chess", "no game is called chess"),
        ("deck check none.toml", "none.toml: cannot be read"),
        ("count poison", "Missing option '--depth'"),
        ("count poison --depth -1", "greater than or equal to 0"),
        ("count poison --depth 1001", "less than or equal to 1000"),
        ("count poison --depth 1 --seed xyz", "64 hex digits"),
        ("bench poison --seconds 0", "greater than or equal to 0.1"),
        ("bench poison --players 7", "option players: 7 is not 3, 4, 5 or 6 (POI-03)"),
    ],
)
def test_bad_input_is_one_sentence_and_status_2(
    line: str,
    sentence: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    said = call(capsys, *line.split())
    assert (said.status, said.out) == (2, "")
    assert sentence in said.err
    assert len(said.err.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_arguments_that_are_not_utf8(tmp_path: Path) -> None:
    for arguments in ([b"\xff"], [b"play", b"\xff\xfe"], [b"replay", b"\xff"], [b"rules", b"\xff"]):
        said = process(tmp_path, *arguments)
        assert said.status == 2
        assert len(said.err.splitlines()) == 1


def test_games_for_a_program(capsys: pytest.CaptureFixture[str]) -> None:
    listed = {game["name"]: game for game in json.loads(call(capsys, "games", "--json").out)}
    assert set(listed) == set(all_games())
    for name, game in all_games().items():
        assert listed[name]["players"] == list(game.players)
        for shown, option in zip(listed[name]["options"], game.options, strict=True):
            assert shown == {
                "name": option.name,
                **option.values_json(),
                "default": option.default,
                "clause": option.clause,
                "help": option.help,
            }


def test_games_for_a_person(capsys: pytest.CaptureFixture[str]) -> None:
    said = call(capsys, "games").out
    for game in all_games().values():
        assert game.title in said
        assert all(option.name in said and option.clause in said for option in game.options)


def test_listing_the_games_does_not_wait_for_numba(tmp_path: Path) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "theriac", "games"]
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, env=environment(tmp_path)
    )
    assert "theriac.game" in done.stderr
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "numpy" in imported
    assert "numba" not in imported
    assert "rich.markdown" not in done.stderr


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("theriac pl", "play"),
        ("theriac play po", "poison"),
        ("theriac play shokoba --set tar", "target=16"),
        ("theriac play poison --bots g", "greedy"),
        ("theriac rules poison --language p", "pt"),
    ],
)
def test_the_shell_completes(words: str, found: str, tmp_path: Path) -> None:
    completion = {
        "_THERIAC_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }
    said = process(tmp_path, **completion)
    assert found in said.out.split()
    assert said.err == ""


def test_a_closed_pipe_prints_no_error(tmp_path: Path) -> None:
    with start(tmp_path, "games") as running:
        assert running.stdout is not None
        running.stdout.close()
        assert running.stderr is not None
        assert running.stderr.read() == b""
    assert running.returncode in (0, 1)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_one_sentence(tmp_path: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "theriac", "games", "--json"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            env=environment(tmp_path),
        )
    assert (done.returncode, done.stderr) == (2, "No space left on device\n")


@pytest.mark.skipif(os.name == "nt", reason="needs a shell")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_error(closed: str, tmp_path: Path) -> None:
    done = subprocess.run(
        f"{sys.executable} -m theriac play poison {closed}",
        shell=True, capture_output=True, text=True, check=False, env=environment(tmp_path),
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(os.name == "nt", reason="sends a signal")
def test_ctrl_c_is_quiet(tmp_path: Path) -> None:
    with start(tmp_path, "count", "poison", "--depth", "40") as running:
        assert running.stdout is not None
        running.stdout.readline()
        time.sleep(0.3)
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=120)
    assert (running.returncode, err) == (130, b"")
