"""`theriac verify`: recompute the shuffles of a game to prove that nobody chose the cards."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from theriac.cli.console import out
from theriac.faults import Fault, quote

NAME = "verify"
EXAMPLES = (
    "theriac verify game.json --receipt receipt.json",
    "theriac verify game.json --code 316C-E4D5 --nonce 0=1f0c…",
    "theriac verify - < game.json",
)


def run(
    file: Annotated[Path, typer.Argument(help="A game record, or - for standard input.")],
    receipt: Annotated[
        Path | None, typer.Option(help="The receipt that the page saved when the game began.")
    ] = None,
    commitment: Annotated[
        str | None, typer.Option(help="The commitment that the server showed before the deal.")
    ] = None,
    nonce: Annotated[
        list[str] | None,
        typer.Option(metavar="SEAT=TEXT", help="Your own nonce, and the seat you had."),
    ] = None,
    code: Annotated[
        str | None, typer.Option(help="The code that the page showed when the game began.")
    ] = None,
) -> None:
    """Check the sealed shuffles of a finished game: commitments, seed, every card and move, and
    that the game is over.

    A record alone shows that it fits itself. With a receipt, or at least the code, it is compared
    with what you were shown before the cards were dealt: only that finds a forged record.
    """
    from theriac import verification
    from theriac.cli.records import opened, read_one

    game = read_one(file)
    kept_receipt = None
    if receipt is not None:
        with opened(receipt) as text:
            kept_receipt = verification.read_receipt(text.read())
    nonces = dict(_read_nonce(each) for each in nonce or ())
    kept = verification.Kept(kept_receipt, commitment, nonces, code)
    out.print(verification.promise(game), markup=False, soft_wrap=True)
    step = ""
    for step in verification.verify_steps(game, kept=kept):
        out.print(f"[green]✓[/] {escape(step)}", soft_wrap=True)
    if step != verification.GAME_OVER:
        out.print(
            "[yellow]![/] the game is not over in this record: more moves may have been made",
            soft_wrap=True,
        )
    if not kept.binds:
        compared, could = (
            ("a commitment alone", "chosen the rest of the deal after it saw your nonce")
            if commitment
            else ("nothing that a player kept", "forged the whole record")
        )
        out.print(
            f"[yellow]![/] compared with {compared}: the server could have {could}. "
            "Use --receipt, or --code",
            soft_wrap=True,
        )


def _read_nonce(text: str) -> tuple[int, str]:
    seat, equals, nonce = text.partition("=")
    if not equals or not seat.isdecimal():
        raise Fault(f"--nonce {quote(text)}: write the seat, =, and the nonce, such as 0=1f0c")
    return int(seat), nonce
