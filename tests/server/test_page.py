"""The files of the page: what is served where, packed, kept for how long; a page not built."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

from tests.server.club import Club
from theriac.server.http.page import ENTRANCE, NOT_BUILT, read_files

PLAIN = {"Accept-Encoding": "identity"}
built = pytest.mark.skipif(ENTRANCE not in read_files(), reason="the page has not been built")


@built
@pytest.mark.parametrize("path", ["/", "/table/abc", "/rules/poison", "/table/abc/games/1"])
def test_every_path_of_the_page_is_its_entrance(club: Club, path: str) -> None:
    answer = club.web.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["cache-control"] == "no-cache"
    assert "script-src 'self'" in answer.headers["content-security-policy"]
    assert '<div id="app">' in answer.text
    assert "<style" not in answer.text and " style=" not in answer.text


@built
def test_assets_are_packed_and_kept(club: Club) -> None:
    path = re.findall(r'"(/assets/[^"]+\.js)"', club.web.get("/").text)[0]
    packed = club.web.get(path)
    plain = club.web.get(path, headers=PLAIN)
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.content == plain.content
    assert plain.headers["content-type"].startswith("text/javascript")
    assert plain.headers["cache-control"] == "public, max-age=31536000, immutable"


@pytest.mark.parametrize("path", ["/api/nothing/at/all", "/assets/none.js", "/../pyproject.toml"])
def test_what_is_not_there_is_not_found(club: Club, path: str) -> None:
    answer = club.web.get(path)
    assert answer.status_code == 404
    assert answer.json()["why"]


def test_files_are_read_from_a_folder(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "a.css").write_text("a {}")
    files = read_files(tmp_path)
    assert set(files) == {"/assets/a.css"}
    assert files["/assets/a.css"].media_type == "text/css"
    assert gzip.decompress(files["/assets/a.css"].packed) == b"a {}"
    assert read_files(tmp_path / "none") == {}


def test_a_page_that_was_not_built_says_how_to_build_it() -> None:
    assert "make page" in NOT_BUILT and "/api/openapi.json" in NOT_BUILT
