"""`theriac play`: a game in the terminal against bots."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

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

if TYPE_CHECKING:
    from theriac.match import Match

NAME = "play"
EXAMPLES = (
    "theriac play poison",
    "theriac play shokoba --players 4 --set teams=true --set target=16",
    "theriac play poison --bots hard --seat 2 --save evening.json",
    "theriac play dungeon --adventure",
    "theriac play --resume evening.json",
)


def complete_bots(incomplete: str) -> Iterator[str]:
    """The bots whose name begins so, for the shell."""
    from theriac.bots import bot_names

    yield from (name for name in bot_names() if name.startswith(incomplete))


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
            metavar="BOT",
            help="The bots in the other seats: a level (beginner to master), or any of "
            "`theriac bots`.",
            show_default="greedy",
            autocompletion=complete_bots,
        ),
    ] = None,
    sets: Sets = None,
    deck: DeckFile = None,
    seed: Seed = None,
    save: Annotated[
        Path | None,
        typer.Option("--save", metavar="FILE", help="Save the game in this new file."),
    ] = None,
    resume: Annotated[
        Path | None, typer.Option("--resume", metavar="FILE", help="Resume a saved game.")
    ] = None,
    adventure: Annotated[
        bool, typer.Option("--adventure", help="Play all parts of a game's adventure in order.")
    ] = False,
) -> None:
    """Play a game in the terminal, against bots or with them. It is saved after every move."""
    from theriac.cli.saves import check_save_path

    path = check_save_path(save) if save and save != resume else save
    if resume is None:
        if not name:
            raise Fault("name a game: theriac play GAME, such as theriac play poison")
        options = read_options(find_game(name), players, sets, deck)
        start(name, options, read_seed(seed), seat or 0, bots or "greedy", path, adventure)
        return
    given = {"players": players, "set": sets, "deck": deck, "seed": seed}
    given["adventure"] = adventure or None
    for option, value in given.items():
        if value is not None:
            raise Fault(f"--{option}: leave it out: the file given to --resume sets it")
    resume_game(resume, name, seat, bots, path)


def start(
    name: str,
    options: dict[str, Any],
    seed: bytes | None,
    seat: int,
    bots: str,
    path: Path | None,
    as_adventure: bool,
) -> None:
    """Start a new game, or an adventure."""
    from theriac.cli import adventure
    from theriac.cli.saves import new_save_path
    from theriac.cli.terminal_game import TerminalGame, play_speed
    from theriac.match import Match
    from theriac.seal import new_seed

    game = find_game(name)
    check_bot(bots)
    seed = seed or new_seed()
    path = path or new_save_path(game)
    if as_adventure:
        session = adventure.begin(game, options, seed, seat, bots, path)
        check_seat(seat, session.match.players)
        check_bot(bots, session.match)
        adventure.play(session)
        return
    match = Match(game, options, seed=seed, speed=play_speed())
    check_seat(seat, match.players)
    check_bot(bots, match)
    TerminalGame(match, seat, bots, path).play()


def resume_game(
    file: Path, name: str, seat: int | None, bots: str | None, path: Path | None
) -> None:
    """Resume a saved game; it is saved in the same file."""
    from theriac.cli import adventure
    from theriac.cli.records import read_one
    from theriac.cli.saves import new_save_path
    from theriac.cli.terminal_game import TerminalGame, play_speed
    from theriac.record import replay

    record = read_one(file)
    try:
        match = replay(record, play_speed())
    except Fault as fault:
        raise Fault(f"{name_file(file)}: {fault}") from None
    if name and find_game(name) is not match.game:
        raise BadRecord(f"{name_file(file)}: this is a game of {match.game.name}, not of {name}")
    seat = seat if seat is not None else record.get("x_seat", 0)
    bots = bots if bots is not None else _stored_bots(record)
    check_seat(seat, match.players)
    check_bot(bots, match)
    saved = file if file.is_file() else new_save_path(match.game)
    try:
        session = TerminalGame(match, seat, bots, path or saved, record)
        if adventure.KEY in record:
            session = adventure.resume(session)
    except Fault as fault:
        raise BadRecord(f"{name_file(file)}: {fault}") from None
    if adventure.KEY in record:
        adventure.play(session)
    else:
        session.play()


def check_seat(seat: Any, players: int) -> None:
    """Check that the seat exists; raises `Fault`."""
    if type(seat) is not int or not 0 <= seat < players:
        raise Fault(f"seat {quote(seat)}: there are seats 0 to {players - 1}")


def _stored_bots(record: dict[str, Any]) -> Any:
    """The bots that a record names; it may be older than the names of their parameters."""
    from theriac.bots.registry import current_spec

    stored = record.get("x_bots", "greedy")
    return current_spec(stored) if isinstance(stored, str) else stored


def check_bot(spec: Any, match: "Match | None" = None) -> None:
    """Check that the bot exists and can play this game; raises `Fault`."""
    from theriac.bots import bot

    with contextlib.closing(bot(spec if isinstance(spec, str) else quote(spec))) as made:
        if match is not None:
            made.check(match.game, match.settings)
