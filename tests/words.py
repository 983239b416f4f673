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
    r"\btold\b",
    r"\bby the (?:hundred|thousand|million)\b",
    r"\bonlookers?\b",
    r"\blooked at\b",
    r"\bgo(?:es)? on (?:as|by|from|until|when|where|while|with)\b",
    r"\bso many (?!as\b|that\b)",
    r"\bstands? for\b",
    r"\b(?:a|one) (?:thread|file|folder|column|number|line|row|bit|lane|test|byte) a \w+",
)

#: Withdrawn as a name, or as a part of one between underscores.
NAMES = frozenset(
    "crowd curiosity desk errands eye eyes herald onlooker outages scribe telling thinkers urn "
    "wish wishes".split()
)

#: The same in one package, whose field has another word for it.
NAMES_OF = {
    "arena": frozenset("seating sitting".split()),
    "bots": frozenset("again few".split()),
    "engine": frozenset("alike doors instead paper seldom sight spread".split()),
    "learn": frozenset("club heat judge lesson pace paper spread trial trust".split()),
    "server": frozenset("behind doors".split()),
    "tests": frozenset("club complaints dial patience".split()),
}

#: Files that must keep some words, and why.
ALLOWED = {
    "bench/server.py": ("told", "a key of stored results"),
    "src/theriac/server/admin/": ("room rooms", "tables and columns of the database"),
    "src/theriac/server/store/": ("room rooms outages", "tables and columns of the database"),
    "src/theriac/server/tables/messages.py": ("room", "a key of the wire"),
    "src/theriac/server/tables/pubsub.py": ("room", "a key of the messages between processes"),
    "tests/compatibility/": ("heat pace rooms spread trust", "keys of earlier versions"),
    "tests/faults/store_check.py": ("room rooms", "a column and a table of the database"),
    "tests/faults/test_reviews.py": ("room rooms", "a column and a table of the database"),
    "tests/faults/test_week.py": ("room rooms", "a column and a table of the database"),
    "tests/server/test_reviews.py": ("room", "a column of the database"),
    "tests/page/test_living_room.py": ("room", "an address of the page"),
    "tests/server/test_decks.py": (
        "room",
        "an error of the dungeon, whose fort has room for cards",
    ),
    "tests/server/test_deploy.py": ("room", "a key of the wire"),
    "tests/server/test_event_loop.py": ("rooms", "a table of the database"),
    "tests/server/test_loaded.py": ("room", "a column of the database"),
    "tests/server/test_lobby.py": ("room rooms", "a column and a table of the database"),
    "tests/server/test_own_data.py": ("rooms", "a table of the database"),
    "tests/server/test_own_games.py": ("rooms", "a table of the database"),
    "tests/server/test_store.py": ("rooms", "a table of the database"),
}

#: Where the page's sources are, and what their names end with.
PAGE_SUFFIXES = (".svelte", ".ts")
PAGE = ("src/theriac/games", "examples/hearts/src", "web/src", "web/tests")

#: The two files that list the words.
LISTS = ("tests/words.py", "tests/test_words.py")

#: What people sit at is a table, and memory is a buffer. A quoted "room" is a key of the wire.
ROOM = re.compile(
    r"(?<!living )(?<!living-)(?<!living_)(?<!headroom)(?<!\")\brooms?\b(?!\")", re.IGNORECASE
)

#: Comments and strings of the page's sources.
NOT_CODE = re.compile(r"""/\*.*?\*/|//[^\n]*|<!--.*?-->|"[^"\n]*"|'[^'\n]*'|`[^`]*`""", re.DOTALL)
#: The words of a name such as `eyeOf`, `URN` or `wish_list`.
WORD_OF_NAME = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


@dataclass(frozen=True)
class Found:
    """A withdrawn word."""

    path: Path
    line: int
    word: str

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line}: {self.word}"


def sources() -> Iterator[Path]:
    """The files of the engineering layers and the tests."""
    for home in ("src/theriac", "bench", "docs", "examples", "tests", "tools"):
        for path in sorted((ROOT / home).rglob("*.py")):
            if str(path.relative_to(ROOT)) not in LISTS:
                yield path
    for home in PAGE:
        for path in sorted((ROOT / home).rglob("*")):
            if path.suffix in PAGE_SUFFIXES:
                yield path
    yield from sorted((ROOT / "docs").glob("*.md"))
    yield from sorted(ROOT.glob("*.md"))
    yield ROOT / "Makefile"
    yield ROOT / "pyproject.toml"


def find(path: Path, text: str) -> Iterator[Found]:
    """The withdrawn words in the text of a file, except those that it must keep."""
    allowed = allowed_in(path)
    for found in find_all(path, text):
        if found.word.lower() not in allowed:
            yield found


def allowed_in(path: Path) -> set[str]:
    """The withdrawn words that a file must keep."""
    name = str(path.relative_to(ROOT))
    return {
        word
        for home, (words, _) in ALLOWED.items()
        for word in words.split()
        if name.startswith(home)
    }


def find_all(path: Path, text: str) -> Iterator[Found]:
    """The withdrawn words in the text of a file."""
    # A name such as `so_many` is a phrase too.
    sentences = text.replace("_", " ")
    for phrase in PHRASES:
        for match in re.finditer(phrase.replace(" ", r"\s+(?:#:? )?"), sentences, re.IGNORECASE):
            yield _found(path, sentences, match)
    if path.suffix in PAGE_SUFFIXES:
        yield from find_page_names(path, text)
    if path.suffix == ".py":
        yield from find_names(path, text)
        if "games" not in path.parts:
            yield from (_found(path, text, match) for match in ROOM.finditer(text))


def _found(path: Path, text: str, match: re.Match[str]) -> Found:
    return Found(path, text.count("\n", 0, match.start()) + 1, " ".join(match[0].split()))


def withdrawn_names(path: Path) -> frozenset[str]:
    """The names that are withdrawn where a file is."""
    return NAMES.union(*(NAMES_OF.get(part, ()) for part in path.relative_to(ROOT).parts))


def find_names(path: Path, text: str) -> Iterator[Found]:
    """The withdrawn names in a Python file."""
    withdrawn = withdrawn_names(path)
    # To find the tokens takes long, and most files have none of these words.
    if not re.search(rf"(?<![a-z0-9])(?:{'|'.join(withdrawn)})(?![a-z0-9])", text.lower()):
        return
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        parts = token.string.lower().split("_") if token.type == tokenize.NAME else []
        if withdrawn.intersection(parts):
            yield Found(path, token.start[0], token.string)


def find_page_names(path: Path, text: str) -> Iterator[Found]:
    """The withdrawn names in a file of the page, outside comments and strings."""
    withdrawn = withdrawn_names(path)
    # As many characters as before, for the number of the line.
    code = NOT_CODE.sub(lambda match: re.sub(r"\S", " ", match[0]), text)
    for match in re.finditer(r"[A-Za-z_]\w*", code):
        if withdrawn.intersection(word.lower() for word in WORD_OF_NAME.findall(match[0])):
            yield _found(path, code, match)


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
