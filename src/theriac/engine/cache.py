"""Where compiled rules are kept: a folder for each state of the sources."""

from __future__ import annotations

import functools
import hashlib
import os
from pathlib import Path

import platformdirs

_PACKAGE = Path(__file__).resolve().parent.parent


def cache_home() -> Path:
    """The folder of all compiled rules: THERIAC_CACHE, else the user's cache folder."""
    home = os.environ.get("THERIAC_CACHE")
    return Path(home) if home else Path(platformdirs.user_cache_dir("theriac")) / "compiled"


@functools.cache
def sources_key(name: str) -> str:
    """A hash of all sources that a game's compiled functions are made from."""
    digest = hashlib.sha256()
    for folder in (_PACKAGE / "engine", _PACKAGE / "games" / name):
        for path in sorted(folder.glob("*.py")):
            digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def cache_folder(name: str) -> Path:
    """The folder for the functions of the game in folder `name`, as its sources are now."""
    return cache_home() / f"{name}-{sources_key(name)}"
