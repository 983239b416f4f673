"""The documentation site builds without warnings, and its fixed pages agree with the code."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from docs.site import layers
from docs.site.build import ROOT

GLOSSARY = ROOT / "docs" / "glossary.md"
#: What a browser loads from another host without being asked.
LOADED = re.compile(
    r"""<(?:link|script|img)\b[^>]*(?:src|href)=["']?(?:https?:)?//"""
    r"""|(?:url\(|@import)\s*["']?(?:https?:)?//"""
)
ENTRIES = re.findall(r"^- (.*?)(?=^- |^#|\Z)", GLOSSARY.read_text("utf-8"), re.M | re.S)


def test_the_site_builds_without_warnings(tmp_path: Path) -> None:
    # Without functions and classes in the table of contents of each page: a fifth of the time.
    quicker = ("-D", "toc_object_entries=0")
    command = [sys.executable, "-m", "docs.site", "--folder", str(tmp_path), *quicker]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    html = tmp_path / "html"
    assert (html / "index.html").exists()
    for page in html.rglob("*.html"):
        assert LOADED.findall(page.read_text("utf-8")) == [], page
    for style in html.rglob("*.css"):
        assert LOADED.findall(style.read_text("utf-8")) == [], style


@pytest.mark.parametrize(
    "line",
    [
        '<link rel="stylesheet" href="https://fonts.example.com/css2?family=Inter">',
        "<script async src='//cdn.example.com/app.js'></script>",
        '<img alt="" src="http://example.com/logo.png">',
        "src: url(https://example.com/inter.woff2)",
        '@import "https://example.com/a.css";',
    ],
)
def test_what_a_page_loads_from_other_hosts_is_found(line: str) -> None:
    assert LOADED.search(line)
    assert not LOADED.search('<a href="https://example.com/a.css">a link</a>')


def test_the_architecture_shows_the_layers_that_are_enforced() -> None:
    """If not: python -m docs.site.layers"""
    assert layers.shown() == layers.drawing()


def test_the_architecture_names_every_contract_and_module() -> None:
    page = layers.PAGE.read_text("utf-8")
    for contract in layers.contracts():
        if contract["type"] != "layers":
            assert f"- {contract['name']}\n" in page
    for path in (ROOT / "src" / "theriac").iterdir():
        if path.suffix == ".py" or (path / "__init__.py").exists():
            name = f"`src/theriac/{path.name}{'/' if path.is_dir() else ''}`"
            assert name in page or path.stem.startswith("__"), name


def test_the_glossary_is_sorted() -> None:
    for section in GLOSSARY.read_text("utf-8").split("\n## ")[1:]:
        terms = re.findall(r"^- \*\*(.+?)\*\*", section, re.M)
        assert terms == sorted(terms, key=str.lower)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.split("*")[2])
def test_a_glossary_entry_is_one_sentence_and_leads_to_its_term(entry: str) -> None:
    parts = re.fullmatch(r"\*\*.+?\*\*: (.+?\.)\s+\[(.+?)\]\((.+?)\)\s*", entry, re.S)
    assert parts
    said, name, target = parts.groups()
    assert ". " not in said.replace("\n", " ")
    home = (GLOSSARY.parent / target).resolve()
    code = name.strip("`") if name.startswith("`") else ""
    assert code in home.read_text("utf-8") or code == home.name
