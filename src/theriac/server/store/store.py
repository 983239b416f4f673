"""Where everything is kept: SQLite or PostgreSQL.

`append` returns when what it was given is on disk. What many tables append at about the same time
is written in one transaction, so that they share one wait for the disk.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg
from sqlalchemy import create_engine, delete, event, func, insert, select, tuple_, update
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from theriac.faults import Fault, quote
from theriac.server.store import events, schema
from theriac.server.store.writer import AsyncScribe, Scribe, ThreadScribe
from theriac.server.tables.table import Entry, Room

log = logging.getLogger(__name__)

#: How many appends are written in one transaction at most.
MOST_TOGETHER = 500
#: How many of those who waited for one go on at once.
AT_ONCE = 16
#: How long it is at least from one transaction to the next, in seconds: who comes after a pause
#: does not wait, and when there is much to write, more of it shares a transaction.
PAUSE = 0.02
#: How long SQLite waits for another process that writes, in seconds.
_SQLITE = {"timeout": 10}
#: How long the store may take before it counts as away, in seconds.
SLOW = 10.0
#: How a database fails. What PostgreSQL says to a new connection is not translated by SQLAlchemy.
FAILURES = (SQLAlchemyError, OSError, asyncpg.PostgresError, asyncpg.InterfaceError)


class Taken(Exception):
    """Somebody else has written this number of this log."""


class StoreFault(Fault):
    """What was to be kept could not be: nothing has changed, unless it says otherwise."""


@dataclass
class _Append:
    """Rows that are to be written together, or not at all, and who waits for it."""

    room: str
    rows: list[dict[str, Any]]
    notes: list[Any]
    done: asyncio.Future[None] = field(repr=False)
    since: float = field(default_factory=time.monotonic)


def database_url(given: str) -> URL:
    """Where a database is: the path of a file, or postgresql://…; raises `Fault`."""
    try:
        url = make_url(given) if "://" in given else URL.create("sqlite", database=given)
    except (SQLAlchemyError, ValueError):
        raise Fault("--database: this is no path, and no address such as postgresql://…") from None
    drivers = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg"}
    name = url.get_backend_name()
    if name not in drivers:
        raise Fault(f"--database: use a path or postgresql://…, not {quote(name)}://…")
    if name == "sqlite" and url.database in (None, "", ":memory:"):
        raise Fault("--database: a store without a file would be lost: give the path of one")
    return url.set(drivername=drivers[name])


def connect(url: URL) -> AsyncEngine:
    """An engine for a database; that of SQLite waits for the disk at every commit."""
    if url.get_backend_name() != "sqlite":
        return create_async_engine(url, pool_size=8, max_overflow=8, pool_pre_ping=True)
    engine = create_async_engine(url, connect_args=_SQLITE)
    event.listen(engine.sync_engine, "connect", _prepare)
    return engine


def _prepare(connection: Any, record: Any) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


def scribe_for(url: URL, engine: AsyncEngine) -> Scribe:
    """Who writes to a database."""
    if url.get_backend_name() != "sqlite":
        return AsyncScribe(engine)
    own = create_engine(url.set(drivername="sqlite"), connect_args=_SQLITE)
    event.listen(own, "connect", _prepare)
    return ThreadScribe(own)


class Store:
    """All tables, persons and logs."""

    def __init__(self, url: URL) -> None:
        if url.get_backend_name() == "sqlite" and url.database:
            Path(url.database).parent.mkdir(parents=True, exist_ok=True)
        self.url = url
        self.engine = connect(url)
        self._scribe = scribe_for(url, self.engine)
        self._waiting: list[_Append] = []
        self._wake = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None
        self._fault: StoreFault | None = None

    async def open(self) -> None:
        """Begin to write."""
        self._writer = asyncio.create_task(self._write_on())

    async def close(self) -> None:
        """Write what waits, and stop."""
        if self._writer:
            while self._waiting:
                await asyncio.sleep(0.01)
            self._writer.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._writer
        await self._scribe.stop()
        await self.engine.dispose()

    # The log

    async def append(self, room: str, entries: Sequence[Entry], notes: Sequence[Any] = ()) -> None:
        """Add to the log of a table, together with statements for the other tables.

        Raises `Taken` if one of the numbers is there already, `StoreFault` if it cannot be written.
        """
        rows = [
            {
                "room": room,
                "number": entry.number,
                "at": entry.at,
                "mark": entry.mark,
                "event": events.write(entry.event),
            }
            for entry in entries
        ]
        append = _Append(room, rows, list(notes), asyncio.get_running_loop().create_future())
        self._waiting.append(append)
        self._wake.set()
        await append.done

    async def _write_on(self) -> None:
        begun = 0.0
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._waiting:
                await asyncio.sleep(begun + PAUSE - time.monotonic())
                begun = time.monotonic()
                batch = self._waiting[:MOST_TOGETHER]
                try:
                    await self._write(batch)
                except IntegrityError:
                    for append in batch:
                        await self._write_alone(append)
                except Exception as error:  # whoever waits is told, whatever it is
                    if not isinstance(error, FAILURES):
                        log.error("the store failed in a way that is not known", exc_info=error)
                    self._fault = _store_fault(error)
                    for append in batch:
                        _fail(append, _store_fault(error))
                else:
                    _succeed_in_turns(batch)
                del self._waiting[: len(batch)]

    async def _write_alone(self, append: _Append) -> None:
        try:
            await self._write([append])
        except IntegrityError:
            _fail(append, Taken())
        except FAILURES as error:
            self._fault = _store_fault(error)
            _fail(append, _store_fault(error))
        else:
            _succeed(append)

    async def _write(self, batch: Sequence[_Append]) -> None:
        # Two processes that take the same locks must take them in the same order.
        ordered = sorted(batch, key=lambda append: append.room)
        notes = [note for append in ordered for note in append.notes]
        rows = [row for append in ordered for row in append.rows]
        await self._scribe.write(notes, rows)
        self._fault = None

    async def read_log(self, room: str, after: int = 0, until: int | None = None) -> list[Entry]:
        """The log of a table from after a number, as far as a moment."""
        log = schema.log.c
        query = select(log.number, log.at, log.event, log.mark).where(
            log.room == room, log.number > after
        )
        if until is not None:
            query = query.where(log.at <= until)
        async with self._reading() as connection:
            rows = (await connection.execute(query.order_by(log.number))).all()
        return [Entry(row.number, row.at, events.read(row.event), row.mark) for row in rows]

    async def ahead_of(self, versions: Mapping[str, int]) -> list[str]:
        """The tables whose logs go on after these versions."""
        log, found = schema.log.c, []
        following = [(room, version + 1) for room, version in versions.items()]
        for first in range(0, len(following), MOST_TOGETHER):
            part = following[first : first + MOST_TOGETHER]
            query = select(log.room).where(tuple_(log.room, log.number).in_(part))
            found += await self._names(query)
        return found

    @contextlib.asynccontextmanager
    async def _reading(self) -> AsyncIterator[AsyncConnection]:
        try:
            async with self.engine.connect() as connection:
                yield connection
        except FAILURES as error:
            raise _store_fault(error) from error

    async def _do(self, *statements: Any) -> None:
        """Write something beside the logs."""
        append = _Append("", [], list(statements), asyncio.get_running_loop().create_future())
        self._waiting.append(append)
        self._wake.set()
        await append.done

    # Persons

    async def add_player(self, player: str, name: str, key_hash: str, now: int) -> None:
        """Remember a person."""
        await self._do(
            insert(schema.players).values(player=player, name=name, key_hash=key_hash, made=now)
        )

    async def rename_player(self, player: str, name: str) -> None:
        """Remember another nickname."""
        await self._do(
            update(schema.players).where(schema.players.c.player == player).values(name=name)
        )

    async def find_player(self, player: str) -> tuple[str, str] | None:
        """The name of a person and the hash of the key."""
        known = schema.players.c
        query = select(known.name, known.key_hash).where(known.player == player)
        async with self._reading() as connection:
            row = (await connection.execute(query)).first()
        return None if row is None else (row.name, row.key_hash)

    # Tables

    async def lobby(self, most: int = 100) -> list[str]:
        """Tables that are listed and not over, the newest first."""
        rooms = schema.rooms.c
        query = (
            select(rooms.room)
            .where(rooms.listed, rooms.stage.in_(("gathering", "playing")))
            .order_by(rooms.changed.desc())
            .limit(most)
        )
        return await self._names(query)

    async def rooms_of(self, player: str, most: int = 100) -> list[str]:
        """The tables where a person has a seat, the newest first."""
        rooms, seats = schema.rooms.c, schema.seats.c
        query = (
            select(rooms.room)
            .join(schema.seats, seats.room == rooms.room)
            .where(seats.player == player, rooms.stage != "closed")
            .order_by(rooms.changed.desc())
            .limit(most)
        )
        return await self._names(query)

    async def unfinished(self, since: int) -> list[str]:
        """The tables where a game goes on and something has happened since."""
        rooms, log = schema.rooms.c, schema.log.c
        last = select(log.at).where(log.room == rooms.room).order_by(log.number.desc()).limit(1)
        return await self._names(
            select(rooms.room).where(rooms.stage == "playing", last.scalar_subquery() >= since)
        )

    async def count_rooms(self) -> dict[str, int]:
        """How many tables there are at each stage."""
        stage = schema.rooms.c.stage
        async with self._reading() as connection:
            rows = (await connection.execute(select(stage, func.count()).group_by(stage))).all()
        return {row[0]: row[1] for row in rows}

    async def _names(self, query: Any) -> list[str]:
        async with self._reading() as connection:
            return list((await connection.execute(query)).scalars())

    # Signs of life

    async def beat(self, process: str, now: int) -> None:
        """Say that a process is running."""
        beats = schema.beats
        await self._do(
            delete(beats).where(beats.c.process == process),
            insert(beats).values(process=process, at=now),
        )

    async def last_beat(self) -> int | None:
        """When a process was last known to run."""
        query = select(func.max(schema.beats.c.at))
        async with self._reading() as connection:
            last: int | None = (await connection.execute(query)).scalar()
        return last

    async def add_outage(self, since: int, until: int) -> None:
        """Remember that nothing was running."""
        await self._do(insert(schema.outages).values(since=since, until=until))

    async def outages(self) -> list[tuple[int, int]]:
        """When nothing was running."""
        query = select(schema.outages.c.since, schema.outages.c.until)
        async with self._reading() as connection:
            return [(row.since, row.until) for row in (await connection.execute(query)).all()]

    def check(self) -> None:
        """Could it write when it last had to? Raises `StoreFault`. Beats see to it that this is
        never long ago.
        """
        if self._fault is not None:
            raise StoreFault(str(self._fault))
        if self._waiting and (waited := time.monotonic() - self._waiting[0].since) > SLOW:
            raise StoreFault(f"the store has not answered for {waited:.0f} seconds")


def notes_for(room: Room, entry: Entry) -> list[Any]:
    """The statements that must be written with an event, beside the log."""
    event = entry.event
    if isinstance(event, events.Sat):
        return seat_taken(room.name, event.player)
    if isinstance(event, events.Stood):
        player = room.seats[event.seat].player
        return seat_left(room.name, player) if player else []
    stages = {events.Begun: "playing", events.Offered: "over", events.Closed: "closed"}
    stage = stages.get(type(event))
    return stage_changed(room.name, stage, entry.at) if stage else []


def room_opened(room: str, opened: events.Opened, now: int) -> list[Any]:
    """The statements for a new table."""
    values = {"room": room, "game": opened.game, "listed": opened.listed}
    return [insert(schema.rooms).values(**values, stage="gathering", changed=now)]


def stage_changed(room: str, stage: str, now: int) -> list[Any]:
    """The statements for a table that has come to another stage."""
    rooms = schema.rooms
    return [update(rooms).where(rooms.c.room == room).values(stage=stage, changed=now)]


def seat_taken(room: str, player: str) -> list[Any]:
    """The statements for a person who takes a seat."""
    return [*seat_left(room, player), insert(schema.seats).values(room=room, player=player)]


def seat_left(room: str, player: str) -> list[Any]:
    """The statements for a person who has no seat any more."""
    seats = schema.seats
    return [delete(seats).where(seats.c.room == room, seats.c.player == player)]


def _succeed(append: _Append) -> None:
    if not append.done.done():
        append.done.set_result(None)


def _succeed_in_turns(batch: Sequence[_Append]) -> None:
    """Let those go on who waited, a few at a time: everybody else has a turn in between."""
    for append in batch[:AT_ONCE]:
        _succeed(append)
    if len(batch) > AT_ONCE:
        asyncio.get_running_loop().call_soon(_succeed_in_turns, batch[AT_ONCE:])


def _fail(append: _Append, error: Exception) -> None:
    if not append.done.done():
        append.done.set_exception(error)


def _store_fault(error: Exception) -> StoreFault:
    """What a database says, in a sentence for people."""
    reason = reason_of(error)
    if "full" in reason.lower() or "no space" in reason.lower():
        return StoreFault("the disk of the server is full: nothing was done, try again later")
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return StoreFault(
            "the server has lost its store: whether this was done is not known, send it again"
        )
    return StoreFault(f"the server cannot write it down now: nothing was done ({reason})")


def reason_of(error: Exception) -> str:
    """Why a database failed, in its own words."""
    said = str(error.orig) if isinstance(error, DBAPIError) else str(error)
    return quote(said.splitlines()[0] if said else type(error).__name__, 80)
