"""`theriac check`: what is missing or wrong in a game."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from theriac.cli.console import out, print_json
from theriac.cli.parameters import Json
from theriac.faults import Fault

if TYPE_CHECKING:
    from theriac.checks import Report
    from theriac.game import Game

NAME = "check"
EXAMPLES = ("theriac check poison", "theriac check my-game/", "theriac check my-game/ --json")


def run(
    target: Annotated[
        str,
        typer.Argument(
            metavar="GAME|FOLDER",
            help="The name of a game, or the folder of a package with games.",
            show_default=False,
        ),
    ],
    json: Json = False,
    compiled: Annotated[
        bool, typer.Option(help="Play compiled games too (a minute the first time).")
    ] = True,
    write_playthroughs: Annotated[
        bool,
        typer.Option(
            "--write-playthroughs", help="Play and write the recorded games of this game first."
        ),
    ] = False,
) -> None:
    """Check a game: records, functions, dialect, test cases, words; exit status 1 for errors."""
    from theriac.checks import check_target

    if write_playthroughs:
        _write_playthroughs(target)
    games, report = check_target(target, compiled)
    if json:
        print_json(_as_json(games, report))
    else:
        _print(games, report)
    if report.errors:
        raise typer.Exit(1)


def _write_playthroughs(target: str) -> None:
    from theriac.checks.files import find_playthroughs
    from theriac.checks.packages import find_games
    from theriac.checks.report import Report

    playthroughs = find_playthroughs()
    if playthroughs is None:
        raise Fault("playthroughs need more packages: pip install 'theriac-games[testing]'")
    for game in find_games(target, Report()):
        playthroughs.write_all(game)


def _as_json(games: "list[Game]", report: "Report") -> dict[str, Any]:
    return {
        "games": [game.name for game in games],
        "errors": report.errors,
        "warnings": report.warnings,
        "notes": report.notes,
    }


def _print(games: "list[Game]", report: "Report") -> None:
    for kind, sentences in (("error", report.errors), ("warning", report.warnings)):
        if sentences:
            out.print(f"{len(sentences)} {kind}{'s' * (len(sentences) > 1)}", style="bold")
            for sentence in sentences:
                out.print(f"  {sentence}", markup=False, soft_wrap=True)
    for sentence in report.notes:
        out.print(sentence, markup=False, soft_wrap=True)
    names = ", ".join(game.name for game in games)
    if not report.errors:
        out.print(f"{names}: nothing is wrong", markup=False)
