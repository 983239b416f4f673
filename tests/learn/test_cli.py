"""`theriac train`: how it is asked, what it refuses, and how it goes on after it was stopped."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.command import Outcome, call, environment, start
from theriac.bots.network import read_network
from theriac.learn.folder import KEPT, LOG, NETWORK, RECIPE

SMALL = "--games 16 --moves 40 --width 8 --layers 1 --rows 64".split()


def train(capsys: pytest.CaptureFixture[str], folder: Path, *more: str) -> Outcome:
    return call(capsys, "train", "poison", "--out", folder, *more)


def steps_of(folder: Path) -> int:
    return read_network(folder / NETWORK).label.steps


def test_it_trains_and_goes_on(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    said = train(capsys, tmp_path / "t", *SMALL, "--steps", "1200", "--seed", "5")
    assert said.status == 0
    assert "1,280 moves in" in said.out
    assert "of the win against random play" in said.out
    assert f"neural:file={tmp_path / 't' / NETWORK}" in said.out
    recipe = json.loads((tmp_path / "t" / RECIPE).read_text())
    assert (recipe["seed"], recipe["games"], recipe["players"]) == (5, 16, [4])
    # The sizes are known: only the end has to be said again.
    said = train(capsys, tmp_path / "t", "--steps", "2500", "--json")
    told = json.loads(said.out.splitlines()[-1])
    assert (told["steps"], told["lessons"]) == (2560, 4)
    assert steps_of(tmp_path / "t") == 2560
    assert Path(told["network"]) == tmp_path / "t" / NETWORK


def test_minutes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert train(capsys, tmp_path / "t", *SMALL, "--minutes", "0.03").status == 0
    first = steps_of(tmp_path / "t")
    assert first > 0
    assert train(capsys, tmp_path / "t", "--minutes", "0.03").status == 0
    assert steps_of(tmp_path / "t") == first


def test_options_and_players(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    more = ["--players", "3,5", "--set", "open_piles=true", "--steps", "100"]
    assert train(capsys, tmp_path / "t", *SMALL, *more).status == 0
    label = read_network(tmp_path / "t" / NETWORK).label
    assert (label.players, label.options) == ((3, 5), {"open_piles": True})


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("--players 2", "option players: 2 is not 3, 4, 5 or 6 (POI-03)"),
        ("--players x", "--players x: write numbers such as 3,4"),
        ("--set first=1", "--set first: seats are seen from the one to act; leave it out"),
        ("--set speed=1", "option speed: poison has no option of that name"),
        ("--device cuda", "device cuda: PyTorch finds no GPU that it can use"),
        ("--device tpu", "Invalid value for '--device'"),
        ("--steps 0", "Invalid value for '--steps'"),
        ("--minutes 0", "Invalid value for '--minutes'"),
        ("--rate 2", "Invalid value for '--rate'"),
        ("--steps 99 --games 1 --moves 1", "give more moves or games"),
    ],
)
def test_what_cannot_be_done(
    arguments: str, sentence: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    said = train(capsys, tmp_path / "t", *arguments.split())
    assert (said.status, said.out) == (2, "")
    assert sentence in said.err
    assert not (tmp_path / "t" / NETWORK).exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("poison --width 16", "it was begun with width 8, not 16"),
        ("poison --players 3", "it was begun with players (4,), not (3,)"),
        ("poison --set open_piles=true", "it was begun with options {}, not {'open_piles': True}"),
        ("shock", "it was begun with game poison, not shock"),
    ],
)
def test_another_training_in_the_same_folder(
    arguments: str, sentence: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    train(capsys, tmp_path, *SMALL, "--steps", "600")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    said = call(capsys, "train", *arguments.split(), "--out", tmp_path, "--steps", "1200")
    assert said.status == 2
    assert sentence in said.err
    assert before == {p.name: p.read_bytes() for p in tmp_path.iterdir() if p.is_file()}


def wait_for_log(running: subprocess.Popen[bytes], log: Path, lines: int) -> None:
    """Until so many lessons are written down."""
    end = time.monotonic() + 100
    while not log.exists() or log.read_bytes().count(b"\n") < lines:
        assert running.poll() is None, running.communicate()
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGKILL])
def test_it_goes_on_after_it_was_stopped(
    kind: signal.Signals, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ctrl-C keeps what is learnt; a kill loses what was learnt since it was kept last."""
    folder = tmp_path / "t"
    train(capsys, folder, *SMALL, "--steps", "1280")
    kept = (folder / KEPT).read_bytes()
    line = ["train", "poison", "--out", str(folder), "--minutes", "30"]
    with start(tmp_path, *line, THERIAC_JIT="1") as running:
        wait_for_log(running, folder / LOG, 2 + 1 + 4)
        running.send_signal(kind)
        _, err = running.communicate(timeout=60)
    if kind == signal.SIGINT:
        assert running.returncode == 130
        assert f"give the same command with --out {folder}" in err.decode()
        assert steps_of(folder) >= 1280 + 4 * 640
    else:
        assert running.returncode == -kind
        assert (folder / KEPT).read_bytes() == kept
        assert steps_of(folder) == 1280
    before = steps_of(folder)
    said = train(capsys, folder, "--steps", str(before + 640))
    assert said.status == 0
    assert steps_of(folder) == before + 640
    lines = [json.loads(line) for line in (folder / LOG).read_text().splitlines()]
    assert [told["steps"] for told in lines if "gain" in told] == list(
        range(640, before + 641, 640)
    )


def without(package: str, tmp_path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `theriac` where a package is not installed."""
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


def test_without_pytorch(tmp_path: Path) -> None:
    said = without("torch", tmp_path, "train", "poison", "--out", str(tmp_path / "t"))
    assert said.returncode == 2
    assert said.stderr == (
        "training needs PyTorch, which is not installed: pip install 'theriac[train]'\n"
    )
    assert not (tmp_path / "t").exists()
    assert without("torch", tmp_path, "train", "--help").returncode == 0


def test_without_tensorboard(tmp_path: Path) -> None:
    folder = tmp_path / "t"
    line = ["train", "poison", "--out", str(folder), *SMALL, "--steps", "640"]
    said = without("tensorboard", tmp_path, *line)
    assert said.returncode == 0, said.stderr
    assert "No logs for TensorBoard, only log.jsonl: pip install 'theriac[train]'" in said.stderr
    assert {path.name for path in folder.iterdir()} == {RECIPE, KEPT, NETWORK, LOG}
