"""`theriac train`: its options, what it refuses, and how it resumes after it was stopped."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.command import Outcome, Running, call, environment, start
from theriac.bots.network import read_network
from theriac.cli.train import RENAMED_OPTIONS
from theriac.learn.run_folder import CHECKPOINT, CONFIG, LOG, NETWORK

SMALL = "--num-envs 16 --num-steps 40 --width 8 --layers 1 --minibatch-size 64".split()


def train(capsys: pytest.CaptureFixture[str], folder: Path, *more: str) -> Outcome:
    return call(capsys, "train", "poison", "--out", folder, *more)


def steps_of(folder: Path) -> int:
    return read_network(folder / NETWORK).metadata.steps


def test_it_trains_and_resumes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    said = train(capsys, tmp_path / "t", *SMALL, "--total-timesteps", "1200", "--seed", "5")
    assert said.status == 0
    assert "1,280 moves in" in said.out
    assert "win share against random play" in said.out
    assert f"neural:file={tmp_path / 't' / NETWORK}" in said.out
    config = json.loads((tmp_path / "t" / CONFIG).read_text())
    assert (config["seed"], config["games"], config["players"]) == (5, 16, [4])
    # The configuration is stored: only the new budget is needed.
    said = train(capsys, tmp_path / "t", "--total-timesteps", "2500", "--json")
    result = json.loads(said.out.splitlines()[-1])
    assert (result["steps"], result["lessons"]) == (2560, 4)
    assert steps_of(tmp_path / "t") == 2560
    assert Path(result["network"]) == tmp_path / "t" / NETWORK


def test_minutes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert train(capsys, tmp_path / "t", *SMALL, "--minutes", "0.03").status == 0
    first = steps_of(tmp_path / "t")
    assert first > 0
    assert train(capsys, tmp_path / "t", "--minutes", "0.03").status == 0
    assert steps_of(tmp_path / "t") == first


def test_options_and_players(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    more = ["--players", "3,5", "--set", "open_piles=true", "--total-timesteps", "100"]
    assert train(capsys, tmp_path / "t", *SMALL, *more).status == 0
    metadata = read_network(tmp_path / "t" / NETWORK).metadata
    assert (metadata.players, metadata.options) == ((3, 5), {"open_piles": True})


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("--players 2", "option players: 2 is not 3, 4, 5 or 6 (POI-03)"),
        ("--players x", "--players x: write numbers such as 3,4"),
        ("--set first=1", "--set first: observations are relative to the seat to act"),
        ("--set speed=1", "option speed: poison has no option of that name"),
        ("--device cuda", "device cuda: PyTorch finds no GPU that it can use"),
        ("--device tpu", "Invalid value for '--device'"),
        ("--total-timesteps 0", "Invalid value for '--total-timesteps'"),
        ("--minutes 0", "Invalid value for '--minutes'"),
        ("--learning-rate 2", "Invalid value for '--learning-rate'"),
        ("--gae-lambda 1.5", "Invalid value for '--gae-lambda'"),
        ("--total-timesteps 99 --num-envs 1 --num-steps 1", "increase --num-steps or --num-envs"),
    ],
)
def test_bad_options_are_refused(
    arguments: str, sentence: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    said = train(capsys, tmp_path / "t", *arguments.split())
    assert (said.status, said.out) == (2, "")
    assert sentence in said.err
    assert not (tmp_path / "t" / NETWORK).exists()


@pytest.mark.parametrize(("old", "new"), RENAMED_OPTIONS.items())
def test_old_option_names_are_refused_with_the_new_name(
    old: str, new: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    said = train(capsys, tmp_path / "t", old, "1")
    assert (said.status, said.out) == (2, "")
    assert said.err == f"{old} was renamed: use {new} (see theriac train --help)\n"
    assert new in call(capsys, "train", "--help").out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("poison --width 16", "this run was started with width 8, not 16"),
        ("poison --players 3", "this run was started with players (4,), not (3,)"),
        (
            "poison --set open_piles=true",
            "this run was started with options {}, not {'open_piles': True}",
        ),
        ("shock", "this run was started with game poison, not shock"),
    ],
)
def test_another_configuration_in_the_same_folder_is_refused(
    arguments: str, sentence: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    train(capsys, tmp_path, *SMALL, "--total-timesteps", "600")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    said = call(capsys, "train", *arguments.split(), "--out", tmp_path, "--total-timesteps", "1200")
    assert said.status == 2
    assert sentence in said.err
    assert before == {p.name: p.read_bytes() for p in tmp_path.iterdir() if p.is_file()}


def wait_for_log(running: Running, log: Path, lines: int) -> None:
    """Wait until the log has that many lines."""
    end = time.monotonic() + 100
    while not log.exists() or log.read_bytes().count(b"\n") < lines:
        assert running.poll() is None, running.communicate()
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGKILL])
def test_it_resumes_after_it_was_stopped(
    kind: signal.Signals, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ctrl-C saves a checkpoint; a kill loses what was learned since the last one."""
    folder = tmp_path / "t"
    train(capsys, folder, *SMALL, "--total-timesteps", "1280")
    checkpoint = (folder / CHECKPOINT).read_bytes()
    line = ["train", "poison", "--out", str(folder), "--minutes", "30"]
    with start(tmp_path, *line, THERIAC_JIT="1") as running:
        wait_for_log(running, folder / LOG, 2 + 1 + 4)
        running.send_signal(kind)
        _, err = running.communicate(timeout=120)
    if kind == signal.SIGINT:
        assert running.returncode == 130
        assert f"run the same command with --out {folder}" in err.decode()
        assert steps_of(folder) >= 1280 + 4 * 640
    else:
        assert running.returncode == -kind
        assert (folder / CHECKPOINT).read_bytes() == checkpoint
        assert steps_of(folder) == 1280
    before = steps_of(folder)
    said = train(capsys, folder, "--total-timesteps", str(before + 640))
    assert said.status == 0
    assert steps_of(folder) == before + 640
    lines = [json.loads(line) for line in (folder / LOG).read_text().splitlines()]
    assert [line["steps"] for line in lines if "gain" in line] == list(
        range(640, before + 641, 640)
    )


def without(package: str, tmp_path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `theriac` as if a package were not installed."""
    hidden = f"import sys; sys.modules[{package!r}] = None; sys.argv[0] = 'theriac'; "
    source = hidden + "from theriac.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", source, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=environment(tmp_path, THERIAC_JIT="1"),
        stdin=subprocess.DEVNULL,
    )


def test_without_pytorch_the_error_says_what_to_install(tmp_path: Path) -> None:
    said = without("torch", tmp_path, "train", "poison", "--out", str(tmp_path / "t"))
    assert said.returncode == 2
    assert said.stderr == (
        "training needs PyTorch, which is not installed: pip install 'theriac-games[train]'\n"
    )
    assert not (tmp_path / "t").exists()
    assert without("torch", tmp_path, "train", "--help").returncode == 0


def test_without_tensorboard(tmp_path: Path) -> None:
    folder = tmp_path / "t"
    line = ["train", "poison", "--out", str(folder), *SMALL, "--total-timesteps", "640"]
    said = without("tensorboard", tmp_path, *line)
    assert said.returncode == 0, said.stderr
    assert "metrics go only to log.jsonl: pip install 'theriac-games[train]'" in said.stderr
    assert {path.name for path in folder.iterdir()} == {CONFIG, CHECKPOINT, NETWORK, LOG}
