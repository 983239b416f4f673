"""The actor-critic network: observations in, masked action log-probabilities and a value out.

>>> policy = ActorCritic(features=5, actions=3, width=8, layers=1)
>>> action_mask = torch.tensor([[True, False, True]])
>>> log_probs, value = policy(torch.zeros(1, 5), action_mask)
>>> log_probs.exp()[0, 1].item(), round(log_probs.exp().sum().item(), 3)
(0.0, 1.0)
"""

from __future__ import annotations

import itertools

import numpy as np
import torch
from torch import Tensor, nn

from theriac.bots.network import Layer

#: The logit of an illegal action; its probability underflows to 0.
ILLEGAL_LOGIT = -1e9


class ActorCritic(nn.Module):  # type: ignore[misc]
    """A multilayer perceptron with ReLU and two heads, the policy and the value.

    Checkpoints store the parameters under the attribute names `hidden`, `policy` and `value`.
    """

    def __init__(self, features: int, actions: int, width: int, layers: int) -> None:
        super().__init__()
        sizes = [features, *[width] * layers]
        self.hidden = nn.ModuleList(nn.Linear(a, b) for a, b in itertools.pairwise(sizes))
        self.policy = nn.Linear(width, actions)
        self.value = nn.Linear(width, 1)
        for layer in self.hidden:
            _init_orthogonal(layer, 2**0.5)
        _init_orthogonal(self.policy, 0.01)  # a near-uniform initial policy
        _init_orthogonal(self.value, 1.0)

    def forward(self, observations: Tensor, action_masks: Tensor) -> tuple[Tensor, Tensor]:
        """The log-probability of each action, and the value, for a batch of observations."""
        x = observations
        for layer in self.hidden:
            x = torch.relu(layer(x))
        logits = self.policy(x).masked_fill(~action_masks, ILLEGAL_LOGIT)
        return torch.log_softmax(logits, -1), self.value(x).squeeze(-1)

    def layers(self) -> list[Layer]:
        """Weights and biases as NumPy arrays: hidden layers, policy head, value head."""
        return [_to_numpy(layer) for layer in (*self.hidden, self.policy, self.value)]


def sample_actions(log_probs: Tensor, generator: torch.Generator) -> Tensor:
    """One action per row, sampled by the Gumbel-max trick: on a GPU it never waits for the host."""
    noise = torch.empty_like(log_probs).exponential_(generator=generator).log()
    return (log_probs - noise).argmax(-1)


def _init_orthogonal(layer: nn.Linear, gain: float) -> None:
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)


def _to_numpy(layer: nn.Linear) -> Layer:
    weight, bias = layer.weight.detach().cpu(), layer.bias.detach().cpu()
    return np.ascontiguousarray(weight.numpy().T), bias.numpy().copy()
