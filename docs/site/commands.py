"""The command line: every command with its arguments and options, as `--help` shows them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer.main

from docs.site.markdown import table
from theriac.cli import app


def pages() -> dict[str, str]:
    """The page of all commands."""
    root = typer.main.get_command(app)
    parts = [
        "# Commands",
        "Every command of `theriac`. `theriac COMMAND --help` shows the same.",
        "",
    ]
    return {"commands.md": "\n\n".join([*parts, *sections("theriac", root)]) + "\n"}


def sections(name: str, command: Any) -> Iterator[str]:
    """A section for each command below this one."""
    below = getattr(command, "commands", {})
    for child in below:
        yield from sections(f"{name} {child}", below[child])
    if not below:
        yield f"## {name}"
        yield command.help or ""
        yield from _parameters(command)
        if command.epilog:
            head, *lines = command.epilog.splitlines()
            yield "\n".join([head, "", "```text", *(line.strip() for line in lines), "```"])


def _parameters(command: Any) -> Iterator[str]:
    rows = []
    for parameter in command.params:
        if parameter.name != "help":
            names = ", ".join(f"`{name}`" for name in [*parameter.opts, *parameter.secondary_opts])
            if parameter.param_type_name == "argument":
                names = f"`{(parameter.metavar or parameter.name).upper()}`"
            default = parameter.default
            shown = "" if default in (None, False, "", ()) or callable(default) else f"`{default}`"
            rows.append([names, getattr(parameter, "help", "") or "", shown])
    if rows:
        yield table(["argument or option", "meaning", "default"], rows)
