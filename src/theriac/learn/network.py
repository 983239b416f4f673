"""The network that learns: what a seat sees goes in, how it likes each action and what it expects
to win come out.

>>> net = Net(features=5, actions=3, width=8, layers=1)
>>> legal = torch.tensor([[True, False, True]])
>>> likely, value = net(torch.zeros(1, 5), legal)
>>> likely.exp()[0, 1].item(), round(likely.exp().sum().item(), 3)
(0.0, 1.0)
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

#: The logit of an action that is not legal: no other number comes near it.
NEVER = -1e9

Layer = tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]


class Net(nn.Module):  # type: ignore[misc]
    """Rows of linear layers with what is negative cut off between them; two heads."""

    def __init__(self, features: int, actions: int, width: int, layers: int) -> None:
        super().__init__()
        sizes = [features, *[width] * layers]
        self.hidden = nn.ModuleList(nn.Linear(a, b) for a, b in itertools.pairwise(sizes))
        self.policy = nn.Linear(width, actions)
        self.value = nn.Linear(width, 1)
        for layer in self.hidden:
            _begin(layer, 2**0.5)
        _begin(self.policy, 0.01)  # all actions alike at first
        _begin(self.value, 1.0)

    def forward(self, seen: Any, legal: Any) -> tuple[Any, Any]:
        """The logarithm of how likely each action is, and the value; for many views at once."""
        for layer in self.hidden:
            seen = torch.relu(layer(seen))
        logits = self.policy(seen).masked_fill(~legal, NEVER)
        return torch.log_softmax(logits, -1), self.value(seen).squeeze(-1)

    def layers(self) -> list[Layer]:
        """Weights and biases for NumPy: the hidden layers, the policy, the value."""
        return [_plain(layer) for layer in (*self.hidden, self.policy, self.value)]


def draw(likely: Any, generator: Any) -> Any:
    """An action of each row, as likely as that says (the Gumbel trick: no way through the host)."""
    noise = torch.empty_like(likely).exponential_(generator=generator).log()
    return (likely - noise).argmax(-1)


def _begin(layer: nn.Linear, gain: float) -> None:
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)


def _plain(layer: nn.Linear) -> Layer:
    weight, bias = layer.weight.detach().cpu(), layer.bias.detach().cpu()
    return np.ascontiguousarray(weight.numpy().T), bias.numpy().copy()
