"""What is in a wheel and in an sdist, and what their metadata say."""

from __future__ import annotations

import re
from email.parser import Parser
from pathlib import Path

import pytest

import theriac
from tests.package.building import ROOT, build, built, export, metadata_of, names_in, sources

#: What a wheel leaves out: the tests of the games, and the sources of their boards.
NOT_INSTALLED = re.compile(r"^theriac/games/\w+/(tests|board)/")
#: Some files that the package cannot do without.
NEEDED = (
    "py.typed",
    "games/poison/deck.toml",
    "games/poison/encoding.toml",
    "games/poison/networks/all.npz",
    "games/shock/networks/anaphylaxis.npz",
    "games/shock/networks/shock.npz",
    "games/shokoba/networks/all.npz",
    "games/poison/rules/en.md",
    "games/poison/tutorial/poison.toml",
    "games/poison/tutorial/words/ja.json",
    "new_game/templates/package/pyproject.toml",
    "new_game/templates/tricks/tests/cases.py",
    "server/store/migrations/script.py.mako",
    "server/store/migrations/versions/0001_tables.py",
    "server/store/migrations/versions/0002_lobby.py",
)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel from a fresh copy, without the page: `test_installed` builds that."""
    folder = tmp_path_factory.mktemp("wheel")
    done = build("wheel", export(folder / "tree"), folder / "out", THERIAC_WITHOUT_PAGE="1")
    assert done.returncode == 0, done.stderr
    return built(folder / "out")


def test_a_wheel_has_every_file_of_the_package_and_nothing_else(wheel: Path) -> None:
    package = {name.removeprefix("src/") for name in sources() if name.startswith("src/theriac/")}
    wanted = {name for name in package if not NOT_INSTALLED.search(name)}
    assert {f"theriac/{name}" for name in NEEDED} <= wanted
    info = {name for name in names_in(wheel) if ".dist-info/" in name}
    assert names_in(wheel) - info == wanted
    assert any(name.endswith("/licenses/LICENSE") for name in info)


def test_the_metadata_name_the_package_and_its_pythons(wheel: Path) -> None:
    said = Parser().parsestr(metadata_of(wheel))
    assert (said["Name"], said["Version"]) == ("theriac-games", theriac.__version__)
    for minor in range(11, 15):
        assert f"Programming Language :: Python :: 3.{minor}" in said.get_all("Classifier", [])
    assert "server" not in said.get_all("Provides-Extra", [])
    assert any(
        line.startswith("litestar") and "extra" not in line
        for line in said.get_all("Requires-Dist", [])
    )


def test_the_readme_of_the_package_has_no_link_that_breaks_on_an_index(wheel: Path) -> None:
    text = Parser().parsestr(metadata_of(wheel)).get_payload()
    assert isinstance(text, str) and "# Theriac" in text
    assert re.findall(r"\]\((?!https:)[^)]*\)", text) == []


def test_an_sdist_has_all_sources_to_build_and_test(tmp_path: Path) -> None:
    done = build("sdist", export(tmp_path / "tree"), tmp_path / "out", THERIAC_WITHOUT_PAGE="1")
    assert done.returncode == 0, done.stderr
    top = re.compile(
        r"src|web|tests|docs|bench|examples|tools|[^/]+\.(md|cff|lock|py|toml)$|Makefile"
    )
    wanted = {name for name in sources() if top.match(name)}
    assert {"hatch_build.py", "CITATION.cff", "conftest.py", "web/package-lock.json"} <= wanted
    assert wanted <= names_in(built(tmp_path / "out"))


def test_the_citation_file_is_of_this_version() -> None:
    text = (ROOT / "CITATION.cff").read_text("utf-8")
    for line in ("cff-version: 1.2.0", f"version: {theriac.__version__}", "license: MIT"):
        assert f"\n{line}\n" in f"\n{text}", line
    for key in ("message", "title", "authors"):
        assert re.search(rf"^{key}:", text, re.M), key
