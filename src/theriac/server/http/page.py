"""The page: files that were built into a folder beside this one, and its one entrance."""

from __future__ import annotations

import gzip
import mimetypes
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from litestar import MediaType, Request, Response, get
from litestar.datastructures import State
from litestar.exceptions import NotFoundException

FOLDER = Path(__file__).parents[1] / "page"
ENTRANCE = "/index.html"
NOT_BUILT = (
    "The page has not been built here. In a clone of the project, `make page` builds it; an\n"
    "installed package has it inside. Programs can play without it: see /api/openapi.json.\n"
)
#: Names of files under this path change with their contents.
_LASTING = "/assets/"


@dataclass(frozen=True)
class File:
    """A file of the page, as it is and packed."""

    media_type: str
    plain: bytes
    packed: bytes


def read_files(folder: Path = FOLDER) -> dict[str, File]:
    """All files of the page, by their paths: they are few and small."""
    files = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            plain = path.read_bytes()
            media_type = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
            name = f"/{path.relative_to(folder).as_posix()}"
            files[name] = File(media_type, plain, gzip.compress(plain, mtime=0))
    return files


@get(["/", "/{path:path}"], include_in_schema=False)
async def show_page(
    request: Request[Any, Any, State], state: State, path: str = ENTRANCE
) -> Response[bytes] | Response[str]:
    """A file of the page; every other path is the page itself, which knows what to show there."""
    files: dict[str, File] = state.page
    file = files.get(path)
    if file is None and (path.startswith("/api/") or "." in path.rpartition("/")[2]):
        raise NotFoundException(f"there is nothing at {path}")
    file = file or files.get(ENTRANCE)
    if file is None:
        return Response(NOT_BUILT, media_type=MediaType.TEXT, status_code=503)
    kept = "public, max-age=31536000, immutable" if path.startswith(_LASTING) else "no-cache"
    headers = {"Cache-Control": kept, "Vary": "Accept-Encoding"}
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(file.plain, media_type=file.media_type, headers=headers)
    headers["Content-Encoding"] = "gzip"
    return Response(file.packed, media_type=file.media_type, headers=headers)
