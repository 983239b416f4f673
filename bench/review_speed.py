"""How fast and how exact is a review? A game of Poison with four players, in processor time.

    python -m bench.review_speed --seconds 10

Plays a game of about 200 moves, every seventh at random, and reviews it with the budget that fits
into the time. Prints when the first curve was there, the standard errors of the accounts, and the
moves per second: of the review, and of the reference policy alone. Writes
`bench/results/review_speed.json`.
"""

from __future__ import annotations

import time
from random import Random
from typing import Any

import numpy as np

from bench import report
from theriac.bots import bot
from theriac.engine.search import NO_LIMIT
from theriac.engine.valuation import EndTable, ValuationBuffers
from theriac.game import find
from theriac.match import Match
from theriac.review import review_steps
from theriac.review.history import read_history
from theriac.review.playouts import SLIP
from theriac.review.results import PARTS, Review

PLAYERS = 4
LEAST_MOVES = 195
RANDOM_EVERY = 7
#: Playouts of the policy alone from every position, to measure its speed.
ROWS = 300


def play(number: int) -> Match:
    """A game of heuristics, with some moves at random."""
    match = Match(find("poison"), {"players": PLAYERS}, seed=number.to_bytes(32, "big"))
    player, chance = bot("greedy", seed=1), Random(number)
    while not match.over:
        if len(match.moves) % RANDOM_EVERY == 0:
            match.play(chance.choice(match.legal()))
        else:
            player.play(match)
    return match


def policy_speed(record: dict[str, Any], slip: float) -> float:
    """Moves per second of processor time, in playouts to the end of the game."""
    history = read_history(record)
    shape, engine = history.game.shape, history.game.engine()
    table, buffers = EndTable.of(shape, PLAYERS, 1 << 16), ValuationBuffers.of(shape, slip)
    starts = np.array(history.states)
    ages, limits = np.zeros(len(starts), np.int64), np.full(len(starts), NO_LIMIT)
    ends = np.zeros((ROWS, len(starts)), np.int32)
    engine.follow_all(starts, ages, limits, 1, 0, table, buffers, ends[:1])
    before, begin = int(table.counts.moves), time.process_time()
    engine.follow_all(starts, ages, limits, 1, 1, table, buffers, ends[1:])
    return (int(table.counts.moves) - before) / (time.process_time() - begin)


def timed_review(record: dict[str, Any], budget: int) -> tuple[Review, float, float]:
    """The review, and the processor time until the curve and until the end."""
    begin = time.process_time()
    steps = review_steps(record, budget=budget)
    next(steps)
    curve = time.process_time() - begin
    *_, last = steps
    return last, curve, time.process_time() - begin


def main() -> None:
    """Play, review, and measure."""
    given = report.arguments(
        "How fast and how exact is a review?",
        "review_speed",
        seconds={"type": float, "default": 10.0, "help": "of processor time for the review"},
    )
    machine = report.show_machine()
    games = (play(number) for number in range(1000))
    record = next(match.record() for match in games if len(match.moves) >= LEAST_MOVES)
    timed_review(record, 20_000)  # compiles, or loads what was compiled
    _, _, short = timed_review(record, 200_000)
    budget = round(200_000 * given.seconds / short)
    found, curve, seconds = timed_review(record, budget)
    errors = [getattr(seat.errors, part) for seat in found.seats for part in PARTS]
    results = {
        "moves": len(record["moves"]),
        "budget": budget,
        "playouts": found.playouts,
        "curve_s": round(curve, 2),
        "review_s": round(seconds, 2),
        "moves_per_s": round(found.playout_moves / seconds),
        "policy_moves_per_s": round(policy_speed(record, SLIP)),
        "greedy_moves_per_s": round(policy_speed(record, 0.0)),
        "errors": {
            "least": round(min(errors), 4),
            "mean": round(sum(errors) / len(errors), 4),
            "most": round(max(errors), 4),
            "largest_losses": round(max(mistake.error for mistake in found.mistakes[:3]), 4),
        },
    }
    for name, value in results.items():
        report.console.print(f"{name}: {value}")
    report.write(given.name, machine, results)


if __name__ == "__main__":
    main()
