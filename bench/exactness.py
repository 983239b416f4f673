"""Do the parts of every account add up to the result? Random and bots' games, all options.

    python -m bench.exactness --games 10000

Games take turns: the five games, each with every number of players and set of options (`SETUPS` of
the contract tests), played at random and by `greedy` with slips. Whether an account adds up does
not depend on the budget, so that is the least. Writes the largest residue of all accounts, in
shares of the win and in points, to `bench/results/exactness.json`; fails if it is above 1e-9.

The file is written again every 100 games. `--more` continues from there.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
import time
from collections.abc import Iterator
from typing import Any, TypedDict

from bench import report
from theriac.bots import bot
from theriac.game import all_games
from theriac.review import LEAST_BUDGET
from theriac.review.many import review_each
from theriac.review.results import PARTS, Account, Review
from theriac.testing.setups import SETUPS, Setup, is_built_in

PLAYERS = ("random", "greedy:slip=0.2")
MOST = 1e-9
NAME = "exactness"
WRITTEN_EVERY = 100


def turns() -> Iterator[tuple[str, Setup]]:
    """Who plays what: the games in turn, and of each game all players and options in turn."""
    games = [game for game in all_games().values() if is_built_in(game)]
    of_games = [
        itertools.cycle(itertools.product([s for s in SETUPS if s.game is game], PLAYERS))
        for game in games
    ]
    for turn in itertools.cycle(of_games):
        setup, player = next(turn)
        yield player, setup


def records(first: int, games: int, seconds: float) -> Iterator[dict[str, Any]]:
    """Records of finished games; fewer if the time is up."""
    end = time.monotonic() + seconds
    bots = {name: bot(name, seed=1) for name in PLAYERS}
    chosen = itertools.islice(turns(), first, games)
    for number, (player, setup) in enumerate(chosen, first):
        if time.monotonic() > end:
            return
        match = setup.match(number)
        while not match.over:
            bots[player].play(match)
        yield match.record()


def residue(account: Account) -> float:
    """How far the parts are from the result."""
    return abs(sum(float(getattr(account, part)) for part in PARTS) - account.result)


def largest_residue(review: Review) -> float:
    """The largest of all accounts of one review."""
    return max(max(residue(seat), residue(seat.points)) for seat in review.seats)


class Line(TypedDict):
    """What was found for one kind of games."""

    games: int
    largest: float


#: For each game and kind.
Lines = dict[str, dict[str, Line]]


def results_before() -> Lines:
    """What is in the results file."""
    found: Lines = json.loads((report.RESULTS / f"{NAME}.json").read_text("utf-8"))["by_game"]
    return found


def main() -> None:
    """Play, review, and write the largest residue."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop playing then")
    parser.add_argument("--more", action="store_true", help="continue an earlier run")
    given = parser.parse_args()
    by_game: Lines = results_before() if given.more else {}
    first = sum(line["games"] for lines in by_game.values() for line in lines.values())
    machine = report.show_machine()
    reviews = review_each(
        records(first, given.games, given.seconds), budget=LEAST_BUDGET, seed=1, jobs=given.jobs
    )
    played = itertools.islice(turns(), first, None)
    for number, (review, (player, setup)) in enumerate(zip(reviews, played, strict=False), 1):
        lines = by_game.setdefault(review.game, {})
        line = lines.setdefault(f"{setup}, {player}", {"games": 0, "largest": 0.0})
        line["games"] += 1
        line["largest"] = max(line["largest"], largest_residue(review))
        if number % WRITTEN_EVERY == 0:
            write(machine, by_game)
    sys.exit(write(machine, by_game) > MOST)


def write(machine: dict[str, Any], by_game: Lines) -> float:
    """Write what was found so far; returns the largest residue of all."""
    largest = {
        name: max(line["largest"] for line in lines.values()) for name, lines in by_game.items()
    }
    games = {name: sum(line["games"] for line in lines.values()) for name, lines in by_game.items()}
    summary = {
        "budget": LEAST_BUDGET,
        "games": sum(games.values()),
        "largest": max(largest.values()),
        "games_of": games,
        "largest_of": largest,
        "by_game": by_game,
    }
    report.write(NAME, machine, summary)
    most = max(largest.values())
    report.console.print(f"{sum(games.values())} games: largest residue {most:.1e}")
    return most


if __name__ == "__main__":
    main()
