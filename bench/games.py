"""Whole random games per second on one core: our games beside OpenSpiel's.

Every player plays uniformly at random. The time includes dealing; the count does not: a move is a
player's move. Both sides play from fixed seeds. OpenSpiel's moves are counted in an untimed run of
the same games. The benchmarks run in turn for several rounds, and the best run of each counts, so
that other load on the machine affects all of them alike.

Run with `python -m bench.games`, or `make bench`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from rich.progress import Progress
from rich.table import Table

import theriac
from bench import report
from theriac.game import Game

PEERS = ("hearts", "spades", "oh_hell", "crazy_eights", "euchre", "hanabi")
_MOST_GAMES = 1 << 24


@dataclass
class Benchmark:
    """One game to time: `play(n)` plays n whole games and returns the number of moves.

    `count(n)` returns that number if `play` does not.
    """

    system: str
    name: str
    players: int
    play: Callable[[int], int]
    count: Callable[[int], int] | None = None
    games: int = 1
    moves: int = 0
    times: list[float] = field(default_factory=list)

    def calibrate(self, seconds: float) -> None:
        """Set the number of games so that a run takes about this long."""
        self.play(1)
        while (spent := self._time()) < seconds / 4 and self.games < _MOST_GAMES:
            self.games *= 2
        self.games = max(1, round(self.games * seconds / spent))
        self.moves = (self.count or self.play)(self.games)

    def run(self) -> None:
        """Time one more run."""
        self.times.append(self._time())

    def _time(self) -> float:
        start = perf_counter()
        self.play(self.games)
        return perf_counter() - start

    @property
    def rate(self) -> float:
        """Moves per second in the best run."""
        return self.moves / min(self.times)

    def result(self) -> dict[str, Any]:
        """What is written to the results file."""
        return {
            "system": self.system,
            "game": self.name,
            "players": self.players,
            "games": self.games,
            "moves_per_game": round(self.moves / self.games, 2),
            "moves_per_second": round(self.rate),
        }


def ours(game: Game, players: int, threads: int = 1) -> Benchmark:
    """A benchmark of our own game on some threads."""
    engine = game.engine("cpu")
    options = game.settings({"players": players, "first": 0}).options
    buffers = [(engine.state(), engine.chance(), engine.moves()) for _ in range(threads)]
    pool = ThreadPoolExecutor(threads)

    def share(thread: int, n: int) -> int:
        g, chance, moves = buffers[thread]
        begin, end = n * thread // threads, n * (thread + 1) // threads
        return int(engine.play_games(g, options, chance, moves, 1, begin, end))

    def play(n: int) -> int:
        if threads == 1:
            return share(0, n)
        return sum(pool.map(share, range(threads), [n] * threads))

    return Benchmark("Theriac", game.name, players, play)


def peers() -> Iterator[Benchmark]:
    """Benchmarks of OpenSpiel's games with its native random bots; none without OpenSpiel."""
    try:
        import pyspiel
    except ImportError:
        report.console.print("OpenSpiel is not installed; its games are left out: run `make bench`")
        return
    for name in PEERS:
        yield _peer(pyspiel, name)


def _peer(pyspiel: Any, name: str) -> Benchmark:
    game = pyspiel.load_game(name)
    players = game.num_players()

    def finished(n: int) -> Iterator[Any]:
        bots = [pyspiel.make_uniform_random_bot(seat, 1 + seat) for seat in range(players)]
        for number in range(n):
            state = game.new_initial_state()
            pyspiel.evaluate_bots(state, bots, number)
            yield state

    def play(n: int) -> int:
        for _ in finished(n):
            pass
        return 0

    def count(n: int) -> int:
        return sum(ply.player >= 0 for state in finished(n) for ply in state.full_history())

    return Benchmark("OpenSpiel", name, players, play, count)


def measure(benchmarks: list[Benchmark], seconds: float, rounds: int, label: str) -> None:
    """Run all benchmarks in turn, for some rounds."""
    with Progress(console=report.console, transient=True) as progress:
        bar = progress.add_task(label, total=len(benchmarks) * (rounds + 2))
        for benchmark in benchmarks:
            benchmark.calibrate(seconds)
            progress.advance(bar, 2)
        for _ in range(rounds):
            for benchmark in benchmarks:
                benchmark.run()
                progress.advance(bar)


def show_rates(benchmarks: list[Benchmark]) -> None:
    """Print how fast each game is."""
    rows = [
        [f"{c.system} {c.name}", str(c.players), f"{c.moves / c.games:.1f}", f"{c.rate / 1e6:.2f}"]
        for c in benchmarks
    ]
    headings = ["game", "players", "moves per game", "million moves/s"]
    show("Random whole games on one core, dealing included", headings, rows)


def show_ratios(mine: list[Benchmark], theirs: list[Benchmark]) -> None:
    """Print our rates as multiples of theirs."""
    rows = [
        [f"{c.name} {c.players}", *(f"{c.rate / peer.rate:.1f}" for peer in theirs)] for c in mine
    ]
    show("Our moves/s over OpenSpiel's", ["game", *(peer.name for peer in theirs)], rows)


def show_threads(single: list[Benchmark], double: list[Benchmark]) -> None:
    """Print what a second thread adds."""
    rows = [
        [one.name, f"{one.rate / 1e6:.2f}", f"{two.rate / 1e6:.2f}", f"{two.rate / one.rate:.2f}"]
        for one, two in zip(single, double, strict=True)
    ]
    show("Million moves/s on two threads", ["game", "one thread", "two threads", "ratio"], rows)


def show(title: str, headings: list[str], rows: list[list[str]]) -> None:
    """Print a table; its first column is text, the others are numbers."""
    table = Table(title=title, title_justify="left")
    for i, heading in enumerate(headings):
        table.add_column(heading, justify="right" if i else "left")
    for row in rows:
        table.add_row(*row)
    report.console.print(table)


def main() -> None:
    """Measure, print and write the results."""
    arguments = report.arguments("Whole random games per second, beside OpenSpiel's.", "games")
    seconds, rounds = (0.1, 3) if arguments.quick else (0.4, 9)
    machine = report.show_machine()
    known = list(theriac.all_games().values())
    cores = os.sched_getaffinity(0)

    os.sched_setaffinity(0, {min(cores)})
    mine = [ours(game, players) for game in known for players in game.players]
    theirs = list(peers())
    measure([*mine, *theirs], seconds, rounds, "One core")
    show_rates([*mine, *theirs])
    show_ratios(mine, theirs)
    os.sched_setaffinity(0, cores)

    single = [ours(game, game.players[-1]) for game in known]
    double = [ours(game, game.players[-1], threads=2) for game in known]
    measure([*single, *double], seconds, rounds, "Two threads")
    show_threads(single, double)
    report.write(
        arguments.name,
        machine,
        {
            "games": [benchmark.result() for benchmark in [*mine, *theirs]],
            "threads": [
                {"one": one.result(), "two": two.result(), "ratio": round(two.rate / one.rate, 2)}
                for one, two in zip(single, double, strict=True)
            ],
        },
    )


if __name__ == "__main__":
    main()
