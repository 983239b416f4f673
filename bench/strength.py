"""Measures the strength of the bots: runs the arenas of `strength.toml` with `theriac arena`,
and two arenas for every game that it does not name.

Run with `python -m bench.strength`, or for some of the arenas with `--only PREFIX`. Finished games
are stored in the folder `--out` and not played again. All bots play the same deals; intervals are
95 % confidence intervals. The budget of the search is time, so it searches deeper on a faster
machine.

An arena with `pairs = "adjacent"` is several: each level against the next. `games` is then the
number for each number of players, and `games_of_master` that of the last pair, whose bots are slow.
Levels are in order where the intervals of both shares, each bot alone among the other, are apart
with every number of players.
"""

from __future__ import annotations

import argparse
import itertools
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

from rich.progress import track
from rich.table import Table

import theriac
from bench import report
from theriac.bots.levels import LEVELS, bots_of

ARENAS = Path(__file__).with_name("strength.toml")
RESULTS = report.RESULTS / "strength.json"
_KEYS = ("name", "games", "wins", "share", "low", "high", "mean_score", "forfeits")
_TIME_KEYS = ("median_seconds", "longest_seconds")


def play(name: str, arena: dict[str, Any], out: Path, jobs: int | None) -> dict[str, Any]:
    """Run one arena; returns its results."""
    command = [
        *(sys.executable, "-m", "theriac", "arena", arena["game"], *arena["bots"]),
        *("--players", arena["players"], "--games", str(arena["games"])),
        *("--out", str(out / folder(name, arena)), "--json", "--luck", "0"),
        *(("--jobs", str(jobs)) if jobs else ()),
    ]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    found = json.loads(done.stdout)
    counts = {str(each["players"]): _kept(each["bots"]) for each in found["players"]}
    return {
        **arena,
        "played": found["games"],
        "results": _kept(found["bots"]),
        **({"by_players": counts} if len(counts) > 1 else {}),
    }


def folder(name: str, arena: dict[str, Any]) -> str:
    """Where the games of an arena are stored. Levels that change their bots start over."""
    behind = "-".join(arena.get("behind", ()))
    return re.sub(r"[^\w.-]", "_", f"{name}-{behind}" if behind else name)


def _kept(bots: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: bot[key] for key in (*_KEYS, *_TIME_KEYS)} for bot in bots]


def level_pairs(name: str, arena: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The arenas of adjacent levels: the same arena once for each pair."""
    counts = len(arena["players"].split(","))
    arenas = {}
    for weak, strong in itertools.pairwise(LEVELS):
        games = arena["games_of_master"] if strong == "master" else arena["games"]
        arenas[f"{name}-{weak}-{strong}"] = {
            "game": arena["game"],
            "bots": [weak, strong],
            "behind": [
                bots_of(level).get(arena["game"], LEVELS[level]) for level in (weak, strong)
            ],
            "players": arena["players"],
            "games": games * counts,
        }
    return arenas


def by_players(arena: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """The results of an arena for each number of players."""
    results: dict[str, list[dict[str, Any]]] = arena.get("by_players", {})
    return results or {str(arena["players"]): arena["results"]}


def apart(results: list[dict[str, Any]]) -> bool:
    """Whether the second bot is clearly stronger than the first."""
    weak, strong = results
    return bool(weak["high"] < strong["low"])


def all_arenas() -> dict[str, dict[str, Any]]:
    """Those of `strength.toml`; for a game that it does not name, two that any game can have."""
    arenas: dict[str, dict[str, Any]] = {}
    for name, arena in tomllib.loads(ARENAS.read_text(encoding="utf-8")).items():
        arenas |= level_pairs(name, arena) if "pairs" in arena else {name: arena}
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
        ("arena", "players", "bot", "games", "share", "from", "to", "median s", "max")
    ):
        table.add_column(heading, justify="right" if i > 2 else "left")
    for name, arena in results.items():
        counts = by_players(arena) if "behind" in arena else {"": arena["results"]}
        for players, bots in counts.items():
            for bot in bots:
                shares = [f"{100 * bot[key]:.1f} %" for key in ("share", "low", "high")]
                times = [f"{bot[key]:.3f}" for key in _TIME_KEYS]
                table.add_row(name, players, bot["name"], str(bot["games"]), *shares, *times)
    report.console.print(table)
    for line in verdicts(results):
        report.console.print(line)


def verdicts(results: dict[str, Any]) -> list[str]:
    """For each pair of levels, whether the stronger one is clearly stronger, in sentences."""
    lines, compared, clear = [], 0, 0
    for name, arena in results.items():
        if "behind" not in arena:
            continue
        found = {players: apart(bots) for players, bots in by_players(arena).items()}
        compared, clear = compared + len(found), clear + sum(found.values())
        weak, strong = arena["behind"]
        touching = " or ".join(players for players, good in found.items() if not good)
        but = f", but not with {touching} players" if touching else ""
        lines.append(f"{name}: {strong} is clearly stronger than {weak}{but}.")
    if compared:
        lines.append(f"Of {compared} pairs of intervals {clear} are apart.")
    return lines


def main() -> None:
    """Run the arenas, print and store the results."""
    parser = argparse.ArgumentParser(description="Measure the strength of the bots.")
    parser.add_argument("--only", default="", help="run the arenas whose name starts with this")
    parser.add_argument(
        "--out", type=Path, default=Path("build/strength"), help="folder for all games"
    )
    parser.add_argument("--jobs", type=int, help="games at the same time; by default one per core")
    given = parser.parse_args()
    machine = report.show_machine()
    arenas = all_arenas()
    known = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    results: dict[str, Any] = known.get("arenas", {})
    names = [name for name in arenas if name.startswith(given.only)]
    for name in track(names, "Playing", console=report.console, transient=True):
        results[name] = play(name, arenas[name], given.out, given.jobs)
        ordered = {name: results[name] for name in arenas if name in results}
        report.write("strength", machine, {"arenas": ordered})
    show({name: results[name] for name in names})


if __name__ == "__main__":
    main()
