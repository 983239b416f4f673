"""What is kept in a folder for long: one writer at a time, and errors that say where."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from theriac.faults import Fault, quote


@contextlib.contextmanager
def naming(folder: Path, what: str) -> Iterator[None]:
    """What the system refuses is a fault that says where; `what` was to be kept there."""
    try:
        yield
    except OSError as error:
        why = error.strerror or str(error)
        raise Fault(f"{quote(str(folder), 300)}: {what} cannot be kept there ({why})") from None


def lock(file: IO[bytes], folder: Path, other: str) -> None:
    """Keep others from this file, where the system has locks that end with their process.

    `other` is what the fault says that goes on there already.
    """
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise Fault(f"{quote(str(folder), 300)}: {other} there now") from None
