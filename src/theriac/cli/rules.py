"""`theriac rules`: the rule pages, whole or one clause of them."""

from collections.abc import Iterator
from typing import Annotated

import typer

from theriac.cli.console import print_markdown
from theriac.cli.parameters import GameName, find_game, games_typed
from theriac.rulebook import find_clause, languages, read_page

NAME = "rules"
EXAMPLES = (
    "theriac rules poison",
    "theriac rules poison POI-11",
    "theriac rules shokoba --language fr",
)


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
    """Read the rules of a game. A refused move names the clause that forbids it."""
    game = find_game(name)
    page = read_page(game, language)
    print_markdown(find_clause(game, page, clause) if clause else page)
