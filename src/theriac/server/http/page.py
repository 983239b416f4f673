"""The page: the built files, served by Litestar. Every other path is the page's index.html.

The page is one application that looks at the address itself, so a path such as /table/abc has no
file of its own.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from litestar import MediaType, Request, Response, Router
from litestar.config.compression import CompressionConfig
from litestar.datastructures import CacheControlHeader
from litestar.exceptions import NotFoundException
from litestar.static_files import create_static_files_router

from theriac.server.http.errors import error_response

FOLDER = Path(__file__).parents[1] / "page"
INDEX = "index.html"
#: Shown at every address while there is no page. The server's policy allows no inline style.
NOT_BUILT = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Theriac: no page</title></head>
<body>
<h1>This server has no page</h1>
<p>Theriac was installed without the page that you play on.</p>
<ul>
<li>In a clone of the project, <code>make page</code> builds it; then start the server again.</li>
<li>A package has it inside, unless <code>THERIAC_WITHOUT_PAGE</code> was set at its build: install
again without that, with <code>pip install --force-reinstall theriac-games</code>.</li>
</ul>
<p>Programs can play without it: see <a href="/api/openapi.json">/api/openapi.json</a>.</p>
</body>
</html>
"""
#: The names of these files change with their contents, so a browser may keep them for ever.
_ASSETS_CACHE = CacheControlHeader(public=True, max_age=31_536_000, immutable=True)
#: A browser asks each time whether any other file has changed.
_PAGE_CACHE = CacheControlHeader(no_cache=True)

#: Only the page is compressed, and the list of games: what else the API returns is small.
COMPRESSION = CompressionConfig(
    "gzip", gzip_compress_level=6, exclude=["^/api/(?!games$)", "^/healthz", "^/metrics"]
)


def is_built(folder: Path = FOLDER) -> bool:
    """Whether there is a page to serve."""
    return (folder / INDEX).is_file()


def page_routers(folder: Path = FOLDER) -> list[Router]:
    """The routers that serve the page from a folder."""

    def serve_index(request: Request[Any, Any, Any], error: NotFoundException) -> Response[Any]:
        path = request.url.path
        if path.startswith("/api/") or "." in path.rpartition("/")[2]:
            return error_response(f"there is nothing at {path}", 404)
        if not is_built(folder):
            return Response(NOT_BUILT, media_type=MediaType.HTML, status_code=503)
        headers = {"Cache-Control": _PAGE_CACHE.to_header()}
        return Response((folder / INDEX).read_bytes(), media_type=MediaType.HTML, headers=headers)

    assets = create_static_files_router(
        "/assets", [folder / "assets"], name="assets", cache_control=_ASSETS_CACHE
    )
    page = create_static_files_router(
        "/",
        [folder],
        name="page",
        cache_control=_PAGE_CACHE,
        html_mode=True,
        exception_handlers={NotFoundException: serve_index},
    )
    return [assets, page]
