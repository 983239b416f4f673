"""The cache of compiled rules: one folder per game and version of the sources."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import platformdirs

_PACKAGE = Path(__file__).resolve().parent.parent


def cache_home() -> Path:
    """The root of the cache: THERIAC_CACHE, else a folder in the user's cache folder."""
    home = os.environ.get("THERIAC_CACHE")
    return Path(home) if home else Path(platformdirs.user_cache_dir("theriac")) / "compiled"


@functools.cache
def sources_key(name: str) -> str:
    """A hash of all sources that a game's compiled functions depend on."""
    digest = hashlib.sha256()
    for folder in (_PACKAGE / "engine", _PACKAGE / "games" / name):
        for path in sorted(folder.glob("*.py")):
            digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def cache_folder(name: str) -> Path:
    """The folder for the functions of the game in folder `name`, with its current sources."""
    return cache_home() / f"{name}-{sources_key(name)}"


class NotCompiled(Exception):
    """A function is not in the cache: it would have to be compiled first."""


def is_compiled(name: str) -> bool:
    """Is anything in the cache for the game in folder `name`, with its current sources?"""
    return any(cache_folder(name).rglob("*.nbi"))


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
