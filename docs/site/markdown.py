"""Small pieces of Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table; `|` in a cell is escaped."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell(value) for value in line) + " |" for line in lines)


def cell(value: object) -> str:
    """The text of one cell."""
    return str(value).replace("|", "\\|").replace("\n", " ")


def nest(page: str, levels: int = 1) -> str:
    """A page whose headings are that many levels deeper."""
    return re.sub(r"^(#+) ", "#" * levels + r"\1 ", page, flags=re.M)
