"""Whole games of every kind over the wire: persons, bots, somebody who watches, a reload."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

import theriac
from tests.command import call
from tests.server.club import Club, Person
from tests.server.line import Line, seated
from theriac.game import Game

GAMES = list(theriac.all_games().values())
NAMES = [game.name for game in GAMES]


def play_on(lines: list[Line], random: Random, moves: int) -> None:
    """Let the people of these lines play random moves: so many, or until the game is over."""
    for _ in range(moves):
        lines[0].until(lambda: lines[0].room["stage"] == "over" or persons_turn(lines))
        if lines[0].room["stage"] == "over":
            return
        mover = next(line for line in lines if line.seat == lines[0].view["to_act"])
        mover.reach(lines[0].version)
        mover.play(random.choice(mover.view["legal"]))
        lines[0].reach(mover.version)


def persons_turn(lines: list[Line]) -> bool:
    """Is one of these lines to act, as far as the first knows?"""
    return lines[0].view["to_act"] in [line.seat for line in lines]


def finished_table(club: Club, game: Game, random: Random) -> tuple[str, list[Person], list[Line]]:
    """A game played to its end by two persons and bots, with a reload in the middle."""
    ana, bo = club.persons("Ana", "Bo")
    seats = [None, None, *["easy"] * (game.usual_players - 2)]
    table = ana.open(game.name, seats)
    lines = [*seated(table, ana, bo), Line(club, table)]
    play_on(lines[:2], random, 3)
    lines[0].hang_up()
    seen = lines[0].version
    play_on(lines[1:2], random, 1 if lines[1].view["to_act"] == 1 else 0)
    again = Line(club, table, ana, since=seen)
    assert [told["version"] for told in again.events] == list(range(seen + 1, again.version + 1))
    lines[0] = again
    play_on(lines[:2], random, 10_000)
    for line in lines:
        line.until(lambda line=line: line.room["stage"] == "over")  # type: ignore[misc]
    return table, [ana, bo], lines


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
def test_a_whole_game_ends_the_same_for_everybody(
    club: Club, game: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, people, lines = finished_table(club, game, Random(game.name))
    watching = club.web.get(f"/api/tables/{table}").json()["welcome"]
    for line, told in zip(lines, [*(p.look(table) for p in people), watching], strict=True):
        assert (line.version, line.room, line.view) == (told["version"], told["room"], told["view"])
        assert line.seat == told.get("seat")
    assert len({json.dumps(line.view["table"]) for line in lines}) == 1
    assert lines[0].view["over"] and lines[0].room["games"] == 1

    record = people[0].get(f"/api/tables/{table}/games/1")
    assert record["seal"]["commitment"] == lines[2].events[0]["event"]["commitment"]
    assert record["seal"]["nonces"] == ["nonce 0", "nonce 1"] + ["bot"] * (game.usual_players - 2)
    assert record["x_names"][:2] == ["Ana", "Bo"]
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    assert call(capsys, "verify", file).status == 0
    assert len(people[0].get(f"/api/tables/{table}/games/1/verify")["steps"]) == 4
    for seat in (None, *range(game.usual_players)):
        steps = replayed(people[0], table, seat)
        assert [{"n": step["n"], **step["view"]} for step in steps] == by_command(
            capsys, file, seat
        )
        assert [step.get("move") for step in steps] == [None, *shown_to(record, game, seat, lines)]


def replayed(person: Person, table: str, seat: int | None) -> list[Any]:
    """The steps of the first game at a table."""
    choice = {} if seat is None else {"seat": seat}
    steps: list[Any] = person.get(f"/api/tables/{table}/games/1/replay", **choice)["steps"]
    return steps


def by_command(capsys: pytest.CaptureFixture[str], file: Path, seat: int | None) -> list[Any]:
    """What `theriac replay` prints of a record."""
    choice = [] if seat is None else ["--seat", seat]
    outcome = call(capsys, "replay", file, "--json", "--each", *choice)
    assert outcome.status == 0
    return [json.loads(line) for line in outcome.out.splitlines()]


def shown_to(record: Any, game: Game, seat: int | None, lines: list[Line]) -> list[str]:
    """The moves of a record as a seat may know them: not what others laid face down."""
    text = game.settings(record["options"], 0).text
    made = [told["event"] for told in lines[2].events if told["event"]["kind"] == "moved"]
    assert len(made) == len(record["moves"])
    return [
        move if seat in (None, event["seat"]) else text.write_public(text.read(move))
        for move, event in zip(record["moves"], made, strict=True)
    ]
