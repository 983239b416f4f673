"""The files of the page: paths, compression, caching, and a page that was not built."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from litestar.testing import create_test_client

from tests.server.server_process import ServerProcess
from theriac.server.http.page import COMPRESSION, FOLDER, INDEX, NOT_BUILT, page_routers

PLAIN = {"Accept-Encoding": "identity"}
built = pytest.mark.skipif(not (FOLDER / INDEX).is_file(), reason="the page has not been built")


@built
@pytest.mark.parametrize("path", ["/", "/table/abc", "/rules/poison", "/table/abc/games/1"])
def test_every_path_of_the_page_serves_its_index(server: ServerProcess, path: str) -> None:
    answer = server.http.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["cache-control"] == "no-cache"
    assert "script-src 'self'" in answer.headers["content-security-policy"]
    assert '<div id="app">' in answer.text
    assert "<style" not in answer.text and " style=" not in answer.text


@built
def test_assets_are_compressed_and_cached(server: ServerProcess) -> None:
    path = re.findall(r'"(/assets/[^"]+\.js)"', server.http.get("/").text)[0]
    packed = server.http.get(path)
    plain = server.http.get(path, headers=PLAIN)
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.content == plain.content
    assert plain.headers["content-type"].startswith("text/javascript")
    assert directives(plain.headers["cache-control"]) == {"public", "max-age=31536000", "immutable"}


def test_of_the_api_only_the_list_of_games_is_compressed(server: ServerProcess) -> None:
    """Everybody loads it, and it is long."""
    assert server.http.get("/api/games").headers["content-encoding"] == "gzip"
    assert "content-encoding" not in server.http.get("/api/openapi.json").headers


def directives(header: str) -> set[str]:
    """The directives of a Cache-Control header."""
    return {part.strip() for part in header.split(",")}


@pytest.mark.parametrize("path", ["/api/nothing/at/all", "/assets/none.js", "/../pyproject.toml"])
def test_unknown_paths_are_not_found(server: ServerProcess, path: str) -> None:
    answer = server.http.get(path)
    assert answer.status_code == 404
    assert answer.json()["why"]


def test_files_of_a_folder_are_served_with_their_headers(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "a-1.css").write_text("a {}" * 500)
    (tmp_path / "icon.svg").write_text("<svg/>")
    (tmp_path / INDEX).write_text("<p>hello</p>")
    (tmp_path.parent / "secret.txt").write_text("secret")
    with create_test_client(page_routers(tmp_path), compression_config=COMPRESSION) as client:
        css = client.get("/assets/a-1.css")
        assert css.text == "a {}" * 500
        assert css.headers["content-type"].startswith("text/css")
        assert css.headers["content-encoding"] == "gzip"
        assert css.headers["vary"] == "Accept-Encoding"
        assert "content-encoding" not in client.get("/assets/a-1.css", headers=PLAIN).headers
        assert "immutable" in css.headers["cache-control"]
        icon = client.get("/icon.svg")
        assert (icon.text, icon.headers["cache-control"]) == ("<svg/>", "no-cache")
        for path in ("/", "/index.html", "/table/abc"):
            index = client.get(path)
            assert (index.status_code, index.text) == (200, "<p>hello</p>"), path
            assert index.headers["cache-control"] == "no-cache"
            assert index.headers["content-type"].startswith("text/html")
        for path in ("/assets/b.css", "/b.svg", "/%2e%2e/secret.txt", "/api/none"):
            assert client.get(path).status_code == 404, path


@pytest.mark.parametrize("path", ["/", "/table/abc"])
def test_a_page_that_was_not_built_says_how_to_build_it(tmp_path: Path, path: str) -> None:
    with create_test_client(page_routers(tmp_path / "none")) as client:
        answer = client.get(path)
    assert (answer.status_code, answer.text) == (503, NOT_BUILT)
    assert answer.headers["content-type"].startswith("text/html")
    assert "make page" in NOT_BUILT and "/api/openapi.json" in NOT_BUILT
