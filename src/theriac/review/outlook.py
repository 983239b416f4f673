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

#: A model is never believed to say more than this number of playouts (an error of 1 % of the win);
#: one that was fitted to nothing, not more than this.
_MOST_WORTH: Final = 2000.0
_UNTESTED_WORTH: Final = 20.0
#: The least variance of a share of the win.
_LEAST_VARIANCE: Final = 0.01
#: Playouts of one end that count for the model: it is to be right for all, not for a few.
_MOST_WEIGHT: Final = 100
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
    weight = np.minimum(visits[seen], _MOST_WEIGHT)
    weighted = sums[seen] * (weight / visits[seen])[:, None]
    model = _softmax_fit(weight, weighted, prospects[seen], prospects)
    per_playout = np.maximum(model * (1 - model), _LEAST_VARIANCE)
    return _combined(visits, sums, model, per_playout)


def believe_points(visits: Ints, sums: Floats, squares: Floats, points: Floats) -> Believed:
    """The points of ends of one round, from model and playouts."""
    total = visits.sum()
    if not total:
        return Believed(points.copy(), np.ones_like(points), np.ones_like(points))
    gain = (sums - visits[:, None] * points).sum(axis=0) / total
    model = points + gain
    squared = squares - 2 * sums * model + visits[:, None] * model**2
    per_playout = np.maximum(squared.sum(axis=0) / total, 1e-9) * np.ones_like(points)
    return _combined(visits, sums, model, per_playout)


def _combined(visits: Ints, sums: Floats, model: Floats, per_playout: Floats) -> Believed:
    """The mean of model and playouts: the model counts as a number of playouts of its own."""
    worth = _worth(visits, sums, model, per_playout)
    n = visits[:, None] + worth
    return Believed((sums + worth * model) / n, per_playout / n, per_playout)


def _worth(visits: Ints, sums: Floats, model: Floats, per_playout: Floats) -> float:
    """How many playouts say as much as the model: fewer, the more playouts are off beyond noise."""
    seen = visits > 0
    if not seen.any():
        return _UNTESTED_WORTH
    n = visits[seen, None]
    weight = np.minimum(n, _MOST_WEIGHT)
    beyond = (sums[seen] / n - model[seen]) ** 2 - per_playout[seen] / n
    off = (weight * beyond).sum() / (weight * per_playout[seen]).sum()
    return float(1 / max(off, 1 / _MOST_WORTH))


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
