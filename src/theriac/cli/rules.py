"""`theriac rules`: the rule pages, whole or one clause of them."""

import re
from collections.abc import Iterator
from typing import Annotated

import typer

from theriac.cli.console import print_markdown
from theriac.cli.parameters import GameName, find_game, games_typed
from theriac.faults import Fault, listed, quote
from theriac.game import Game

NAME = "rules"
EXAMPLES = (
    "theriac rules poison",
    "theriac rules poison POI-11",
    "theriac rules shokoba --language fr",
)

_CLAUSE = re.compile(r"(?:([A-Za-z]+)[- ]?)?0*([0-9]{1,4})", re.ASCII)


def complete_language(incomplete: str) -> Iterator[str]:
    """The languages of the game already typed, for the shell."""
    found = {language for game in games_typed() for language in languages(game)}
    yield from sorted(language for language in found if language.startswith(incomplete))


def run(
    name: GameName,
    clause: Annotated[
        str, typer.Argument(help="Show only this clause, such as POI-11.", show_default=False)
    ] = "",
    language: Annotated[
        str,
        typer.Option(
            "--language", "-l", help="en, fr, ja or pt.", autocompletion=complete_language
        ),
    ] = "en",
) -> None:
    """Read the rules of a game; a refused move names the clause that forbids it."""
    game = find_game(name)
    page = read_page(game, language)
    print_markdown(find_clause(game, page, clause) if clause else page)


def languages(game: Game) -> list[str]:
    """The languages in which a game has its rules."""
    return sorted(path.stem for path in (game.folder / "rules").glob("*.md"))


def read_page(game: Game, language: str = "en") -> str:
    """The rules of a game, as Markdown; raises `Fault`."""
    known = languages(game)
    if language.lower() not in known:
        raise Fault(f"language {quote(language)}: {game.name} has rules in {listed(known)}")
    return (game.folder / "rules" / f"{language.lower()}.md").read_text(encoding="utf-8")


def clauses(page: str) -> list[str]:
    """The clauses that a page tells, in ascending order."""
    return sorted(set(re.findall(r"\[([A-Z]+-[0-9]+)\]", page)))


def find_clause(game: Game, page: str, wanted: str) -> str:
    """What a page says of one clause, with the headings it stands under; raises `Fault`."""
    known = clauses(page)
    parts = _CLAUSE.fullmatch(wanted.strip().strip("[]"))
    if parts:
        letters = (parts[1] or game.letters).upper()
        found = [text for text in blocks(page) if f"[{letters}-{int(parts[2]):02}]" in text]
        if found:
            return "\n\n".join(found)
    raise Fault(f"clause {quote(wanted)}: {game.name} has clauses {known[0]} to {known[-1]}")


def blocks(page: str) -> Iterator[str]:
    """The paragraphs and list items of a page, each with its heading where that is a new one."""
    heading = ""
    for part in re.split(r"\n\s*\n|\n(?=[-#|])", page):
        if part.startswith("#"):
            heading = part.strip() + "\n\n"
        elif part.strip():
            yield heading + part.strip()
