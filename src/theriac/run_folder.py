"""Folders of long runs (arena, training): one writer at a time, and errors that name the folder."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from theriac.faults import Fault, quote


@contextlib.contextmanager
def naming(folder: Path, what: str) -> Iterator[None]:
    """Turn an `OSError` into a `Fault` that names the folder; `what` was to be stored there."""
    try:
        yield
    except OSError as error:
        why = error.strerror or str(error)
        raise Fault(f"{quote(str(folder), 300)}: {what} cannot be stored there ({why})") from None


def lock(file: IO[bytes], folder: Path, other: str) -> None:
    """Take an exclusive lock on the file, where the system has `flock`.

    `other` says in the error what is running there already.
    """
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise Fault(f"{quote(str(folder), 300)}: {other} there now") from None
