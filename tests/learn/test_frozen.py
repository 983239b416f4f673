"""A best response to a frozen network: it has one seat, and learns to beat the others."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.command import call
from tests.learn.small_runs import OPTIONS, small_config
from tests.networks import blank_network
from theriac.bots.network import Network, metadata_of
from theriac.faults import Fault
from theriac.game import find
from theriac.learn.evaluation import estimate, win_share
from theriac.learn.frozen import FrozenSpec
from theriac.learn.policy import ActorCritic
from theriac.learn.run_folder import CONFIG, LOG
from theriac.learn.trainer import Trainer

SIZES = "--num-envs 16 --num-steps 40 --minibatch-size 64".split()


def bad_network(folder: Path) -> Path:
    """A network that plays the card with the lowest number, whatever lies there.

    It is for the small deck, so it takes every cauldron that others leave to it.
    """
    game = find("poison")
    settings = game.settings({**OPTIONS, "players": 4, "first": 0})
    metadata = metadata_of(game, settings, (4,), options=OPTIONS, version="test")
    layers = [
        (np.zeros((metadata.features, 4), np.float32), np.zeros(4, np.float32)),
        (np.zeros((4, metadata.actions), np.float32), -np.arange(metadata.actions, dtype="f4")),
        (np.zeros((4, 1), np.float32), np.zeros(1, np.float32)),
    ]
    path = folder / "bad.npz"
    Network(metadata, tuple(layers)).write(path)
    return path


def test_a_best_response_beats_a_bad_network(tmp_path: Path) -> None:
    config = small_config(
        against=f"neural:file={bad_network(tmp_path)}",
        num_envs=128,
        num_steps=48,
        width=32,
        minibatch_size=512,
        learning_rate=0.003,
    )
    trainer = Trainer(config)
    before = trainer.evaluate()[4]
    for _ in range(12):
        trainer.update()
    after = trainer.evaluate()[4]
    assert after.low > before.high
    assert after.low > 0.35
    assert trainer.network().metadata.share_seats == 0


def test_the_learner_has_one_seat_in_every_game(tmp_path: Path) -> None:
    """The other seats play the frozen network's moves, and are not learned from."""
    trainer = Trainer(small_config(against=str(bad_network(tmp_path))))
    (pool,) = trainer.pools
    assert pool.past_games == len(pool.batch)
    rollout = trainer.collect()
    buffer = pool._buffer
    own = buffer.seats == torch.arange(12) % 4
    lowest = buffer.action_masks.int().argmax(-1)
    assert torch.equal(buffer.actions[~own], lowest[~own])
    assert not torch.equal(buffer.actions[own], lowest[own])
    assert 0 < len(rollout) <= int(own.sum())


def test_the_frozen_network_does_not_change(tmp_path: Path) -> None:
    trainer = Trainer(small_config(against=str(bad_network(tmp_path))))
    before = [parameter.clone() for parameter in trainer.frozen[4].parameters()]
    trainer.update()
    after = trainer.frozen[4].parameters()
    assert all(torch.equal(a, b) for a, b in zip(before, after, strict=True))


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_the_opponent_plays_as_the_bot_does(temperature: float) -> None:
    """At temperature 1 by the probabilities of the network, at 0 its most probable move."""
    game = find("poison")
    network = blank_network(game, 4)
    opponent = ActorCritic.from_network(network, temperature)
    settings = game.settings({"players": 4, "first": 0})
    batch = game.batch(settings, 64, seed=3)
    log_probs, values, _ = opponent(
        torch.from_numpy(batch.observations()), torch.from_numpy(batch.masks()).bool()
    )
    logits, expected_values = network.forward(batch.observations())
    logits = np.where(batch.masks(), logits, -np.inf)
    assert torch.equal(log_probs.argmax(-1), torch.from_numpy(logits.argmax(-1)))
    assert np.allclose(values.detach().numpy(), expected_values, atol=1e-4)
    if temperature:
        odds = np.exp(logits - logits.max(-1, keepdims=True))
        chances = odds / odds.sum(-1, keepdims=True)
        assert np.allclose(log_probs.exp().detach().numpy(), chances, atol=1e-5)
    else:
        assert log_probs.exp().amax(-1).min() > 0.9


def test_a_copy_of_the_frozen_network_wins_the_fair_share(tmp_path: Path) -> None:
    game = find("poison")
    blank_network(game, 4).write(tmp_path / "n.npz")
    settings = game.settings({"players": 4, "first": 0})
    opponent = FrozenSpec.read(str(tmp_path / "n.npz")).opponent(game, settings)
    share = win_share(opponent, game, settings, 1024, "cpu", 5, opponent)
    assert share.low < 0.25 < share.high


def test_intervals() -> None:
    none, half = estimate(torch.zeros(100)), estimate(torch.full((100,), 0.5))
    assert (none.mean, none.low) == (0, 0)
    assert 0.03 < none.high < 0.04
    assert half.low == pytest.approx(0.404, abs=1e-3)
    assert half.high == pytest.approx(0.596, abs=1e-3)


def test_it_starts_with_the_weights_that_were_given(tmp_path: Path) -> None:
    spec = str(bad_network(tmp_path))
    trainer = Trainer(small_config(initial=spec, width=4, layers=1, shares=True))
    assert torch.equal(trainer.policy.policy.bias, -torch.arange(len(trainer.policy.policy.bias)))
    with pytest.raises(Fault, match="has 1 hidden layers of 4 units: train with --width 4"):
        Trainer(small_config(initial=spec, width=8, layers=1))


# The command


def test_the_command_reports_the_share_with_its_interval(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    network = tmp_path / "frozen.npz"
    blank_network(find("poison"), 4).write(network)
    line = ("train", "poison", "--out", tmp_path / "t", "--against", network, "--initial", network)
    said = call(capsys, *line, *SIZES, "--total-timesteps", "640")
    assert said.status == 0, said.err
    assert "win share against the frozen network " in said.out
    config = json.loads((tmp_path / "t" / CONFIG).read_text())
    assert config["against"] == config["initial"] == f"neural:file={network}"
    assert (config["width"], config["layers"], config["shares"]) == (8, 1, False)
    last = json.loads((tmp_path / "t" / LOG).read_text().splitlines()[-1])
    share, low, high = (last[f"against_frozen{end}/4"] for end in ("", "_low", "_high"))
    assert low < share < high
    said = call(capsys, "train", "poison", "--out", tmp_path / "t", "--against", "neural")
    assert "this run was started with against neural:file=" in said.err
    assert "not neural: use the same value" in said.err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("poison --against greedy", "greedy: only networks can be played against: name a network"),
        ("poison --against /no/such.npz", "/no/such.npz: only networks can be played against"),
        ("poison --against neural:heat=1", "the parameter heat was renamed"),
        ("poison --against neural:file=/no/such.npz", "/no/such.npz: No such file"),
        ("poison --against neural --past-fraction 0.5", "--past-fraction: with --against"),
        ("dungeon --against neural", "all players win or lose together"),
        ("poison --initial neural --width 9", "train with --width 256 --layers 3"),
    ],
)
def test_what_cannot_be_played_against_is_refused(
    arguments: str, sentence: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    said = call(capsys, "train", *arguments.split(), "--out", tmp_path / "t")
    assert said.status == 2
    assert sentence in said.err
