"""The network: nothing illegal, and the same thoughts in NumPy as in PyTorch."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from tests.learn.lessons import recipe_of
from theriac.bots.network import read_network
from theriac.game import all_games
from theriac.learn.network import Net, draw
from theriac.learn.training import Training


def test_what_is_illegal_is_never_drawn() -> None:
    """However much it is liked, and however often one draws."""
    net = Net(features=4, actions=6, width=8, layers=1)
    torch.nn.init.zeros_(net.policy.weight)
    with torch.no_grad():
        net.policy.bias[:] = torch.tensor([1e4, -1e4, 0.0, 1e4, -1e3, 5.0])
    random = torch.Generator().manual_seed(1)
    legal = torch.rand(20_000, 6, generator=random) < 0.4
    legal[torch.arange(20_000), torch.randint(6, (20_000,), generator=random)] = True
    likely, _ = net(torch.randn(20_000, 4, generator=random), legal)
    drawn = draw(likely, random)
    assert legal[torch.arange(20_000), drawn].all()
    assert len(drawn.unique()) == 6
    assert likely.exp()[~legal].max() == 0


def test_actions_are_drawn_as_often_as_they_are_likely() -> None:
    chances = torch.tensor([0.5, 0.0, 0.2, 0.3])
    drawn = draw(chances.log().expand(40_000, 4), torch.Generator().manual_seed(2))
    counts = torch.bincount(drawn, minlength=4) / 40_000
    assert counts.tolist() == pytest.approx(chances.tolist(), abs=0.01)


@pytest.mark.parametrize("name", all_games())
def test_numpy_thinks_what_torch_thinks(name: str, tmp_path: Path) -> None:
    game = all_games()[name]
    recipe = recipe_of(game=name, players=game.players[-1:], options={}, games=2, moves=1)
    training = Training(recipe)
    torch.nn.init.normal_(training.net.policy.weight, 0, 0.3)
    training.network().write(tmp_path / "n.npz")
    network = read_network(tmp_path / "n.npz")
    assert network.label == training.network().label
    seen = np.random.default_rng(0).random((50, game.shape.features), np.float32)
    liking, value = network.think(seen)
    everything = torch.ones(50, network.label.actions, dtype=torch.bool)
    likely, expected = training.net(torch.from_numpy(seen), everything)
    softened = torch.log_softmax(torch.from_numpy(liking), -1)
    assert torch.allclose(softened, likely, atol=1e-4)
    assert np.allclose(value, expected.detach().numpy(), atol=1e-4)
    one_liking, one_value = network.think(seen[7])
    assert np.allclose(one_liking, liking[7], atol=1e-4)
    assert one_value == pytest.approx(value[7], abs=1e-4)
