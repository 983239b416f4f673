"""Packages that bring a game, written into a folder as an installer would.

The game is Poison's rules under another name.
"""

from __future__ import annotations

import contextlib
import shutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from theriac.engine.cache import cache_folder, sources_key
from theriac.game import all_games
from theriac.games import poison

#: The `__init__.py` of a package with one game.
INIT = """
from dataclasses import replace
from theriac.games.poison import GAMES as POISON

SUMMARY = "{title} in brief."
GAMES = (
    replace(POISON[0], name="{name}", title="{title}", summary=SUMMARY, module=__name__),
)
"""


def write_files(folder: Path, files: dict[str, str]) -> None:
    """Write files, by their path inside a folder."""
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(content, encoding="utf-8")


def install(site: Path, distribution: str, entry_points: dict[str, str]) -> None:
    """What an installer leaves of a distribution: its name, and its entry points for games."""
    info = site / f"{distribution.replace('-', '_')}-1.0.dist-info"
    entries = "\n".join(f"{name} = {module}" for name, module in entry_points.items())
    metadata = f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n"
    write_files(info, {"METADATA": metadata, "entry_points.txt": f"[theriac.games]\n{entries}\n"})


def install_game(site: Path, name: str, files: dict[str, str] | None = None) -> Path:
    """An installed package `theriac-NAME` with the game NAME; returns the folder of the package.

    `files` are further files of the package, or others instead of those that it has.
    """
    folder = site / name
    init = INIT.format(name=name, title=name.capitalize())
    deck = Path(poison.__file__).with_name("deck.toml").read_text(encoding="utf-8")
    write_files(folder, {"__init__.py": init, "deck.toml": deck, **(files or {})})
    install(site, f"theriac-{name}", {name: name})
    return folder


def share_compiled(site: Path, names: Iterable[str], home: Path) -> Path:
    """Copy the compiled rules of Poison for games that have them under another name.

    Returns `home`, for THERIAC_CACHE.
    """
    sys.path.insert(0, str(site))
    try:
        for name in names:
            copy = home / cache_folder(name).name
            shutil.copytree(cache_folder(poison.__name__), copy)
            for index in copy.rglob("*.nbi"):  # it has the name of the package in its own
                index.rename(index.with_name(index.name.replace(poison.__name__, name)))
    finally:
        sys.path.remove(str(site))
        sources_key.cache_clear()
    return home


@contextlib.contextmanager
def searched(site: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A context in which this process finds the packages in a folder."""
    monkeypatch.setenv("THERIAC_JIT", "0")
    monkeypatch.syspath_prepend(site)
    before = set(sys.modules)
    all_games.cache_clear()
    try:
        yield site
    finally:
        for name in sys.modules.keys() - before:
            if (getattr(sys.modules[name], "__file__", None) or "").startswith(str(site)):
                del sys.modules[name]
        all_games.cache_clear()
        sources_key.cache_clear()
