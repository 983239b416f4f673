"""The forward pass of a small network: a multilayer perceptron with ReLU, in the dialect of rules.

Observations are mostly zeros, and ReLU makes about half of the activations zero. So weights have
one row per input, and a layer adds up the rows of the inputs that are not zero, a few rows at a
time. The policy head has one row per action: only the logits of legal actions are computed.

Every sum has a fixed order, so that interpreted and compiled results are equal bit for bit. These
loops vectorize without reordering: they add one row to another, element by element.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from theriac.engine.records import Features, Ints
from theriac.engine.rule import rule

#: The weights, one row per input, and the biases.
Layer = tuple[Features, Features]

#: This many products of a dot product are added one by one.
_FEW: Final = 8


class NetworkArrays(NamedTuple):
    """The weights of a network, in the types and the order that the forward pass needs."""

    #: The number of inputs, then the width of each hidden layer.
    sizes: Ints
    #: The hidden layers one after the other, each with one row per input.
    weights: Features
    biases: Features
    #: One row per action.
    policy: Features
    policy_bias: Features
    value: Features
    value_bias: Features
    #: One row per seat, from the seat to act; no rows if the network has no such head.
    shares: Features
    shares_bias: Features

    @classmethod
    def of(
        cls, hidden: Sequence[Layer], policy: Layer, value: Layer, shares: Layer | None = None
    ) -> NetworkArrays:
        """The arrays of these layers."""
        width = len(policy[0])
        no_shares = np.zeros((width, 0), np.float32), np.zeros(0, np.float32)
        shares_weight, shares_bias = shares or no_shares
        return cls(
            sizes=np.array([len(weight) for weight, _ in hidden] + [width], np.int64),
            weights=_flat([weight for weight, _ in hidden]),
            biases=_flat([bias for _, bias in hidden]),
            policy=np.ascontiguousarray(policy[0].T, np.float32),
            policy_bias=_flat([policy[1]]),
            value=_flat([value[0]]),
            value_bias=_flat([value[1]]),
            shares=np.ascontiguousarray(shares_weight.T, np.float32),
            shares_bias=_flat([shares_bias]),
        )

    @classmethod
    def blank(cls, features: int, actions: int) -> NetworkArrays:
        """A network of zeros, with one hidden layer of one neuron."""
        layers = [
            (np.zeros((inputs, outputs), np.float32), np.zeros(outputs, np.float32))
            for inputs, outputs in ((features, 1), (1, actions), (1, 1))
        ]
        return cls.of(layers[:1], layers[1], layers[2])


def _flat(arrays: Sequence[npt.NDArray[np.float32]]) -> Features:
    """The elements of all arrays in one row."""
    return np.concatenate([array.ravel() for array in arrays], dtype=np.float32)


class Activations(NamedTuple):
    """The scratch buffers of a forward pass."""

    #: The features that the network sees.
    observation: Features
    #: The outputs of the last layer and of the one before, in turns.
    rows: Features
    #: The indices of the inputs of a layer that are not zero.
    active: Ints
    #: The products of a dot product.
    products: Features

    @classmethod
    def of(cls, network: NetworkArrays) -> Activations:
        """Buffers of the sizes of a network."""
        widest = int(network.sizes[1:].max(initial=1))
        return cls(
            observation=np.zeros(int(network.sizes[0]), np.float32),
            rows=np.zeros((2, widest), np.float32),
            active=np.zeros(int(network.sizes.max()), np.int64),
            products=np.zeros(int(network.sizes[-1]), np.float32),
        )


@rule
def run_hidden_layers(network: NetworkArrays, activations: Activations) -> None:
    """Compute the last hidden layer for the observation in the buffer: `rows[0]`."""
    layers = len(network.sizes) - 1
    row = activations.observation
    weight_start = 0
    bias_start = 0
    for layer in range(layers):
        inputs, width = network.sizes[layer], network.sizes[layer + 1]
        weights = network.weights[weight_start : weight_start + inputs * width]
        biases = network.biases[bias_start : bias_start + width]
        out = activations.rows[(layers - 1 - layer) % 2][:width]
        run_layer(row, weights, biases, out, activations.active)
        row = out
        weight_start += inputs * width
        bias_start += width


@rule
def run_layer(
    row: Features, weights: Features, biases: Features, out: Features, active: Ints
) -> None:
    """One layer with ReLU."""
    width = len(out)
    for j in range(width):
        out[j] = biases[j]
    n = 0
    for i in range(len(row)):
        active[n] = i
        n += row[i] != 0
    k = 0
    while k + 4 <= n:
        add_rows(out, weights, active[k : k + 4], row)
        k += 4
    while k < n:
        start = active[k] * width
        add_row(out, weights[start : start + width], row[active[k]])
        k += 1
    for j in range(width):
        out[j] = max(out[j], np.float32(0))


@rule
def add_rows(out: Features, weights: Features, which: Ints, row: Features) -> None:
    """Add four rows of weights, each times its input: `out` is read and written once for all."""
    width = len(out)
    a = weights[which[0] * width :][:width]
    b = weights[which[1] * width :][:width]
    c = weights[which[2] * width :][:width]
    d = weights[which[3] * width :][:width]
    times_a, times_b, times_c, times_d = row[which[0]], row[which[1]], row[which[2]], row[which[3]]
    for j in range(width):
        out[j] += (times_a * a[j] + times_b * b[j]) + (times_c * c[j] + times_d * d[j])


@rule
def add_row(out: Features, weights: Features, times: np.float32) -> None:
    """Add one row of weights, times its input."""
    for j in range(len(out)):
        out[j] += times * weights[j]


@rule
def logit_of(network: NetworkArrays, activations: Activations, action: int) -> np.float32:
    """The logit of an action, after `run_hidden_layers`."""
    return network.policy_bias[action] + dot(network.policy[action], activations)


@rule
def value_of(network: NetworkArrays, activations: Activations) -> np.float32:
    """The value for the seat to act, after `run_hidden_layers`: 0 is the fair share, -1 a loss."""
    return network.value_bias[0] + dot(network.value, activations)


@rule
def share_logit_of(network: NetworkArrays, activations: Activations, seat: int) -> np.float32:
    """The logit of a seat's share of the win, counted from the seat to act."""
    return network.shares_bias[seat] + dot(network.shares[seat], activations)


@rule
def dot(weights: Features, activations: Activations) -> np.float32:
    """The dot product of a head's weights and the last hidden layer.

    The products are added in pairs, half of them to the other half, until few are left.
    """
    n = len(weights)
    row, products = activations.rows[0][:n], activations.products[:n]
    for i in range(n):
        products[i] = weights[i] * row[i]
    while n > _FEW:
        half = (n + 1) // 2
        others = products[half:n]
        for i in range(n - half):
            products[i] += others[i]
        n = half
    total = np.float32(0)
    for i in range(n):
        total += products[i]
    return total
