"""`theriac deck`: decks to copy, correct and play with."""

import shlex
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from theriac.cli.console import complain, name_file, out, print_json
from theriac.cli.parameters import GameName, Json, find_game
from theriac.deck import read_deck
from theriac.faults import BadDeck, Fault, listed
from theriac.game import find

app = typer.Typer(
    help="Show a game's cards, or check your own deck.",
    no_args_is_help=False,
)


@app.command(epilog="Examples:\ntheriac deck show poison\ntheriac deck show poison > my-deck.toml")
def show(name: GameName) -> None:
    """Print the shipped deck of a game, as a file to copy and correct."""
    game = find_game(name)
    sys.stdout.write((game.folder / game.deck_file).read_text(encoding="utf-8"))


@app.command(
    epilog="Examples:\ntheriac deck check my-deck.toml\ntheriac play poison --deck my-deck.toml"
)
def check(
    file: Annotated[Path, typer.Argument(help="A deck file.", show_default=False)],
    json: Json = False,
) -> None:
    """Check if a deck is playable, for how many players, and how it differs from the rulebook."""
    try:
        report = examine(file)
    except BadDeck as fault:
        if not json:
            raise
        report = {"game": None, "playable": False, "problems": [str(fault)]}
    if json:
        print_json(report)
    elif report["playable"]:
        print_report(file, report)
    if not report["playable"]:
        complain("; ".join(report["problems"]))
        raise typer.Exit(2)


def examine(file: Path) -> dict[str, Any]:
    """The report on a deck file; raises `BadDeck` if it cannot be read."""
    name, deck = read_deck(file)
    try:
        game = find(name)
    except Fault as fault:
        raise BadDeck(f"{name_file(file)}: {fault}") from None
    problems, remarks = game.check_deck(deck)
    players = [] if problems else game.playable_by(deck)
    return {
        "game": name,
        "cards": len(deck),
        "playable": not problems,
        "players": players,
        "problems": [f"{name_file(file)}: {problem}" for problem in problems],
        "remarks": remarks,
    }


def play_command(file: Path, report: dict[str, Any]) -> str:
    """The command that plays with a deck; with the number of players, if the usual one cannot."""
    game, players = report["game"], report["players"]
    few = "" if find(game).usual_players in players else f" --players {players[0]}"
    return f"theriac play {game}{few} --deck {shlex.quote(str(file))}"


def count_cards(n: int) -> str:
    """A number of cards, in words: 1 card, 2 cards."""
    return f"{n} card{'s' * (n != 1)}"


def print_report(file: Path, report: dict[str, Any]) -> None:
    """Print the report on a playable deck."""
    counts = listed([str(n) for n in report["players"]])
    cards = count_cards(report["cards"])
    lines = [
        f"{name_file(file)}: {cards} of {report['game']}, for {counts} players",
    ]
    lines += [f"  differs from the rulebook: {remark}" for remark in report["remarks"]]
    if not report["remarks"]:
        lines.append("  the same cards as in the rulebook")
    lines.append(f"Play with it: {play_command(file, report)}")
    out.print("\n".join(lines), markup=False, soft_wrap=True)
