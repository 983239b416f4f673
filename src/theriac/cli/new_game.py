"""`theriac new-game`: a new game from a template."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from theriac.cli.console import out
from theriac.faults import Fault

if TYPE_CHECKING:
    from theriac.new_game import Plan

NAME = "new-game"
EXAMPLES = (
    "theriac new-game rummy --out rummy",
    "theriac new-game rummy --like captures --out rummy",
    "theriac new-game rummy --letters RMY     (in a clone of Theriac: src/theriac/games/rummy)",
)


def run(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="The name of the new game, in lower-case letters.",
            show_default=False,
        ),
    ],
    like: Annotated[
        str,
        typer.Option(
            metavar="KIND", help="The game to start from: tricks, cauldrons, captures or map."
        ),
    ] = "tricks",
    folder: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FOLDER",
            help="Write a package of its own into this new folder.",
            show_default="src/theriac/games/NAME, in a clone of Theriac",
        ),
    ] = None,
    letters: Annotated[
        str | None,
        typer.Option(
            metavar="ABC",
            help="The three letters that begin the ids of its clauses.",
            show_default="from the name",
        ),
    ] = None,
) -> None:
    """Write a new game, one that plays and passes all tests: change it into yours."""
    from theriac.new_game import plan_game, write_game

    plan = plan_game(name, like, letters, folder)
    written = write_game(plan)
    out.print(f"{plan.folder}: {len(written)} files of a game like {like}", markup=False)
    _write_playthroughs(plan)
    _say_what_next(plan)


def _write_playthroughs(plan: "Plan") -> None:
    """Play and write the recorded games, if the packages that tests need are installed."""
    from theriac.checks.files import find_playthroughs
    from theriac.checks.packages import find_games
    from theriac.checks.report import Report

    playthroughs = find_playthroughs()
    if playthroughs is None:
        out.print(
            "Its tests need more packages: pip install 'theriac-games[testing]', and then "
            f"theriac check {plan.folder} --write-playthroughs",
            markup=False,
            soft_wrap=True,
        )
        return
    report = Report()
    for game in find_games(str(plan.folder), report):
        playthroughs.write_all(game, "plain")
    if report.errors:
        raise Fault(report.errors[0])


def _say_what_next(plan: "Plan") -> None:
    install = "" if plan.out is None else f"  pip install -e {plan.out}\n"
    out.print(
        f"What next:\n{install}"
        f"  THERIAC_JIT=0 theriac play {plan.name}\n"
        f"  theriac check {plan.name}\n"
        f"  pytest --pyargs {plan.module}\n"
        f"  pytest --pyargs theriac.testing --game {plan.name}\n"
        "Each file begins with what to fill in; docs/adding-a-game.md is the guide.",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )
