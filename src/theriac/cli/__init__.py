"""The command line `theriac`: one file per command.

`run` handles all bad input: one sentence on standard error, exit status 2.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, cast

import typer

import theriac
from theriac.cli import (
    admin,
    arena,
    backup,
    bench,
    bot,
    bots,
    check,
    count,
    deck,
    games,
    lab,
    new_game,
    play,
    replay,
    restore,
    review,
    rules,
    serve,
    setup,
    train,
    verify,
)
from theriac.cli.console import complain, out
from theriac.faults import Fault, quote

__all__ = ["app", "main", "run"]

# The base class of Typer's usage errors: its module differs between versions.
_Mistyped = cast(type[Exception], typer.BadParameter.__bases__[0])

app = typer.Typer(
    name="theriac",
    help="Small card games of poison and jewels: play, replay, check, simulate.",
    epilog="Begin with: theriac play poison",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
COMMANDS = (
    games,
    rules,
    play,
    serve,
    backup,
    restore,
    bots,
    bot,
    arena,
    lab,
    train,
    replay,
    review,
    verify,
    new_game,
    check,
    count,
    bench,
    setup,
)
for module in COMMANDS:
    app.command(module.NAME, epilog="\n".join(["Examples:", *module.EXAMPLES]))(module.run)
app.add_typer(deck.app, name="deck")
app.add_typer(admin.app, name="admin")

#: For each command the options that were renamed: the old name and the new one. A command module
#: lists its own in `RENAMED_OPTIONS`.
_RENAMED: dict[str, dict[str, str]] = {
    module.NAME: getattr(module, "RENAMED_OPTIONS", {}) for module in COMMANDS
}


def _show_version(asked: bool) -> None:
    if asked:
        out.print(f"theriac {theriac.__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def greet(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", help="Show the version.", callback=_show_version, is_eager=True),
    ] = False,
) -> None:
    """Small card games of poison and jewels: play, replay, check, simulate."""
    if context.invoked_subcommand is None:
        from theriac.game import all_games

        names = " ".join(all_games())
        out.print(f"[bold]Theriac {theriac.__version__}[/], small card games: {names}")
        out.print("  theriac serve --open   play in the browser, against bots or with friends")
        out.print("  theriac play poison    play a game in the terminal, against bots")
        out.print("  theriac rules poison   read its rules")
        out.print("  theriac --help         everything else")


def main() -> None:
    """Run the command line with the arguments given to this process."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        # Python has no object for a stream that the parent process closed.
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115
        # Text that cannot be decoded or encoded must not raise.
        getattr(sys, name).reconfigure(errors="replace" if name == "stdout" else "backslashreplace")
    if len(sys.argv) == 1 and sys.stdin.isatty() and sys.stdout.isatty():
        sys.exit(play_in_browser())
    sys.exit(run(sys.argv[1:]))


def play_in_browser() -> int:
    """`theriac` alone, on a terminal: compile what is not compiled yet, then open the page."""
    out.print(f"[bold]Theriac {theriac.__version__}[/] opens in the browser; stop it with Ctrl-C.")
    out.print("  theriac play poison    play a game here in the terminal instead")
    out.print("  theriac --help         everything else")
    return run(["setup"]) or run(["serve", "--open"])


def run(arguments: Sequence[str]) -> int:
    """Run one command; returns its exit status."""
    try:
        status = app(args=list(arguments), prog_name="theriac", standalone_mode=False)
        sys.stdout.flush()
    except _Mistyped as error:
        complain(_reword(error))
        return 2
    except Fault as fault:
        complain(str(fault))
        return 2
    except (KeyboardInterrupt, typer.Abort):
        return 130
    except BrokenPipeError:
        _give_up_output()
        return 1
    except OSError as error:
        where = f"{quote(str(error.filename))}: " if error.filename else ""
        complain(where + (error.strerror or str(error)))
        if not error.filename:
            _give_up_output()
        return 2
    return status if isinstance(status, int) else 0


def _give_up_output() -> None:
    """Discard what cannot be written, so that Python does not try again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _reword(error: Exception) -> str:
    """Typer's message for a mistyped command, and where to find help."""
    context = getattr(error, "ctx", None)
    where = context.command_path if context else "theriac"
    old = getattr(error, "option_name", "")
    new = _RENAMED.get(context.info_name, {}).get(old) if context else None
    if new:
        return f"{old} was renamed: use {new} (see {where} --help)"
    said = error.format_message().rstrip(".")  # type: ignore[attr-defined]
    return f"{quote(' '.join(said.split()), 300)} (see {where} --help)"
