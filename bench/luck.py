"""By what factor games are saved when luck is taken out, and what that costs.

    python -m bench.luck --deals 32

For each game and pair of bots: what equal deals for all line-ups save alone, and what results
without luck save beyond that, for the difference of the two bots and for single games. Factors for
differences have an error: the standard deviation of their logarithm, by leaving out one deal after
the other. `off` is the mean of what was taken out, in standard errors of itself: luck has the mean
0. Searches have simulations instead of milliseconds, so that a busy machine makes none weaker.
Results are written after each pair.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import Any

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
    ("neural:temperature=1", "greedy"),
    ("search:simulations=250", "greedy"),
    ("neural", "search:simulations=250"),
)
PLAYERS = {"poison": 4, "shokoba": 3, "shock": 4, "anaphylaxis": 4}
COLUMNS = {
    "equal_deals": "equal deals",
    "saved": "without luck",
    "error": "error",
    "single_games": "single games",
    "plain": "as played",
    "reduced": "reduced",
    "off": "off",
    "game_ms": "a game takes",
    "luck_ms": "luck takes",
}


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


def log_error(found: Callable[[Floats, Floats], float], values: Floats, luck: Floats) -> float:
    """The standard deviation of a factor's logarithm: the jackknife over deals."""
    deals = len(values)
    kept = (np.arange(deals) != left_out for left_out in range(deals))
    logs = np.log([found(values[keep], luck[keep]) for keep in kept])
    return math.sqrt((deals - 1) * float(np.var(logs)))


def saved(values: Floats, luck: Floats) -> float:
    """By what factor fewer deals would do without luck."""
    return games_saved(values, without_luck(values, luck))


def measure(game: str, bots: tuple[str, str], deals: int, playouts: int) -> dict[str, Any]:
    """Play an arena; returns a row of the table."""
    players = PLAYERS[game]
    table = TableSetup(game, {"players": players}, line_ups(bots, players))
    config = LuckConfig(playouts)
    schedule = Schedule("arena", game, bots, [table], deals, 0, 600.0, luck=config)
    start = time.perf_counter()
    games = play_all(schedule)
    measured = sum(one.luck.seconds for one in games if one.luck)
    played = time.perf_counter() - start - measured
    differences, luck = deal_differences(*bots, games, together=False)
    assert luck is not None
    reduced = without_luck(differences, luck)
    taken = differences - reduced
    spread = float(np.std(taken, ddof=1))
    numbers = {
        "equal_deals": equal_deals_save(differences, games, bots[0]),
        "saved": saved(differences, luck),
        "error": log_error(saved, differences, luck),
        "single_games": single_games(games),
        "plain": float(differences.mean()),
        "reduced": float(reduced.mean()),
        "off": float(taken.mean()) * math.sqrt(deals) / spread if spread else 0.0,
        "game_ms": 1000 * played / len(games),
        "luck_ms": 1000 * measured / len(games),
    }
    rounded = {name: round(number, 3) for name, number in numbers.items()}
    return {"game": game, "bots": bots, "deals": deals, "playouts": playouts, **rounded}


def main() -> None:
    """Print the table."""
    given = report.arguments(
        "By what factor games are saved when luck is taken out.",
        "luck",
        deals={"type": int, "default": 32},
        playouts={"type": int, "default": 32},
        only={"default": "", "help": "games whose name starts with this"},
    )
    machine = report.show_machine()
    report.console.print(f"| game | bots | {' | '.join(COLUMNS.values())} |")
    report.console.print("|---" * (2 + len(COLUMNS)) + "|")
    rows: list[dict[str, Any]] = []
    for bots in PAIRS:
        for game in PLAYERS:
            if game.startswith(given.only):
                row = measure(game, bots, 9 if given.quick else given.deals, given.playouts)
                cells = " | ".join(f"{row[name]:g}" for name in COLUMNS)
                report.console.print(f"| {game} | {', '.join(bots)} | {cells} |")
                rows.append(row)
                report.write(given.name, machine, {"rows": rows})


if __name__ == "__main__":
    main()
