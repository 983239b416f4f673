"""The checks after every fault: the store agrees with what the clients sent and received.

The store is read with SQL written here. Only the replay of a log uses the server's code, which
checks every move by the rules again.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from tests.faults.client import SIGNALS, Client
from tests.faults.random_players import PlayedTable
from theriac import seal
from theriac.engine.contract import SPECTATOR
from theriac.server.store import events
from theriac.server.store.database import database_url
from theriac.server.store.events import LogEntry
from theriac.server.tables import views
from theriac.server.tables.downtime import Downtime
from theriac.server.tables.table import Table
from theriac.verification import verify


class Row(NamedTuple):
    """A row of the log as it is stored."""

    table: str
    number: int
    at: int
    mark: str | None
    event: dict[str, Any]


class StoreContents(NamedTuple):
    """Everything that a store holds about its tables."""

    logs: dict[str, list[Row]]
    stages: dict[str, str]
    seats: dict[str, set[str]]


async def read_store(database: str) -> StoreContents:
    """Read everything that is on disk."""
    engine = create_async_engine(database_url(database))
    async with engine.connect() as connection:
        query = text("SELECT room, number, at, mark, event FROM log ORDER BY room, number")
        rows = (await connection.execute(query)).all()
        stages = (await connection.execute(text("SELECT room, stage FROM rooms"))).all()
        taken = (await connection.execute(text("SELECT room, player FROM seats"))).all()
    await engine.dispose()
    logs: dict[str, list[Row]] = {table: [] for table, _ in stages}
    for table, number, at, mark, event in rows:
        logs[table].append(Row(table, number, at, mark, json.loads(event)))
    seats: dict[str, set[str]] = {table: set() for table, _ in stages}
    for table, player in taken:
        seats[table].add(player)
    return StoreContents(logs, {table: stage for table, stage in stages}, seats)  # noqa: C416


def check_all(tables: Sequence[PlayedTable], contents: StoreContents) -> Counter[str]:
    """Check every guarantee against the store; counts of what was checked."""
    counts: Counter[str] = Counter()
    for played in tables:
        rows = contents.logs[played.name]
        table = rebuild(played.name, rows)
        between = "gathering" if table.match is None else "over"
        stage = between if table.stage == "sealing" else table.stage
        assert contents.stages[played.name] == stage, "a sealed deal is not yet a game"
        assert contents.seats[played.name] == {seat.player for seat in table.seats if seat.player}
        for finished in table.finished:
            verify(finished)
        for client in played.clients:
            assert client.faults == []
            check_replies(client, rows)
            check_received(client, rows, table)
            check_table(client, table)
            counts["acknowledged"] += len(client.acknowledged)
            requests = (client.requests[name] for name in client.acknowledged)
            counts["acknowledged moves"] += sum(request["do"] == "move" for request in requests)
            counts["refused"] += len(client.refused)
            counts["received"] += len(client.received)
            counts["connections"] += client.connections
            counts["sent again"] += client.resent
            counts["not stored"] += len(client.not_stored)
        counts["events"] += len(rows)
        counts["moves"] += sum(row.event["kind"] == "moved" for row in rows)
        counts["moves of bots"] += sum("bot" in row.event for row in rows)
        counts["games"] += len(table.finished)
    return counts


def rebuild(name: str, rows: Sequence[Row]) -> Table:
    """Replay a log: numbers have no gaps, and every move is legal and in turn."""
    assert [row.number for row in rows] == list(range(1, len(rows) + 1))
    table = Table(name, Downtime())
    for row in rows:
        event = events.decode_event(json.dumps(row.event))
        if isinstance(event, events.Moved):
            check_turn(table, event)
        table.apply(LogEntry(row.number, row.at, event, row.mark))
    return table


def check_turn(table: Table, event: events.Moved) -> None:
    """A bot moves once per turn, at its own seat; so does a player, except for moves that may be
    made out of turn.
    """
    if event.bot is not None:
        assert table.bot_to_act == (event.seat, event.bot)
    elif event.seat is not None:
        assert table.current_match.may_act(event.seat, event.move)


def check_replies(client: Client, rows: Sequence[Row]) -> None:
    """An acknowledged request is in the log once, under the version of its reply; a refused one is
    not, however often it was sent.
    """
    marks = {row.mark: row for row in rows if row.mark is not None}
    assert len(marks) == sum(row.mark is not None for row in rows)
    for name, version in client.acknowledged.items():
        row = marks[f"{client.player_id}:{name}"]
        assert row.number == version, (client.requests[name], row)
        assert _leads_to(client.requests[name], row.event), (client.requests[name], row)
    for name in client.refused:
        assert f"{client.player_id}:{name}" not in marks, (
            client.requests[name],
            client.refused[name],
        )
    unanswered = set(client.requests) - set(client.acknowledged) - set(client.refused)
    assert all(client.requests[name]["do"] in SIGNALS for name in unanswered)


def _leads_to(request: dict[str, Any], event: dict[str, Any]) -> bool:
    """Is this the first event that the request leads to?"""
    kind: str = event["kind"]
    match request:
        case {"do": "sit"}:
            return kind in ("sat", "stood")
        case {"do": "stand"}:
            return kind in ("stood", "called_off")
        case {"do": "reveal"}:
            return kind == "revealed"
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
    raise AssertionError(f"no client sends this: {request}")


def check_received(client: Client, rows: Sequence[Row], table: Table) -> None:
    """A client received every version, and each event exactly as it is on disk."""
    assert sorted(client.received) == list(range(1, client.version + 1))
    for version, received in client.received.items():
        row = rows[version - 1]
        assert received["at"] == row.at, (received, row)
        assert received["event"] in _allowed_events(row, table), (received, row)


def _allowed_events(row: Row, table: Table) -> list[dict[str, Any]]:
    """How an event may be sent: a move as its player knows it, or as others see it."""
    hidden = {"by", "player", "nonce", "secret", "seed"}
    if row.event["kind"] in ("sat", "readied"):
        hidden.add("commitment")
    event_sent = {k: v for k, v in row.event.items() if k not in hidden}
    if row.event["kind"] in ("opened", "offered", "called_off"):
        event_sent["commitment"] = seal.commitment(bytes.fromhex(row.event["secret"]))
    if row.event["kind"] == "moved":
        return [
            event_sent,
            {**event_sent, "move": views.public_move(table.current_match, event_sent["move"])},
        ]
    return [event_sent]


def check_table(client: Client, table: Table) -> None:
    """At the end a client has the same table as the log, seen from its viewpoint."""
    assert client.version == table.version
    assert client.seat == table.seat_of(client.player_id)
    info = msgspec.to_builtins(views.table_info(table))
    assert client.table_info == info, (client.table_info, info)
    viewpoint = SPECTATOR if client.seat is None else client.seat
    assert _without_clock(client.view) == _without_clock(views.view_of_table(table, viewpoint, 0))


def _without_clock(view: Mapping[str, Any] | None) -> dict[str, Any]:
    """A view without its clocks, which depend on the time of day."""
    return {key: value for key, value in (view or {}).items() if key != "clock"}
