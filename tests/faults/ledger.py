"""What must hold afterwards, whatever was killed or lost: the store beside what people were told.

The store is read with SQL of our own; only the replay of a log is the server's code, which checks
every move by the rules once more.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from tests.faults.client import PASSING, Client
from tests.faults.crowd import Party
from theriac import record, seal
from theriac.engine.contract import SPECTATOR
from theriac.server.store import events
from theriac.server.store.database import database_url
from theriac.server.store.events import LogEntry
from theriac.server.tables import views
from theriac.server.tables.downtime import Downtime
from theriac.server.tables.table import Table


class Row(NamedTuple):
    """A line of the log as it stands in the store."""

    room: str
    number: int
    at: int
    mark: str | None
    event: dict[str, Any]


class Shelf(NamedTuple):
    """All that a store holds of its tables."""

    logs: dict[str, list[Row]]
    stages: dict[str, str]
    seats: dict[str, set[str]]


async def read_store(database: str) -> Shelf:
    """Everything that is on disk."""
    engine = create_async_engine(database_url(database))
    async with engine.connect() as connection:
        query = text("SELECT room, number, at, mark, event FROM log ORDER BY room, number")
        rows = (await connection.execute(query)).all()
        stages = (await connection.execute(text("SELECT room, stage FROM rooms"))).all()
        taken = (await connection.execute(text("SELECT room, player FROM seats"))).all()
    await engine.dispose()
    logs: dict[str, list[Row]] = {room: [] for room, _ in stages}
    for room, number, at, mark, event in rows:
        logs[room].append(Row(room, number, at, mark, json.loads(event)))
    seats: dict[str, set[str]] = {room: set() for room, _ in stages}
    for room, player in taken:
        seats[room].add(player)
    return Shelf(logs, {room: stage for room, stage in stages}, seats)  # noqa: C416


def check_all(parties: Sequence[Party], shelf: Shelf, *, copies: bool = False) -> Counter[str]:
    """Hold every promise against the store; what was counted on the way.

    With `copies` a message may arrive once more after its refusal, and be done then.
    """
    counts: Counter[str] = Counter()
    for party in parties:
        rows = shelf.logs[party.name]
        room = rebuild(party.name, rows)
        assert shelf.stages[party.name] == room.stage
        assert shelf.seats[party.name] == {seat.player for seat in room.seats if seat.player}
        for finished in room.finished:
            record.verify(finished)
        for client in party.clients:
            assert client.faults == []
            check_answers(client, rows, copies=copies)
            check_heard(client, rows, room)
            check_table(client, room)
            counts["acknowledged"] += len(client.done)
            counts["refused"] += len(client.refused)
            counts["heard"] += len(client.heard)
            counts["lines"] += client.lines
            counts["sent again"] += client.again
            counts["put off"] += len(client.put_off)
        counts["events"] += len(rows)
        counts["moves"] += sum(row.event["kind"] == "moved" for row in rows)
        counts["moves of bots"] += sum("bot" in row.event for row in rows)
        counts["games"] += len(room.finished)
    return counts


def rebuild(name: str, rows: Sequence[Row]) -> Table:
    """The table that a log makes: numbers without gaps, everybody's moves in turn and legal."""
    assert [row.number for row in rows] == list(range(1, len(rows) + 1))
    room = Table(name, Downtime())
    for row in rows:
        event = events.decode_event(json.dumps(row.event))
        if isinstance(event, events.Moved):
            check_turn(room, event)
        room.apply(LogEntry(row.number, row.at, event, row.mark))
    return room


def check_turn(room: Table, event: events.Moved) -> None:
    """A bot moves once a turn, at its own seat; a person too, or with a move that anybody may
    make.
    """
    if event.bot is not None:
        assert room.bot_to_act == (event.seat, event.bot)
    elif event.seat is not None:
        assert room.current_match.may_act(event.seat, event.move)


def check_answers(client: Client, rows: Sequence[Row], *, copies: bool) -> None:
    """What was acknowledged is in the log, once, where it was told to be; what was refused is
    not.
    """
    marks = {row.mark: row for row in rows if row.mark is not None}
    assert len(marks) == sum(row.mark is not None for row in rows)
    for name, version in client.done.items():
        row = marks[f"{client.player}:{name}"]
        assert row.number == version, (client.asked[name], row)
        assert _leads_to(client.asked[name], row.event), (client.asked[name], row)
    for name in client.refused:
        if not copies:
            assert f"{client.player}:{name}" not in marks, (client.asked[name], client.refused)
    unanswered = set(client.asked) - set(client.done) - set(client.refused)
    assert all(client.asked[name]["do"] in PASSING for name in unanswered)


def _leads_to(request: dict[str, Any], event: dict[str, Any]) -> bool:
    """Is this the first event of what was asked for?"""
    kind: str = event["kind"]
    match request:
        case {"do": "sit"}:
            return kind in ("sat", "stood")
        case {"do": "stand"}:
            return kind == "stood"
        case {"do": "ready"}:
            return kind in ("readied", "returned")
        case {"do": "undo"}:
            return kind == "undo_asked"
        case {"do": "move", "move": move}:
            return (kind, event["move"]) == ("moved", move)
        case {"do": "answer", "agree": agree}:
            return (kind, event["agreed"]) == ("undo_answered", agree)
        case {"do": "say", "text": said}:
            return (kind, event["text"]) == ("said", said)
        case {"do": "react", "to": to}:
            return (kind, event["to"]) == ("reacted", to)
    raise AssertionError(f"nobody asks for this: {request}")


def check_heard(client: Client, rows: Sequence[Row], room: Table) -> None:
    """Nobody ever heard of anything that is not on disk, just so, and nobody missed a version."""
    assert sorted(client.heard) == list(range(1, client.version + 1))
    for version, heard in client.heard.items():
        row = rows[version - 1]
        assert heard["at"] == row.at, (heard, row)
        assert heard["event"] in _tellings(row, room), (heard, row)


def _tellings(row: Row, room: Table) -> list[dict[str, Any]]:
    """What may be told of an event: moves as their player knows them, or as others see them."""
    told = {k: v for k, v in row.event.items() if k not in ("by", "player", "nonce", "secret")}
    if row.event["kind"] in ("opened", "offered"):
        told["commitment"] = seal.commitment(bytes.fromhex(row.event["secret"]))
    if row.event["kind"] == "moved":
        return [told, {**told, "move": views.public_move(room.current_match, told["move"])}]
    return [told]


def check_table(client: Client, room: Table) -> None:
    """In the end everybody has the same table, and sees of it what the log says."""
    assert client.version == room.version
    assert client.seat == room.seat_of(client.player)
    told = msgspec.to_builtins(views.table_info(room))
    assert client.room == told, (client.room, told)
    eye = SPECTATOR if client.seat is None else client.seat
    assert _timeless(client.view) == _timeless(views.view_of_table(room, eye, 0))


def _timeless(view: Mapping[str, Any] | None) -> dict[str, Any]:
    """A position without what its clocks show: that depends on when one looks."""
    return {key: value for key, value in (view or {}).items() if key != "clock"}
