"""`theriac play`: a game in the terminal against bots."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from theriac.cli.console import name_file
from theriac.cli.parameters import (
    DeckFile,
    Players,
    Seed,
    Sets,
    complete_game,
    find_game,
    read_options,
    read_seed,
)
from theriac.faults import BadRecord, Fault, quote

NAME = "play"
EXAMPLES = (
    "theriac play poison",
    "theriac play shokoba --players 4 --set teams=true --set target=16",
    "theriac play poison --bots random --seat 2 --save evening.json",
    "theriac play --resume evening.json",
)


def complete_bots(incomplete: str) -> Iterator[str]:
    """The bots whose name begins so, for the shell."""
    from theriac.bots import BOTS

    yield from (name for name in BOTS if name.startswith(incomplete))


def run(
    name: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            help="The name of a game, as `theriac games` lists it.",
            autocompletion=complete_game,
            show_default=False,
        ),
    ] = "",
    players: Players = None,
    seat: Annotated[
        int | None, typer.Option("--seat", help="Your seat, from 0.", show_default="0")
    ] = None,
    bots: Annotated[
        str | None,
        typer.Option(
            "--bots",
            help="Who sits on the other seats: greedy or random.",
            show_default="greedy",
            autocompletion=complete_bots,
        ),
    ] = None,
    sets: Sets = None,
    deck: DeckFile = None,
    seed: Seed = None,
    save: Annotated[
        Path | None,
        typer.Option("--save", metavar="FILE", help="Keep the game in this new file."),
    ] = None,
    resume: Annotated[
        Path | None, typer.Option("--resume", metavar="FILE", help="Go on with a saved game.")
    ] = None,
) -> None:
    """Play a game here, against bots. It is saved after every move."""
    from theriac.cli.saves import chosen_place

    # One game needs no compiled rules: interpreted ones are there at once, compiled or not.
    os.environ.setdefault("THERIAC_JIT", "0")
    place = chosen_place(save) if save and save != resume else save
    if resume is None:
        if not name:
            raise Fault("say which game: theriac play GAME, such as theriac play poison")
        game = find_game(name)
        options = read_options(game, players, sets, deck)
        start(name, options, read_seed(seed), seat or 0, bots or "greedy", place)
        return
    for option, given in (("players", players), ("set", sets), ("deck", deck), ("seed", seed)):
        if given is not None:
            raise Fault(f"--{option}: leave it out, the file of --resume says it")
    go_on(resume, name, seat, bots, place)


def start(
    name: str,
    options: dict[str, Any],
    seed: bytes | None,
    seat: int,
    bots: str,
    place: Path | None,
) -> None:
    """Begin a new game."""
    from theriac.cli.match import Match
    from theriac.cli.saves import new_place
    from theriac.seal import new_seed
    from theriac.table import Table

    game = find_game(name)
    check_bots(bots)
    table = Table(game, options, seed=seed or new_seed())
    check_seat(seat, table.players)
    Match(table, seat, bots, place or new_place(game)).run()


def go_on(file: Path, name: str, seat: int | None, bots: str | None, place: Path | None) -> None:
    """Go on with a saved game, which stays in its file."""
    from theriac.cli.match import Match
    from theriac.cli.records import read_one
    from theriac.cli.saves import new_place
    from theriac.record import replay

    record = read_one(file)
    try:
        table = replay(record)
    except Fault as fault:
        raise Fault(f"{name_file(file)}: {fault}") from None
    if name and find_game(name) is not table.game:
        raise BadRecord(f"{name_file(file)}: it is a game of {table.game.name}, not of {name}")
    seat = seat if seat is not None else record.get("x_seat", 0)
    bots = bots if bots is not None else record.get("x_bots", "greedy")
    check_seat(seat, table.players)
    check_bots(bots)
    kept = file if file.is_file() else new_place(table.game)
    Match(table, seat, bots, place or kept, record).run()


def check_seat(seat: Any, players: int) -> None:
    """Is there such a seat? Raises `Fault`."""
    if type(seat) is not int or not 0 <= seat < players:
        raise Fault(f"seat {quote(seat)}: there are seats 0 to {players - 1}")


def check_bots(bots: Any) -> None:
    """Is there such a bot? Raises `Fault`."""
    from theriac.bots import bot

    bot(bots if isinstance(bots, str) else quote(bots))
