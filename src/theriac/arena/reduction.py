"""Results without luck: the same mean, less noise, so that fewer games decide.

The luck of a deal has the mean 0 (`theriac.arena.luck`). So has any multiple of it, as long as the
factor does not depend on this deal. Playouts tell luck only as well as they play like the bots: so
a factor for the luck of nature, and one for that of policies, are fitted to all *other* deals.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

import numpy as np

from theriac.arena.statistics import Floats

#: The factors start at 1, which is right for values that are right. That counts as many deals.
_PRIOR_DEALS = 4.0
#: Fewer deals show no reduced interval: factors and variances are too uncertain.
FEWEST_DEALS = 8
_TINY = 1e-12


def without_luck(values: Floats, luck: Floats) -> Floats:
    """The value of each deal less its luck (a row of parts), each part times its factor."""
    factors = _factors(values, luck) if len(values) > 1 else np.ones_like(luck)
    found: Floats = values - (factors * luck).sum(axis=1)
    return found


def _factors(values: Floats, luck: Floats) -> Floats:
    """For each deal the factors of its luck: a regression over all other deals."""
    others = len(values) - 1
    means = (luck.sum(axis=0) - luck) / others
    value_means = (values.sum() - values) / others
    squares = luck.T @ luck - np.einsum("di,dj->dij", luck, luck)
    squares = squares - others * np.einsum("di,dj->dij", means, means)
    products = luck.T @ values - luck * values[:, None] - others * means * value_means[:, None]
    prior = _PRIOR_DEALS / others * np.einsum("dii->di", squares) + _TINY
    system = squares + np.einsum("di,ij->dij", prior, np.identity(luck.shape[1]))
    factors: Floats = np.linalg.solve(system, (products + prior)[..., None])[..., 0]
    return factors


def games_saved(plain: Floats, reduced: Floats) -> float:
    """By what factor fewer deals would give the same interval."""
    spread = float(np.var(reduced, ddof=1))
    return float(np.var(plain, ddof=1)) / spread if spread > 0 else float("nan")


def deal_means(
    rows: Iterable[tuple[Hashable, float, tuple[float, float]]],
) -> tuple[Floats, Floats]:
    """The mean value and luck of each deal, from rows with a deal, a value and its luck."""
    deals: dict[Hashable, list[tuple[float, float, float]]] = {}
    for deal, value, luck in rows:
        deals.setdefault(deal, []).append((value, *luck))
    means = np.array([np.mean(row, axis=0) for row in deals.values()]).reshape(-1, 3)
    return means[:, 0], means[:, 1:]
