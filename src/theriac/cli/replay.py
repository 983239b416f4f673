"""`theriac replay`: replay game records and show the resulting positions."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from theriac.cli.console import out, write_bytes
from theriac.cli.parameters import Json
from theriac.faults import Fault

NAME = "replay"
EXAMPLES = (
    "theriac replay game.json",
    "theriac replay games.jsonl --json",
    "theriac replay game.json --json --each --seat 2",
)


def run(
    file: Annotated[
        Path,
        typer.Argument(
            help="A game record, JSON Lines of many, or - for standard input.", show_default=False
        ),
    ],
    json: Json = False,
    each: Annotated[
        bool, typer.Option("--each", help="Show the start and the position after every move.")
    ] = False,
    seat: Annotated[
        int | None,
        typer.Option("--seat", help="Show only what this seat (from 0) may know."),
    ] = None,
) -> None:
    """Replay records move by move, checking every card and move, and show the position."""
    from theriac.cli.records import opened, split
    from theriac.record import parse

    show = _encode if json else _print
    with opened(file) as lines:
        for number, text in enumerate(split(lines), 1):
            with at(number):
                show(parse(text), each, seat)


@contextlib.contextmanager
def at(number: int) -> Iterator[None]:
    """Add the number of the record to a fault."""
    from theriac.record import BadMove

    try:
        yield
    except BadMove as fault:
        raise Fault(f"record {number}, {fault}") from None
    except Fault as fault:
        raise Fault(f"record {number}: {fault}") from None


def _encode(record: dict[str, Any], each: bool, seat: int | None) -> None:
    """Print a record as JSON: all its lines at once, so that a bad record prints nothing."""
    import msgspec

    encode = msgspec.json.Encoder().encode
    write_bytes(b"".join(encode(view) + b"\n" for view in views(record, each, seat)))


def views(record: dict[str, Any], each: bool, seat: int | None) -> Iterator[dict[str, Any]]:
    """The views of a record: the last one, or with `each` all of them."""
    from theriac.record import replay, replay_each

    if not each:
        yield replay(record).view(seat)
        return
    for match in replay_each(record):
        view = match.view(seat)
        view["n"] = len(match.moves)
        yield view


def _print(record: dict[str, Any], each: bool, seat: int | None) -> None:
    """Print a record for a person to read."""
    from theriac.cli.transcript import render_game

    out.print(render_game(record, each, seat))
