"""A run folder and a network written by an older version load, and the run resumes as it did then.

The folder `run` was written by commit 680753c, before configuration, checkpoint and metrics got
their present names:

    theriac train poison --players 3,4 --set open_piles=true --games 8 --moves 32 --width 8
        --layers 1 --rows 64 --epochs 2 --rate 0.002 --spread 0.02 --past 0.5 --seed 7
        --steps 2816 --out run

`resumed.npz` and `resumed.jsonl` are its network and its log after the same version had resumed it
with `--steps 3840`.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from tests.command import call
from theriac.bots import ask, bot
from theriac.bots.network import read_network
from theriac.game import find
from theriac.learn.config import TrainingConfig
from theriac.learn.run_folder import CHECKPOINT, CONFIG, LOG, NETWORK, RunFolder
from theriac.learn.trainer import Trainer
from theriac.match import Match

HERE = Path(__file__).parent


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A copy of the old run folder."""
    return Path(shutil.copytree(HERE / "run", tmp_path / "run"))


def lines_of(log: Path) -> list[dict[str, float]]:
    return [json.loads(line) for line in log.read_text().splitlines()]


def test_the_configuration_loads_and_is_stored_with_the_same_keys(run: Path) -> None:
    stored = json.loads((run / CONFIG).read_bytes())
    with RunFolder(run) as folder:
        config = folder.load_config()
        assert config == TrainingConfig(
            game="poison",
            players=(3, 4),
            options={"open_piles": True},
            seed=7,
            num_envs=8,
            num_steps=32,
            width=8,
            layers=1,
            minibatch_size=64,
            learning_rate=0.002,
            epochs=2,
            clip_range=0.2,
            gae_lambda=0.95,
            entropy_coef=0.02,
            past_fraction=0.5,
            theriac="0.1.0",
        )
        folder.save_config(config)
    # Only what came later is added.
    later = {"shares": False, "against": "", "initial": ""}
    assert json.loads((run / CONFIG).read_bytes()) == stored | later


def test_the_checkpoint_loads_and_is_stored_with_the_same_keys(run: Path) -> None:
    with RunFolder(run) as folder:
        config, checkpoint = folder.load_config(), folder.load_checkpoint("cpu")
    assert config is not None
    assert checkpoint is not None
    trainer = Trainer(config, "cpu", checkpoint)
    assert (trainer.steps, trainer.updates) == (2816, 11)
    assert len(trainer._snapshots) == 2
    network = read_network(run / NETWORK)
    for ours, theirs in zip(trainer.network().layers, network.layers, strict=True):
        assert all(map(np.array_equal, ours, theirs))
    assert set(trainer.checkpoint().to_stored()) == {
        *("layout", "net", "optimiser", "past", "steps", "lessons", "seconds", "begun")
    }


def test_the_run_resumes_where_it_was(capsys: pytest.CaptureFixture[str], run: Path) -> None:
    """Moves are drawn in another way since: the games are others, of the same kind."""
    said = call(capsys, "train", "poison", "--out", run, "--total-timesteps", "3840")
    assert said.status == 0, said.err
    network, expected = read_network(run / NETWORK), read_network(HERE / "resumed.npz")
    assert network.metadata == expected.metadata
    for ours, theirs in zip(network.layers, expected.layers, strict=True):
        for array, other in zip(ours, theirs, strict=True):
            assert np.abs(array - other).max() < 0.05  # four updates from the same weights
    lines, expected_lines = lines_of(run / LOG), lines_of(HERE / "resumed.jsonl")
    assert [list(line) for line in lines] == [list(line) for line in expected_lines]
    assert [line["steps"] for line in lines] == [line["steps"] for line in expected_lines]
    stored = len(lines_of(HERE / "run" / LOG))
    assert lines[:stored] == expected_lines[:stored]
    assert (run / CHECKPOINT).read_bytes() != (HERE / "run" / CHECKPOINT).read_bytes()


def test_the_network_plays() -> None:
    network = read_network(HERE / "run" / NETWORK)
    assert network.metadata.game == "poison"
    assert network.metadata.players == (3, 4)
    assert network.metadata.options == {"open_piles": True}
    assert (network.metadata.steps, network.metadata.version) == (2816, "0.1.0")
    match = Match(find("poison"), {"players": 4, "first": 0}, seed=bytes(32))
    player = bot(f"neural:file={HERE / 'run' / NETWORK}")
    player.check(match.game, match.settings)
    question = ask(match)
    assert player.answer(question) in question.legal
