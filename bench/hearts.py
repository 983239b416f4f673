"""Hearts beside OpenSpiel's hearts: the same game on both sides, on one core.

`examples/hearts` plays a single round with the rules of OpenSpiel's default parameters; its test
`test_openspiel.py` plays both in lock-step. It is measured without passing and with three cards
passed to the left: OpenSpiel leaves the direction to chance, so here it is chosen before the deal.
Otherwise as in `bench.games`: every player plays at random, the time includes dealing, the best of
several runs in turn counts.

Run with `python -m bench.hearts`, or `make bench`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from bench import report
from bench.games import Benchmark, measure, show
from theriac.game import Game, find

#: For each way of passing, OpenSpiel's number of it.
PASSING = {"none": 0, "left": 1}
SEATS = 4
#: Seat 3 deals, so that seat 0 gets the first card, and the game is one round.
OPTIONS = {"players": SEATS, "first": 3, "target": 0, "queen_breaks": True}


def ours(game: Game, passing: str) -> Benchmark:
    """A benchmark of `examples/hearts`."""
    engine = game.engine("cpu")
    options = game.settings({**OPTIONS, "passing": passing}).options
    g, chance, moves = engine.state(), engine.chance(), engine.moves()

    def play(n: int) -> int:
        return int(engine.play_games(g, options, chance, moves, 1, 0, n))

    return Benchmark("Theriac", f"hearts, passing {passing}", SEATS, play)


def theirs(pyspiel: Any, passing: str) -> Benchmark:
    """A benchmark of OpenSpiel's hearts, with its native random bots."""
    game = pyspiel.load_game("hearts")

    def finished(n: int) -> Iterator[Any]:
        bots = [pyspiel.make_uniform_random_bot(seat, 1 + seat) for seat in range(SEATS)]
        for number in range(n):
            state = game.new_initial_state()
            state.apply_action(PASSING[passing])
            pyspiel.evaluate_bots(state, bots, number)
            yield state

    def play(n: int) -> int:
        for _ in finished(n):
            pass
        return 0

    def count(n: int) -> int:
        return sum(ply.player >= 0 for state in finished(n) for ply in state.full_history())

    return Benchmark("OpenSpiel", f"hearts, passing {passing}", SEATS, play, count)


def pairs() -> list[tuple[Benchmark, Benchmark]]:
    """For each way of passing, ours and theirs."""
    import pyspiel

    return [(ours(find("hearts"), passing), theirs(pyspiel, passing)) for passing in PASSING]


def show_pairs(measured: list[tuple[Benchmark, Benchmark]]) -> None:
    """Print both rates, and how many times theirs is ours."""
    rows = [
        [
            mine.name,
            f"{mine.moves / mine.games:.1f}",
            f"{mine.rate / 1e6:.2f}",
            f"{peer.rate / 1e6:.2f}",
            f"{mine.rate / peer.rate:.1f}",
        ]
        for mine, peer in measured
    ]
    headings = ["game", "moves per game", "Theriac, million moves/s", "OpenSpiel", "ratio"]
    show("The same game: random whole rounds on one core, dealing included", headings, rows)


def main() -> None:
    """Measure, print and write the results."""
    arguments = report.arguments("Hearts beside OpenSpiel's hearts.", "hearts")
    seconds, rounds = (0.1, 3) if arguments.quick else (0.4, 9)
    machine = report.show_machine()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    measured = pairs()
    measure([one for pair in measured for one in pair], seconds, rounds, "One core")
    for mine, peer in measured:
        assert mine.moves * peer.games == peer.moves * mine.games, "not the same game"
    show_pairs(measured)
    report.write(
        arguments.name,
        machine,
        {
            "games": [
                {
                    "ours": mine.result(),
                    "theirs": peer.result(),
                    "ratio": round(mine.rate / peer.rate, 1),
                }
                for mine, peer in measured
            ]
        },
    )


if __name__ == "__main__":
    main()
