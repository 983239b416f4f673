"""What a player typed, and the move it means. These aids are the terminal's: a table is strict.

>>> understand("r5 2", ["R5@1", "R5@2"])
'R5@2'
>>> understand("e7 r4 s3", ["E7=S3+R4", "S2"])
'E7=S3+R4'
>>> understand("2", ["S2", "S4"])
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
    """What was typed could be more than one move."""


def understand(typed: str, legal: Sequence[str]) -> str | None:
    """The legal move that is meant; None if it is none, raises `Unclear` if it could be several.

    It may be the exact text, its number in the list, or what `find_alike` finds.
    """
    if typed in legal:
        return typed
    if typed.isascii() and typed.isdigit() and 0 < int(typed[:9]) <= len(legal):
        return legal[int(typed[:9]) - 1]
    found = find_alike(typed, legal)
    if len(found) > 1:
        raise Unclear(f"{quote(typed)} could be {_name(found)}: type more of it")
    return found[0] if found else None


def find_alike(typed: str, moves: Iterable[str], begun: bool = True) -> list[str]:
    """The moves that are most like what was typed.

    That is: the same words in any case, the captured cards in any order; else the same letters
    and digits without what stands between them. With `begun`: else all that begin with these
    words; else all that begin with these letters.
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
    for fits in ways if begun else ways[:2]:
        found = [move for move, parts in pairs if fits(parts)]
        if found:
            return found
    return []


def split_words(text: str) -> list[str]:
    """The cards and other words of a move, in lower case."""
    return _WORDS.findall(text.lower())


def as_written(typed: str, text: Text) -> str:
    """What was typed as a move is written, legal or not, so that it is refused for what it is."""
    if text.read(typed) >= 0:
        return typed
    every = [text.write(move) for move in text.catalogue().tolist()]
    found = find_alike(typed, every, begun=len(split_words(typed)) == 1)
    return found[0] if found else typed


def _name(moves: Iterable[str]) -> str:
    named = list(moves)
    if len(named) > _MOST_NAMED:
        named = [*named[:_MOST_NAMED], f"{len(named) - _MOST_NAMED} others"]
    return listed(named)
