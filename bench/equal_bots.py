"""Bots that are equal by construction come out equal: p-values over many small arenas are uniform.

    python -m bench.equal_bots --arenas 200

Both bots play by rules of thumb with many slips, so that deals differ. They play a small deck
of Poison, with and without luck taken out: by playouts in which they play as they do, and by a
network with random weights, which plays quite unlike them. Writes the p-value of a
Kolmogorov-Smirnov test, and by what factor games were saved.
"""

from __future__ import annotations

import argparse
import functools

import numpy as np
from scipy import stats

from bench import report
from tests.networks import blank_network
from theriac.arena.arena_game import ArenaGame, BotFactory, GameResult
from theriac.arena.differences import compare, deal_differences
from theriac.arena.reduction import without_luck
from theriac.arena.schedule import LuckConfig, Schedule, TableSetup
from theriac.arena.statistics import Floats
from theriac.bots import GreedyBot, bot
from theriac.bots.base import Bot
from theriac.bots.style import Style
from theriac.engine.styled_playouts import BY_NETWORK
from theriac.game import Game, Settings, find

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


@functools.cache
def _untrained_style(game: str, players: int) -> Style:
    return Style(BY_NETWORK, blank_network(find(game), players), temperature=1.0)


class Misjudged(GreedyBot):
    """Plays by rules of thumb, and playouts take it for a network that knows nothing."""

    def style(self, game: Game, settings: Settings) -> Style:
        """That of an untrained network."""
        return _untrained_style(game.name, settings.players)


def misjudged(name: str, seed: int) -> Bot:
    """One of the two bots."""
    return Misjudged(name, seed, slip=0.5)


def play_all(schedule: Schedule, make_bot: BotFactory = bot) -> list[GameResult]:
    """Play all games of a schedule in this process."""
    cache: dict[tuple[str, int, int], Bot] = {}
    games = []
    for spec in schedule.games():
        game = ArenaGame(spec, make_bot, _NoTimer(), schedule.limit, cache)
        game.close_unused_bots()
        games.append(game.play())
    return games


def deals(count: int, make_bot: BotFactory = bot) -> tuple[Floats, Floats]:
    """The difference of each deal, and its luck."""
    table = TableSetup("small", {"players": 3, "deck": DECK}, LINE_UPS)
    config = LuckConfig(PLAYOUTS)
    schedule = Schedule("arena", "poison", BOTS, [table], count, 1, 10.0, luck=config)
    differences, luck = deal_differences(*BOTS, play_all(schedule, make_bot), together=False)
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


def show(arenas: int, make_bot: BotFactory) -> None:
    """Play the arenas and print how uniform the p-values are."""
    differences, luck = deals(arenas * DEALS, make_bot)
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


def main() -> None:
    """Show both kinds of playouts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--arenas", type=int, default=200)
    arenas = parser.parse_args().arenas
    for name, make_bot in (("in their style", bot), ("by an untrained network", misjudged)):
        report.console.print(f"Playouts {name}:")
        show(arenas, make_bot)


if __name__ == "__main__":
    main()
