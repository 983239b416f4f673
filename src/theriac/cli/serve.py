"""`theriac serve`: tables over a network."""

import asyncio
import os
import resource
import threading
import webbrowser
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import platformdirs
import typer

from theriac.cli.console import out
from theriac.faults import Fault, listed, quote

NAME = "serve"
EXAMPLES = (
    "theriac serve --open",
    "theriac serve --host 0.0.0.0 --port 80",
    "theriac serve --database postgresql://theriac@localhost/theriac --channels redis://localhost",
)

RENAMED_OPTIONS = {
    "--thinkers": "--bot-workers",
    "--pace": "--bot-delay",
    "--proxies": "--trusted-proxies",
}
LEVELS = ("debug", "info", "warning", "error")


def run(
    host: Annotated[
        str, typer.Option(help="The address to listen on; 0.0.0.0 lets other machines in.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen on; 0 takes any free one.")] = 8765,
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
            show_default="none: one server alone",
        ),
    ] = "",
    origin: Annotated[
        list[str] | None,
        typer.Option(help="Another origin whose pages may use this server (may be repeated)."),
    ] = None,
    trusted_proxies: Annotated[
        str, typer.Option(help="Addresses of proxies whose X-Forwarded-For header is trusted.")
    ] = "127.0.0.1",
    bot_workers: Annotated[
        int | None,
        typer.Option(
            help="Processes that run bots.", min=1, max=256, show_default="all cores but one"
        ),
    ] = None,
    bot_delay: Annotated[
        float, typer.Option(help="Minimum seconds that a bot takes for a move.", min=0, max=60)
    ] = 0.6,
    open_page: Annotated[
        bool, typer.Option("--open", help="Open the page in the browser.")
    ] = False,
    log_level: Annotated[str, typer.Option(help=f"{listed(list(LEVELS))}.")] = "info",
) -> None:
    """Serve tables to browsers and programs. Stop with Ctrl-C: nothing is lost."""
    if log_level.lower() not in LEVELS:
        raise Fault(f"--log-level: {quote(log_level)} is not {listed(list(LEVELS))}")
    for page in origin or ():
        check_origin(page)
    if channels and not database.startswith("postgresql"):
        raise Fault("--channels is for several servers on one PostgreSQL: give --database too")
    try:
        from theriac.server.app import Config, create_app, prepare
        from theriac.server.running import logs
        from theriac.server.serve import bind
        from theriac.server.serve import run as serve
    except ImportError as error:
        raise Fault(f"{error.name} is missing: pip install 'theriac[server]'") from None
    logs.set_up(log_level)
    allow_many_sockets()
    config = Config(
        database=database or str(own_database()),
        channels=channels or None,
        origins=frozenset(origin or ()),
        bot_workers=bot_workers or max(1, (os.cpu_count() or 1) - 1),
        bot_delay=bot_delay,
    )
    listening = bind(host, port)
    asyncio.run(prepare(config))
    address = f"http://{host}:{listening.getsockname()[1]}"

    def ready() -> None:
        out.print(f"Serving on {address}")
        if open_page:
            show_page(address.replace("//0.0.0.0:", "//127.0.0.1:"))

    serve(create_app(config), listening, ready, trusted_proxies)


def show_page(address: str) -> None:
    """Open the browser in a thread: the server does not wait for it."""
    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def check_origin(page: str) -> None:
    """Check that it is an origin, without a path; raises `Fault`."""
    parts = urlsplit(page)
    if parts.scheme not in ("http", "https") or page != f"{parts.scheme}://{parts.netloc}":
        raise Fault(f"--origin: {quote(page)} is not an address such as https://club.example")


def own_database() -> Path:
    """The default SQLite file, in the user's data folder."""
    return Path(platformdirs.user_data_dir("theriac")) / "tables.sqlite"


def allow_many_sockets() -> None:
    """Raise the limit of open files to the hard limit."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
