"""What ends are worth that few playouts went on from.

There are thousands of different ends, and a few playouts from each say little. But the game itself
has an opinion of each (`prospect`), and similar ends have similar values. So for every round a
small model is fitted to all playouts that went on from its ends:

    share of seat s  =  softmax over s of (b * log prospect(s) + a(s)),

and the value of an end is the mean of the model and of its own playouts, weighted by how exact each
is. How exact the model is follows from how far playouts are from it, beyond their own noise. For
points the model is what a seat has, plus what seats win on average from there on.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from theriac.engine.records import Floats, Ints

#: A model is never believed to be more exact than this: shares of the win.
_LEAST_ERROR: Final = 0.01
#: The error of a model that was fitted to nothing.
_UNTESTED_ERROR: Final = 0.1
#: The least variance of a share of the win.
_LEAST_VARIANCE: Final = 0.01
_LEAST_PROSPECT: Final = 1e-4
_ITERATIONS: Final = 8
#: A prior that keeps the fit of few playouts close to the prospects themselves.
_RIDGE: Final = 5.0


class Believed(NamedTuple):
    """For each end and seat a mean, the variance of it, and the variance of one playout."""

    mean: Floats
    variance: Floats
    per_playout: Floats


def believe_shares(visits: Ints, sums: Floats, prospects: Floats) -> Believed:
    """The shares of the win of ends of one round, from model and playouts."""
    seen = visits > 0
    model = _softmax_fit(visits[seen], sums[seen], prospects[seen], prospects)
    per_playout = np.maximum(model * (1 - model), _LEAST_VARIANCE)
    return _combined(visits, sums, model, per_playout, _LEAST_ERROR**2, _UNTESTED_ERROR**2)


def believe_points(visits: Ints, sums: Floats, squares: Floats, points: Floats) -> Believed:
    """The points of ends of one round, from model and playouts."""
    total = visits.sum()
    if not total:
        return Believed(points.copy(), np.ones_like(points), np.ones_like(points))
    gain = (sums - visits[:, None] * points).sum(axis=0) / total
    model = points + gain
    squared = squares - 2 * sums * model + visits[:, None] * model**2
    per_playout = np.maximum(squared.sum(axis=0) / total, 1e-9) * np.ones_like(points)
    usual = float(per_playout.mean())
    return _combined(
        visits, sums, model, per_playout, _LEAST_ERROR**2 * usual, _UNTESTED_ERROR**2 * usual
    )


def _combined(
    visits: Ints, sums: Floats, model: Floats, per_playout: Floats, least: float, untested: float
) -> Believed:
    """The mean of model and playouts, weighted by their exactness."""
    n = visits[:, None].astype(float)
    off = _misfit(visits, sums, model, per_playout, least, untested)
    precision = n / per_playout + 1 / off
    mean = (sums / per_playout + model / off) / precision
    return Believed(mean, 1 / precision, per_playout)


def _misfit(
    visits: Ints, sums: Floats, model: Floats, per_playout: Floats, least: float, untested: float
) -> float:
    """The mean squared error of a model: what playouts are off beyond their own noise."""
    seen = visits > 0
    total = visits.sum() * model.shape[1]
    if not total:
        return untested
    n = visits[seen, None]
    squared = ((sums[seen] - n * model[seen]) ** 2 / n).sum()
    noise = per_playout[seen].sum()
    return max(float((squared - noise) / total), least)


def _softmax_fit(visits: Ints, sums: Floats, prospects: Floats, wanted: Floats) -> Floats:
    """Fit the model to the ends that were visited, and apply it to those wanted.

    Newton's method for a multinomial logistic regression.
    """
    players = prospects.shape[1]
    features = _features(prospects)
    start = np.zeros(1 + players)
    start[0] = 1.0
    found = start.copy()
    n = visits[:, None].astype(float)
    for _ in range(_ITERATIONS if len(visits) else 0):
        model = _softmax(features @ found)
        slope = np.einsum("es,esp->p", sums - n * model, features) - _RIDGE * (found - start)
        centred = features - np.einsum("es,esp->ep", model, features)[:, None]
        curvature = np.einsum("es,esp,esq->pq", n * model, centred, centred)
        found = found + np.linalg.solve(curvature + _RIDGE * np.identity(1 + players), slope)
    return _softmax(_features(wanted) @ found)


def _features(prospects: Floats) -> npt.NDArray[np.float64]:
    """For each end and seat: the logarithm of its prospect, and which seat it is."""
    ends, players = prospects.shape
    logs = np.log(np.clip(prospects, _LEAST_PROSPECT, 1.0))
    seats = np.broadcast_to(np.identity(players), (ends, players, players))
    return np.concatenate([logs[:, :, None], seats], axis=2)


def _softmax(scores: Floats) -> Floats:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: Floats = powers / powers.sum(axis=1, keepdims=True)
    return shares
