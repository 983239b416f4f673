"""The game record: read and replay. `docs/record.md` describes the format."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from theriac.engine.rule import Speed
from theriac.faults import BadRecord, Fault, listed, quote
from theriac.game import find
from theriac.match import Match

VERSION = 1
KEYS = ("theriac", "game", "options", "seed", "deals", "moves", "seal", "expect")
#: `bytes.fromhex` alone would skip spaces and line feeds between the digits.
_HEX = re.compile("[0-9a-fA-F]{64}")


class BadMove(Fault):
    """A record with a move that is refused; the text says which move, counted from 1."""


def parse(line: str | bytes) -> dict[str, Any]:
    """The record in a JSON text; raises `BadRecord`."""
    try:
        content = json.loads(line, parse_constant=_no_constant, object_pairs_hook=_no_duplicates)
    except BadRecord:
        raise
    except RecursionError:
        raise BadRecord("not a record: nested too deeply") from None
    except ValueError as error:
        raise BadRecord(f"not JSON: {quote(str(error), 120)}") from None
    if not isinstance(content, dict):
        raise BadRecord(f"a record is a JSON object, not {quote(content)}")
    return content


def _no_constant(name: str) -> Any:
    raise BadRecord(f"not JSON: {name} is not a JSON number")


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) < len(pairs):
        duplicates = [key for i, (key, _) in enumerate(pairs) if key in dict(pairs[:i])]
        raise BadRecord(f"the key {quote(duplicates[0])} is given twice")
    return content


def check(record: Mapping[str, Any]) -> None:
    """Check the form of a record, which is the same for every game; raises `BadRecord`."""
    for key in record:
        if key not in KEYS and not key.startswith("x_"):
            raise BadRecord(
                f"unknown key {quote(key)}: use {listed(list(KEYS))}, or a key that begins with x_"
            )
    if type(record.get("theriac")) is not int or record["theriac"] != VERSION:
        raise BadRecord(f'"theriac" must be {VERSION}, not {quote(record.get("theriac"))}')
    if not isinstance(record.get("game"), str):
        raise BadRecord('"game" must be the name of a game')
    if not isinstance(record.get("options"), dict):
        raise BadRecord('"options" must be an object such as {"players": 4}')
    if not _is_list_of_lists(record.get("deals", [])):
        raise BadRecord('"deals" must be a list of lists of card texts')
    if not is_list_of_texts(record.get("moves")):
        raise BadRecord('"moves" must be a list of texts')


def is_list_of_texts(value: Any) -> bool:
    """Is a value a list of nothing but texts?"""
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _is_list_of_lists(value: Any) -> bool:
    return isinstance(value, list) and all(is_list_of_texts(item) for item in value)


def read_hex(name: str, value: Any) -> bytes:
    """32 bytes written as 64 hex digits."""
    if isinstance(value, str) and _HEX.fullmatch(value):
        return bytes.fromhex(value)
    raise BadRecord(f'"{name}" must be 64 hex digits, not {quote(value)}')


M = TypeVar("M", bound=Match)


def replay_each(record: Mapping[str, Any], speed: Speed | None = None) -> Iterator[Match]:
    """The match at the start of a record and after every move: the same object each time.

    Raises `Fault`.
    """
    return replay_each_as(Match, record, speed)


def replay_each_as(
    kind: type[M], record: Mapping[str, Any], speed: Speed | None = None
) -> Iterator[M]:
    """The same, as a match of this class."""
    check(record)
    seed = read_hex("seed", record["seed"]) if "seed" in record else None
    match = kind(
        find(record["game"]),
        record["options"],
        seed=seed,
        deals=record.get("deals", ()),
        speed=speed,
    )
    yield match
    for number, move in enumerate(record["moves"], 1):
        try:
            match.play(move)
        except Fault as error:
            raise BadMove(f"move {number}: {error}") from error
        yield match


def replay(record: Mapping[str, Any], speed: Speed | None = None) -> Match:
    """The match at the end of a record; raises `Fault`."""
    match = None
    for match in replay_each(record, speed):  # noqa: B007
        pass
    assert match is not None
    return match
