"""The actor-critic network: observations in, masked action log-probabilities and a value out.

>>> policy = ActorCritic(features=5, actions=3, width=8, layers=1)
>>> action_mask = torch.tensor([[True, False, True]])
>>> log_probs, value, _ = policy(torch.zeros(1, 5), action_mask)
>>> log_probs.exp()[0, 1].item(), round(log_probs.exp().sum().item(), 3)
(0.0, 1.0)
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import linear, pad

from theriac.bots.network import Layer, Network
from theriac.learn.compiling import compiled_on_gpu

#: The logit of an illegal action; its probability underflows to 0.
ILLEGAL_LOGIT = -1e9
#: Stands in for temperature 0: far below it only actions whose logits are equal share a position.
COLDEST = 1e-4


class Outputs(NamedTuple):
    """What the network says about each observation of a batch.

    `share_logits` are those of every seat's share of the win, beginning with the seat to act. They
    have no columns where the network has no such head.
    """

    log_probs: Tensor
    values: Tensor
    share_logits: Tensor


class ActorCritic(nn.Module):  # type: ignore[misc]
    """A multilayer perceptron with ReLU and two heads, the policy and the value.

    With `share_seats` it has a third head, which predicts the share of the win of that many seats.
    Checkpoints store the parameters under the attribute names `hidden`, `policy`, `value` and
    `shares`.
    """

    def __init__(
        self, features: int, actions: int, width: int, layers: int, share_seats: int = 0
    ) -> None:
        super().__init__()
        sizes = [features, *[width] * layers]
        self.hidden = nn.ModuleList(nn.Linear(a, b) for a, b in itertools.pairwise(sizes))
        self.policy = nn.Linear(width, actions)
        self.value = nn.Linear(width, 1)
        self.shares = nn.Linear(width, share_seats) if share_seats else None
        for layer in self.hidden:
            _init_orthogonal(layer, 2**0.5)
        _init_orthogonal(self.policy, 0.01)  # a near-uniform initial policy
        _init_orthogonal(self.value, 1.0)
        if self.shares:
            _init_orthogonal(self.shares, 0.01)  # near-equal shares

    def forward(self, observations: Tensor, action_masks: Tensor) -> Outputs:
        """The log-probability of each action, the value and the shares, for some observations.

        On a GPU the matrix products are in bfloat16, and everything after them in float32.
        """
        device = observations.device.type
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            first, *others = self.hidden
            # Observations may have zeros at their end, which make the product faster.
            weight = pad(first.weight, (0, observations.shape[-1] - first.in_features))
            x = torch.relu(linear(observations, weight, first.bias))
            for layer in others:
                x = torch.relu(layer(x))
            logits, values = self.policy(x), self.value(x)
            share_logits = self.shares(x) if self.shares else x[..., :0]
        logits = logits.float().masked_fill(~action_masks, ILLEGAL_LOGIT)
        log_probs = torch.log_softmax(logits, -1)
        return Outputs(log_probs, values.float().squeeze(-1), share_logits.float())

    @property
    def sizes(self) -> tuple[int, int]:
        """The units of each hidden layer, and the number of these layers."""
        return self.policy.in_features, len(self.hidden)

    @classmethod
    def from_network(cls, network: Network, temperature: float = 1.0) -> ActorCritic:
        """The policy and the value of a network, without its share head.

        Sampling from the policy is what the bot `neural` does at the temperature; at 0 it plays the
        most probable action.
        """
        (width,) = {bias.size for _, bias in network.hidden}
        metadata = network.metadata
        policy = cls(metadata.features, metadata.actions, width, len(network.hidden))
        own = (*policy.hidden, policy.policy, policy.value)
        with torch.no_grad():
            for layer, (weight, bias) in zip(own, network.layers, strict=False):
                layer.weight.copy_(torch.from_numpy(weight.T))
                layer.bias.copy_(torch.from_numpy(bias))
            policy.policy.weight /= temperature or COLDEST
            policy.policy.bias /= temperature or COLDEST
        return policy

    def layers(self) -> list[Layer]:
        """Weights and biases as NumPy arrays: hidden layers, policy, value and share head."""
        heads = (self.policy, self.value, *([self.shares] if self.shares else []))
        return [_to_numpy(layer) for layer in (*self.hidden, *heads)]


def sample_actions(log_probs: Tensor, uniform: Tensor) -> Tensor:
    """One action per row: the inverse of the cumulative distribution at a number from [0, 1)."""
    probabilities = log_probs.exp()
    return invert_cumulative(probabilities.cumsum(-1), probabilities > 0, uniform)


def invert_cumulative(cumulative: Tensor, possible: Tensor, uniform: Tensor) -> Tensor:
    """The first possible action of each row at which the sum reaches 1 - `uniform` of the whole.

    A sum that a GPU computes in parallel is rounded differently from column to column: it may fall
    where nothing was added. So only the sums at possible actions count.
    """
    sums = cumulative.masked_fill(~possible, 0)
    reached = sums >= (1 - uniform).unsqueeze(-1) * sums.amax(-1, keepdim=True)
    columns = torch.arange(sums.shape[-1], device=sums.device)
    return torch.where(reached, columns, sums.shape[-1]).amin(-1)


class Acts(NamedTuple):
    """Sampled actions with their log-probabilities, values and predicted shares of the win."""

    actions: Tensor
    log_probs: Tensor
    values: Tensor
    shares: Tensor


@compiled_on_gpu
def evaluate(policy: ActorCritic, observations: Tensor, action_masks: Tensor) -> Outputs:
    """The outputs of the network."""
    outputs: Outputs = policy(observations, action_masks)
    return outputs


def act(policy: ActorCritic, observations: Tensor, action_masks: Tensor, uniform: Tensor) -> Acts:
    """Sample an action for each row.

    Only the network is compiled: TorchInductor's kernel of the cumulative sums failed with an index
    out of bounds in games with 139 actions (PyTorch 2.11).
    """
    log_probs, values, share_logits = evaluate(policy, observations, action_masks)
    actions = sample_actions(log_probs, uniform)
    chosen = log_probs.gather(-1, actions.unsqueeze(-1)).squeeze(-1)
    return Acts(actions, chosen, values, torch.softmax(share_logits, -1))


def _init_orthogonal(layer: nn.Linear, gain: float) -> None:
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)


def _to_numpy(layer: nn.Linear) -> Layer:
    weight, bias = layer.weight.detach().cpu(), layer.bias.detach().cpu()
    return np.ascontiguousarray(weight.numpy().T), bias.numpy().copy()
