"""Copies the pages, generates the others, and runs Sphinx over all of them."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from docs.site import (
    clauses,
    commands,
    examples,
    games,
    navigation,
    own_pages,
    reference,
    results,
)

ROOT = Path(__file__).resolve().parent.parent.parent
#: Git ignores it.
FOLDER = ROOT / "build" / "docs"

#: A link of a Markdown page: its text and its target.
_LINK = re.compile(r"\[([^\]]*)\]\((?!https?:|#)([^)\s]+)\)")


def build(source: Path, html: Path, settings: Sequence[str] = ()) -> int:
    """Build the site, warnings are errors; returns the exit status of Sphinx.

    `settings` are instead of those in `conf.py`, as in "html_theme=basic".
    """
    from sphinx.cmd.build import build_main

    write_pages(source)
    config = str(Path(__file__).parent)
    other = [part for setting in settings for part in ("-D", setting)]
    return build_main(
        ["-b", "html", "-c", config, *other, "-W", "--keep-going", "-q", str(source), str(html)]
    )


def write_pages(source: Path) -> None:
    """Write every page of the site; pages that did not change keep their time."""
    pages = copied() | generated()
    pages["index.md"] += "\n" + navigation.toctrees()
    for name, text in pages.items():
        _write(source / name, text)
    for path in source.rglob("*.md"):
        if str(path.relative_to(source)) not in pages:
            path.unlink()


def copied() -> dict[str, str]:
    """The pages of `docs/`, by file name."""
    return {
        path.name: own_pages.fill_in(link_within_site(path.read_text("utf-8"), path.parent))
        for path in sorted((ROOT / "docs").glob("*.md"))
    }


def generated() -> dict[str, str]:
    """The pages that the code writes, by file name."""
    return {
        **games.pages(),
        **clauses.pages(),
        **commands.pages(),
        **reference.pages(),
        **examples.pages(ROOT / "examples"),
        **results.pages(ROOT / "bench"),
    }


def link_within_site(text: str, folder: Path) -> str:
    """Links to files that are not pages of the site become the names of these files."""

    def replace(match: re.Match[str]) -> str:
        name, target = match[1], match[2].partition("#")[0]
        path = Path(os.path.normpath(folder / target))
        if path.parent == ROOT / "docs" and path.suffix == ".md":
            return match[0]
        shown = f"`{path.relative_to(ROOT)}`"
        return shown if name.strip("`") in shown else f"{name} ({shown})"

    return _LINK.sub(replace, text)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text("utf-8") != text:
        path.write_text(text, "utf-8")
