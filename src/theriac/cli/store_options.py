"""The options of commands that work on the store of a server."""

import getpass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from theriac.cli import serve
from theriac.cli.config_file import read_config, settings_of
from theriac.faults import Fault, quote

if TYPE_CHECKING:
    from sqlalchemy.engine import URL

Database = Annotated[
    str,
    typer.Option(
        help="The database of the server: a file, or postgresql://USER:PASSWORD@HOST/NAME.",
        envvar="THERIAC_DATABASE",
        show_default="a file in your data folder",
    ),
]
ConfigFile = Annotated[
    Path | None,
    typer.Option(
        "--config",
        help="The configuration file of the server: it names the database.",
        envvar="THERIAC_CONFIG",
        show_default="none",
    ),
]
By = Annotated[
    str, typer.Option("--by", help="Who you are, for the audit log.", show_default="your login")
]


def operator(by: str) -> str:
    """Who works on the store: the name given, else the login; raises `Fault`."""
    try:
        return printable(by or getpass.getuser())
    except (KeyError, OSError):  # in a container, a user may have no name
        raise Fault("--by: your login has no name here: say who you are") from None


def printable(text: str) -> str:
    """A text that was typed, if a store can keep it and a terminal show it; raises `Fault`."""
    if not text.isprintable():
        raise Fault(f"{quote(text)} has characters that cannot be printed: leave them out")
    return text


def store_url(database: str, config: Path | None) -> "URL":
    """The store that the options name; raises `Fault`."""
    from theriac.server.store.database import database_url

    if not database and config is not None:
        database = read_config(config, settings_of(serve.run, serve.NOT_IN_FILE)).get(
            "database", ""
        )
    return database_url(database or str(serve.own_database()))
