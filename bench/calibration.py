"""Are the chances of a review right? Bots play, and chances are compared with results.

    python -m bench.calibration --games 1000

Every seat is played by `greedy` with some slips, so that games leave the path of the reference
policy. Writes `bench/results/calibration.json` and the reliability plot of `docs/review.md`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from theriac.bots import bot
from theriac.cli.bench import describe_machine
from theriac.cli.console import progress
from theriac.game import Game, all_games
from theriac.match import Match
from theriac.review.calibration import Calibration, calibrate
from theriac.review.many import review_each

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench" / "results" / "calibration.json"
PLOT = ROOT / "docs" / "pictures" / "calibration.svg"
PLAYER = "greedy:slip=0.1"
SIZE = 220


def records(game: Game, games: int) -> Iterator[dict[str, Any]]:
    """The records of games between equal bots."""
    player = bot(PLAYER, seed=1)
    with progress("playing") as bars:
        for number in bars.track(range(games), description=game.name):
            seed = number.to_bytes(32, "big")
            match = Match(game, {"players": game.usual_players}, seed=seed)
            while not match.over:
                player.play(match)
            yield match.record()


def plot(found: list[Calibration]) -> str:
    """One reliability plot per game: forecasts to the right, what was won upwards."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {len(found) * SIZE} {SIZE + 30}"'
    parts = [head, ' font-family="sans-serif" font-size="12" fill="#777">']
    side = SIZE - 40
    for i, each in enumerate(found):
        parts.append(f'<g transform="translate({i * SIZE + 30} 24)">')
        parts.append(f'<text y="-8">{each.game}: Brier {each.brier:.3f}</text>')
        parts.append(f'<rect width="{side}" height="{side}" fill="none" stroke="#999"/>')
        parts.append(f'<path d="M0 {side}L{side} 0" stroke="#999" stroke-dasharray="4 4"/>')
        for bin_ in each.bins:
            x, y = side * bin_.forecast, side * (1 - bin_.won)
            radius = 2 + 8 * (bin_.positions / each.positions) ** 0.5
            parts.append(
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="#b26a00" '
                f'fill-opacity="0.7"><title>{100 * bin_.forecast:.1f} % forecast, '
                f"{100 * bin_.won:.1f} % won, {bin_.positions} positions</title></circle>"
            )
        parts.append(
            f'<text y="{side + 18}">0</text><text x="{side - 20}" y="{side + 18}">100 %</text>'
        )
        parts.append("</g>")
    return "".join(parts) + "</svg>\n"


def main() -> None:
    """Play, review, compare, and write the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--budget", type=int, default=100_000)
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--only", nargs="*", help="games (all)")
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--plot", type=Path, default=PLOT)
    arguments = parser.parse_args()
    found = []
    for game in all_games().values():
        if arguments.only and game.name not in arguments.only:
            continue
        reviews = review_each(
            records(game, arguments.games),
            budget=arguments.budget,
            seed=1,
            jobs=arguments.jobs,
            curve_only=True,
        )
        found.append(calibrate(reviews))
        print(
            f"{game.name}: Brier {found[-1].brier:.4f}, knowing nothing {found[-1].climate:.4f}",
            flush=True,
        )
    content = {
        "player": PLAYER,
        "budget": arguments.budget,
        "machine": describe_machine(),
        "games": msgspec.to_builtins(found),
    }
    arguments.out.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    arguments.plot.write_text(plot(found), encoding="utf-8")


if __name__ == "__main__":
    main()
