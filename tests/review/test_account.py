"""The mathematics of accounts, without a game."""

from __future__ import annotations

import numpy as np
import pytest

from theriac.review.account import contrast, contrasts, difference_weights, means_and_errors
from theriac.review.playouts import EndValues


def random_values(random: np.random.Generator, truth: np.ndarray, visits: int) -> EndValues:
    """What `visits` coins per end tell of the chances of each end."""
    wins = random.binomial(visits, truth)
    mean = wins / visits
    variance = (mean * (1 - mean) * visits + 0.25) / visits**2
    return EndValues(mean, variance, variance * visits)


@pytest.mark.parametrize("ends", [5, 4000])
def test_errors_are_as_large_as_they_say(ends: int) -> None:
    """With few ends, which rows share, and with many, which they do not."""
    random = np.random.default_rng(ends)
    truth = random.random((ends, 1))
    chances = random.dirichlet(np.ones(ends), 4)
    weights = np.array([1.0, -1.0, 0.5, -0.5])
    exact = sum(w * (p @ truth)[0] for w, p in zip(weights, chances, strict=True))
    scores = []
    for _ in range(300):
        values = random_values(random, truth, 20)
        rows = np.stack([random.choice(ends, 200, p=p) for p in chances], axis=1).astype(np.int32)
        found = contrast([(rows[:80], weights), (rows[80:], weights)], values)
        scores.append((found.mean[0] - exact) / found.error(values)[0])
    assert abs(np.mean(scores)) < 0.25
    assert 0.85 < np.std(scores) < 1.15


def test_what_counts_for_and_against_has_no_error() -> None:
    random = np.random.default_rng(1)
    values = random_values(random, random.random((10, 1)), 5)
    rows = np.repeat(random.integers(0, 10, (50, 1)), 2, axis=1).astype(np.int32)
    found = contrast([(rows, np.array([1.0, -1.0]))], values)
    assert found.mean[0] == 0
    assert found.error(values)[0] == 0


def test_one_column_is_a_contrast_too() -> None:
    random = np.random.default_rng(2)
    values = random_values(random, random.random((10, 3)), 5)
    rows = random.integers(0, 10, (50, 4)).astype(np.int32)
    means, errors = means_and_errors(rows, values)
    for k in range(4):
        found = contrast([(rows[:, [k]], np.ones(1))], values)
        assert means[k] == pytest.approx(found.mean)
        assert errors[k] == pytest.approx(found.error(values))


def test_a_sum_of_contrasts_over_other_rows() -> None:
    random = np.random.default_rng(3)
    values = random_values(random, random.random((10, 1)), 5)
    one, other = (random.integers(0, 10, (50, 1)).astype(np.int32) for _ in range(2))
    weight = np.ones(1)
    both = contrast([(one, weight)], values) + -contrast([(other, weight)], values)
    assert both.mean[0] == pytest.approx(values.mean[one].mean() - values.mean[other].mean())


def test_several_contrasts_of_the_same_rows() -> None:
    random = np.random.default_rng(4)
    values = random_values(random, random.random((10, 2)), 5)
    rows = random.integers(0, 10, (50, 4)).astype(np.int32)
    weights = np.array([[1.0, -1.0, 0.0, 0.0], [0.0, 0.5, 0.5, -2.0]])
    for found, each in zip(contrasts(rows, weights, values), weights, strict=True):
        one = contrast([(rows, each)], values)
        assert found.mean == pytest.approx(one.mean)
        assert found.error(values) == pytest.approx(one.error(values))


def test_differences_of_all_kinds_add_up_to_the_end_less_the_start() -> None:
    kinds = np.array([-2, -1, 0, 1, -1, 1, 0])
    total = sum(difference_weights(kinds == kind) for kind in (-1, 0, 1))
    assert np.array_equal(total, [-1, 0, 0, 0, 0, 0, 1])
