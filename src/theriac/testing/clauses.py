"""The clauses of the games: the source of each, its title, and the tests that check it.

The clauses of a game are listed in `clauses.toml` of its folder. A test names the clauses that it
checks: `@pytest.mark.clause("POI-07")`. The documentation site shows all of them in one table.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import theriac

SOURCES = {"R": "rulebook", "D": "deduced", "J": "ruling", "X": "reconstructed"}

#: Titles stand in a table.
LONGEST_TITLE = 80

#: A range of ids, such as "POI-07 to POI-10", which a search for POI-08 does not find.
_RANGE = re.compile(r"[A-Z]+-\d\d\s*(?:to|until|through|-|–|—|…|\.\.+)\s*(?:[A-Z]+-)?\d\d")


@dataclass(frozen=True)
class Clause:
    """One rule of a game."""

    id: str
    source: str
    title: str


@dataclass(frozen=True)
class Marked:
    """A test that names clauses."""

    path: Path
    name: str
    clauses: tuple[str, ...]


def folders() -> list[Path]:
    """The folders of all games."""
    return sorted({game.folder for game in theriac.all_games().values()})


def clauses_in(folder: Path) -> dict[str, Clause]:
    """The clauses of the games in a folder, by id."""
    content = tomllib.loads((folder / "clauses.toml").read_text(encoding="utf-8"))
    return {id: Clause(id, row["from"], row["title"]) for id, row in content.items()}


def rule_files(folder: Path) -> list[Path]:
    """The files that implement the rules of the games in a folder: those that define a `@rule`,
    except the bots' advice, and the plain Python of the options and the adventure.
    """
    plain = ("adventure", "options")
    return [
        path
        for path in sorted(folder.glob("*.py"))
        if path.stem in plain or (path.stem != "bots" and "@rule" in path.read_text("utf-8"))
    ]


def ranges_in(source: str) -> list[str]:
    """The ranges of clause ids in a text.

    >>> ranges_in("POI-07, POI-08 to POI-10 and POI-11-13")
    ['POI-08 to POI-10', 'POI-11-13']
    """
    return _RANGE.findall(source)


def marks_in(path: Path) -> Iterator[Marked]:
    """The tests of a file that name clauses, themselves or by its `pytestmark`."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    of_all = [id for node in tree.body if _is_pytestmark(node) for id in marked(node)]
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            named = [id for mark in node.decorator_list for id in marked(mark)]
            if of_all or named:
                yield Marked(path, node.name, (*of_all, *named))


def _is_pytestmark(node: ast.stmt) -> bool:
    """Is this the assignment of the marks of all tests of a file?"""
    return isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark"


def marked(place: ast.AST) -> Iterator[str]:
    """The ids in `pytest.mark.clause(...)`, on its own or inside `parametrize`."""
    for node in ast.walk(place):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.clause":
            yield from (ast.literal_eval(argument) for argument in node.args)


def marked_in(*homes: Path) -> list[Marked]:
    """Every test in these folders that names a clause."""
    paths = sorted({path for home in homes for path in home.rglob("test_*.py")})
    return [test for path in paths for test in marks_in(path)]


def untested(folder: Path) -> list[str]:
    """The clauses of a folder of games that no test of the folder names."""
    held = {id for test in marked_in(folder / "tests") for id in test.clauses}
    return [id for id in clauses_in(folder) if id not in held]


def unnamed(folder: Path) -> list[str]:
    """The clauses of a folder of games that are not named where the rules carry them out."""
    source = "".join(path.read_text(encoding="utf-8") for path in rule_files(folder))
    return [id for id in clauses_in(folder) if id not in source]


def without_ruling(folder: Path) -> list[str]:
    """The rulings and reconstructions of a folder of games that begin no paragraph of its
    `rulings.md`.
    """
    page = folder / "rulings.md"
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    heads = " ".join(re.findall(r"^\*\*(.*?)[.*]", text, re.MULTILINE))
    settled = [id for id, clause in clauses_in(folder).items() if set(clause.source) & set("JX")]
    return [id for id in settled if id not in heads]
