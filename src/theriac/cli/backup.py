"""`theriac backup`: a copy of a server's store, also while the server is running."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from theriac.cli.console import name_file, out
from theriac.cli.store_options import By, ConfigFile, Database, operator, store_url

NAME = "backup"
EXAMPLES = (
    "theriac backup tables-monday.backup",
    "theriac backup club.backup --database postgresql://theriac@localhost/theriac",
)


def run(
    file: Annotated[Path, typer.Argument(help="The new file to write.", show_default=False)],
    database: Database = "",
    config: ConfigFile = None,
    by: By = "",
) -> None:
    """Back up all tables and players to a file, as of one moment. Servers may be running."""
    from theriac.server.store.backup import back_up

    counts = asyncio.run(back_up(store_url(database, config), file, operator(by)))
    out.print(f"{name_file(file)}: {describe(counts)}", soft_wrap=True)


def describe(counts: dict[str, int]) -> str:
    """What a backup has, in words."""
    tables, players, events = (counts[name] for name in ("rooms", "players", "log"))
    return f"{tables} tables, {players} players, {events} events"
