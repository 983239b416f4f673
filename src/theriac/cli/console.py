"""Output of the command line: results to standard output, errors to standard error."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from rich.console import Console

from theriac.faults import quote

if TYPE_CHECKING:
    from pathlib import Path

    from rich.progress import Progress

#: Results. Without a terminal: no colours, no wrapping.
out = Console(highlight=False, emoji=False)
#: Progress bars.
err = Console(stderr=True, highlight=False, emoji=False)


def complain(sentence: str) -> None:
    """Print an error on standard error, in one line."""
    print(" ".join(sentence.split()), file=sys.stderr)


def name_file(path: Path) -> str:
    """A file's name in a sentence."""
    return quote(str(path), 300)


def print_json(value: Any) -> None:
    """One line of JSON for a program to read."""
    import msgspec

    write_bytes(msgspec.json.encode(value) + b"\n")


def write_bytes(data: bytes) -> None:
    """Write to standard output and flush, after everything printed before."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def print_markdown(source: str) -> None:
    """Show a page, in the pager if the terminal is too small for it."""
    from rich.markdown import Markdown

    page = Markdown(source)
    if not out.is_terminal or not sys.stdin.isatty():
        out.print(page)
        return
    lines = out.render_lines(page, pad=False)
    if len(lines) < out.height:
        out.print(page)
        return
    # "less" shows colours only with -R; -X leaves the page on the screen.
    os.environ.setdefault("LESS", "-RX")
    with out.pager(styles=True):
        out.print(page)


def progress(doing: str) -> Progress:
    """A progress bar on standard error, cleared at the end; only on a terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn(doing + " {task.description}"), BarColumn(), MofNCompleteColumn())
    return Progress(*columns, console=err, transient=True, disable=not err.is_terminal)
