"""`theriac setup`: compile all rules ahead of time."""

import contextlib
import multiprocessing
import queue
import re
import shutil
import time
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path
from typing import Any

from theriac.cli.console import out, progress
from theriac.engine.cache import cache_folder, cache_home
from theriac.engine.cpu_batch import available_cores
from theriac.engine.entry_points import ENTRY_POINTS
from theriac.game import Game, all_games

NAME = "setup"
EXAMPLES = ("theriac setup", "THERIAC_CACHE=/var/cache/theriac theriac setup")

_FOLDER = re.compile(r"[\w.]+-[0-9a-f]{16}")
_DAYS_KEPT = 3


def run() -> None:
    """Compile the rules of all games (minutes the first time; later runs do nothing)."""
    before = compiled()
    firsts = first_games()
    steps = len(firsts) * len(ENTRY_POINTS)
    with progress("compiling") as bars:
        bar = bars.add_task("", total=steps)
        for step in warm_all(firsts):
            bars.update(bar, advance=1, description=step)
    fresh = len(compiled() - before)
    removed = remove_old()
    if fresh:
        out.print(f"Compiled {fresh} functions into {cache_home()}", markup=False, soft_wrap=True)
    else:
        out.print(
            f"Nothing to compile: everything is in {cache_home()}", markup=False, soft_wrap=True
        )
    if removed:
        out.print(f"Removed code compiled from older sources: {', '.join(removed)}")


def first_games() -> list[Game]:
    """One game per folder: games of one folder share their compiled rules."""
    return list({game.module: game for game in reversed(all_games().values())}.values())


def warm_all(firsts: list[Game]) -> Iterator[str]:
    """Compile these games on all cores; yields the name of each finished step."""
    context = multiprocessing.get_context("spawn")
    steps: Any = context.Queue()
    workers = min(len(firsts), available_cores())
    with ProcessPoolExecutor(workers, context, _set_queue, (steps,)) as pool:
        work = [pool.submit(_warm, game.name) for game in firsts]
        while not all(done.done() for done in work):
            with contextlib.suppress(queue.Empty):
                yield steps.get(timeout=0.1)
        _raise_first(work)
        with contextlib.suppress(queue.Empty):
            while True:
                yield steps.get(timeout=0.1)


#: In a compiling process: the queue that takes the names of finished steps.
_steps: list[Any] = []


def _set_queue(steps: Any) -> None:
    _steps.append(steps)


def _warm(name: str) -> None:
    for step in warm(all_games()[name]):
        _steps[0].put(f"{name}: {step}")


def _raise_first(work: list[Future[None]]) -> None:
    for done in work:
        done.result()


def warm(game: Game) -> Iterator[str]:
    """Call every function once; yields each name when it is compiled."""
    settings = game.settings({"players": game.usual_players, "first": 0})
    yield from game.engine("cpu").warm(
        settings.options, settings.text.catalogue(), settings.text.actions
    )


def compiled() -> set[Path]:
    """The files compiled from the current sources."""
    current = {cache_folder(game.module) for game in all_games().values()}
    return {path for folder in current for path in folder.rglob("*.nbc")}


def remove_old() -> list[str]:
    """Remove code compiled from sources that were last compiled days ago; returns the names.

    Younger code may be that of another checkout, which shares the cache.
    """
    home = cache_home()
    current = [cache_folder(game.module).name for game in all_games().values()]
    known = {name.rpartition("-")[0] for name in current}
    removed = []
    for folder in sorted(home.iterdir()) if home.is_dir() else []:
        ours = _FOLDER.fullmatch(folder.name) and folder.name.rpartition("-")[0] in known
        if ours and folder.name not in current and folder.is_dir() and _is_abandoned(folder):
            shutil.rmtree(folder, ignore_errors=True)
            removed.append(folder.name)
    return removed


def _is_abandoned(folder: Path) -> bool:
    newest = max(path.stat().st_mtime for path in (folder, *folder.rglob("*")))
    return time.time() - newest > _DAYS_KEPT * 24 * 3600
