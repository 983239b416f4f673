"""The database schema. `migrations/` upgrades older stores to it."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()

#: Players: their nickname, and the hash of the key that proves who they are. `seen` is the day when
#: they last showed the key; until when they are muted or banned.
players = Table(
    "players",
    metadata,
    Column("player", String(24), primary_key=True),
    Column("name", String(24), nullable=False),
    Column("key_hash", String(64), nullable=False),
    Column("made", BigInteger, nullable=False),
    Column("seen", BigInteger),
    Column("muted_until", BigInteger),
    Column("banned_until", BigInteger),
)

#: The index of tables, for queries over many of them; all else about a table is in its log.
#: `network` is the same for tables that were opened from the same network, and says nothing else
#: about it; only tables that are listed have it.
rooms = Table(
    "rooms",
    metadata,
    Column("room", String(24), primary_key=True),
    Column("game", String(40), nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("stage", String(12), nullable=False),
    Column("changed", BigInteger, nullable=False),
    Column("opener", String(24)),
    Column("delay", Integer, nullable=False, server_default="0"),
    Column("network", String(24)),
    Index("rooms_by_stage", "stage", "changed"),
    Index("rooms_by_opener", "opener"),
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
    # The rows are in the index of the key: one B-tree, and so the fewest pages to write.
    sqlite_with_rowid=False,
)

#: The finished games of all tables, as the lists of persons need them: the levels of the bots, the
#: scores and the winners as JSON. Names are those of `players`.
finished_games = Table(
    "finished_games",
    metadata,
    Column("room", String(24), ForeignKey("rooms.room"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("game", String(40), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("bots", Text, nullable=False),
    Column("scores", Text, nullable=False),
    Column("winners", Text, nullable=False),
)

#: Who had a seat when such a game ended.
finished_seats = Table(
    "finished_seats",
    metadata,
    Column("room", String(24), ForeignKey("rooms.room"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("player", String(24), ForeignKey("players.player"), nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("finished_seats_by_player", "player", "at"),
)

#: The tables that were opened with the deal of a finished game, and the seed of that deal.
known_deals = Table(
    "known_deals",
    metadata,
    Column("room", String(24), ForeignKey("rooms.room"), primary_key=True),
    Column("seed", String(64), nullable=False),
    Index("known_deals_by_seed", "seed"),
)

#: Reviews of finished games, as compressed JSON, and the version of the method that made them.
#: Until a review is done, `process` is working on it.
reviews = Table(
    "reviews",
    metadata,
    Column("room", String(24), ForeignKey("rooms.room"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("method", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("process", String(24)),
    Column("review", LargeBinary),
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

#: The audit log: what operators have done, and what people have done to their own data. Every
#: process follows it, and forgets what it had in memory about the person or the table.
actions = Table(
    "actions",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("at", BigInteger, nullable=False),
    Column("by", String(40), nullable=False),
    Column("action", String(20), nullable=False),
    Column("person", String(24)),
    Column("room", String(24)),
    Column("details", Text, nullable=False),
)

#: What players have reported, each with a copy of what they saw.
reports = Table(
    "reports",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("at", BigInteger, nullable=False),
    Column("reporter", String(24), nullable=False),
    Column("room", String(24), nullable=False),
    Column("person", String(24)),
    Column("why", Text, nullable=False),
    Column("copy", Text, nullable=False),
    Column("closed", BigInteger),
)

#: Addresses and networks whose requests are refused. The audit log has the id of a ban and not its
#: address, so that nothing is left of the address when the ban has ended and its row is deleted.
address_bans = Table(
    "address_bans",
    metadata,
    Column("ban", String(24), primary_key=True),
    Column("network", String(50), nullable=False),
    Column("since", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),
    UniqueConstraint("network", name="address_bans_networks"),
)
