"""Files of game records: one record, or JSON Lines of many."""

from __future__ import annotations

import contextlib
import json
import sys
from typing import IO, TYPE_CHECKING, Any

from theriac.cli.console import name_file
from theriac.faults import BadRecord, Fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path


@contextlib.contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """The file, or standard input for "-"; raises `Fault`."""
    if str(path) == "-":
        yield sys.stdin.buffer
        return
    try:
        file = path.open("rb")
    except OSError as error:
        raise Fault(f"{name_file(path)}: {error.strerror}") from None
    with file:
        yield file


def split(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The text of each record: one per line, or the whole file if its first line is incomplete."""
    source = iter(lines)
    first = next((line for line in source if line.strip()), b"")
    if not first:
        raise BadRecord("record 1: the file is empty")
    if not is_incomplete(first):
        yield first
        yield from (line for line in source if line.strip())
    else:
        yield first + b"".join(source)


def is_incomplete(line: bytes) -> bool:
    """Is this line an incomplete JSON text?"""
    try:
        text = line.decode("utf-8-sig").rstrip()
        json.loads(text)
    except json.JSONDecodeError as error:
        return error.pos >= len(text)
    except (ValueError, RecursionError):
        return False
    return False


def read_one(path: Path) -> dict[str, Any]:
    """The one record in a file; raises `Fault`."""
    from theriac.record import parse

    with opened(path) as file:
        texts = split(file)
        record = parse(next(texts))
        if next(texts, None) is not None:
            raise BadRecord(f"{name_file(path)}: there is more than one record; give one")
    return record
