"""`theriac verify`: recompute the shuffles of a game to prove that nobody chose the cards."""

from pathlib import Path
from typing import Annotated

import typer

from theriac.cli.console import out

NAME = "verify"
EXAMPLES = ("theriac verify game.json", "theriac verify - < game.json")


def run(
    file: Annotated[Path, typer.Argument(help="A game record, or - for standard input.")],
) -> None:
    """Check the sealed shuffles of a finished game: commitment, seed, every card and move."""
    from theriac import record
    from theriac.cli.records import read_one

    for step in record.verify_steps(read_one(file)):
        out.print(f"[green]✓[/] {step}")
