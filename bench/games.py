"""Whole random games a second, ours and OpenSpiel's side by side on one core.

Every player plays uniformly at random. Dealing takes part of the time and none of the count: a
move is a player's. Both sides play from fixed seeds; OpenSpiel's moves are counted by playing the
very same games once before. All games take turns, again and again, and the best turn of each
counts, so that whatever else the machine does hits all alike.

Run with `python -m bench.games`, or by `make bench`.
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
class Contest:
    """One game to be timed: `play(n)` plays n whole games and returns the players' moves."""

    system: str
    name: str
    players: int
    play: Callable[[int], int]
    count: Callable[[int], int] | None = None
    games: int = 1
    moves: int = 0
    times: list[float] = field(default_factory=list)

    def fit(self, seconds: float) -> None:
        """Choose a number of games that takes about so many seconds."""
        self.play(1)
        while (spent := self._time()) < seconds / 4 and self.games < _MOST_GAMES:
            self.games *= 2
        self.games = max(1, round(self.games * seconds / spent))
        self.moves = (self.count or self.play)(self.games)

    def turn(self) -> None:
        """Play once more, against the clock."""
        self.times.append(self._time())

    def _time(self) -> float:
        start = perf_counter()
        self.play(self.games)
        return perf_counter() - start

    @property
    def rate(self) -> float:
        """Moves a second in the best turn."""
        return self.moves / min(self.times)

    def result(self) -> dict[str, Any]:
        """What is kept of it."""
        return {
            "system": self.system,
            "game": self.name,
            "players": self.players,
            "games": self.games,
            "moves_per_game": round(self.moves / self.games, 2),
            "moves_per_second": round(self.rate),
        }


def ours(game: Game, players: int, threads: int = 1) -> Contest:
    """A contest of our own game, on so many threads."""
    engine = game.engine("cpu")
    options = game.settings({"players": players, "first": 0}).options
    rooms = [(engine.state(), engine.chance(), engine.moves()) for _ in range(threads)]
    pool = ThreadPoolExecutor(threads)

    def share(thread: int, n: int) -> int:
        g, chance, moves = rooms[thread]
        begin, end = n * thread // threads, n * (thread + 1) // threads
        return int(engine.play_games(g, options, chance, moves, 1, begin, end))

    def play(n: int) -> int:
        if threads == 1:
            return share(0, n)
        return sum(pool.map(share, range(threads), [n] * threads))

    return Contest("Theriac", game.name, players, play)


def peers() -> Iterator[Contest]:
    """Contests of OpenSpiel's games, played by its native random bots; none without OpenSpiel."""
    try:
        import pyspiel
    except ImportError:
        report.console.print("OpenSpiel is not installed: run `make bench` to measure beside it")
        return
    for name in PEERS:
        yield _peer(pyspiel, name)


def _peer(pyspiel: Any, name: str) -> Contest:
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

    return Contest("OpenSpiel", name, players, play, count)


def measure(contests: list[Contest], seconds: float, turns: int, label: str) -> None:
    """Let all contests take turns."""
    with Progress(console=report.console, transient=True) as progress:
        bar = progress.add_task(label, total=len(contests) * (turns + 2))
        for contest in contests:
            contest.fit(seconds)
            progress.advance(bar, 2)
        for _ in range(turns):
            for contest in contests:
                contest.turn()
                progress.advance(bar)


def show_rates(contests: list[Contest]) -> None:
    """How fast each is."""
    rows = [
        [f"{c.system} {c.name}", str(c.players), f"{c.moves / c.games:.1f}", f"{c.rate / 1e6:.2f}"]
        for c in contests
    ]
    headings = ["game", "players", "moves a game", "million moves/s"]
    show("Random whole games on one core, dealing included", headings, rows)


def show_ratios(mine: list[Contest], theirs: list[Contest]) -> None:
    """Our rates as multiples of theirs."""
    rows = [
        [f"{c.name} {c.players}", *(f"{c.rate / peer.rate:.1f}" for peer in theirs)] for c in mine
    ]
    show("Our moves/s over OpenSpiel's", ["game", *(peer.name for peer in theirs)], rows)


def show_threads(single: list[Contest], double: list[Contest]) -> None:
    """What a second thread adds."""
    rows = [
        [one.name, f"{one.rate / 1e6:.2f}", f"{two.rate / 1e6:.2f}", f"{two.rate / one.rate:.2f}"]
        for one, two in zip(single, double, strict=True)
    ]
    show("Million moves/s on two threads", ["game", "one thread", "two threads", "ratio"], rows)


def show(title: str, headings: list[str], rows: list[list[str]]) -> None:
    """A table whose first column is text and the others numbers."""
    table = Table(title=title, title_justify="left")
    for i, heading in enumerate(headings):
        table.add_column(heading, justify="right" if i else "left")
    for row in rows:
        table.add_row(*row)
    report.console.print(table)


def main() -> None:
    """Measure, show, keep."""
    arguments = report.arguments("Whole random games a second, beside OpenSpiel's.", "games")
    seconds, turns = (0.1, 3) if arguments.quick else (0.4, 9)
    machine = report.show_machine()
    known = list(theriac.all_games().values())
    cores = os.sched_getaffinity(0)

    os.sched_setaffinity(0, {min(cores)})
    mine = [ours(game, players) for game in known for players in game.players]
    theirs = list(peers())
    measure([*mine, *theirs], seconds, turns, "One core")
    show_rates([*mine, *theirs])
    show_ratios(mine, theirs)
    os.sched_setaffinity(0, cores)

    single = [ours(game, game.players[-1]) for game in known]
    double = [ours(game, game.players[-1], threads=2) for game in known]
    measure([*single, *double], seconds, turns, "Two threads")
    show_threads(single, double)
    report.write(
        arguments.name,
        machine,
        {
            "games": [contest.result() for contest in [*mine, *theirs]],
            "threads": [
                {"one": one.result(), "two": two.result(), "ratio": round(two.rate / one.rate, 2)}
                for one, two in zip(single, double, strict=True)
            ],
        },
    )


if __name__ == "__main__":
    main()
