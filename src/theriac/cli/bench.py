"""`theriac bench`: the speed of random whole games on one core."""

import os
import platform
import time
from typing import Annotated, Any

import typer

from theriac.cli.console import out, print_json, progress
from theriac.cli.parameters import GameName, Json, Players, Sets, find_game, read_options
from theriac.game import Game, Settings

NAME = "bench"
EXAMPLES = ("theriac bench poison", "theriac bench shokoba --players 2 --seconds 10 --json")

#: The length of one repeat, in seconds: long enough for the clock, short enough to dodge noise.
REPEAT = 0.25
KEY = 2026


def run(
    name: GameName,
    seconds: Annotated[
        float, typer.Option("--seconds", "-s", min=0.1, max=3600, help="How long to measure.")
    ] = 3.0,
    players: Players = None,
    sets: Sets = None,
    json: Json = False,
) -> None:
    """Measure uniform random play of whole games, dealing included, on one core."""
    game = find_game(name)
    settings = game.settings(read_options(game, players, sets, None), 0)
    report = {
        "game": game.name,
        "players": settings.players,
        "options": {key: value for key, value in settings.given.items() if key != "players"},
        **measure(game, settings, seconds),
        "speed": game.engine().speed,
        "machine": describe_machine(),
    }
    if json:
        print_json(report)
        return
    out.print(
        f"{game.title}, {settings.players} players: "
        f"[bold]{report['moves_per_second'] / 1e6:.2f} million moves[/] and "
        f"{report['games_per_second']:,.0f} games a second "
        f"(the best of {report['repeats']} repeats)"
    )
    out.print(", ".join(f"{key} {value}" for key, value in report["machine"].items()), style="dim")


def measure(game: Game, settings: Settings, seconds: float) -> dict[str, Any]:
    """The best of as many repeats as fit into `seconds`, after a warm-up."""
    engine = game.engine()
    g, chance, moves_buffer = engine.state(), engine.chance(), engine.moves()

    def play(first: int, n: int) -> tuple[int, float]:
        start = time.perf_counter()
        moves = engine.play_games(g, settings.options, chance, moves_buffer, KEY, first, first + n)
        return int(moves), time.perf_counter() - start

    play(0, 1)  # compile, or load the compiled code
    n, took = 1, 0.0
    while took < REPEAT / 8:
        n *= 4
        took = play(0, n)[1]
    n = max(1, int(n * min(REPEAT, seconds / 2) / took))
    repeats = _repeat(play, n, seconds)
    moves, best = max(repeats, key=lambda repeat: repeat[0] / repeat[1])
    return {
        "moves_per_second": moves / best,
        "games_per_second": n / best,
        "repeats": len(repeats),
        "games": n * len(repeats),
        "moves": sum(moves for moves, _ in repeats),
        "seconds": sum(took for _, took in repeats),
    }


def _repeat(play: Any, n: int, seconds: float) -> list[tuple[int, float]]:
    """Play n different games per repeat, until the time is up."""
    repeats: list[tuple[int, float]] = []
    with progress("measuring") as bars:
        bar = bars.add_task("", total=round(seconds))
        while not repeats or sum(took for _, took in repeats) < seconds:
            repeats.append(play(len(repeats) * n, n))
            bars.update(bar, completed=round(sum(took for _, took in repeats)))
    return repeats


def describe_machine() -> dict[str, Any]:
    """The machine that the figures were measured on."""
    import numpy as np

    return {
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": _numba_version(),
    }


def _processor() -> str:
    """The name of the processor; Linux has it only in /proc."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:  # noqa: PTH123
            names = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    except OSError:
        names = []
    return names[0] if names else platform.processor() or "unknown"


def _numba_version() -> str:
    from importlib.metadata import version

    return version("numba")
