"""`theriac setup`: compile all rules once, so that nothing waits for it later."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from theriac.cli.console import out, progress
from theriac.cli.parameters import usual_players
from theriac.engine.cache import cache_folder, cache_home
from theriac.game import Game, games

NAME = "setup"
EXAMPLES = ("theriac setup", "THERIAC_CACHE=/var/cache/theriac theriac setup")

_FOLDER = re.compile(r"[a-z_]+-[0-9a-f]{16}")


def run() -> None:
    """Compile the rules of all games (about a minute the first time; later runs need nothing)."""
    before = compiled()
    steps = sum(len(game.engine("cpu").names) for game in games().values())
    with progress("compiling") as bars:
        bar = bars.add_task("", total=steps)
        for game in games().values():
            for name in warm(game):
                bars.update(bar, advance=1, description=f"{game.name}: {name}")
    fresh = len(compiled() - before)
    removed = remove_old()
    if fresh:
        out.print(f"Compiled {fresh} functions into {cache_home()}", markup=False, soft_wrap=True)
    else:
        out.print(
            f"Nothing needed compiling: all is in {cache_home()}", markup=False, soft_wrap=True
        )
    if removed:
        out.print(f"Removed what was compiled from older sources: {', '.join(removed)}")


def warm(game: Game) -> Iterator[str]:
    """Call everything once; yields each name when it is done."""
    settings = game.settings({"players": usual_players(game), "first": 0})
    yield from game.engine("cpu").warm(
        settings.options, settings.text.catalogue(), settings.text.actions
    )


def compiled() -> set[Path]:
    """What has been compiled for the sources as they are now."""
    current = {cache_folder(game.folder.name) for game in games().values()}
    return {path for folder in current for path in folder.rglob("*.nbc")}


def remove_old() -> list[str]:
    """Remove what was compiled from other states of the sources; returns the names."""
    home = cache_home()
    current = {cache_folder(game.folder.name).name for game in games().values()}
    known = {game.folder.name for game in games().values()}
    removed = []
    for folder in sorted(home.iterdir()) if home.is_dir() else []:
        ours = _FOLDER.fullmatch(folder.name) and folder.name.rpartition("-")[0] in known
        if ours and folder.name not in current and folder.is_dir():
            shutil.rmtree(folder, ignore_errors=True)
            removed.append(folder.name)
    return removed
