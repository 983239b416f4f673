"""Is the mean without luck the plain mean? In every arena of `strength.toml`, with fewer games.

    python -m bench.unbiased --deals 16 --ms 5

For each pair of bots the difference of a deal is taken as played and without its luck. What luck
took out has the mean 0 if nothing is biased: printed are both means, the mean of what was taken out
in standard errors of itself, and by what factor games were saved. Searches get `--ms` milliseconds
per move, since luck does not depend on who plays well.
"""

from __future__ import annotations

import argparse
import itertools
import math
import re
import tomllib
from typing import Any

import numpy as np

from bench import report
from bench.equal_bots import play_all
from bench.strength import ARENAS
from theriac.arena.differences import deal_differences
from theriac.arena.reduction import games_saved, without_luck
from theriac.arena.schedule import LuckConfig, Schedule, TableSetup, line_ups
from theriac.game import find


def measure(arena: dict[str, Any], deals: int, ms: float, playouts: int) -> list[str]:
    """Play an arena with the first of its numbers of players; a line for each pair of bots."""
    bots = tuple(re.sub(r"ms=\d+", f"ms={ms:g}", bot) for bot in arena["bots"])
    players = int(arena["players"].split(",")[0])
    together = find(arena["game"]).together
    seats = line_ups(bots, players, together=together)
    table = TableSetup(arena["game"], {"players": players}, seats)
    schedule = Schedule(
        "arena", arena["game"], bots, [table], deals, 1, 10.0, luck=LuckConfig(playouts)
    )
    games = play_all(schedule)
    lines = []
    for pair in itertools.combinations(bots, 2):
        plain, luck = deal_differences(*pair, games, together=together)
        if luck is None or len(plain) < 2:
            continue
        reduced = without_luck(plain, luck)
        taken = plain - reduced
        error = float(np.std(taken, ddof=1)) / math.sqrt(len(taken))
        off = float(taken.mean()) / error if error > 0 else 0.0
        lines.append(
            f"{', '.join(pair)} | {players} | {plain.mean():+.3f} | {reduced.mean():+.3f} "
            f"| {off:+.1f} | {games_saved(plain, reduced):.1f} |"
        )
    return lines


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=16)
    parser.add_argument("--ms", type=float, default=5)
    parser.add_argument("--playouts", type=int, default=16)
    parser.add_argument("--only", default="", help="arenas whose name starts with this")
    given = parser.parse_args()
    report.console.print(
        "| arena | bots | players | plain | without luck | off by | fewer games |\n"
        "|---|---|---|---|---|---|---|"
    )
    for name, arena in tomllib.loads(ARENAS.read_text(encoding="utf-8")).items():
        if name.startswith(given.only):
            for line in measure(arena, given.deals, given.ms, given.playouts):
                report.console.print(f"| {name} | {line}")


if __name__ == "__main__":
    main()
