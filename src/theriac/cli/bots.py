"""`theriac bots`: the bots there are, their parameters, and what each level is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.table import Table as Grid

from theriac.cli.console import out, print_json
from theriac.cli.parameters import Json

if TYPE_CHECKING:
    from theriac.bots.parameters import Parameter
    from theriac.bots.roster import Entry

NAME = "bots"
EXAMPLES = ("theriac bots", "theriac bots --json", "theriac play poison --bots greedy:slip=0.2")

_KINDS = {
    "level": "Levels, and the bot that each is",
    "house": "Bots",
    "installed": "Bots of installed packages",
}


def run(json: Json = False) -> None:
    """List the bots, what each is, its parameters, and what each level is."""
    from theriac.bots import roster

    entries = roster()
    if json:
        print_json([describe(entry) for entry in entries])
        return
    for kind, title in _KINDS.items():
        some = [entry for entry in entries if entry.kind == kind]
        if some:
            out.print(title, style="bold")
            out.print(_draw(some))
    out.print("Parameters follow a colon: theriac play poison --bots greedy:slip=0.2")


def describe(entry: Entry) -> dict[str, Any]:
    """A bot for a program to read; `parameters` is null if it takes any."""
    told: dict[str, Any] = {"name": entry.name, "kind": entry.kind, "help": entry.help}
    if entry.games is not None:
        return {**told, "games": dict(entry.games)}
    known = entry.parameters
    return {**told, "parameters": None if known is None else [_describe(each) for each in known]}


def _describe(parameter: Parameter) -> dict[str, Any]:
    told = {"name": parameter.name, "default": parameter.default, "help": parameter.help}
    if parameter.least is not None:
        told["least"] = parameter.least
    if parameter.most is not None:
        told["most"] = parameter.most
    return told


def _draw(entries: list[Entry]) -> Grid:
    grid = Grid.grid(padding=(0, 2))
    for entry in entries:
        grid.add_row(f"  {entry.name}", entry.help)
        for each in entry.parameters or ():
            grid.add_row(f"    {each.name}=", f"{each.help}: {each.expected}{_usual(each.default)}")
    return grid


def _usual(default: object) -> str:
    if default is None or default == "":
        return ""
    return f" (usually {default:g})" if isinstance(default, float) else f" (usually {default})"
