"""The forward pass of the engine equals NumPy's, at both speeds."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from theriac.engine import inference
from theriac.engine.compiling import compile_rule
from theriac.engine.inference import Activations, Layer, NetworkArrays
from theriac.engine.rule import Linker

Row = npt.NDArray[np.float32]
BUILDERS: dict[str, Linker] = {"plain": Linker({}), "cpu": Linker({}, compile_rule)}

each_speed = pytest.mark.parametrize("speed", BUILDERS)


def random_layers(sizes: list[int], seed: int) -> list[Layer]:
    """Layers of these sizes, with weights that keep the size of activations."""
    random = np.random.default_rng(seed)
    return [
        (
            random.normal(0, (2 / inputs) ** 0.5, (inputs, outputs)).astype(np.float32),
            random.normal(0, 0.1, outputs).astype(np.float32),
        )
        for inputs, outputs in itertools.pairwise(sizes)
    ]


def observation_of(features: int, seed: int) -> Row:
    """Mostly zeros."""
    random = np.random.default_rng(seed)
    shown = random.random(features) < 0.2
    return np.where(shown, random.normal(0, 1, features), 0).astype(np.float32)


def hidden_by_numpy(hidden: list[Layer], observation: Row) -> Row:
    row = observation
    for weight, bias in hidden:
        row = np.maximum(row @ weight + bias, 0)
    return row


def outputs(speed: str, network: NetworkArrays, observation: Row) -> tuple[Row, Row, float, Row]:
    """The last hidden layer, the logits of all actions, the value and the logits of shares."""
    build: Callable[[Any], Any] = BUILDERS[speed].build
    activations = Activations.of(network)
    activations.observation[:] = observation
    build(inference.run_hidden_layers)(network, activations)
    logit_of, share_logit_of = build(inference.logit_of), build(inference.share_logit_of)
    logits = [logit_of(network, activations, action) for action in range(len(network.policy))]
    shares = [share_logit_of(network, activations, seat) for seat in range(len(network.shares))]
    value = float(build(inference.value_of)(network, activations))
    row = activations.rows[0][: network.sizes[-1]]
    return row, np.array(logits, np.float32), value, np.array(shares, np.float32)


@each_speed
@pytest.mark.parametrize(
    "sizes", [[30, 17], [133, 40, 24], [50, 16, 33, 9]], ids=["one", "two", "three"]
)
def test_it_equals_numpy(speed: str, sizes: list[int]) -> None:
    """With every number of hidden layers, and widths that fit no vector."""
    hidden = random_layers(sizes, 1)
    policy, value, shares = (random_layers([sizes[-1], n], n)[0] for n in (7, 1, 4))
    network = NetworkArrays.of(hidden, policy, value, shares)
    for seed in range(4):
        observation = observation_of(sizes[0], seed)
        row, logits, worth, share_logits = outputs(speed, network, observation)
        expected = hidden_by_numpy(hidden, observation)
        assert (expected > 0).any()
        np.testing.assert_allclose(row, expected, atol=1e-5)
        np.testing.assert_allclose(logits, expected @ policy[0] + policy[1], atol=1e-5)
        np.testing.assert_allclose(worth, (expected @ value[0] + value[1])[0], atol=1e-5)
        np.testing.assert_allclose(share_logits, expected @ shares[0] + shares[1], atol=1e-5)


def test_both_speeds_give_the_same_bits() -> None:
    hidden = random_layers([60, 24, 24], 2)
    policy, value = random_layers([24, 9], 3)[0], random_layers([24, 1], 4)[0]
    network = NetworkArrays.of(hidden, policy, value)
    slow, fast = (outputs(speed, network, observation_of(60, 5)) for speed in BUILDERS)
    assert [np.asarray(part).tobytes() for part in slow] == [
        np.asarray(part).tobytes() for part in fast
    ]


def test_no_features_leave_the_biases() -> None:
    (weight, bias), policy, value = random_layers([12, 8, 3], 6)[0], *random_layers([8, 3, 1], 7)
    network = NetworkArrays.of([(weight, bias)], policy, (value[0][:1].repeat(8, 0), value[1]))
    row, _, _, shares = outputs("cpu", network, np.zeros(12, np.float32))
    np.testing.assert_array_equal(row, np.maximum(bias, 0))
    assert len(shares) == 0


def test_the_hidden_layers_are_vectorized() -> None:
    """Vectors of eight floats or more, where the processor has them."""
    if not has_wide_vectors():
        pytest.skip("this processor has no vectors of eight floats")
    network = NetworkArrays.of(random_layers([4, 4], 1), *random_layers([4, 4, 1], 1))
    built = BUILDERS["cpu"].build(inference.run_layer)
    built(
        np.ones(4, np.float32),
        network.weights,
        network.biases,
        np.zeros(4, np.float32),
        np.zeros(4, np.int64),
    )
    code = "\n".join(built.inspect_asm().values())
    products = [line for line in code.splitlines() if "vmulps" in line]
    assert any("%ymm" in line or "%zmm" in line for line in products)


def has_wide_vectors() -> bool:
    import llvmlite.binding

    return bool(llvmlite.binding.get_host_cpu_features().get("avx2"))
