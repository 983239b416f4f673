"""By what factor games are saved when luck is taken out, and what that costs.

    python -m bench.luck --deals 16

For each game and pair of bots: what equal deals for all line-ups save alone, and what results
without luck save beyond that, for the difference of the two bots and for single games.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

import numpy as np

from bench import report
from bench.equal_bots import play_all
from theriac.arena.arena_game import GameResult
from theriac.arena.differences import deal_differences
from theriac.arena.reduction import games_saved, without_luck
from theriac.arena.schedule import LuckConfig, Schedule, TableSetup, line_ups
from theriac.arena.statistics import Floats, outcomes

PAIRS = (
    ("greedy", "greedy:slip=0"),
    ("greedy", "greedy:slip=0.2"),
    ("search:ms=10", "greedy"),
)
PLAYERS = {"poison": 4, "shokoba": 3, "shock": 4, "anaphylaxis": 4}


def equal_deals_save(differences: Floats, games: Sequence[GameResult], bot: str) -> float:
    """The variance if all games had deals of their own, divided by that of equal deals."""
    shares = [one.share for one in outcomes(games, together=False) if one.bot == bot]
    return 2 * float(np.var(shares)) / games[0].players / float(np.var(differences, ddof=1))


def single_games(games: Sequence[GameResult]) -> float:
    """By what factor the variance of a seat's share in a single game falls."""
    rows = np.array(
        [
            (share, *luck)
            for game in games
            if game.luck
            for share, *luck in zip(game.shares, game.luck.nature, game.luck.policies, strict=True)
        ]
    )
    return games_saved(rows[:, 0], without_luck(rows[:, 0], rows[:, 1:]))


def measure(game: str, bots: tuple[str, str], deals: int, playouts: int) -> str:
    """Play an arena; returns a line of the table."""
    players = PLAYERS[game]
    table = TableSetup(game, {"players": players}, line_ups(bots, players))
    config = LuckConfig(playouts)
    schedule = Schedule("arena", game, bots, [table], deals, 0, 10.0, luck=config)
    start = time.perf_counter()
    games = play_all(schedule)
    measured = sum(one.luck.seconds for one in games if one.luck)
    played = time.perf_counter() - start - measured
    differences, luck = deal_differences(*bots, games, together=False)
    assert luck is not None
    reduced = without_luck(differences, luck)
    return (
        f"| {game} | {bots[0]}, {bots[1]} | {equal_deals_save(differences, games, bots[0]):.2f} "
        f"| {games_saved(differences, reduced):.2f} | {single_games(games):.2f} "
        f"| {1000 * played / len(games):.0f} ms | {1000 * measured / len(games):.0f} ms |"
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=16)
    parser.add_argument("--playouts", type=int, default=32)
    parser.add_argument("--only", default="", help="games whose name starts with this")
    given = parser.parse_args()
    report.console.print(
        "| game | bots | equal deals | without luck | single games | a game takes | luck takes |\n"
        "|---|---|---|---|---|---|---|"
    )
    for game in PLAYERS:
        for bots in PAIRS:
            if game.startswith(given.only):
                report.console.print(measure(game, bots, given.deals, given.playouts))


if __name__ == "__main__":
    main()
