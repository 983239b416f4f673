"""The parts of a page that the games write themselves, each in its own folder.

A page names the file, and which of its headings: `<!-- games: notation.md: Cards, Moves -->`.
"""

from __future__ import annotations

import re
from pathlib import Path

from docs.site.games import own_games
from docs.site.markdown import nest

_MARKER = re.compile(r"^<!-- games: (\S+?\.md)(?:: (.*?))? -->$", re.MULTILINE)


def fill_in(page: str) -> str:
    """A page with the parts of all games where it names them."""
    return _MARKER.sub(lambda marker: parts(marker[1], marker[2] or ""), page)


def parts(file: str, headings: str) -> str:
    """What each folder of games has in a file, under the titles of its games."""
    titles: dict[Path, list[str]] = {}
    for game in own_games().values():
        titles.setdefault(game.folder, []).append(game.title)
    wanted = headings.split(", ") if headings else []
    found = []
    for folder, games in titles.items():
        text = (folder / file).read_text("utf-8")
        found.append(f"### {', '.join(games)}\n\n{chosen(text, wanted)}")
    return "\n\n".join(found)


def chosen(text: str, headings: list[str]) -> str:
    """The chapters of a file with these headings (just their texts if it is one), or all of it."""
    body = text.partition("\n")[2]
    if not headings:
        return nest(body, 2).strip()
    chapters = {
        chapter.partition("\n")[0]: chapter.partition("\n")[2].strip()
        for chapter in re.split(r"^## ", body, flags=re.MULTILINE)[1:]
    }
    if len(headings) == 1:
        return chapters[headings[0]]
    return "\n\n".join(f"#### {heading}\n\n{chapters[heading]}" for heading in headings)
