"""The index: rows beside the logs that answer questions about many tables at once.

They are written in the same transaction as the events that change them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import delete, insert, update

from theriac.server.store import events, schema
from theriac.server.store.events import LogEntry

#: The stage that an event brings a table to.
_STAGE_AFTER: dict[type, str] = {
    events.Begun: "playing",
    events.Offered: "over",
    events.Closed: "closed",
}


class FinishedGame(NamedTuple):
    """A finished game: its number at its table, and for each seat the bot's level, the person and
    the score.
    """

    number: int
    game: str
    bots: list[str | None]
    players: list[str | None]
    scores: list[int | None]
    winners: list[int]


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


def table_opened(
    table: str, opened: events.Opened, now: int, network: str | None = None
) -> list[Any]:
    """The statements for a new table, and the tag of the network that it was opened from."""
    values = {
        "room": table,
        "game": opened.game,
        "listed": opened.listed,
        "opener": opened.by,
        "delay": opened.delay,
        "network": network if opened.listed else None,
    }
    room = insert(schema.rooms).values(**values, stage="gathering", changed=now)
    if opened.known_deal is None:
        return [room]
    return [room, insert(schema.known_deals).values(room=table, seed=opened.known_deal.seed)]


def game_finished(table: str, at: int, game: FinishedGame) -> list[Any]:
    """The statements for a game that has ended."""
    key = {"room": table, "number": game.number, "at": at}
    row = {
        "game": game.game,
        "bots": json.dumps(game.bots),
        "scores": json.dumps(game.scores),
        "winners": json.dumps(game.winners),
    }
    seats = [
        insert(schema.finished_seats).values(**key, seat=seat, player=player)
        for seat, player in enumerate(game.players)
        if player is not None
    ]
    return [insert(schema.finished_games).values(**key, **row), *seats]


def _remove_seat(table: str, player: str) -> Any:
    seats = schema.seats
    return delete(seats).where(seats.c.room == table, seats.c.player == player)
