"""The files that a game's package has for the page: its board as a module, cover and words.

The page is built without them, so that a package that is installed later needs no build. They are
the files of a few types in `board/` and `tutorial/words/`; no other file of a package is served.
"""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path
from typing import Annotated

from litestar import get
from litestar.datastructures import CacheControlHeader
from litestar.exceptions import NotFoundException
from litestar.params import Parameter
from litestar.response import File

from theriac.game import Game
from theriac.server.http.bodies import GameFiles
from theriac.server.http.requests import find_game

_MEDIA_TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".json": "application/json",
}
_FOLDERS = ("board", "tutorial/words")
#: The version is part of the address, also of what a module imports, so these files never change.
_VERSION_CACHE = CacheControlHeader(public=True, max_age=31_536_000, immutable=True)
#: A page that was loaded before the package changed asks with the old version.
_OTHER_VERSION_CACHE = CacheControlHeader(no_cache=True)


@get("/games/{game:str}/{version:str}/{path:path}", include_in_schema=False)
async def send_file(
    game: str, version: Annotated[str, Parameter(max_length=40)], path: Path
) -> File:
    """A file of a game's package."""
    known = find_game(game)
    name = path.as_posix().lstrip("/")
    file = files_of(known).get(name)
    if file is None:
        raise NotFoundException(f"{known.name} has no file {name} for the page")
    same = version == version_of(known)
    cache = _VERSION_CACHE if same else _OTHER_VERSION_CACHE
    return File(
        file,
        media_type=_MEDIA_TYPES[file.suffix],
        content_disposition_type="inline",
        headers={"Cache-Control": cache.to_header()},
    )


def files_of(game: Game) -> dict[str, Path]:
    """The files for the page, by their path in the game's folder."""
    return {
        path.relative_to(game.folder).as_posix(): path
        for folder in _FOLDERS
        for path in sorted((game.folder / folder).rglob("*"))
        if path.suffix in _MEDIA_TYPES and path.is_file()
    }


def version_of(game: Game) -> str:
    """A text that changes whenever one of the files does."""
    stamps = ((name, file, file.stat().st_mtime_ns) for name, file in files_of(game).items())
    return _digest(tuple(stamps))


@functools.lru_cache
def _digest(files: tuple[tuple[str, Path, int], ...]) -> str:
    digest = hashlib.sha256()
    for name, file, _ in files:
        digest.update(name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def addresses(game: Game) -> GameFiles:
    """Where the page finds the files of a game."""
    known = files_of(game)
    root = f"/games/{game.name}/{version_of(game)}"

    def first(*names: str) -> str | None:
        """The first of these files of `board` that there is. Games may share a folder."""
        return next((f"{root}/board/{name}" for name in names if f"board/{name}" in known), None)

    def words(folder: str) -> dict[str, str]:
        return {
            file.stem: f"{root}/{name}"
            for name, file in known.items()
            if name == f"{folder}/{file.stem}.json"
        }

    return {
        "module": first(f"{game.name}.js", "board.js"),
        "style": first(f"{game.name}.css", "board.css"),
        "cover": first(f"{game.name}.cover.svg", "cover.svg"),
        "words": words("board/words"),
        "tutorial_words": words("tutorial/words"),
    }
