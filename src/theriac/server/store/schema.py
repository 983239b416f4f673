"""The tables of the store. `migrations/` brings older stores to this form."""

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

#: Persons: what they call themselves, and the hash of the key that proves who they are.
players = Table(
    "players",
    metadata,
    Column("player", String(24), primary_key=True),
    Column("name", String(24), nullable=False),
    Column("key_hash", String(64), nullable=False),
    Column("made", BigInteger, nullable=False),
)

#: Tables, with what is asked of many at once; all else of a table is in its log.
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

#: Who has a seat where.
seats = Table(
    "seats",
    metadata,
    Column("room", String(24), ForeignKey("rooms.room"), primary_key=True),
    Column("player", String(24), ForeignKey("players.player"), primary_key=True),
    Index("seats_by_player", "player"),
)

#: What has happened: rows are only ever added. Of two that would be the same number of the same
#: table, one is refused.
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

#: The last sign of life of each process, and when none was running.
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
