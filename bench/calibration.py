"""Are the chances of a review right? Bots play, and chances are compared with results.

    python -m bench.calibration --games 1000 --first 1000000

All seats are played by the same bot: one of those that people meet. In each game the chances in a
few positions, drawn at random, are estimated as a review does it. Prints what was won of the
positions called 70 %. Writes `bench/results/calibration.json` and the reliability plot of
`docs/review.md`. Games are numbered from `--first` on, so that what was tuned on some can be
measured on others.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from bench import report
from theriac.bots import bot
from theriac.game import Game, all_games
from theriac.match import Match
from theriac.review.calibration import Calibration, calibrate
from theriac.review.many import review_each
from theriac.review.playouts import SLIP
from theriac.review.results import Review
from theriac.testing.setups import is_built_in

PLOT = Path(__file__).resolve().parent.parent / "docs" / "pictures" / "calibration.svg"
PLAYERS = ("greedy", "greedy:slip=0.2", "neural", "search:simulations=300")
SIZE = 220
CALLED = 0.7
#: Games of each kind before the results are written again.
AT_ONCE = 20


def records(game: Game, name: str, numbers: range) -> Iterator[dict[str, Any]]:
    """The records of games between equal bots."""
    player = bot(name, seed=1)
    for number in numbers:
        options = {"players": game.usual_players}
        match = Match(game, options, seed=number.to_bytes(32, "big"))
        while not match.over:
            player.play(match)
        yield match.record()


def plot(found: dict[str, list[Calibration]]) -> str:
    """A row of reliability plots per player: forecasts to the right, what was won upwards."""
    most = max(map(len, found.values()))
    view = f"0 0 {most * SIZE} {len(found) * (SIZE + 30)}"
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}"']
    parts.append(' font-family="sans-serif" font-size="12" fill="#777">')
    for row, (player, line) in enumerate(found.items()):
        for i, each in enumerate(line):
            parts += plot_one(each, player, i * SIZE + 30, row * (SIZE + 30) + 24)
    return "".join(parts) + "</svg>\n"


def plot_one(each: Calibration, player: str, x: float, y: float) -> Iterator[str]:
    """One plot, with its upper left corner."""
    side = SIZE - 40
    yield f'<g transform="translate({x} {y})">'
    yield f'<text y="-8">{each.game}, {player}: {each.brier:.3f}</text>'
    yield f'<rect width="{side}" height="{side}" fill="none" stroke="#999"/>'
    yield f'<path d="M0 {side}L{side} 0" stroke="#999" stroke-dasharray="4 4"/>'
    for bin_ in each.bins:
        radius = 2 + 8 * (bin_.positions / each.positions) ** 0.5
        yield (
            f'<circle cx="{side * bin_.forecast:.1f}" cy="{side * (1 - bin_.won):.1f}" '
            f'r="{radius:.1f}" fill="#b26a00" fill-opacity="0.7"><title>{100 * bin_.forecast:.1f} '
            f"% forecast, {100 * bin_.won:.1f} % won, {bin_.positions} positions</title></circle>"
        )
    yield f'<text y="{side + 18}">0</text><text x="{side - 20}" y="{side + 18}">100 %</text></g>'


def describe(player: str, found: Calibration) -> str:
    """The scores in a line."""
    called = [each for each in found.bins if each.low < CALLED < each.high]
    won = "".join(f", {100 * each.won:.0f} ± {100 * each.error:.0f} % won" for each in called)
    return (
        f"{found.game}, {player}, {found.games} games: Brier {found.brier:.4f}, "
        f"knowing nothing {found.climate:.4f}; called {100 * CALLED:.0f} %{won}"
    )


def look_at(game: Game, player: str, numbers: range, given: argparse.Namespace) -> Iterator[Review]:
    """Play, and look at some positions of each game."""
    return review_each(
        records(game, player, numbers),
        budget=given.budget,
        seed=1,
        jobs=given.jobs,
        positions=given.positions,
    )


def plays(player: str, game: Game) -> bool:
    """Is this one of the bots that people meet in this game?"""
    if game.together:  # the heuristics win nearly always: the bots differ by their slips
        return player.startswith("greedy:")
    return player != "neural" or any((game.folder / "networks").glob("*.npz"))


def scores(player: str, found: Calibration) -> dict[str, Any]:
    """A row of the table of scores."""
    row = msgspec.to_builtins(found)
    del row["bins"]
    return {"player": player, **row}


def write(found: dict[str, list[Calibration]], given: argparse.Namespace) -> None:
    """Write the results and the plot."""
    settings = {name: getattr(given, name) for name in ("first", "positions", "budget")}
    lines = [(player, each) for player, line in found.items() for each in line]
    results = {
        **settings,
        "slip": SLIP,
        "scores": [scores(player, each) for player, each in lines],
        "reliability": [
            {"player": player, "game": each.game, **msgspec.to_builtins(bin_)}
            for player, each in lines
            for bin_ in each.bins
        ],
    }
    report.write(given.name, report.machine(), results)
    given.plot.write_text(plot(found), encoding="utf-8")


def main() -> None:
    """Play, review, compare, and write the results: after some games of each kind, and again."""
    given = report.arguments(
        "Are the chances of a review right?",
        "calibration",
        only={"action": "append", "help": "a game (all)"},
        player={"action": "append", "help": f"bots ({', '.join(PLAYERS)})"},
        games={"type": int, "default": 1000, "help": "games of each bot and game"},
        first={"type": int, "default": 0, "help": "the number of the first game"},
        positions={"type": int, "default": 4, "help": "positions of each game"},
        budget={"type": int, "default": 1600, "help": "playouts of each game"},
        jobs={"type": int, "default": 1},
        plot={"type": Path, "default": PLOT},
    )
    report.show_machine()
    kinds: list[tuple[str, Game, list[Review]]] = [
        (player, game, [])
        for player in given.player or PLAYERS
        for game in filter(is_built_in, all_games().values())
        if (not given.only or game.name in given.only) and plays(player, game)
    ]
    end = given.first + given.games
    for first in range(given.first, end, AT_ONCE):
        found: dict[str, list[Calibration]] = {}
        for player, game, reviews in kinds:
            reviews.extend(look_at(game, player, range(first, min(first + AT_ONCE, end)), given))
            found.setdefault(player, []).append(calibrate(reviews))
            report.console.print(describe(player, found[player][-1]))
        write(found, given)


if __name__ == "__main__":
    main()
