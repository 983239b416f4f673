"""The line protocol between Theriac and a bot in another process. docs/bots.md defines it.

Each message is a JSON object on one line. Theriac sends greetings and questions; the bot answers.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from theriac.bots.base import Question
from theriac.engine.records import record
from theriac.faults import Fault, quote
from theriac.game import Game, Settings, find

VERSION: Final = 1
#: With the line feed. The longest question of the games here has a tenth of it.
MAX_LINE_BYTES: Final = 1 << 20

Message = dict[str, Any]


def write_line(message: Mapping[str, Any]) -> bytes:
    """Encode a message."""
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def read_line(line: bytes) -> Message:
    r"""Decode a message; raises `Fault`.

    >>> read_line(b'{"move": "R5@1"}\n')
    {'move': 'R5@1'}
    >>> read_line(b'R5@1\n')
    Traceback (most recent call last):
    theriac.faults.Fault: a line that is not a JSON object: R5@1
    """
    if len(line) > MAX_LINE_BYTES:
        raise Fault(f"a line of more than {MAX_LINE_BYTES} bytes")
    try:
        message = json.loads(line.decode())
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict):
        shown = quote(line.decode(errors="replace").strip())
        raise Fault(f"a line that is not a JSON object: {shown}")
    return message


# What Theriac sends


def hello_message(question: Question, seed: int, limit: float) -> Message:
    """The greeting before the first question of a game."""
    options = {**question.settings.given, "first": int(question.settings.options.first)}
    return {
        "theriac": VERSION,
        "game": question.game.name,
        "options": options,
        "seat": question.seat,
        "seed": seed,
        "limit": limit,
    }


def question_message(question: Question, limit: float) -> Message:
    """A question: the view of the seat as text, and the whole VIEW record as numbers."""
    v = question.view
    ms = None if question.ms is None else min(question.ms, round(1000 * limit))
    known = {name: v[name].tolist() for name in v.dtype.names}
    return {"view": question.view_dict(), "known": known, "ms": ms}


def end_message(view: Mapping[str, Any]) -> Message:
    """The end of a game, with the final view of the seat. The bot sends no answer."""
    return {"end": dict(view)}


# What a bot reads


@dataclass(frozen=True)
class Hello:
    """The content of a greeting."""

    game: Game
    settings: Settings
    seat: int
    seed: int


def read_hello(message: Message) -> Hello:
    """Decode a greeting; raises `Fault`."""
    if message["theriac"] != VERSION:
        raise Fault(f'"theriac" is {quote(message["theriac"])}, not {VERSION}: another protocol')
    game = find(_require(message, "game", str))
    settings = game.settings(_require(message, "options", dict))
    seat, seed = _require(message, "seat", int), _require(message, "seed", int)
    if not 0 <= seat < settings.players:
        raise Fault(f"seat {seat}: there are seats 0 to {settings.players - 1}")
    if not 0 <= seed < 1 << 64:
        raise Fault('"seed" is not a number from 0 to 2**64 - 1')
    return Hello(game, settings, seat, seed)


def read_question(message: Message, hello: Hello) -> Question:
    """Decode a question that follows this greeting; raises `Fault`."""
    legal = [_read_move(text, hello) for text in _require(message["view"], "legal", list)]
    if not legal:
        raise Fault("a question without legal moves")
    view = _read_known(_require(message, "known", dict), hello)
    if int(view.to_act) != hello.seat:
        raise Fault(f"the question is for seat {int(view.to_act)}, the greeting for {hello.seat}")
    ms = message.get("ms")
    if ms is not None and (type(ms) is not int or ms < 0):
        raise Fault(f'"ms" is {quote(ms)}, not a whole number or null')
    return Question(hello.game, hello.settings, view, np.array(sorted(legal), np.int64), ms)


def _read_move(text: object, hello: Hello) -> int:
    number = hello.settings.text.read(text) if isinstance(text, str) else -1
    if number < 0:
        raise Fault(f'"legal" holds {quote(text)}, which is not a move')
    return number


def _read_known(known: dict[str, Any], hello: Hello) -> Any:
    """Rebuild the VIEW record from its fields; raises `Fault`."""
    dtype = hello.game.shape.view
    row = record(dtype)
    for name in dtype.names or ():
        field = dtype[name]
        try:
            values = np.array(known[name], field.base)
        except (KeyError, TypeError, ValueError, OverflowError):
            raise Fault(f'"known" has no numbers {name} such as {hello.game.name} needs') from None
        if values.shape != field.shape:
            raise Fault(f'"known" has {name} of the shape {values.shape}, not {field.shape}')
        row[name] = values
    return row


def _require(message: Any, key: str, kind: type) -> Any:
    """A value of a message, which must have this type; raises `Fault`."""
    value = message.get(key) if isinstance(message, dict) else None
    if type(value) is not kind:
        kinds = {str: "a text", dict: "an object", int: "a whole number", list: "a list"}
        raise Fault(f'"{key}" is missing, or is not {kinds[kind]}')
    return value
