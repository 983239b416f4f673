"""Values of ends from which few playouts continued.

There are thousands of different ends, and a few playouts from each say little. But the game itself
rates each of them (`prospect`), and similar ends have similar values. So for every round a small
model, a multinomial logistic regression, is fitted to all playouts that continued from its ends:

    share of seat s  =  softmax over s of (b * log prospect(s) + a(s)).

The value of an end is the mean of the model's prediction and of the end's own playouts, weighted by
their precision (a shrinkage estimate). The precision of the model follows from how far playouts are
from it, beyond their own noise. For points the model is what a seat has, plus what seats win on
average from there on.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from theriac.engine.records import Floats, Ints

#: The model never weighs more than this number of playouts (an error of 1 % of the win).
_MAX_MODEL_WEIGHT: Final = 2000.0
#: Its weight where there are no playouts to compare it with.
_UNTESTED_MODEL_WEIGHT: Final = 20.0
#: The least variance of a share of the win.
_MIN_VARIANCE: Final = 0.01
#: Playouts of one end that count in the fit: the model should be right for all ends, not for a few.
_MAX_END_WEIGHT: Final = 100
_MIN_PROSPECT: Final = 1e-4
_ITERATIONS: Final = 8
#: A step of the fit that is smaller than this is the last.
_CONVERGED: Final = 1e-6
#: L2 penalty that keeps the fit to few playouts close to the prospects themselves.
_RIDGE: Final = 5.0


class EndEstimates(NamedTuple):
    """For each end and seat the mean, its variance, and the variance of one playout."""

    mean: Floats
    variance: Floats
    per_playout: Floats


def estimate_shares(visits: Ints, sums: Floats, prospects: Floats) -> EndEstimates:
    """The shares of the win of ends of one round, from model and playouts."""
    model = model_shares(visits, sums, prospects)
    per_playout = np.maximum(model * (1 - model), _MIN_VARIANCE)
    return _combine(visits, sums, model, per_playout)


def model_shares(visits: Ints, sums: Floats, prospects: Floats) -> Floats:
    """The shares of the win of ends of one round, from the model alone."""
    seen = visits > 0
    weight = np.minimum(visits[seen], _MAX_END_WEIGHT)
    weighted = sums[seen] * (weight / visits[seen])[:, None]
    return _fit_and_predict(weight, weighted, prospects[seen], prospects)


def estimate_points(visits: Ints, sums: Floats, squares: Floats, points: Floats) -> EndEstimates:
    """The points of ends of one round, from model and playouts."""
    total = visits.sum()
    if not total:
        return EndEstimates(points.copy(), np.ones_like(points), np.ones_like(points))
    gain = (sums - visits[:, None] * points).sum(axis=0) / total
    model = points + gain
    squared = squares - 2 * sums * model + visits[:, None] * model**2
    per_playout = np.maximum(squared.sum(axis=0) / total, 1e-9) * np.ones_like(points)
    return _combine(visits, sums, model, per_playout)


def _combine(visits: Ints, sums: Floats, model: Floats, per_playout: Floats) -> EndEstimates:
    """The mean of model and playouts: the model counts as a number of playouts of its own."""
    weight = _model_weight(visits, sums, model, per_playout)
    n = visits[:, None] + weight
    return EndEstimates((sums + weight * model) / n, per_playout / n, per_playout)


def _model_weight(visits: Ints, sums: Floats, model: Floats, per_playout: Floats) -> float:
    """How many playouts the model is worth: fewer, the further playouts are off beyond noise."""
    seen = visits > 0
    if not seen.any():
        return _UNTESTED_MODEL_WEIGHT
    n = visits[seen, None]
    weight = np.minimum(n, _MAX_END_WEIGHT)
    excess = (sums[seen] / n - model[seen]) ** 2 - per_playout[seen] / n
    misfit = (weight * excess).sum() / (weight * per_playout[seen]).sum()
    return float(1 / max(misfit, 1 / _MAX_MODEL_WEIGHT))


def _fit_and_predict(visits: Ints, sums: Floats, prospects: Floats, wanted: Floats) -> Floats:
    """Fit the model to the ends that were visited, and predict the shares of those wanted.

    Newton's method for a multinomial logistic regression.
    """
    players = prospects.shape[1]
    logs = _logarithms(prospects)
    prior = np.zeros(1 + players)  # b, then a(s)
    prior[0] = 1.0
    coefficients = prior.copy()
    n = visits[:, None].astype(float)
    for _ in range(_ITERATIONS if len(visits) else 0):
        model = _predict(coefficients, logs)
        gradient, hessian = _derivatives(n, sums, model, logs)
        gradient -= _RIDGE * (coefficients - prior)
        hessian += _RIDGE * np.identity(1 + players)
        step = np.linalg.solve(hessian, gradient)
        coefficients = coefficients + step
        if np.abs(step).max() < _CONVERGED:
            break
    return _predict(coefficients, _logarithms(wanted))


def _derivatives(n: Floats, sums: Floats, model: Floats, logs: Floats) -> tuple[Floats, Floats]:
    """The gradient of the log likelihood, and its Hessian with the sign changed."""
    expected = n * model
    residuals = sums - expected
    gradient = np.concatenate([[(residuals * logs).sum()], residuals.sum(axis=0)])
    centred = logs - (model * logs).sum(axis=1, keepdims=True)
    hessian = np.zeros((len(gradient), len(gradient)))
    hessian[0, 0] = (expected * centred**2).sum()
    hessian[0, 1:] = hessian[1:, 0] = (expected * centred).sum(axis=0)
    hessian[1:, 1:] = np.diag(expected.sum(axis=0))
    hessian[1:, 1:] -= np.einsum("es,et->st", model, expected)
    return gradient, hessian


def _predict(coefficients: Floats, logs: Floats) -> Floats:
    """The shares by the model."""
    return _softmax(coefficients[0] * logs + coefficients[1:])


def _logarithms(prospects: Floats) -> Floats:
    """The logarithms of the prospects, none of them too small."""
    found: Floats = np.log(np.clip(prospects, _MIN_PROSPECT, 1.0))
    return found


def _softmax(scores: Floats) -> Floats:
    exponentials = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: Floats = exponentials / exponentials.sum(axis=1, keepdims=True)
    return shares
