"""Measures simulated moves per second inside a search, ours and OpenSpiel's, on one core.

Ours is `theriac.bots.search` at the first decision of some deals of each game, as tuned, and with
random playouts to the end of the game. OpenSpiel's is its native information-set search at the
first choice in some deals of hearts and oh_hell, always with random playouts to the end. A move is
a player's move, in the tree or in a playout. Time is processor time, so other load on the machine
matters little. The searches take turns, and the best turn counts.

Run with `python -m bench.search`, or by `make bench`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from time import process_time
from typing import Any

from rich.progress import Progress

import theriac
from bench import report
from bench.games import show
from theriac.bots import ask
from theriac.bots.search import SearchBot
from theriac.game import Game

PEERS = ("hearts", "oh_hell")
PLAYERS = 4
DEALS = 4


@dataclass
class Contest:
    """One search to measure: `search()` returns its simulations and its moves."""

    system: str
    name: str
    how: str
    search: Callable[[], tuple[float, float]]
    rates: list[tuple[float, float]] = field(default_factory=list)

    def turn(self) -> None:
        """Search once more, and measure its processor time."""
        start = process_time()
        simulations, moves = self.search()
        spent = process_time() - start
        self.rates.append((moves / spent, simulations / spent))

    @property
    def best(self) -> tuple[float, float]:
        """Moves and simulations per second in the best turn."""
        return max(self.rates)

    def result(self) -> dict[str, Any]:
        """The result to store."""
        moves, simulations = self.best
        return {
            "system": self.system,
            "game": self.name,
            "how": self.how,
            "moves_per_second": round(moves),
            "simulations_per_second": round(simulations),
        }


def ours(game: Game, how: str, **parameters: Any) -> Contest:
    """A contest of our search."""
    bot = SearchBot("search", 1, simulations=5000, **parameters)
    deals = [bytes([number] * 32) for number in range(DEALS)]
    questions = [ask(theriac.new(game.name, players=PLAYERS, first=0, seed=deal)) for deal in deals]

    def search() -> tuple[float, float]:
        simulations, moves = 0, 0
        for question in questions:
            bot.look_ahead(question)
            more, made = bot.simulated(game)
            simulations, moves = simulations + more, moves + made
        return simulations, moves

    return Contest("Theriac", game.name, how, search)


def peers(simulations: int) -> Iterator[Contest]:
    """Contests of OpenSpiel's search; none without OpenSpiel."""
    try:
        import pyspiel
    except ImportError:
        report.console.print("OpenSpiel is not installed: run `make bench` to compare with it")
        return
    for name in PEERS:
        yield _peer(pyspiel, name, simulations)


def _peer(pyspiel: Any, name: str, simulations: int) -> Contest:
    game = pyspiel.load_game(name)
    states = [_first_choice(game, Random(number)) for number in range(DEALS)]
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.ISMCTSBot(1, evaluator, 1.0, simulations)
    moves = sum(_moves_to_the_end(pyspiel, state) for state in states)

    def search() -> tuple[float, float]:
        for state in states:
            bot.step(state)
        return DEALS * simulations, moves * simulations

    return Contest("OpenSpiel", name, "random playouts to the end", search)


def _first_choice(game: Any, random: Random) -> Any:
    """A random deal, played to the first decision with more than one legal move."""
    state = game.new_initial_state()
    while len(state.legal_actions()) < 2 or state.is_chance_node():
        state.apply_action(random.choice(state.legal_actions()))
    return state


def _moves_to_the_end(pyspiel: Any, state: Any, games: int = 200) -> float:
    """The mean number of players' moves from here to the end under random play."""
    players = state.num_players()
    bots = [pyspiel.make_uniform_random_bot(seat, 1 + seat) for seat in range(players)]
    before = sum(ply.player >= 0 for ply in state.full_history())
    total = 0
    for number in range(games):
        end = state.clone()
        pyspiel.evaluate_bots(end, bots, number)
        total += sum(ply.player >= 0 for ply in end.full_history()) - before
    return total / games


def measure(contests: list[Contest], turns: int) -> None:
    """Run the contests in turn."""
    with Progress(console=report.console, transient=True) as progress:
        bar = progress.add_task("Searching", total=len(contests) * turns)
        for _ in range(turns):
            for contest in contests:
                contest.turn()
                progress.advance(bar)


def show_rates(contests: list[Contest], theirs: list[Contest]) -> None:
    """Print the rate of each search, and ours as multiples of OpenSpiel's."""
    rows = []
    for contest in contests:
        moves, simulations = contest.best
        ratios = [f"{moves / peer.best[0]:.1f}" for peer in theirs]
        rows.append(
            [
                f"{contest.system} {contest.name}",
                contest.how,
                f"{moves / 1e6:.2f}",
                f"{simulations / 1e3:.0f}",
                *ratios,
            ]
        )
    headings = ["search", "how", "million moves/s", "thousand simulations/s"]
    headings += [f"x {peer.name}" for peer in theirs]
    show("Inside a search, on one core", headings, rows)


def main() -> None:
    """Measure, print and store."""
    arguments = report.arguments("Simulated moves per second inside a search.", "search")
    machine = report.show_machine()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    theirs = list(peers(500 if arguments.quick else 2000))
    known = list(theriac.all_games().values())
    mine = [ours(game, "as tuned") for game in known]
    mine += [
        ours(game, "random playouts to the end", playout_width=1, width=0, rounds=0)
        for game in known
    ]
    measure([*mine, *theirs], 3 if arguments.quick else 9)
    show_rates([*mine, *theirs], theirs)
    report.write(
        arguments.name, machine, {"searches": [contest.result() for contest in [*mine, *theirs]]}
    )


if __name__ == "__main__":
    main()
