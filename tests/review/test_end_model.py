"""Values of ends from which few playouts continued."""

from __future__ import annotations

import numpy as np
import pytest

from theriac.review.end_model import estimate_points, estimate_shares


def shares_of(scores: np.ndarray) -> np.ndarray:
    powers = np.exp(scores)
    shares: np.ndarray = powers / powers.sum(axis=1, keepdims=True)
    return shares


def simulate(
    random: np.random.Generator, misfit: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The true shares of ends, their prospects, and the wins of some playouts from each."""
    scores = random.normal(0, 1, (500, 3))
    truth = shares_of(0.7 * scores + [0.3, 0.0, 0.0] + misfit * random.normal(0, 1, (500, 3)))
    visits = random.integers(0, 12, 500)
    visits[:5] = 4000
    wins = np.array([random.multinomial(n, p) for n, p in zip(visits, truth, strict=True)])
    return truth, shares_of(scores), visits, wins.astype(float)


@pytest.mark.parametrize("misfit", [0.0, 0.3])
def test_errors_are_as_large_as_they_say(misfit: float) -> None:
    """Also where the model is off, and for ends without any playout."""
    random = np.random.default_rng(1)
    scores = []
    for _ in range(10):
        truth, prospects, visits, wins = simulate(random, misfit)
        found = estimate_shares(visits, wins, prospects)
        scores.append((found.mean - truth) / np.sqrt(found.variance))
    assert abs(np.mean(scores)) < 0.1
    # The model is never taken to be exact, even where it is.
    assert (0.3 if misfit == 0 else 0.8) < np.std(scores) < 1.2


def test_model_and_playouts_are_better_than_either() -> None:
    truth, prospects, visits, wins = simulate(np.random.default_rng(2), 0.1)
    found = estimate_shares(visits, wins, prospects)
    seen = visits > 0

    def error(values: np.ndarray) -> float:
        return float(np.sqrt(((values - truth[seen]) ** 2).mean()))

    assert error(found.mean[seen]) < 0.3 * error(wins[seen] / visits[seen, None])
    assert error(found.mean[seen]) < 0.5 * error(prospects[seen])


def test_many_playouts_outweigh_the_model() -> None:
    truth, prospects, visits, wins = simulate(np.random.default_rng(3), 1.0)
    found = estimate_shares(visits, wins, prospects)
    assert found.mean[:5] == pytest.approx(wins[:5] / 4000, abs=0.01)
    assert found.mean[:5] == pytest.approx(truth[:5], abs=0.03)


def test_without_playouts_there_are_the_prospects() -> None:
    prospects = np.array([[0.5, 0.3, 0.2]])
    found = estimate_shares(np.zeros(1, np.int64), np.zeros((1, 3)), prospects)
    assert found.mean == pytest.approx(prospects)
    assert found.variance.min() >= 0.05**2


def test_points_are_those_of_now_and_what_is_to_come() -> None:
    random = np.random.default_rng(4)
    now = random.integers(0, 30, (300, 2)).astype(float)
    visits = random.integers(0, 6, 300)
    gains = [random.normal([5.0, 9.0], 3.0, (n, 2)) for n in visits]
    finals = [start + gain for start, gain in zip(now, gains, strict=True)]
    sums = np.array([each.sum(axis=0) for each in finals])
    squares = np.array([(each**2).sum(axis=0) for each in finals])
    found = estimate_points(visits, sums, squares, now)
    assert found.mean == pytest.approx(now + [5.0, 9.0], abs=1.0)
    assert found.per_playout.mean() == pytest.approx(9.0, rel=0.2)
