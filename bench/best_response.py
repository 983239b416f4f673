"""How much a network can be exploited: a best response is trained against it, frozen.

The learner has one seat in every game, and the frozen network all others. What it wins beyond the
fair share is a lower bound of what a perfect opponent would win: more training can only find more.
Training is `theriac train GAME --against BOT`; the share is then measured in games that were not
trained on. Each run has a folder in `--out`, and resumes there. Run with
`python -m bench.best_response --device cuda --minutes 5 --out FOLDER`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from rich.table import Table

from bench import report
from theriac.game import all_games
from theriac.learn import require_torch
from theriac.learn.run_folder import LOG

#: The result of a run, from the last evaluation in its log.
_ENDS = {"share": "against_frozen", "low": "against_frozen_low", "high": "against_frozen_high"}


def train(
    game: str, players: str, against: str, initial: str, minutes: float, device: str, folder: Path
) -> dict[str, Any]:
    """Train one best response, or resume it; its result."""
    command = [
        *(sys.executable, "-m", "theriac", "train", game, "--players", players),
        *("--against", against, "--device", device, "--minutes", str(minutes)),
        *("--out", str(folder), "--json", *(("--initial", initial) if initial else ())),
    ]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    run = json.loads(done.stdout.splitlines()[-1])
    return {
        "game": game,
        "against": against,
        "initial": initial or None,
        "minutes": minutes,
        "device": device,
        "moves": run["steps"],
        "players": last_evaluation(folder / LOG, run["players"]),
    }


def last_evaluation(log: Path, players: list[int]) -> dict[str, dict[str, float]]:
    """The win share with each number of players, and how far it is above the fair share."""
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    last = [line for line in lines if f"against_frozen/{players[0]}" in line][-1]
    found = {}
    for each in players:
        shares = {key: last[f"{metric}/{each}"] for key, metric in _ENDS.items()}
        found[str(each)] = {"fair": 1 / each, **shares, "gain": shares["share"] - 1 / each}
    return found


def show(results: list[dict[str, Any]]) -> None:
    """Print a row for each game and number of players."""
    table = Table(title="A best response against the frozen network", title_justify="left")
    for i, heading in enumerate(("game", "players", "fair", "share", "from", "to", "moves")):
        table.add_column(heading, justify="right" if i > 1 else "left")
    for result in results:
        for players, found in result["players"].items():
            shares = [f"{100 * found[key]:.1f} %" for key in ("fair", "share", "low", "high")]
            table.add_row(result["game"], players, *shares, f"{result['moves']:,}")
    report.console.print(table)


def main() -> None:
    """Train best responses for some games, and write bench/results/best_response.json."""
    given = report.arguments(
        "How much networks can be exploited.",
        "best_response",
        games={"nargs": "+", "default": _competitive_games()},
        players={"default": "all", "help": "as for theriac train"},
        against={"default": "neural", "help": "the frozen network: a spec of neural, or a file"},
        initial={"default": "neural", "help": "the weights to start with; '' for none"},
        minutes={"type": float, "default": 5.0, "help": "of training, for each game"},
        device={"choices": ("cpu", "cuda"), "default": "cpu"},
        out={"type": Path, "required": True, "help": "folder for the runs"},
    )
    require_torch(given.device)
    machine = report.show_machine()
    minutes = 0.2 if given.quick else given.minutes
    results = []
    for game in given.games:
        folder = given.out / game
        settings = (given.players, given.against, given.initial, minutes, given.device, folder)
        results.append(train(game, *settings))
        report.write(given.name, machine, {"best_responses": results})
    show(results)


def _competitive_games() -> list[str]:
    """Those with a network, in which seats play against each other."""
    return [
        game.name
        for game in all_games().values()
        if not game.together and any(game.folder.glob("networks/*.npz"))
    ]


if __name__ == "__main__":
    main()
