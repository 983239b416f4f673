"""hatch_build.py: the page is built, or one sentence says why not; the addresses of the project."""

from __future__ import annotations

import os
import subprocess
import sys
from email.parser import Parser
from pathlib import Path

import pytest

from hatch_build import NO_NODE, PAGE
from tests.package.building import build, built, export, metadata_of, names_in

INDEX = f"{PAGE}/index.html"
IN_WHEEL = INDEX.removeprefix("src/")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return export(tmp_path / "tree")


def pretend(folder: Path, **scripts: str) -> str:
    """A PATH with only these programs."""
    folder.mkdir()
    for name, script in scripts.items():
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)
    return str(folder)


#: An npm that records how it is called, and builds a page when asked to.
NPM = f"""echo "$@" >> ../calls
case "$*" in *"run build"*) /bin/mkdir -p {PAGE}; echo new > {INDEX};; esac"""


def test_a_wheel_of_a_clone_has_a_page_built_just_now(tree: Path, tmp_path: Path) -> None:
    (tree / PAGE).mkdir()
    (tree / INDEX).write_text("old")
    path = pretend(tmp_path / "bin", node="exit 0", npm=NPM)
    done = build("wheel", tree, tmp_path / "out", PATH=path)
    assert done.returncode == 0, done.stderr
    calls = (tmp_path / "calls").read_text().splitlines()
    assert [call.partition("--no-update-notifier ")[2] for call in calls] == ["ci", "run build"]
    assert (tree / INDEX).read_text() == "new\n"
    assert IN_WHEEL in names_in(built(tmp_path / "out"))


@pytest.mark.parametrize(
    "programs",
    [{}, {"node": "exit 1", "npm": "exit 0"}, {"node": "exit 0"}],
    ids=["nothing", "an old Node", "no npm"],
)
@pytest.mark.parametrize("target", ["wheel", "sdist"])
def test_without_node_one_sentence_says_so(
    tree: Path, tmp_path: Path, target: str, programs: dict[str, str]
) -> None:
    done = build(target, tree, tmp_path / "out", PATH=pretend(tmp_path / "bin", **programs))
    assert done.returncode == 1
    assert done.stderr.strip() == NO_NODE


def test_what_npm_says_is_shown_when_it_fails(tree: Path, tmp_path: Path) -> None:
    path = pretend(tmp_path / "bin", node="exit 0", npm="echo no such package; exit 1")
    done = build("wheel", tree, tmp_path / "out", PATH=path)
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "Building the page",
        "no such package",
        "",
        "The page cannot be built: see what npm ci says above.",
    ]


def test_without_the_page_none_is_built_and_an_old_one_stays_out(
    tree: Path, tmp_path: Path
) -> None:
    (tree / PAGE).mkdir()
    (tree / INDEX).write_text("old")
    done = build("wheel", tree, tmp_path / "out", PATH="", THERIAC_WITHOUT_PAGE="1")
    assert done.returncode == 0, done.stderr
    assert IN_WHEEL not in names_in(built(tmp_path / "out"))


def test_an_sdist_brings_its_page_and_needs_no_node(tree: Path, tmp_path: Path) -> None:
    path = pretend(tmp_path / "bin", node="exit 0", npm=NPM)
    assert build("sdist", tree, tmp_path / "sdist", PATH=path).returncode == 0
    sdist = built(tmp_path / "sdist")
    assert INDEX in names_in(sdist)
    subprocess.run(["tar", "xf", sdist], cwd=tmp_path, check=True)
    unpacked = tmp_path / sdist.name.removesuffix(".tar.gz")
    done = build("wheel", unpacked, tmp_path / "wheel", PATH="")
    assert done.returncode == 0, done.stderr
    assert IN_WHEEL in names_in(built(tmp_path / "wheel"))


def test_an_editable_installation_needs_neither_node_nor_a_page(tree: Path, tmp_path: Path) -> None:
    command = "import hatchling.build as b, sys; b.build_editable(sys.argv[1])"
    (tmp_path / "out").mkdir()
    done = subprocess.run(
        [sys.executable, "-c", command, str(tmp_path / "out")],
        cwd=tree,
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": ""},
    )
    assert done.returncode == 0, done.stderr
    assert not any("page" in name for name in names_in(built(tmp_path / "out")))


def test_a_clone_gives_its_address_to_the_metadata_and_to_the_links(
    tree: Path, tmp_path: Path
) -> None:
    for command in (["init", "-q"], ["remote", "add", "origin", "git@example.org:cards/t.git"]):
        subprocess.run(["git", *command], cwd=tree, check=True)
    home = "https://example.org/cards/t"
    done = build("sdist", tree, tmp_path / "sdist", THERIAC_WITHOUT_PAGE="1")
    assert done.returncode == 0, done.stderr
    sdist = built(tmp_path / "sdist")
    subprocess.run(["tar", "xf", sdist], cwd=tmp_path, check=True)
    unpacked = tmp_path / sdist.name.removesuffix(".tar.gz")
    done = build("wheel", unpacked, tmp_path / "wheel", THERIAC_WITHOUT_PAGE="1")
    assert done.returncode == 0, done.stderr
    said = Parser().parsestr(metadata_of(built(tmp_path / "wheel")))
    assert f"Repository, {home}" in said.get_all("Project-URL", [])
    assert f"]({home}/blob/HEAD/docs/play.md)" in said.get_payload()
