"""The move that a player means by what they typed. Only the terminal is lenient: a match is strict.

>>> match_typed("r5 2", ["R5@1", "R5@2"])
'R5@2'
>>> match_typed("e7 r4 s3", ["E7=S3+R4", "S2"])
'E7=S3+R4'
>>> match_typed("2", ["S2", "S4"])
'S4'
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from theriac.faults import Fault, listed, quote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from theriac.game import Text

_WORDS = re.compile(r"[^\W\d_]+\d*|\d+|[^\s\w@=+,.:;~-]")
_MOST_NAMED = 6


class Unclear(Fault):
    """What was typed is ambiguous."""


def in_natural_order(moves: Iterable[str]) -> list[str]:
    """Moves in the order in which people look for them: numbers by their size.

    >>> in_natural_order(["B1", "B10", "B2", "pass"])
    ['B1', 'B2', 'B10', 'pass']
    """
    return sorted(moves, key=_parts)


def _parts(text: str) -> list[tuple[int, str]]:
    """A text as letters and numbers in turn, to be compared."""
    return [
        (int(part[:18]), "") if part.isascii() and part.isdigit() else (-1, part)
        for part in re.split("([0-9]+)", text)
    ]


def match_typed(typed: str, legal: Sequence[str]) -> str | None:
    """The legal move that is meant; None if there is none. Raises `Unclear` if it could be several.

    Accepts the exact text, its number in the list, or what `find_similar` finds.
    """
    if typed in legal:
        return typed
    if typed.isascii() and typed.isdigit() and 0 < int(typed[:9]) <= len(legal):
        return legal[int(typed[:9]) - 1]
    found = find_similar(typed, legal)
    if len(found) > 1:
        raise Unclear(f"{quote(typed)} could be {_name(found)}: type more of it")
    return found[0] if found else None


def find_similar(typed: str, moves: Iterable[str], prefixes: bool = True) -> list[str]:
    """The moves most similar to what was typed.

    First those with the same words in any case, the captured cards in any order; else those with
    the same letters and digits, ignoring separators. With `prefixes`: else those that start with
    these words; else those that start with these letters.
    """
    words = split_words(typed)
    if not words:
        return []
    ways: list[Callable[[list[str]], bool]] = [
        lambda move: move[0] == words[0] and sorted(move) == sorted(words),
        lambda move: "".join(move) == "".join(words),
        lambda move: move[: len(words)] == words,
        lambda move: "".join(move).startswith("".join(words)),
    ]
    pairs = [(move, split_words(move)) for move in moves]
    for fits in ways if prefixes else ways[:2]:
        found = [move for move, parts in pairs if fits(parts)]
        if found:
            return found
    return []


def split_words(text: str) -> list[str]:
    """The cards and other words of a move, in lower case."""
    return _WORDS.findall(text.lower())


def as_notation(typed: str, text: Text) -> str:
    """What was typed in exact notation, legal or not, so that a refusal names the right clause."""
    if text.read(typed) >= 0:
        return typed
    every = [text.write(move) for move in text.catalogue().tolist()]
    found = find_similar(typed, every, prefixes=len(split_words(typed)) == 1)
    return found[0] if found else typed


def _name(moves: Iterable[str]) -> str:
    named = list(moves)
    if len(named) > _MOST_NAMED:
        named = [*named[:_MOST_NAMED], f"{len(named) - _MOST_NAMED} others"]
    return listed(named)
