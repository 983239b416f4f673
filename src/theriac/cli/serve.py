"""`theriac serve`: tables over a network."""

import asyncio
import os
import resource
import threading
import webbrowser
from pathlib import Path
from typing import Annotated

import platformdirs
import typer

from theriac.cli.config_file import naming_the_file, settings_of, use_config
from theriac.cli.console import out
from theriac.faults import Fault, listed, quote

NAME = "serve"
EXAMPLES = (
    "theriac serve --open",
    "theriac serve --host 0.0.0.0 --port 80",
    "theriac serve --config theriac.toml --check",
    "theriac serve --database postgresql://theriac@localhost/theriac --channels redis://localhost",
)

RENAMED_OPTIONS = {
    "--thinkers": "--bot-workers",
    "--pace": "--bot-delay",
    "--proxies": "--trusted-proxies",
}
#: Options that are of one run, and not of the server.
NOT_IN_FILE = frozenset(("open_page", "config", "check"))
LEVELS = ("debug", "info", "warning", "error")


def load_config(context: typer.Context, file: Path | None) -> Path | None:
    """Read the configuration file before the other options: it has their defaults."""
    use_config(context, file, settings_of(run, NOT_IN_FILE))
    return file


def run(
    context: typer.Context,
    host: Annotated[
        str, typer.Option(help="The address to listen on; 0.0.0.0 lets other machines in.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(help="The port to listen on; 0 takes any free one.", min=0, max=65535)
    ] = 8765,
    database: Annotated[
        str,
        typer.Option(
            help="A file for SQLite, or postgresql://USER:PASSWORD@HOST/NAME.",
            envvar="THERIAC_DATABASE",
            show_default="a file in your data folder",
        ),
    ] = "",
    channels: Annotated[
        str,
        typer.Option(
            help="redis://HOST: pub/sub between several servers that share a PostgreSQL.",
            envvar="THERIAC_CHANNELS",
            show_default="none: PostgreSQL itself carries the messages",
        ),
    ] = "",
    origin: Annotated[
        list[str] | None,
        typer.Option(help="Another origin whose pages may use this server (may be repeated)."),
    ] = None,
    allowed_host: Annotated[
        list[str] | None,
        typer.Option(
            help="A name that this server answers for, besides addresses (may be repeated)."
        ),
    ] = None,
    trusted_proxies: Annotated[
        str,
        typer.Option(
            help="Addresses or networks of proxies that are trusted to say where a request comes "
            "from (X-Forwarded-For), such as 127.0.0.1.",
            show_default="none",
        ),
    ] = "",
    limit: Annotated[
        list[str] | None,
        typer.Option(help="NAME=VALUE: change a limit of docs/limits.md (may be repeated)."),
    ] = None,
    metrics_token: Annotated[
        str,
        typer.Option(
            help="Give /metrics to programs that show this token.",
            envvar="THERIAC_METRICS_TOKEN",
            show_default="none: to programs on this machine",
        ),
    ] = "",
    bot_workers: Annotated[
        int | None,
        typer.Option(
            help="Processes that run bots.", min=1, max=256, show_default="all cores but one"
        ),
    ] = None,
    bot_delay: Annotated[
        float, typer.Option(help="Minimum seconds that a bot takes for a move.", min=0, max=60)
    ] = 0.15,
    absence_grace: Annotated[
        float,
        typer.Option(
            help="Seconds that a player is disconnected before a bot may play for them.",
            min=0,
            max=3600,
        ),
    ] = 30.0,
    max_open_tables: Annotated[
        int,
        typer.Option(
            help="Tables that a person may open in a day and not close.", min=1, max=10**6
        ),
    ] = 50,
    keep_tables: Annotated[
        float | None,
        typer.Option(
            help="Days after which tables without a game in play are deleted.",
            min=0.01,
            max=1e5,
            show_default="for ever",
        ),
    ] = None,
    keep_chat: Annotated[
        float | None,
        typer.Option(
            help="Days after which words are deleted.", min=0.01, max=1e5, show_default="for ever"
        ),
    ] = None,
    keep_people: Annotated[
        float | None,
        typer.Option(
            help="Days after which people without a seat who have not come back are deleted.",
            min=0.01,
            max=1e5,
            show_default="for ever",
        ),
    ] = None,
    open_page: Annotated[
        bool, typer.Option("--open", help="Open the page in the browser.")
    ] = False,
    log_level: Annotated[str, typer.Option(help=f"{listed(list(LEVELS))}.")] = "info",
    config: Annotated[
        Path | None,
        typer.Option(
            help="A TOML file with these options; what is typed overrides it.",
            envvar="THERIAC_CONFIG",
            show_default="none",
            callback=load_config,
            is_eager=True,
        ),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Check the configuration, the store and the page; exit.")
    ] = False,
) -> None:
    """Serve tables to browsers and programs. Stop with Ctrl-C: nothing is lost."""
    with naming_the_file(context, config):
        if log_level.lower() not in LEVELS:
            raise Fault(f"--log-level: {quote(log_level)} is not {listed(list(LEVELS))}")
        if channels and not database.startswith("postgresql"):
            raise Fault("--channels is for several servers on one PostgreSQL: give --database too")
        try:
            from theriac.server.addresses import Proxies
            from theriac.server.admin.retention import Retention
            from theriac.server.app import Config, check_setup, create_app, prepare
            from theriac.server.http.guard import check_names
            from theriac.server.limits import parse_limits
            from theriac.server.running import logs
            from theriac.server.serve import bind
            from theriac.server.serve import run as serve
            from theriac.server.store.database import database_url
            from theriac.server.store.lock import locked
        except ImportError as error:
            raise Fault(f"{error.name} is missing: pip install theriac-games") from None
        check_names(origin or (), allowed_host or (), metrics_token)
        logs.set_up(log_level)
        allow_many_sockets()
        settings = Config(
            database=database or str(own_database()),
            channels=channels or None,
            origins=frozenset(origin or ()),
            hosts=frozenset(allowed_host or ()),
            bot_workers=bot_workers or max(1, (os.cpu_count() or 1) - 1),
            bot_delay=bot_delay,
            absence_grace=absence_grace,
            max_open_tables=max_open_tables,
            retention=Retention(keep_tables, keep_chat, keep_people),
            metrics_token=metrics_token or None,
            limits=parse_limits(limit or ()),
        )
        proxies = Proxies(trusted_proxies)
        if check:
            for line in asyncio.run(check_setup(settings)):
                out.print(line, soft_wrap=True)
            return
        listening = bind(host, port)
        address = f"http://{host}:{listening.getsockname()[1]}"

        def ready() -> None:
            out.print(f"Serving on {address}")
            if open_page:
                show_page(address.replace("//0.0.0.0:", "//127.0.0.1:"))

        with locked(database_url(settings.database)):
            asyncio.run(prepare(settings))
            serve(create_app(settings), listening, ready, proxies)


def show_page(address: str) -> None:
    """Open the browser in a thread: the server does not wait for it."""
    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def own_database() -> Path:
    """The default SQLite file, in the user's data folder."""
    return Path(platformdirs.user_data_dir("theriac")) / "tables.sqlite"


def allow_many_sockets() -> None:
    """Raise the limit of open files to the hard limit."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
