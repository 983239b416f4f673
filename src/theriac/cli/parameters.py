"""Parameters that several commands share: a game, its options, a deck, a seed."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from theriac.cli.console import name_file
from theriac.faults import BadDeck, BadOption, quote
from theriac.game import Game, IntOption, all_games, as_typed, find

#: The option `first` of every game; the game itself checks that the seat exists.
FIRST = IntOption("first", 0, 9, "", "")


def complete_game(incomplete: str) -> Iterator[tuple[str, str]]:
    """Shell completion: games whose name starts with `incomplete`."""
    for name, game in all_games().items():
        if name.startswith(incomplete):
            yield name, game.title


def games_typed() -> list[Game]:
    """The game named on the command line being completed, else all games.

    Typer does not parse a line that ends in an option without its value, so this reads its words.
    """
    line = os.environ.get("COMP_WORDS", "") + " " + os.environ.get("_TYPER_COMPLETE_ARGS", "")
    known = all_games()
    return [known[word] for word in line.split() if word in known] or list(known.values())


def complete_set(incomplete: str) -> Iterator[tuple[str, str]]:
    """Shell completion: the options of the game already typed, with each of their values."""
    for option in (option for game in games_typed() for option in game.options):
        for value in option.values:
            text = f"{option.name}={as_typed(value)}"
            if text.startswith(incomplete):
                yield text, option.help


GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="The name of a game, as `theriac games` lists it.",
        autocompletion=complete_game,
        show_default=False,
    ),
]
Players = Annotated[
    int | None,
    typer.Option("--players", "-p", help="How many play.", show_default="the usual number"),
]
SeveralPlayers = Annotated[
    str | None,
    typer.Option(
        "--players",
        "-p",
        metavar="N,N",
        help='How many play: 4, or 3,4,5, or "all".',
        show_default="the usual number",
    ),
]
Sets = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Set an option of the game; may be given several times.",
        autocompletion=complete_set,
        show_default=False,
    ),
]
DeckFile = Annotated[
    Path | None,
    typer.Option("--deck", metavar="FILE", help="Use the cards in this deck file."),
]
Seed = Annotated[
    str | None,
    typer.Option("--seed", metavar="HEX", help="Shuffle by this seed of 64 hex digits."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for a program to read.")]


def read_options(
    game: Game, players: int | None, sets: list[str] | None, deck: Path | None
) -> dict[str, Any]:
    """The options of a game record from the command line; raises `BadOption` and `BadDeck`."""
    options: dict[str, Any] = {"players": game.usual_players if players is None else players}
    for text in sets or []:
        name, value = read_set(game, text)
        if name in options:
            raise BadOption(f"option {name} is set twice")
        options[name] = value
    if deck is not None:
        options |= read_cards(game, deck)
    return options


def read_set(game: Game, text: str) -> tuple[str, Any]:
    """The name and the value in a text such as target=16; raises `BadOption`."""
    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals:
        raise BadOption(f"--set {quote(text)}: write NAME=VALUE, such as {_example(game)}")
    if name in ("players", "deck"):
        raise BadOption(f"--set {quote(text)}: use --{name} instead")
    for option in game.options:
        if option.name == name:
            return name, option.read(value)
    return name, FIRST.read(value)  # unknown names are refused by the game itself


def _example(game: Game) -> str:
    return next((f"{o.name}={as_typed(o.values[-1])}" for o in game.options), "first=0")


def read_cards(game: Game, path: Path) -> dict[str, Any]:
    """The option `deck` for a deck file; empty for the shipped deck."""
    from theriac.deck import read_deck

    name, deck = read_deck(path)
    if name != game.name:
        raise BadDeck(f"{name_file(path)}: this is a deck of {quote(name)}, not of {game.name}")
    return {} if deck == game.shipped else {"deck": deck.option(game.shipped)}


def read_seed(text: str | None) -> bytes | None:
    """The seed of 64 hex digits; raises `Fault`."""
    from theriac.record import read_hex

    return None if text is None else read_hex("seed", text)


def find_game(name: str) -> Game:
    """The game of that name, ignoring case; raises `Fault`."""
    return find(name.strip().lower() if name.strip().lower() in all_games() else name)
