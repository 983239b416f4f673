"""The policy network: illegal actions have no probability, and NumPy computes what PyTorch does."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from tests.learn.small_runs import generator, small_config
from theriac.bots.network import read_network
from theriac.game import all_games
from theriac.learn.policy import ActorCritic, invert_cumulative, sample_actions
from theriac.learn.trainer import Trainer


def test_illegal_actions_are_never_sampled() -> None:
    """Whatever their logits are, in many samples."""
    policy = ActorCritic(features=4, actions=6, width=8, layers=1)
    torch.nn.init.zeros_(policy.policy.weight)
    with torch.no_grad():
        policy.policy.bias[:] = torch.tensor([1e4, -1e4, 0.0, 1e4, -1e3, 5.0])
    random = torch.Generator().manual_seed(1)
    legal = torch.rand(20_000, 6, generator=random) < 0.4
    legal[torch.arange(20_000), torch.randint(6, (20_000,), generator=random)] = True
    log_probs, *_ = policy(torch.randn(20_000, 4, generator=random), legal)
    actions = sample_actions(log_probs, torch.rand(20_000, generator=random))
    assert legal[torch.arange(20_000), actions].all()
    assert len(actions.unique()) == 6
    assert log_probs.exp()[~legal].max() == 0


def test_actions_are_sampled_with_their_probabilities() -> None:
    probabilities = torch.tensor([0.5, 0.0, 0.2, 0.3])
    log_probs = probabilities.log().expand(40_000, 4)
    actions = sample_actions(log_probs, torch.rand(40_000, generator=generator(2)))
    frequencies = torch.bincount(actions, minlength=4) / 40_000
    assert frequencies.tolist() == pytest.approx(probabilities.tolist(), abs=0.01)


def test_the_smallest_and_the_largest_random_number_give_a_legal_action() -> None:
    log_probs = torch.tensor([0.0, 0.1, 0.7, 0.2, 0.0]).log().expand(2, 5)
    last = torch.nextafter(torch.tensor(1.0), torch.tensor(0.0))
    actions = sample_actions(log_probs, torch.stack([torch.tensor(0.0), last]))
    assert actions.tolist() == [3, 1]


def test_sums_that_fall_by_rounding_give_a_legal_action() -> None:
    """Found in training on a GPU: one action in a hundred million was illegal."""
    cumulative = torch.tensor([0.2, 0.1999999, 0.9999999, 1.0000001, 1.0]).expand(1001, 5)
    possible = torch.tensor([True, False, True, False, False])
    actions = invert_cumulative(
        cumulative, possible.expand(1001, 5), torch.linspace(0, 1, 1002)[:-1]
    )
    assert set(actions.tolist()) == {0, 2}
    assert (actions == 0).float().mean().item() == pytest.approx(0.2, abs=0.01)


@pytest.mark.parametrize("name", all_games())
def test_numpy_computes_what_torch_computes(name: str, tmp_path: Path) -> None:
    game = all_games()[name]
    config = small_config(
        game=name,
        players=game.players[-1:],
        options={},
        num_envs=2,
        num_steps=1,
        shares=not game.together,
    )
    trainer = Trainer(config)
    torch.nn.init.normal_(trainer.policy.policy.weight, 0, 0.3)
    if trainer.policy.shares:
        torch.nn.init.normal_(trainer.policy.shares.weight, 0, 0.3)
    trainer.network().write(tmp_path / "n.npz")
    network = read_network(tmp_path / "n.npz")
    assert network.metadata == trainer.network().metadata
    observations = np.random.default_rng(0).random((50, game.shape.features), np.float32)
    logits, values = network.forward(observations)
    all_legal = torch.ones(50, network.metadata.actions, dtype=torch.bool)
    log_probs, torch_values, share_logits = trainer.policy(
        torch.from_numpy(observations), all_legal
    )
    assert torch.allclose(torch.log_softmax(torch.from_numpy(logits), -1), log_probs, atol=1e-4)
    assert np.allclose(values, torch_values.detach().numpy(), atol=1e-4)
    if config.shares:
        shares = torch.softmax(share_logits, -1).detach().numpy()
        assert shares.shape == (50, game.shape.players)
        assert np.allclose(network.win_shares(observations), shares, atol=1e-4)
    one_logits, one_value = network.forward(observations[7])
    assert np.allclose(one_logits, logits[7], atol=1e-4)
    assert one_value == pytest.approx(values[7], abs=1e-4)
