"""Texts and numbers that are not moves, and tables that are not JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from theriac.game import Text

_MALFORMED: Final = ("", " ", "?", "0", "é", "٣", "\n", "no move", "@", "+", "=")


def misread(text: Text, written: str) -> Iterator[str]:
    """What is wrong with how a game reads texts that name no move, some of them nearly one."""
    for bad in (*_MALFORMED, f"{written}?", f" {written}", f"{written}\n", written[:-1]):
        try:
            move = text.read(bad)
        except Exception as error:  # noqa: BLE001 - a game under check may raise anything
            yield (
                f"read raises {type(error).__name__} for {bad!r}: return a negative number for a "
                f"text that names no move"
            )
            return
        if move >= 0 and text.write(move) != bad:
            yield f"{bad!r} reads as {text.write(move)}: a move has one text"
            return


def not_json(value: Any, where: str) -> Iterator[str]:
    """The parts of a value that JSON does not have, such as NumPy's numbers."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from not_json(part, f"{where}[{key!r}]")
    elif isinstance(value, list | tuple):
        for part in value:
            yield from not_json(part, f"{where}[...]")
    elif value is not None and not isinstance(value, str | int | float):
        yield (
            f"{where} is of the type {type(value).__name__}, which JSON does not have: write "
            f"int(...) or .tolist()"
        )
