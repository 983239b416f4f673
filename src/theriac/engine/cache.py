"""The cache of compiled rules: one folder per game's package and version of the sources."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.util
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import platformdirs

from theriac.engine.bounds import bounds_are_checked

_PACKAGE = Path(__file__).resolve().parent.parent
#: The packages of the games that come with Theriac begin with this.
_GAMES = "theriac.games."
#: Not compiled for the CPU.
_GPU = _PACKAGE / "engine" / "gpu"


def cache_home() -> Path:
    """The root of the cache: THERIAC_CACHE, else a folder in the user's cache folder.

    Code with bounds checks has a folder of its own.
    """
    given = os.environ.get("THERIAC_CACHE")
    home = Path(given) if given else Path(platformdirs.user_cache_dir("theriac")) / "compiled"
    return home / "bounds" if bounds_are_checked() else home


@functools.cache
def sources_key(module: str) -> str:
    """A hash of all sources that the compiled functions of a game's package depend on."""
    digest = hashlib.sha256(module.encode())
    for folder in _source_folders(module):
        for path in sorted(folder.rglob("*.py")):
            name = path.relative_to(folder)
            if "tests" not in name.parts and path.parent != _GPU:
                digest.update(b"\0" + name.as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def _source_folders(module: str) -> list[Path]:
    """The folders with the rules of a game: the engine's and its own.

    A game outside Theriac may use rules of Theriac's games, and share some with the other games of
    the package that its package is part of.
    """
    spec = importlib.util.find_spec(module)
    assert spec is not None and spec.origin is not None
    folder = Path(spec.origin).resolve().parent
    if folder.parent == _PACKAGE / "games":
        return [_PACKAGE / "engine", folder]
    while (folder.parent / "__init__.py").exists():
        folder = folder.parent
    return [_PACKAGE / "engine", _PACKAGE / "games", folder]


def cache_folder(module: str) -> Path:
    """The folder for the functions of the game in that package, with its current sources."""
    return cache_home() / f"{module.removeprefix(_GAMES)}-{sources_key(module)}"


class NotCompiled(Exception):
    """A function is not in the cache: it would have to be compiled first."""


def is_compiled(module: str) -> bool:
    """Is anything in the cache for the game in that package, with its current sources?"""
    return any(cache_folder(module).rglob("*.nbi"))


@contextlib.contextmanager
def only_compiled() -> Iterator[None]:
    """A context in which nothing is compiled: `NotCompiled` is raised instead."""
    from numba.core import event

    class Refusing(event.Listener):  # type: ignore[misc]
        def on_start(self, event: Any) -> None:
            raise NotCompiled(str(event.data["dispatcher"]))

        def on_end(self, event: Any) -> None:
            pass

    with event.install_listener("numba:compile", Refusing()):
        yield
