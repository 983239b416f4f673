"""The time that the command takes to start, and to replay a thousand records.

python -m bench.replay [--quick] [--name NAME]
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from rich.progress import track

import theriac
from bench import report

COMMAND = str(Path(sys.executable).parent / "theriac")


def random_record(number: int) -> dict[str, Any]:
    """The record of a whole random game; `number` selects the game and the number of players."""
    random = Random(number)
    games = list(theriac.all_games().values())
    game = games[number % len(games)]
    players = game.players[number // len(games) % len(game.players)]
    match = theriac.new(game.name, seed=random.randbytes(32), players=players)
    while not match.over:
        match.play(random.choice(match.legal()))
    return match.record()


def seconds(*arguments: str) -> float:
    """The duration of one call of the command."""
    start = perf_counter()
    subprocess.run([COMMAND, *arguments], check=True, stdout=subprocess.DEVNULL)
    return perf_counter() - start


def main() -> None:
    """Measure, print and write the results."""
    arguments = report.arguments("The time to start the command and to replay records.", "replay")
    n, rounds = (100, 2) if arguments.quick else (1000, 5)
    machine = report.show_machine()
    records = [random_record(i) for i in track(range(n), "Playing games", transient=True)]
    with TemporaryDirectory() as folder:
        one, many = Path(folder) / "one.json", Path(folder) / "many.jsonl"
        one.write_text(json.dumps(records[0]))
        many.write_text("".join(json.dumps(record) + "\n" for record in records))
        times: dict[str, list[float]] = {"games": [], "one": [], "many": []}
        for _ in track(range(rounds), "Timing the command", transient=True):
            times["games"].append(seconds("games"))
            times["one"].append(seconds("replay", str(one), "--json"))
            times["many"].append(seconds("replay", str(many), "--json"))
    best = {name: min(found) for name, found in times.items()}
    moves = sum(len(record["moves"]) for record in records)
    after = best["many"] - best["one"]
    report.console.print(
        f"theriac games: {best['games']:.2f} s\n"
        f"theriac replay of one record: {best['one']:.2f} s\n"
        f"theriac replay of {n} records, {moves} moves: {best['many']:.2f} s, "
        f"{after:.2f} s of them after the first record: {moves / after:,.0f} moves/s"
    )
    report.write(
        arguments.name,
        machine,
        {
            "records": n,
            "moves": moves,
            "games_seconds": round(best["games"], 3),
            "replay_one_seconds": round(best["one"], 3),
            "replay_all_seconds": round(best["many"], 3),
        },
    )


if __name__ == "__main__":
    main()
