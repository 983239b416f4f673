"""The database schema. `migrations/` upgrades older stores to it."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()

#: Players: their nickname, and the hash of the key that proves who they are.
players = Table(
    "players",
    metadata,
    Column("player", String(24), primary_key=True),
    Column("name", String(24), nullable=False),
    Column("key_hash", String(64), nullable=False),
    Column("made", BigInteger, nullable=False),
)

#: The index of tables, for queries over many of them; all else about a table is in its log.
rooms = Table(
    "rooms",
    metadata,
    Column("room", String(24), primary_key=True),
    Column("game", String(40), nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("stage", String(12), nullable=False),
    Column("changed", BigInteger, nullable=False),
    Index("rooms_by_stage", "stage", "changed"),
)

#: Who has a seat at which table.
seats = Table(
    "seats",
    metadata,
    Column("room", String(24), ForeignKey("rooms.room"), primary_key=True),
    Column("player", String(24), ForeignKey("players.player"), primary_key=True),
    Index("seats_by_player", "player"),
)

#: The logs: rows are only ever added. The primary key lets one of two processes win that write the
#: same number of the same table; `mark` is the idempotency key of the request.
log = Table(
    "log",
    metadata,
    Column("room", String(24), ForeignKey("rooms.room"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("mark", String(70)),
    Column("event", Text, nullable=False),
    UniqueConstraint("room", "mark", name="log_marks"),
)

#: The last heartbeat of each process, and the periods when none was running.
beats = Table(
    "beats",
    metadata,
    Column("process", String(24), primary_key=True),
    Column("at", BigInteger, nullable=False),
)
outages = Table(
    "outages",
    metadata,
    Column("since", BigInteger, primary_key=True),
    Column("until", BigInteger, nullable=False),
)
