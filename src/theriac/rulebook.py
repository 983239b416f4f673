"""The pages of the games: their rules, whole or by clause, and their notation; games as JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from theriac.faults import Fault, listed, quote
from theriac.game import Game, Option

#: The headings of `notation.md`: what a game adds to the record format and to the shuffles.
NOTATION = ("Cards", "Moves", "Malformed moves", "Table", "Shuffles")

#: In a rule page that games share, the mark of what concerns one of them, after the words that say
#: so to those who read the file; `file` is the mark of what only they need.
_MARK = re.compile(r" ?<!-- (\w+) -->")
_ONLY = re.compile(r"(?:\*\*[^*\n]+\*\*)?<!-- \w+ -->\s*")
_CLAUSE = re.compile(r"(?:([A-Za-z]+)[- ]?)?0*([0-9]{1,4})", re.ASCII)


def languages(game: Game) -> list[str]:
    """The languages in which a game has its rules."""
    return sorted(path.stem for path in (game.folder / "rules").glob("*.md"))


def read_page(game: Game, language: str = "en") -> str:
    """The rules of a game and of those that share its page, as Markdown; raises `Fault`."""
    return _MARK.sub("", _read_file(game, language))


def read_own_page(game: Game, language: str = "en") -> str:
    """The rules of a game alone, as Markdown: without what its page marks as another's."""
    kept: list[str] = []
    for part in re.split(r"(?<=\n)(?=[-#\n])", _read_file(game, language)):
        mark = _MARK.search(part)
        if mark is None or mark[1] == game.name:
            kept.append(_ONLY.sub("", part))
    return re.sub(r"\n## [^\n]+\n+(?=## |$)", "\n", re.sub(r"\n{3,}", "\n\n", "".join(kept)))


def _read_file(game: Game, language: str) -> str:
    known = languages(game)
    if not known:
        raise Fault(f"{game.name} has no rule page: its package would have it in rules/en.md")
    if language.lower() not in known:
        raise Fault(f"language {quote(language)}: {game.name} has rules in {listed(known)}")
    return (game.folder / "rules" / f"{language.lower()}.md").read_text(encoding="utf-8")


def clause_ids(page: str) -> list[str]:
    """The ids of the clauses on a page, ascending."""
    return sorted(set(re.findall(r"\[([A-Z]+-[0-9]+)\]", page)))


def find_clause(game: Game, page: str, wanted: str) -> str:
    """What a page says about one clause, each part under its heading; raises `Fault`."""
    known = clause_ids(page)
    if not known:
        raise Fault(f"clause {quote(wanted)}: the rule page of {game.name} names no clauses")
    parts = _CLAUSE.fullmatch(wanted.strip().strip("[]"))
    if parts:
        letters = (parts[1] or game.letters).upper()
        found = [text for text in paragraphs(page) if f"[{letters}-{int(parts[2]):02}]" in text]
        if found:
            return "\n\n".join(found)
    raise Fault(f"clause {quote(wanted)}: {game.name} has clauses {known[0]} to {known[-1]}")


def paragraphs(page: str) -> Iterator[str]:
    """The paragraphs and list items of a page, each after the heading above it."""
    heading = ""
    for part in re.split(r"\n\s*\n|\n(?=[-#|])", page):
        if part.startswith("#"):
            heading = part.strip() + "\n\n"
        elif part.strip():
            yield heading + part.strip()


def read_notation(folder: Path) -> dict[str, str]:
    """How the games of a folder are written, by the headings of its `notation.md`; empty without
    that file.
    """
    file = folder / "notation.md"
    if not file.exists():
        return {}
    parts = re.split(r"^## (.*)\n", file.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return {
        heading.strip(): text.strip() for heading, text in zip(parts[::2], parts[1::2], strict=True)
    }


def describe(game: Game) -> dict[str, Any]:
    """A game as JSON: what `theriac games --json` and the server list."""
    return {
        "name": game.name,
        "title": game.title,
        "summary": game.summary,
        "players": list(game.players),
        "usual_players": game.usual_players,
        "players_clause": game.clause(game.players_clause),
        "first": game.first_help,
        "options": [_describe_option(option) for option in game.options],
        "languages": languages(game),
        "together": game.together,
        "adventure": game.adventure is not None,
    }


def _describe_option(option: Option) -> dict[str, Any]:
    return {
        "name": option.name,
        **option.values_json(),
        "default": option.default,
        "clause": option.clause,
        "help": option.help,
    }
