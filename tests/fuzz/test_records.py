"""The record parser: any input gives a game or a `Fault`."""

from __future__ import annotations

import contextlib
import copy
import json
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import theriac
from tests.examples import examples
from tests.fuzz.texts import anything, nested, texts
from tests.sealed_games import sealed_game
from theriac.faults import BadRecord, Fault
from theriac.record import parse, replay, replay_each
from theriac.seal import commitment, sealed_seed
from theriac.testing.playing import some_move
from theriac.testing.setups import GAMES
from theriac.verification import GAME_OVER, Unfinished, verify, verify_steps


def whole_record(name: str) -> dict[str, Any]:
    """A record of some moves, with every key that a record can have."""
    game = theriac.all_games()[name]
    players = next(n for n in game.players if n > 1)
    nonces = [f"nonce {seat}" for seat in range(players)]
    secret = bytes(range(32))
    match = theriac.new(name, players=players, first=1, seed=sealed_seed(secret, nonces))
    random = Random(1)
    for _ in range(12):
        match.play(some_move(match, random))
    sealed = {"commitment": commitment(secret), "secret": secret.hex(), "nonces": nonces}
    return {**match.record(), "deals": match.dealt, "seal": sealed, "x_note": "mine", "expect": 1}


def server_record(name: str, version: int) -> dict[str, Any]:
    """A record with a seal of version 2 or 3."""
    players = theriac.all_games()[name].players[0]
    nonces = [f"nonce {seat}" for seat in range(players)]
    options = {"players": players, "first": 0}
    return sealed_game(
        name, version=version, nonces=nonces, options=options, moves=2, deals=99
    ).record


#: By version of the seal.
CHECKS = {1: 4, 2: 6, 3: 7}
RECORDS = [whole_record(game.name) for game in GAMES]
RECORDS += [server_record(game.name, version) for game in GAMES for version in (2, 3)]


def test_the_records_are_good_as_they_are() -> None:
    for record in RECORDS:
        assert replay(parse(json.dumps(record))).moves == record["moves"]
        passed = []
        with contextlib.suppress(Unfinished):
            for step in verify_steps(record):
                passed.append(step)  # noqa: PERF402
        assert (
            len([step for step in passed if step != GAME_OVER])
            == CHECKS[record["seal"].get("version", 1)]
        )


def clean(error: Fault) -> None:
    """A fault is one printable sentence, not too long."""
    said = str(error)
    assert said
    assert "\n" not in said
    assert len(said) < 700
    said.encode()


def read(source: str | bytes) -> None:
    """Parse, replay and verify; the only exception may be a `Fault`."""
    try:
        record = parse(source)
    except BadRecord as error:
        return clean(error)
    for work in (lambda: [match.view(0) for match in replay_each(record)], lambda: verify(record)):
        try:
            work()
        except Fault as error:
            clean(error)
    return None


@given(source=st.text() | st.binary())
@examples(40)
def test_any_text(source: str | bytes) -> None:
    read(source)


@given(content=anything)
@examples(40)
def test_any_json(content: Any) -> None:
    read(json.dumps(content))


@pytest.mark.parametrize(
    "source",
    [
        "[" * 100_000,
        '{"a":' * 100_000,
        json.dumps({"theriac": 1, "game": "poison", "options": {}, "moves": nested(400)}),
        "9" * 10_000,
        '{"theriac": 1' + "0" * 5000 + "}",
        '{"theriac": NaN}',
        '{"theriac": 1e999}',
        '{"theriac": 1, "theriac": 1}',
        '"\\ud800"',
        '{"\\ud800": 1}',
        b"\xff\xfe",
        b"\x80",
        "\ufeff{}",
        "",
        "null",
    ],
)
def test_odd_sources(source: str | bytes) -> None:
    read(source)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path to every part of a record."""
    keys: Any = (
        value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    )
    found = [path] if path else []
    for key in keys:
        found += places(value[key], (*path, key))
    return found


def damage(record: dict[str, Any], data: st.DataObject) -> dict[str, Any]:
    """Drop, change, swap or add something somewhere."""
    record = copy.deepcopy(record)
    *way, last = data.draw(st.sampled_from(places(record)), label="where")
    home: Any = record
    for key in way:
        home = home[key]
    match data.draw(st.sampled_from(["drop", "change", "twice", "swap", "add"]), label="how"):
        case "drop":
            del home[last]
        case "change":
            home[last] = data.draw(anything)
        case "twice" if isinstance(home, list):
            home.insert(last, home[last])
        case "swap" if isinstance(home, list):
            other = data.draw(st.integers(0, len(home) - 1))
            home[last], home[other] = home[other], home[last]
        case _ if isinstance(home, dict):
            home[data.draw(texts)] = data.draw(anything)
        case _:
            home.append(data.draw(anything))
    return record


@given(number=st.integers(0, len(RECORDS) - 1), damages=st.integers(1, 3), data=st.data())
@examples(80)
def test_damaged_records(number: int, damages: int, data: st.DataObject) -> None:
    record = RECORDS[number]
    for _ in range(damages):
        record = damage(record, data)
    read(json.dumps(record))


@given(
    number=st.integers(0, len(RECORDS) - 1), options=st.dictionaries(texts, anything, max_size=2)
)
@examples(20)
def test_odd_options(number: int, options: dict[str, Any]) -> None:
    record = {**RECORDS[number], "options": {**RECORDS[number]["options"], **options}}
    read(json.dumps(record))


@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
@given(value=anything)
@examples(20)
def test_odd_values_of_every_option(game: Any, value: Any) -> None:
    for name in ("players", "first", "deck", *(option.name for option in game.options)):
        given = {"players": game.players[0], "first": 0, name: value}
        try:
            game.settings(given)
        except Fault as error:
            clean(error)
