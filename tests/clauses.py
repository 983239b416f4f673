"""The table of clauses: where each comes from, what it says, which tests hold it.

`python -m tests.clauses` writes it to docs/clauses.md. The clauses of a game are listed in
`games/<folder>/clauses.toml`; a test names those that it holds: `@pytest.mark.clause("POI-07")`.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import theriac

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "clauses.md"
SOURCES = {"R": "rulebook", "D": "deduced", "J": "ruling", "X": "reconstructed"}

HEAD = """\
# The clauses and their tests

Made by `python -m tests.clauses`; a test fails while it is out of date. Where a clause comes from:
R the rulebook says so; D it follows from what the rulebook says; J a ruling, where the rulebook is
silent or contradicts itself; X card data that is lost from the text and was reconstructed.
"""


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


def marks_in(path: Path) -> Iterator[Marked]:
    """The tests of a file that name clauses."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            named = [id for mark in node.decorator_list for id in marked(mark)]
            if named:
                yield Marked(path, node.name, tuple(named))


def marked(decorator: ast.expr) -> Iterator[str]:
    """The ids in `pytest.mark.clause(...)`, on its own or inside `parametrize`."""
    for node in ast.walk(decorator):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.clause":
            yield from (ast.literal_eval(argument) for argument in node.args)


def all_tests() -> list[Marked]:
    """Every test that names a clause, wherever it lies."""
    homes = [ROOT / "tests", *(folder / "tests" for folder in folders())]
    paths = sorted({path for home in homes for path in home.rglob("test_*.py")})
    return [test for path in paths for test in marks_in(path)]


def page() -> str:
    """The whole table."""
    tests = all_tests()
    return "\n".join([HEAD, *(section(folder, tests) for folder in folders())])


def section(folder: Path, tests: list[Marked]) -> str:
    """The table of the games in one folder."""
    titles = [game.title for game in theriac.all_games().values() if game.folder == folder]
    lines = [f"## {', '.join(titles)}", "", "| clause | from | says | tests |", "|---|---|---|---|"]
    for clause in clauses_in(folder).values():
        held = spell([test for test in tests if clause.id in test.clauses])
        lines.append(f"| {clause.id} | {' '.join(clause.source)} | {clause.title} | {held} |")
    return "\n".join([*lines, ""])


def spell(tests: list[Marked]) -> str:
    """Tests by file, without their first word."""
    by_file: dict[str, list[str]] = {}
    for test in tests:
        name = test.name.removeprefix("test_").replace("_", " ")
        by_file.setdefault(test.path.stem, []).append(name)
    return "<br>".join(f"{file}: {'; '.join(names)}" for file, names in by_file.items())


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
