"""The index: rows beside the logs that answer questions about many tables at once.

They are written in the same transaction as the events that change them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import delete, insert, update

from theriac.server.store import events, schema
from theriac.server.store.events import LogEntry

#: The stage that an event brings a table to.
_STAGE_AFTER: dict[type, str] = {
    events.Begun: "playing",
    events.Offered: "over",
    events.Closed: "closed",
}


def index_updates(table: str, entry: LogEntry, players: Sequence[str | None]) -> list[Any]:
    """The statements that keep the index in step with an event. `players` has the player of each
    seat before the event.
    """
    event = entry.event
    if isinstance(event, events.Sat):
        seat = insert(schema.seats).values(room=table, player=event.player)
        return [_remove_seat(table, event.player), seat]
    if isinstance(event, events.Stood | events.Removed):
        player = players[event.seat]
        return [_remove_seat(table, player)] if player else []
    stage = _STAGE_AFTER.get(type(event))
    if stage is None:
        return []
    rooms = schema.rooms
    return [update(rooms).where(rooms.c.room == table).values(stage=stage, changed=entry.at)]


def table_opened(table: str, opened: events.Opened, now: int) -> list[Any]:
    """The statements for a new table."""
    values = {
        "room": table,
        "game": opened.game,
        "listed": opened.listed,
        "opener": opened.by,
        "delay": opened.delay,
    }
    return [insert(schema.rooms).values(**values, stage="gathering", changed=now)]


def _remove_seat(table: str, player: str) -> Any:
    seats = schema.seats
    return delete(seats).where(seats.c.room == table, seats.c.player == player)
