"""From playouts to accounts: values, their parts, and their standard errors.

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
from typing import Any, NamedTuple

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
        # Not `@`: its sums depend on the number of threads, and cost more on a busy machine.
        shared = np.einsum("e,es->s", self.shared**2 - self.squares, values.variance)
        error: Floats = np.sqrt(np.maximum(self.rows + shared, 0.0))
        return error

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


#: Rows of ends, and a weight per column.
WeightedEnds = tuple[Ends, Floats]


def contrast(batches: Sequence[WeightedEnds], values: EndValues) -> Contrast:
    """The contrast of rows of ends."""
    return sum_of_contrasts([batches], values)


def sum_of_contrasts(groups: Sequence[Sequence[WeightedEnds]], values: EndValues) -> Contrast:
    """The sum of several contrasts, each the mean over rows of its own."""
    if not groups:
        return no_contrast(values)
    sizes = np.array([sum(len(ends) for ends, _ in batches) for batches in groups], np.intp)
    ends, weights = _one_matrix(groups, sizes)
    row_sums = np.einsum("ncs,nc->ns", values.mean[ends], weights)
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    means = np.add.reduceat(row_sums, starts)
    squares = np.add.reduceat(row_sums**2, starts)
    n = sizes[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        variances = n / (n - 1.0) * np.maximum(squares - means**2 / n, 0.0)
    variances[sizes == 1] = np.inf
    places, found = _places(ends)
    return Contrast(
        means.sum(axis=0),
        variances.sum(axis=0),
        *_shared_and_squares(places, found, weights.ravel(), len(values.mean)),
    )


def contrasts(ends: Ends, weights: Floats, values: EndValues) -> list[Contrast]:
    """Several contrasts of the same rows: one for each row of weights."""
    n = len(ends)
    row_sums = np.matmul(weights, values.mean[ends]) / n
    means = row_sums.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        variances = n / (n - 1.0) * ((row_sums - means / n) ** 2).sum(axis=0)
    variances[np.isnan(variances)] = np.inf
    places, found = _places(ends)
    return [
        Contrast(
            means[k],
            variances[k],
            *_shared_and_squares(places, found, np.tile(each / n, n), len(values.mean)),
        )
        for k, each in enumerate(weights)
    ]


def _one_matrix(
    groups: Sequence[Sequence[WeightedEnds]], sizes: npt.NDArray[np.intp]
) -> tuple[Ends, Floats]:
    """All rows, and the weight of each element, divided by the number of rows of its group.

    Shorter rows are filled up with weights of 0.
    """
    width = max(ends.shape[1] for batches in groups for ends, _ in batches)
    all_ends = np.zeros((sizes.sum(), width), np.int32)
    all_weights, done = np.zeros(all_ends.shape), 0
    for batches, n in zip(groups, sizes, strict=True):
        for ends, weights in batches:
            rows = slice(done, done + len(ends))
            done += len(ends)
            all_ends[rows, : len(weights)] = ends
            all_ends[rows, len(weights) :] = ends[:, :1]
            all_weights[rows, : len(weights)] = weights / n
    return all_ends, all_weights


class _Places(NamedTuple):
    """Each end of each row once: where its elements are in a matrix with its rows sorted."""

    order: npt.NDArray[np.intp]
    starts: npt.NDArray[np.intp]


def _places(ends: Ends) -> tuple[_Places, Ends]:
    """The places of each end of each row, and which end it is."""
    n, columns = ends.shape
    order = np.argsort(ends, axis=1, kind="stable")
    in_order = np.take_along_axis(ends, order, axis=1)
    is_first = np.ones(ends.shape, np.bool_)
    is_first[:, 1:] = in_order[:, 1:] != in_order[:, :-1]
    starts = np.flatnonzero(is_first)
    order += np.arange(n)[:, None] * columns
    return _Places(order.ravel(), starts), in_order.ravel()[starts]


def _shared_and_squares(
    places: _Places, ends: Ends, weights: Floats, count: int
) -> tuple[Floats, Floats]:
    """For each of `count` ends the sum of its weights, and that of its squared weights by row."""
    in_rows = np.add.reduceat(weights[places.order], places.starts)
    return _sums_by(ends, in_rows, count), _sums_by(ends, in_rows**2, count)


def _sums_by(places: npt.NDArray[Any], weights: Floats, count: int) -> Floats:
    """The weights added up by place."""
    sums: Floats = np.bincount(places, weights, count).astype(np.float64, copy=False)
    return sums


def mean_and_error(
    batches: Sequence[WeightedEnds], values: EndValues, column: int
) -> tuple[float, float]:
    """The contrast for one column of values, and its standard error."""
    used = np.unique(np.concatenate([ends.ravel() for ends, _ in batches]))
    one = slice(column, column + 1)
    local = EndValues(*(array[used, one] for array in values.arrays))
    found = contrast(
        [(np.searchsorted(used, ends).astype(np.int32), weights) for ends, weights in batches],
        local,
    )
    return float(found.mean[0]), float(found.error(local)[0])


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


def difference_weights(wanted: npt.NDArray[np.bool_]) -> Floats:
    """The weights of the sum of V(h_k) - V(h_k-1) over the events k that are wanted."""
    weights = wanted.astype(np.float64)
    weights[:-1] -= wanted[1:]
    return weights
