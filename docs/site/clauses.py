"""The clauses of the rules: their source, the code that carries them out, and their tests."""

from __future__ import annotations

from pathlib import Path

from docs.site.games import own_games
from docs.site.markdown import table
from theriac.testing.clauses import SOURCES, Marked, clauses_in, marked_in, rule_files

_TESTS = Path(__file__).resolve().parents[2] / "tests"
_HEAD = """\
# Clauses

Every rule of every game is a numbered clause. A refused move names its clause. The letters say
where a clause comes from: {sources}. [Rulings](rulings.md) explains the decisions.
"""


def pages() -> dict[str, str]:
    """The page of all clauses."""
    sources = ", ".join(f"{letter} {meaning}" for letter, meaning in SOURCES.items())
    folders = sorted({game.folder for game in own_games().values()})
    tests = marked_in(_TESTS, *(folder / "tests" for folder in folders))
    parts = [_HEAD.format(sources=sources), *(section(folder, tests) for folder in folders)]
    return {"clauses.md": "\n".join(parts)}


def section(folder: Path, tests: list[Marked]) -> str:
    """The table of the games in one folder."""
    titles = [game.title for game in own_games().values() if game.folder == folder]
    code = {path: path.read_text("utf-8").splitlines() for path in rule_files(folder)}
    rows = []
    for clause in clauses_in(folder).values():
        held = [test for test in tests if clause.id in test.clauses]
        rows.append(
            [
                f"[{clause.id}]{{#{clause.id.lower()}}}",
                " ".join(clause.source),
                clause.title,
                ", ".join(places(clause.id, code)),
                ", ".join(dict.fromkeys(f"`{test.path.stem}`" for test in held)),
            ]
        )
    head = ["clause", "source", "says", "code", "tests"]
    return f"## {', '.join(titles)}\n\n{table(head, rows)}\n"


def places(clause: str, code: dict[Path, list[str]]) -> list[str]:
    """Where a clause is named in the code of its game: file and line."""
    return [
        f"`{path.name}:{number}`"
        for path, lines in code.items()
        for number, line in enumerate(lines, 1)
        if clause in line
    ]
