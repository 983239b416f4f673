"""The line protocol: how a table and a bot in another process talk. docs/bots.md tells it in full.

Each message is a JSON object on a line of its own. The table greets and asks, the bot answers.
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
#: Bytes of a line with its end. The longest question of a game here is a tenth of it.
LONGEST: Final = 1 << 20

Message = dict[str, Any]


def write_line(message: Mapping[str, Any]) -> bytes:
    """A message as it is sent."""
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def read_line(line: bytes) -> Message:
    r"""The message in a line; raises `Fault`.

    >>> read_line(b'{"move": "R5@1"}\n')
    {'move': 'R5@1'}
    >>> read_line(b'R5@1\n')
    Traceback (most recent call last):
    theriac.faults.Fault: a line that is no JSON object: R5@1
    """
    if len(line) > LONGEST:
        raise Fault(f"a line of more than {LONGEST} bytes")
    try:
        message = json.loads(line.decode())
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict):
        shown = quote(line.decode(errors="replace").strip())
        raise Fault(f"a line that is no JSON object: {shown}")
    return message


# What a table says


def tell_hello(question: Question, seed: int, limit: float) -> Message:
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


def tell_question(question: Question, limit: float) -> Message:
    """A question: what the seat sees for people and programs, and all it knows in numbers."""
    v = question.view
    ms = None if question.ms is None else min(question.ms, round(1000 * limit))
    known = {name: v[name].tolist() for name in v.dtype.names}
    return {"view": question.told(), "known": known, "ms": ms}


def tell_end(view: Mapping[str, Any]) -> Message:
    """What is said when a game is over. Nothing is answered."""
    return {"end": dict(view)}


# What a bot reads


@dataclass(frozen=True)
class Hello:
    """A greeting that was understood."""

    game: Game
    settings: Settings
    seat: int
    seed: int


def read_hello(message: Message) -> Hello:
    """What a greeting says; raises `Fault`."""
    if message["theriac"] != VERSION:
        raise Fault(f'"theriac" is {quote(message["theriac"])}, not {VERSION}: another protocol')
    game = find(_take(message, "game", str))
    settings = game.settings(_take(message, "options", dict))
    seat, seed = _take(message, "seat", int), _take(message, "seed", int)
    if not 0 <= seat < settings.players:
        raise Fault(f"seat {seat}: there are seats 0 to {settings.players - 1}")
    if not 0 <= seed < 1 << 64:
        raise Fault('"seed" is not a number from 0 to 2**64 - 1')
    return Hello(game, settings, seat, seed)


def read_question(message: Message, hello: Hello) -> Question:
    """What a question asks, after the greeting it follows; raises `Fault`."""
    legal = [_read_move(text, hello) for text in _take(message["view"], "legal", list)]
    if not legal:
        raise Fault("a question without legal moves")
    view = _read_known(_take(message, "known", dict), hello)
    if int(view.to_act) != hello.seat:
        raise Fault(f"the question is for seat {int(view.to_act)}, the greeting for {hello.seat}")
    ms = message.get("ms")
    if ms is not None and (type(ms) is not int or ms < 0):
        raise Fault(f'"ms" is {quote(ms)}, not a whole number or null')
    return Question(hello.game, hello.settings, view, np.array(sorted(legal), np.int64), ms)


def _read_move(text: object, hello: Hello) -> int:
    number = hello.settings.text.read(text) if isinstance(text, str) else -1
    if number < 0:
        raise Fault(f'"legal" holds {quote(text)}, which is no move')
    return number


def _read_known(known: dict[str, Any], hello: Hello) -> Any:
    """The VIEW record whose fields were sent."""
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


def _take(message: Any, key: str, kind: type) -> Any:
    """A value of a message, of the right kind; raises `Fault`."""
    value = message.get(key) if isinstance(message, dict) else None
    if type(value) is not kind:
        kinds = {str: "a text", dict: "an object", int: "a whole number", list: "a list"}
        raise Fault(f'"{key}" is missing, or is not {kinds[kind]}')
    return value
