"""`theriac bots`: list the bots, their parameters, and the bot of each level."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.table import Table as Grid

from theriac.cli.console import out, print_json
from theriac.cli.parameters import Json

if TYPE_CHECKING:
    from theriac.bots.parameters import Parameter
    from theriac.bots.registry import BotInfo

NAME = "bots"
EXAMPLES = ("theriac bots", "theriac bots --json", "theriac play poison --bots greedy:slip=0.2")

_KINDS = {
    "level": "Levels, and the bot of each",
    "house": "Bots",
    "installed": "Bots of installed packages",
}


def run(json: Json = False) -> None:
    """List the bots, their parameters, and the bot of each level."""
    from theriac.bots import list_bots

    entries = list_bots()
    if json:
        print_json([describe(entry) for entry in entries])
        return
    for kind, title in _KINDS.items():
        some = [entry for entry in entries if entry.kind == kind]
        if some:
            out.print(title, style="bold")
            out.print(_draw(some))
    out.print("Parameters follow a colon: theriac play poison --bots greedy:slip=0.2")


def describe(entry: BotInfo) -> dict[str, Any]:
    """A bot as JSON; `parameters` is null if it takes any."""
    fields: dict[str, Any] = {"name": entry.name, "kind": entry.kind, "help": entry.help}
    if entry.games is not None:
        return {**fields, "games": dict(entry.games)}
    known = entry.parameters
    return {**fields, "parameters": None if known is None else [_describe(each) for each in known]}


def _describe(parameter: Parameter) -> dict[str, Any]:
    fields = {"name": parameter.name, "default": parameter.default, "help": parameter.help}
    if parameter.least is not None:
        fields["least"] = parameter.least
    if parameter.most is not None:
        fields["most"] = parameter.most
    return fields


def _draw(entries: list[BotInfo]) -> Grid:
    grid = Grid.grid(padding=(0, 2))
    for entry in entries:
        grid.add_row(f"  {entry.name}", entry.help)
        for each in entry.parameters or ():
            grid.add_row(
                f"    {each.name}=", f"{each.help}: {each.expected}{_format_default(each.default)}"
            )
    return grid


def _format_default(default: object) -> str:
    if default is None or default == "":
        return ""
    return f" (default {default:g})" if isinstance(default, float) else f" (default {default})"
