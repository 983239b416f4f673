"""`theriac restore`: the store of a server, from a backup."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from theriac.cli.backup import describe
from theriac.cli.console import out
from theriac.cli.store_options import By, ConfigFile, Database, operator, store_url

NAME = "restore"
EXAMPLES = (
    "theriac restore tables-monday.backup",
    "theriac restore club.backup --database postgresql://theriac@localhost/theriac",
)


def run(
    file: Annotated[Path, typer.Argument(help="A file of theriac backup.", show_default=False)],
    database: Database = "",
    config: ConfigFile = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Delete the tables and players that are there now.")
    ] = False,
    by: By = "",
) -> None:
    """Restore a backup to a file or to PostgreSQL. Stop the servers first."""
    from theriac.server.store.backup import restore

    url = store_url(database, config)
    counts = asyncio.run(restore(file, url, operator(by), replace=replace))
    out.print(f"Restored {describe(counts)}")
