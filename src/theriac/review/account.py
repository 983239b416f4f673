"""From playouts to accounts: values, their parts, and how sure they are.

Every estimate here is a *contrast*: the mean over independent rows of a weighted sum of the values
of ends. Its variance has two sources: rows differ, and the values of ends are estimates themselves,
which several rows may share. With a_i(e) the weight of end e in row i of n, d(e) the sum of all
a_i(e) / n, and u(e) the variance of the value of e, it is

    variance of the rows / n  +  sum over e of u(e) * (d(e)^2 - sum over i of (a_i(e) / n)^2).

The rows already contain the error of each end once; the second term is what sharing adds, or takes
away where the same end counts for and against.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from theriac.engine.records import Floats
from theriac.review.playouts import Ends, EndValues


@dataclass(frozen=True)
class Contrast:
    """A mean over rows for each seat, and all that its variance needs."""

    mean: Floats
    #: The variance of the mean that comes from the rows, per seat.
    rows: Floats
    #: d(e), and the sum over rows of (a_i(e) / n)^2: one number per end.
    shared: Floats
    squares: Floats

    def error(self, values: EndValues) -> Floats:
        """The standard error for each seat."""
        shared = (self.shared**2 - self.squares) @ values.variance
        return np.sqrt(np.maximum(self.rows + shared, 0.0))

    def __add__(self, other: Contrast) -> Contrast:
        """The sum of two contrasts over different rows."""
        return Contrast(
            self.mean + other.mean,
            self.rows + other.rows,
            self.shared + other.shared,
            self.squares + other.squares,
        )

    def __neg__(self) -> Contrast:
        return Contrast(-self.mean, self.rows, -self.shared, self.squares)


def no_contrast(values: EndValues) -> Contrast:
    """Zero, exactly."""
    ends, seats = values.mean.shape
    return Contrast(np.zeros(seats), np.zeros(seats), np.zeros(ends), np.zeros(ends))


def contrast(batches: Sequence[tuple[Ends, Floats]], values: EndValues) -> Contrast:
    """The contrast of rows of ends, each batch with a weight per column."""
    n = sum(len(ends) for ends, _ in batches)
    ends_count, seats = values.mean.shape
    shared, squares = np.zeros(ends_count), np.zeros(ends_count)
    for ends, weights in batches:
        _add_weights(ends, weights / n, shared, squares)
    rows = np.vstack([_row_values(ends, weights, values) for ends, weights in batches])
    variance = rows.var(axis=0, ddof=1) / n if n > 1 else np.full(seats, np.inf)
    return Contrast(rows.mean(axis=0), variance, shared, squares)


def _row_values(ends: Ends, weights: Floats, values: EndValues) -> Floats:
    """For each row and seat the weighted sum of the values of its ends."""
    found = np.zeros((len(ends), values.mean.shape[1]))
    for column in np.flatnonzero(weights):
        found += weights[column] * values.mean[ends[:, column]]
    return found


def _add_weights(ends: Ends, weights: Floats, shared: Floats, squares: Floats) -> None:
    """Add the weight of each end: over all rows, and squared within each row."""
    used = np.flatnonzero(weights)
    if not len(used):
        return
    chosen = ends[:, used]
    count = len(shared)
    keys = (np.arange(len(chosen))[:, None] * count + chosen).ravel()
    pairs, inverse = np.unique(keys, return_inverse=True)
    weight = np.bincount(inverse, np.tile(weights[used], len(chosen)), minlength=len(pairs))
    ends_of_pairs = pairs % count
    shared += np.bincount(ends_of_pairs, weight, minlength=count)
    squares += np.bincount(ends_of_pairs, weight**2, minlength=count)


def means_and_errors(ends: Ends, values: EndValues) -> tuple[Floats, Floats]:
    """For each column and seat the mean value, and its standard error.

    The contrast of a single column, computed faster: every row has one end.
    """
    n, columns = ends.shape
    means = np.zeros((columns, values.mean.shape[1]))
    errors = np.full_like(means, np.inf)
    for k in range(columns):
        found, counts = np.unique(ends[:, k], return_counts=True)
        worth = values.mean[found]
        means[k] = counts @ worth / n
        if n > 1:
            rows = (counts @ (worth - means[k]) ** 2) / (n - 1) / n
            shared = (counts * (counts - 1.0) / n**2) @ values.variance[found]
            errors[k] = np.sqrt(rows + shared)
    return means, errors


def difference_weights(
    kinds: Sequence[object], wanted: object, columns: int
) -> npt.NDArray[np.float64]:
    """The weights of the sum of V(h_k) - V(h_k-1) over the events k of one kind."""
    weights = np.zeros(columns)
    for k in range(1, columns):
        if kinds[k] == wanted:
            weights[k] += 1.0
            weights[k - 1] -= 1.0
    return weights
