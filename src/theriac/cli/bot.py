"""`theriac bot`: one of our bots for another program, on standard input and output."""

import sys
from typing import Annotated

import typer

from theriac.cli.console import write_bytes
from theriac.cli.play import complete_bots

NAME = "bot"
EXAMPLES = ("theriac bot greedy", "theriac bot search:ms=500,threads=4")


def run(
    spec: Annotated[
        str,
        typer.Argument(
            metavar="BOT",
            help="A bot, as `theriac bots` lists them.",
            autocompletion=complete_bots,
            show_default=False,
        ),
    ],
) -> None:
    """Let a bot answer the questions on standard input, one JSON object per line (docs/bots.md)."""
    from theriac.bots.service import serve

    serve(spec, sys.stdin.buffer, write_bytes)
