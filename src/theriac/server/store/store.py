"""The store: logs, players and the index of tables, in SQLite or PostgreSQL.

In the database a table is called `room`, and the idempotency key of a request `mark`: stored names
stay as they are.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import delete, func, insert, select, tuple_, update
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncConnection

from theriac.server.store import schema
from theriac.server.store.database import (
    DATABASE_ERRORS,
    StoreFault,
    connect,
    is_sqlite,
    store_fault,
    transactions_for,
)
from theriac.server.store.events import LogEntry, decode_event, encode_event
from theriac.server.store.writer import BatchWriter, VersionTaken

__all__ = ["Store", "StoreFault", "VersionTaken"]

#: The most tables in one query.
MAX_TABLES_PER_QUERY = 500


class Store:
    """All tables and players."""

    def __init__(self, url: URL) -> None:
        if is_sqlite(url) and url.database:
            Path(url.database).parent.mkdir(parents=True, exist_ok=True)
        self.engine = connect(url)
        self.writer = BatchWriter(transactions_for(url, self.engine))

    async def open(self) -> None:
        """Start writing."""
        self.writer.start()

    async def close(self) -> None:
        """Write what is pending, and disconnect."""
        await self.writer.close()
        await self.engine.dispose()

    def check(self) -> None:
        """Raise `StoreFault` if the last write failed or a pending one takes too long.

        Heartbeats write every few seconds, so the result is current.
        """
        self.writer.check()

    @contextlib.asynccontextmanager
    async def _reading(self) -> AsyncIterator[AsyncConnection]:
        try:
            async with self.engine.connect() as connection:
                yield connection
        except DATABASE_ERRORS as error:
            raise store_fault(error) from error

    async def _execute(self, *statements: Any) -> None:
        """Write to a table of the database other than the log."""
        await self.writer.write("", [], statements)

    # Logs

    async def append(
        self, table: str, entries: Sequence[LogEntry], index_updates: Sequence[Any] = ()
    ) -> None:
        """Add entries to the log of a table. Returns when they are on disk.

        Raises `VersionTaken` if one of the numbers exists, `StoreFault` if the store fails.
        """
        rows = [
            {
                "room": table,
                "number": entry.number,
                "at": entry.at,
                "mark": entry.idempotency_key,
                "event": encode_event(entry.event),
            }
            for entry in entries
        ]
        await self.writer.write(table, rows, index_updates)

    async def read_log(
        self, table: str, after: int = 0, until: int | None = None
    ) -> list[LogEntry]:
        """The log of a table after a version, up to a moment."""
        log = schema.log.c
        query = select(log.number, log.at, log.event, log.mark).where(
            log.room == table, log.number > after
        )
        if until is not None:
            query = query.where(log.at <= until)
        async with self._reading() as connection:
            rows = (await connection.execute(query.order_by(log.number))).all()
        return [LogEntry(row.number, row.at, decode_event(row.event), row.mark) for row in rows]

    async def tables_ahead_of(self, versions: Mapping[str, int]) -> list[str]:
        """The tables whose logs have entries after these versions."""
        log, ahead = schema.log.c, []
        following = [(table, version + 1) for table, version in versions.items()]
        for first in range(0, len(following), MAX_TABLES_PER_QUERY):
            part = following[first : first + MAX_TABLES_PER_QUERY]
            query = select(log.room).where(tuple_(log.room, log.number).in_(part))
            ahead += await self._names(query)
        return ahead

    # Players

    async def add_player(self, player: str, name: str, key_hash: str, now: int) -> None:
        """Add a player."""
        await self._execute(
            insert(schema.players).values(player=player, name=name, key_hash=key_hash, made=now)
        )

    async def rename_player(self, player: str, name: str) -> None:
        """Give a player another nickname."""
        await self._execute(
            update(schema.players).where(schema.players.c.player == player).values(name=name)
        )

    async def find_player(self, player: str) -> tuple[str, str] | None:
        """The nickname of a player and the hash of the key."""
        players = schema.players.c
        query = select(players.name, players.key_hash).where(players.player == player)
        async with self._reading() as connection:
            row = (await connection.execute(query)).first()
        return None if row is None else (row.name, row.key_hash)

    # The index of tables

    async def listed_tables(self, limit: int = 100) -> list[str]:
        """Tables in the lobby that are not over, newest first."""
        rooms = schema.rooms.c
        query = (
            select(rooms.room)
            .where(rooms.listed, rooms.stage.in_(("gathering", "playing")))
            .order_by(rooms.changed.desc())
            .limit(limit)
        )
        return await self._names(query)

    async def tables_of(self, player: str, limit: int = 100) -> list[str]:
        """The tables where a player has a seat, newest first."""
        rooms, seats = schema.rooms.c, schema.seats.c
        query = (
            select(rooms.room)
            .join(schema.seats, seats.room == rooms.room)
            .where(seats.player == player, rooms.stage != "closed")
            .order_by(rooms.changed.desc())
            .limit(limit)
        )
        return await self._names(query)

    async def unfinished_tables(self, since: int) -> list[str]:
        """The tables with a game in play and an event since a moment."""
        rooms, log = schema.rooms.c, schema.log.c
        last = select(log.at).where(log.room == rooms.room).order_by(log.number.desc()).limit(1)
        return await self._names(
            select(rooms.room).where(rooms.stage == "playing", last.scalar_subquery() >= since)
        )

    async def count_tables(self) -> dict[str, int]:
        """The number of tables at each stage."""
        stage = schema.rooms.c.stage
        async with self._reading() as connection:
            rows = (await connection.execute(select(stage, func.count()).group_by(stage))).all()
        return {row[0]: row[1] for row in rows}

    async def _names(self, query: Any) -> list[str]:
        async with self._reading() as connection:
            return list((await connection.execute(query)).scalars())

    # Heartbeats and downtime

    async def heartbeat(self, process: str, now: int) -> None:
        """Note that a process is running."""
        beats = schema.beats
        await self._execute(
            delete(beats).where(beats.c.process == process),
            insert(beats).values(process=process, at=now),
        )

    async def last_heartbeat(self) -> int | None:
        """When a process was last known to run."""
        query = select(func.max(schema.beats.c.at))
        async with self._reading() as connection:
            last: int | None = (await connection.execute(query)).scalar()
        return last

    async def add_downtime(self, since: int, until: int) -> None:
        """Note that no process was running."""
        await self._execute(insert(schema.outages).values(since=since, until=until))

    async def downtime(self) -> list[tuple[int, int]]:
        """The periods when no process was running."""
        query = select(schema.outages.c.since, schema.outages.c.until)
        async with self._reading() as connection:
            return [(row.since, row.until) for row in (await connection.execute(query)).all()]
