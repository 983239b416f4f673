"""Words that were withdrawn, and where they still occur.

The rules of a game use the nouns of its rulebook; everything else uses the words of its field (see
`docs/glossary.md`). `python -m tests.words` lists what is left.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

#: Withdrawn from all sentences: documents, docstrings, comments, error texts, help.
PHRASES = (
    r"\banew\b",
    r"\bwhom?ever\b",
    r"\bby the (?:hundred|thousand|million)\b",
    r"\bonlookers?\b",
    r"\b(?:is|are|was|were|be|been|being|unless|as|when) told\b",
    r"\b(?:is|are|was|were|be|been|being) looked at\b",
    r"\bgo(?:es)? on (?:with|where|from|until|by)\b",
    r"\bso many (?!as\b|that\b)",
    r"\bstands? for\b",
    r"\b(?:a|one) (?:thread|file|folder|column|number|line|row|bit|lane|test|byte) a \w+",
)

#: Withdrawn as a name, or as a part of one between underscores.
NAMES = frozenset(
    "crowd curiosity desk errands eye herald onlooker outages scribe telling thinkers told "
    "urn".split()
)

#: The same in one package, whose field has another word for it.
NAMES_OF = {
    "arena": frozenset("seating sitting".split()),
    "bots": frozenset("again few".split()),
    "engine": frozenset("alike doors instead paper seldom sight spread".split()),
    "learn": frozenset("club heat judge lesson pace paper spread trial trust".split()),
    "server": frozenset("behind".split()),
}

#: Files that must keep a word, and why.
ALLOWED = {
    "examples/network_bot.py": "room is a key of the wire",
    "src/theriac/server/store/": "rooms and outages are tables of the database",
    "src/theriac/server/tables/messages.py": "room is a key of the wire",
    "src/theriac/server/tables/pubsub.py": "room is a key of the messages between processes",
}

#: What people sit at is a table, and memory is a buffer.
ROOM = re.compile(r"(?<!living )(?<!living-)(?<!living_)(?<!headroom)\brooms?\b", re.IGNORECASE)


@dataclass(frozen=True)
class Found:
    """A withdrawn word."""

    path: Path
    line: int
    word: str

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line}: {self.word}"


def sources() -> Iterator[Path]:
    """The files of the engineering layers."""
    for home in ("src/theriac", "bench", "docs", "examples"):
        yield from sorted((ROOT / home).rglob("*.py"))
    yield from sorted((ROOT / "docs").glob("*.md"))
    yield from sorted(ROOT.glob("*.md"))
    yield ROOT / "Makefile"
    yield ROOT / "pyproject.toml"


def find(path: Path, text: str) -> Iterator[Found]:
    """The withdrawn words in the text of a file."""
    for phrase in PHRASES:
        for match in re.finditer(phrase.replace(" ", r"\s+(?:#:? )?"), text, re.IGNORECASE):
            yield _found(path, text, match)
    if path.suffix == ".py":
        stored = str(path.relative_to(ROOT)).startswith(tuple(ALLOWED))
        yield from (found for found in find_names(path, text) if not stored)
        if not stored and "games" not in path.parts:
            yield from (_found(path, text, match) for match in ROOM.finditer(text))


def _found(path: Path, text: str, match: re.Match[str]) -> Found:
    return Found(path, text.count("\n", 0, match.start()) + 1, " ".join(match[0].split()))


def find_names(path: Path, text: str) -> Iterator[Found]:
    """The withdrawn names in a Python file."""
    withdrawn = NAMES.union(*(NAMES_OF.get(part, ()) for part in path.relative_to(ROOT).parts))
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        parts = token.string.lower().split("_") if token.type == tokenize.NAME else []
        if withdrawn.intersection(parts):
            yield Found(path, token.start[0], token.string)


def all_found() -> list[Found]:
    """The withdrawn words in all sources."""
    return [found for path in sources() for found in find(path, path.read_text("utf-8"))]


def area(path: Path) -> str:
    """The part of the repository that a file belongs to, for a summary."""
    parts = path.relative_to(ROOT).parts
    depth = {"src": 4 if "games" in parts else 3, "docs": 2}.get(parts[0], 1)
    return "/".join(parts[:depth])


if __name__ == "__main__":
    left = all_found()
    for name, count in Counter(area(found.path) for found in left).most_common():
        print(f"{count:5} {name}")
    for found in left:
        print(found)
