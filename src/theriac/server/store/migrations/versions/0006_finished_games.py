"""The finished games of each person, so that a list of them reads no logs."""

from __future__ import annotations

import functools
import json
import logging
from typing import Any

import sqlalchemy as sa
from alembic import op

from theriac.engine.rule import Speed
from theriac.faults import Fault
from theriac.game import find
from theriac.server.store.events import LogEntry, Offered, decode_event
from theriac.server.store.index import FinishedGame
from theriac.server.tables.downtime import Downtime
from theriac.server.tables.finished import finished_game
from theriac.server.tables.rule_loader import load_rules
from theriac.server.tables.table import Table

revision = "0006"
down_revision = "0005"

log = logging.getLogger(__name__)


def upgrade() -> None:
    """Add the tables, and fill them from the logs."""
    games = op.create_table(
        "finished_games",
        sa.Column("room", sa.String(24), sa.ForeignKey("rooms.room"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("bots", sa.Text, nullable=False),
        sa.Column("scores", sa.Text, nullable=False),
        sa.Column("winners", sa.Text, nullable=False),
    )
    seats = op.create_table(
        "finished_seats",
        sa.Column("room", sa.String(24), sa.ForeignKey("rooms.room"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("player", sa.String(24), sa.ForeignKey("players.player"), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_index("finished_seats_by_player", "finished_seats", ["player", "at"])
    _fill(op.get_bind(), games, seats)


def downgrade() -> None:
    """Drop them again: the logs have what they held."""
    op.drop_table("finished_seats")
    op.drop_table("finished_games")


def _fill(connection: sa.Connection, games: sa.Table, seats: sa.Table) -> None:
    """Replay the log of every table where a game has ended."""
    rows = sa.table("log", *map(sa.column, ("room", "number", "at", "event")))
    players = set(connection.execute(sa.text("SELECT player FROM players")).scalars())
    ended = sa.select(rows.c.room).where(rows.c.event.contains('"kind":"offered"')).distinct()
    for room in list(connection.execute(ended).scalars()):
        query = sa.select(rows).where(rows.c.room == room).order_by(rows.c.number)
        for at, game in _games_of(room, list(connection.execute(query))):
            key = {"room": room, "number": game.number, "at": at}
            texts = {
                name: json.dumps(getattr(game, name)) for name in ("bots", "scores", "winners")
            }
            connection.execute(sa.insert(games).values(**key, game=game.game, **texts))
            for seat, player in enumerate(game.players):
                if player in players:  # a deleted person has no row there
                    connection.execute(sa.insert(seats).values(**key, seat=seat, player=player))


@functools.cache
def _speed_of(game: str) -> Speed:
    return load_rules(find(game))


def _games_of(room: str, rows: list[Any]) -> list[tuple[int, FinishedGame]]:
    """When each game of a table ended, and what the index keeps of it."""
    try:
        speed = _speed_of(json.loads(rows[0].event)["game"])
    except Fault as fault:  # a game whose package is not installed any more
        log.warning("the finished games of table %s are not listed: %s", room, fault)
        return []
    table, found = Table(room, Downtime(()), speed), []
    for row in rows:
        event = decode_event(row.event)
        if isinstance(event, Offered):
            found.append((row.at, finished_game(table)))
        table.apply(LogEntry(row.number, row.at, event))
    return found
