"""Do the parts of every account add up to the result? Random and bots' games, all options.

    python -m bench.exactness --games 10000

Games take turns: every game with every number of players and set of options (`SETUPS` of the
contract tests), played at random and by `greedy` with slips. Prints the largest residue of all
accounts, in shares of the win and in points; fails if it is above 1e-9. Every 500 games it says how
far it came: `--first` continues from there.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

from bench import report
from theriac.bots import bot
from theriac.review import LEAST_BUDGET
from theriac.review.many import review_each
from theriac.review.results import PARTS, Account, Review
from theriac.testing.setups import SETUPS, is_built_in

PLAYERS = ("random", "greedy:slip=0.2")
MOST = 1e-9


def records(first: int, games: int, seconds: float) -> Iterator[dict[str, Any]]:
    """Records of finished games of all setups in turn; fewer if the time is up."""
    end = time.monotonic() + seconds
    setups = [setup for setup in SETUPS if is_built_in(setup.game)]
    bots = [bot(name, seed=1) for name in PLAYERS]
    turns = itertools.cycle(itertools.product(setups, bots))
    for number, (setup, player) in enumerate(itertools.islice(turns, first, first + games), first):
        if time.monotonic() > end:
            return
        match = setup.match(number)
        while not match.over:
            player.play(match)
        yield match.record()


def residue(account: Account) -> float:
    """How far the parts are from the result."""
    return abs(sum(float(getattr(account, part)) for part in PARTS) - account.result)


def largest_residue(review: Review) -> float:
    """The largest of all accounts of one review."""
    return max(max(residue(seat), residue(seat.points)) for seat in review.seats)


def main() -> None:
    """Play, review, and print the largest residue."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop playing then")
    parser.add_argument("--first", type=int, default=0, help="the number of the first game")
    given = parser.parse_args()
    counts: Counter[str] = Counter()
    largest = 0.0
    reviews = review_each(
        records(given.first, given.games, given.seconds),
        budget=LEAST_BUDGET,
        seed=1,
        jobs=given.jobs,
    )
    for review in reviews:
        counts[review.game] += 1
        largest = max(largest, largest_residue(review))
        if counts.total() % 500 == 0:
            report.console.print(
                f"games {given.first} to {given.first + counts.total() - 1}: {largest:.1e}"
            )
    games = ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))
    report.console.print(f"{counts.total()} games ({games}): largest residue {largest:.1e}")
    sys.exit(largest > MOST)


if __name__ == "__main__":
    main()
