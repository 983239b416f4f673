"""Bots that are equal by construction come out equal: p-values over many small arenas are uniform.

    python -m bench.equal_bots --arenas 200

Both bots play by rules of thumb with many slips, so that deals differ. They play a small deck
of Poison, with and without luck taken out. Writes the p-value of a Kolmogorov-Smirnov test, and by
what factor games were saved.
"""

from __future__ import annotations

import argparse

import numpy as np
from scipy import stats

from bench import report
from theriac.arena.arena_game import ArenaGame, GameResult
from theriac.arena.differences import compare, deal_differences
from theriac.arena.reduction import without_luck
from theriac.arena.schedule import LuckConfig, Schedule, TableSetup
from theriac.arena.statistics import Floats
from theriac.bots import bot
from theriac.bots.base import Bot

BOTS = ("greedy:slip=0.5", "greedy:slip=0.50")
#: Each bot has one seat, with the other bot on all others; one seat of the deal is enough here.
LINE_UPS: list[tuple[str, ...]] = [(BOTS[0], BOTS[1], BOTS[1]), (BOTS[1], BOTS[0], BOTS[0])]
DECK = "R1 R2 R4 R5 B1 B4 B5 B7 P1 P4 X X".split()
DEALS = 8
PLAYOUTS = 4


class _NoTimer:
    """These bots need no supervision."""

    def start(self, bot: int, move: int, seconds: float) -> None:
        pass

    def stop(self) -> None:
        pass


def play_all(schedule: Schedule) -> list[GameResult]:
    """Play all games of a schedule in this process."""
    cache: dict[tuple[str, int, int], Bot] = {}
    games = []
    for spec in schedule.games():
        game = ArenaGame(spec, bot, _NoTimer(), schedule.limit, cache)
        game.close_unused_bots()
        games.append(game.play())
    return games


def deals(count: int) -> tuple[Floats, Floats]:
    """The difference of each deal, and its luck."""
    table = TableSetup("small", {"players": 3, "deck": DECK}, LINE_UPS)
    config = LuckConfig(PLAYOUTS)
    schedule = Schedule("arena", "poison", BOTS, [table], count, 1, 10.0, luck=config)
    differences, luck = deal_differences(*BOTS, play_all(schedule), together=False)
    assert luck is not None
    return differences, luck


def p_values(differences: Floats, luck: Floats) -> tuple[list[float], list[float]]:
    """The p-values of arenas of some deals each: as played, and without luck."""
    plain, reduced = [], []
    for first in range(0, len(differences), DEALS):
        some = slice(first, first + DEALS)
        plain.append(compare(*BOTS, differences[some]).p_value)
        reduced.append(compare(*BOTS, without_luck(differences[some], luck[some])).p_value)
    return plain, reduced


def main() -> None:
    """Play the arenas and print how uniform the p-values are."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--arenas", type=int, default=200)
    arenas = parser.parse_args().arenas
    differences, luck = deals(arenas * DEALS)
    for name, found in zip(("as played", "without luck"), p_values(differences, luck), strict=True):
        uniform = stats.kstest(found, "uniform").pvalue
        below = np.mean(np.array(found) < 0.05)
        report.console.print(
            f"{name}: {len(found)} arenas, {100 * below:.1f} % of p-values below 0.05, "
            f"p-value of uniformity {uniform:.3f}"
        )
    reduced = without_luck(differences, luck)
    report.console.print(
        f"all deals: {differences.mean():+.4f} as played, {reduced.mean():+.4f} without luck; "
        f"{differences.var() / reduced.var():.2f} times fewer games"
    )


if __name__ == "__main__":
    main()
