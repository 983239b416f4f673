"""Measures the strength of the bots: runs the arenas of `strength.toml` with `theriac arena`,
and two arenas for every game that it does not name.

Run with `python -m bench.strength`, or for some of the arenas with `--only PREFIX`. Finished games
are stored in the folder `--out` and not played again. All bots play the same deals; intervals are
95 % confidence intervals. The budget of the search is time, so it searches deeper on a faster
machine.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

from rich.progress import track
from rich.table import Table

import theriac
from bench import report

ARENAS = Path(__file__).with_name("strength.toml")
RESULTS = report.RESULTS / "strength.json"
_KEYS = ("name", "games", "wins", "share", "low", "high", "mean_score", "forfeits")
_TIME_KEYS = ("median_seconds", "longest_seconds")


def play(name: str, arena: dict[str, Any], out: Path) -> dict[str, Any]:
    """Run one arena; returns its results."""
    command = [
        *(sys.executable, "-m", "theriac", "arena", arena["game"], *arena["bots"]),
        *("--players", arena["players"], "--games", str(arena["games"])),
        *("--out", str(out / name), "--json"),
    ]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    found = json.loads(done.stdout)
    return {
        **arena,
        "played": found["games"],
        "results": [{key: bot[key] for key in (*_KEYS, *_TIME_KEYS)} for bot in found["bots"]],
    }


def all_arenas() -> dict[str, dict[str, Any]]:
    """Those of `strength.toml`; for a game that it does not name, two that any game can have."""
    arenas = tomllib.loads(ARENAS.read_text(encoding="utf-8"))
    named = {arena["game"] for arena in arenas.values()}
    for game in theriac.all_games().values():
        if game.name not in named:
            usual = {"game": game.name, "players": str(game.usual_players)}
            arenas[f"greedy-{game.name}"] = {**usual, "bots": ["greedy", "random"], "games": 400}
            arenas[f"search-{game.name}"] = {
                **usual, "bots": ["search:ms=200", "greedy"], "games": 80
            }  # fmt: skip
    return arenas


def show(results: dict[str, Any]) -> None:
    """Print a row for each bot of each arena."""
    table = Table(title="Win share, 95 % interval", title_justify="left")
    for i, heading in enumerate(
        ("arena", "bot", "games", "share", "from", "to", "median s", "max")
    ):
        table.add_column(heading, justify="right" if i > 1 else "left")
    for name, arena in results.items():
        for bot in arena["results"]:
            shares = [f"{100 * bot[key]:.1f} %" for key in ("share", "low", "high")]
            times = [f"{bot[key]:.3f}" for key in _TIME_KEYS]
            table.add_row(name, bot["name"], str(bot["games"]), *shares, *times)
    report.console.print(table)


def main() -> None:
    """Run the arenas, print and store the results."""
    parser = argparse.ArgumentParser(description="Measure the strength of the bots.")
    parser.add_argument("--only", default="", help="run the arenas whose name starts with this")
    parser.add_argument("--out", type=Path, required=True, help="folder for all games")
    given = parser.parse_args()
    machine = report.show_machine()
    arenas = all_arenas()
    known = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    results: dict[str, Any] = known.get("arenas", {})
    names = [name for name in arenas if name.startswith(given.only)]
    for name in track(names, "Playing", console=report.console, transient=True):
        results[name] = play(name, arenas[name], given.out)
        ordered = {name: results[name] for name in arenas if name in results}
        report.write("strength", machine, {"arenas": ordered})
    show({name: results[name] for name in names})


if __name__ == "__main__":
    main()
