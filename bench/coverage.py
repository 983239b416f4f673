"""How often the intervals of the arena hold the truth: bots of known strengths are simulated.

    python -m bench.coverage --trials 1000

A bot's performance in a game is its strength, plus the luck of its seat in the deal, plus noise of
its own; who performs better comes first. All line-ups of a deal share the luck of its seats. With
the luck of the deal at 1, it is about as large as the noise of a single game.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

import numpy as np

from bench import report
from theriac.arena.ratings import rate, score_tests
from theriac.arena.statistics import Floats

#: The strengths of the bots, as logarithms: 1 is 174 points of rating.
FIELDS = (
    (0.0, 0.0),
    (0.8, -0.8),
    (1.7, -1.7),
    (0.0, 0.0, 0.0),
    (1.0, 0.0, -1.0),
    (1.5, 0.5, 0.0, -2.0),
)
DEALS = (3, 5, 10, 30)
#: Games from which the true ratings are computed.
_MANY = 1 << 16


def simulated_wins(
    random: np.random.Generator, deals: int, strengths: Sequence[float], luck: float
) -> Floats:
    """The wins of each deal, all rotations of the bots over the seats: see `ratings.count_wins`."""
    bots = len(strengths)
    seats = luck * random.standard_normal((deals, 1, bots))
    rotated = np.concatenate([np.roll(seats, turn, axis=2) for turn in range(bots)], axis=1)
    performance = np.array(strengths) + rotated + random.gumbel(size=rotated.shape)
    before = performance[..., :, None] > performance[..., None, :]
    wins: Floats = before.sum(axis=1).astype(float)
    return wins


def true_ratings(strengths: Sequence[float], luck: float) -> list[float]:
    """What the ratings are after very many games."""
    wins = simulated_wins(np.random.default_rng(0), _MANY, strengths, luck).sum(axis=0)
    return [row[0] for row in rate(wins[None])]


def coverage(strengths: Sequence[float], luck: float, deals: int, trials: int) -> float:
    """The share of intervals that hold the true rating."""
    truth = true_ratings(strengths, luck)
    random = np.random.default_rng(deals)
    missed = 0
    for _ in range(trials):
        tests = score_tests(simulated_wins(random, deals, strengths, luck))
        missed += sum(test.rejects(true) for true, test in zip(truth, tests, strict=True))
    return 1 - missed / trials / len(strengths)


def rows(trials: int) -> Iterator[tuple[tuple[float, ...], float, list[float]]]:
    """For each field of bots and luck the coverage for each number of deals."""
    for strengths in FIELDS:
        for luck in (0.0, 1.0):
            yield strengths, luck, [coverage(strengths, luck, n, trials) for n in DEALS]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=1000)
    trials = parser.parse_args().trials
    report.console.print("strengths, luck of a deal: coverage of ratings with", DEALS, "deals")
    for strengths, luck, shares in rows(trials):
        cells = "  ".join(f"{100 * share:5.1f} %" for share in shares)
        report.console.print(f"{strengths!s:24} {luck:g}  {cells}")


if __name__ == "__main__":
    main()
