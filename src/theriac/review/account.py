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


#: Rows of ends, and a weight per column.
WeightedEnds = tuple[Ends, Floats]


def contrast(batches: Sequence[WeightedEnds], values: EndValues) -> Contrast:
    """The contrast of rows of ends."""
    return sum_of_contrasts([batches], values)


def sum_of_contrasts(groups: Sequence[Sequence[WeightedEnds]], values: EndValues) -> Contrast:
    """The sum of several contrasts, each the mean over rows of its own."""
    count = len(values.mean)
    rows = _flatten(groups, count)
    if rows is None:
        return no_contrast(values)
    row_sums = np.stack(
        [
            _sums_by(rows.pair_rows, rows.pair_weights * worth[rows.pair_ends], rows.total)
            for worth in values.mean.T
        ],
        axis=1,
    )
    sizes = rows.group_sizes[:, None]
    means = np.add.reduceat(row_sums, rows.group_starts)
    squares = np.add.reduceat(row_sums**2, rows.group_starts)
    with np.errstate(divide="ignore", invalid="ignore"):
        variances = sizes / (sizes - 1.0) * np.maximum(squares - means**2 / sizes, 0.0)
    variances[rows.group_sizes == 1] = np.inf
    return Contrast(
        means.sum(axis=0),
        variances.sum(axis=0),
        _sums_by(rows.pair_ends, rows.pair_weights, count),
        _sums_by(rows.pair_ends, rows.pair_weights**2, count),
    )


def _sums_by(places: npt.NDArray[Any], weights: Floats, count: int) -> Floats:
    """The weights added up by place."""
    sums: Floats = np.bincount(places, weights, count).astype(np.float64, copy=False)
    return sums


class _Rows(NamedTuple):
    """All rows of several groups: which end has which weight in which row."""

    total: int
    group_starts: npt.NDArray[np.intp]
    group_sizes: npt.NDArray[np.intp]
    pair_rows: npt.NDArray[np.int64]
    pair_ends: npt.NDArray[np.int64]
    pair_weights: Floats


def _flatten(groups: Sequence[Sequence[WeightedEnds]], count: int) -> _Rows | None:
    """All rows, numbered through, each weight divided by the number of rows of its group.

    None if all weights are 0.
    """
    keys, weights, sizes = [], [], []
    row = 0
    for batches in groups:
        n = sum(len(ends) for ends, _ in batches)
        sizes.append(n)
        for ends, column_weights in batches:
            used = np.flatnonzero(column_weights)
            numbers = np.arange(row, row + len(ends), dtype=np.int64)
            keys.append((numbers[:, None] * count + ends[:, used]).ravel())
            weights.append(np.tile(column_weights[used] / n, len(ends)))
            row += len(ends)
    if not keys or not any(len(each) for each in keys):
        return None
    pairs, inverse = np.unique(np.concatenate(keys), return_inverse=True)
    group_sizes = np.array(sizes, np.intp)
    return _Rows(
        row,
        np.concatenate([[0], np.cumsum(group_sizes)[:-1]]).astype(np.intp),
        group_sizes,
        pairs // count,
        pairs % count,
        _sums_by(inverse, np.concatenate(weights), len(pairs)),
    )


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
