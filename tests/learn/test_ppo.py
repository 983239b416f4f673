"""A lesson: its loss against one worked out move by move, and whom it teaches."""

from __future__ import annotations

import math

import pytest
import torch

from tests.learn.lessons import chance, club_of, net_of, recipe_of
from theriac.learn.network import Net
from theriac.learn.ppo import explained, judge, lesson
from theriac.learn.recipe import Recipe
from theriac.learn.selfplay import Played


def slow_loss(net: Net, played: Played, worth: list[float], recipe: Recipe) -> torch.Tensor:
    """The same loss, a move at a time, over legal actions alone."""
    total = torch.zeros(())
    for i in range(len(played)):
        x = played.seen[i]
        for layer in net.hidden:
            x = torch.clamp(layer(x), min=0)
        legal = played.legal[i].nonzero().flatten().tolist()
        chances = torch.softmax(net.policy(x)[legal], 0)
        chance_now = chances[legal.index(int(played.actions[i]))]
        ratio = chance_now / math.exp(float(played.likely[i]))
        now = ratio.item()
        bounded = min(max(now, 1 - recipe.trust), 1 + recipe.trust)
        gain = min(ratio * worth[i], torch.tensor(bounded * worth[i]), key=torch.Tensor.item)
        error = (net.value(x)[0] - played.targets[i]) ** 2
        entropy = -(chances * chances.log()).sum()
        total = total - gain + 0.5 * error - recipe.spread * entropy
    return total / len(played)


def gradients(net: Net, loss: torch.Tensor) -> list[torch.Tensor]:
    net.zero_grad()
    loss.backward()
    return [parameter.grad.clone() for parameter in net.parameters()]


def test_the_loss_and_its_gradient_are_those_of_the_learners_own_moves() -> None:
    """The moves of an earlier self, who has three seats of four, are in neither."""
    recipe = recipe_of(past=1.0, spread=0.1)
    club = club_of(recipe)
    net, past = net_of(club, recipe), net_of(club, recipe, seed=1)
    played = club.play(net, past, chance())
    assert 80 < len(played) < 12 * 40 / 3
    with torch.no_grad():  # as after some steps: ratios on both sides of what is trusted
        net.policy.weight += 0.5 * torch.randn(net.policy.weight.shape, generator=chance(5))
    worth = torch.randn(len(played), generator=chance(6))
    loss, told = judge(net, played, worth, recipe)
    slow = slow_loss(net, played, worth.tolist(), recipe)
    assert loss.item() == pytest.approx(slow.item(), abs=1e-5)
    assert 0.05 < told[3].item() < 1
    for fast, by_hand in zip(gradients(net, loss), gradients(net, slow), strict=True):
        assert torch.allclose(fast, by_hand, atol=1e-5)


def test_what_went_well_becomes_likelier() -> None:
    recipe = recipe_of(spread=0.0)
    club = club_of(recipe)
    net = net_of(club, recipe)
    played = club.play(net, net, chance())
    good = (played.actions % 3 == 0).float()
    praised = Played(played.seen, played.legal, played.actions, played.likely, good, played.targets)
    before = net(played.seen, played.legal)[0].exp()
    optimiser = torch.optim.Adam(net.parameters(), 0.003)
    told = lesson(net, optimiser, praised, recipe, chance())
    after = net(played.seen, played.legal)[0].exp()
    third = torch.arange(club.batch.actions) % 3 == 0
    assert after[:, third].sum(-1).mean() > before[:, third].sum(-1).mean() + 0.02
    assert set(told) == {"gain", "value_error", "spread", "changed", "explained"}


def test_the_value_comes_nearer_to_what_was_won() -> None:
    recipe = recipe_of(epochs=20)
    club = club_of(recipe)
    net = net_of(club, recipe)
    played = club.play(net, net, chance())

    def error() -> float:
        return (net(played.seen, played.legal)[1] - played.targets).square().mean().item()  # type: ignore[no-any-return]

    before = error()
    lesson(net, torch.optim.Adam(net.parameters(), 0.01), played, recipe, chance())
    assert error() < 0.7 * before


def test_how_much_was_expected() -> None:
    some = torch.tensor([1.0, -1.0, 2.0, 0.0])
    row = (torch.zeros(4, 1), torch.ones(4, 1).bool(), torch.zeros(4), torch.zeros(4))
    assert explained(Played(*row, torch.zeros(4), some)) == 1.0
    assert explained(Played(*row, some, some)) == 0.0
    assert explained(Played(*row, some, torch.ones(4))) == 0.0
