"""The store: logs, players and the index of tables, in SQLite or PostgreSQL.

In the database a table is called `room`, and the idempotency key of a request `mark`: stored names
stay as they are.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import and_, delete, func, insert, literal, select, tuple_, update
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

#: The most tables in a page of the lobby, and of one person in the whole lobby; and how many tables
#: of one network may be among the first: further ones come after those of all others.
LOBBY_PAGE = 50
LISTED_PER_PERSON = 3
FIRST_PER_NETWORK = 6
#: The most games in a page of those that a person has finished.
GAMES_PAGE = 50
#: The most tables in one query.
MAX_TABLES_PER_QUERY = 500


class PlayerRow(NamedTuple):
    """A player: nickname, hash of the key, last seen, and until when muted or banned."""

    name: str
    key_hash: str
    seen: int | None = None
    muted_until: int | None = None
    banned_until: int | None = None


class FinishedGameRow(NamedTuple):
    """A finished game of a player. `bots` has the level of each seat's bot, `names` the people by
    seat.
    """

    table: str
    number: int
    game: str
    at: int
    seat: int
    bots: list[str | None]
    names: dict[int, str]
    scores: list[int | None]
    winners: list[int]
    #: With which version of the method it was reviewed.
    review_method: int | None = None


class ReviewRow(NamedTuple):
    """A review of a finished game, or the process that is working on it."""

    method: int
    process: str | None
    review: bytes | None


class Store:
    """All tables and players."""

    def __init__(self, url: URL) -> None:
        if is_sqlite(url) and url.database:
            Path(url.database).parent.mkdir(parents=True, exist_ok=True)
        self.engine = connect(url)
        self.writer = BatchWriter(transactions_for(url, self.engine))

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

    async def write(self, *statements: Any) -> None:
        """Execute statements in one transaction; raises `StoreFault`."""
        await self.writer.write("", [], statements)

    async def fetch(self, query: Any) -> list[Any]:
        """The rows of a query; raises `StoreFault`."""
        async with self._reading() as connection:
            return list((await connection.execute(query)).all())

    # Logs

    def append(
        self, table: str, entries: Sequence[LogEntry], index_updates: Sequence[Any] = ()
    ) -> Awaitable[None]:
        """Add entries to the log of a table. What it returns is done when they are on disk.

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
        return self.writer.write(table, rows, index_updates)

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
        await self.write(
            insert(schema.players).values(player=player, name=name, key_hash=key_hash, made=now)
        )

    async def rename_player(self, player: str, name: str) -> None:
        """Give a player another nickname."""
        await self.write(
            update(schema.players).where(schema.players.c.player == player).values(name=name)
        )

    async def find_player(self, player: str) -> PlayerRow | None:
        """What is stored about a player."""
        players = schema.players.c
        query = select(
            players.name,
            players.key_hash,
            players.seen,
            players.muted_until,
            players.banned_until,
        ).where(players.player == player)
        rows = await self.fetch(query)
        return PlayerRow(*rows[0]) if rows else None

    async def note_seen(self, player: str, now: int) -> None:
        """Note when a player last showed the key."""
        await self.write(
            update(schema.players).where(schema.players.c.player == player).values(seen=now)
        )

    # The index of tables

    async def listed_tables(self, now: int, skip: int = 0) -> list[str]:
        """A page of the lobby: tables that are not over, newest first, a few of each person. Where
        one network has many, only some of them come before those of others.

        A table with a delay stays until spectators see that it is over.
        """
        rooms = schema.rooms.c
        open_now = rooms.stage.in_(("gathering", "playing"))
        # With `changed` on the left it is a sum of 64 bits; `now - 1000 * delay` would have 32.
        open_for_spectators = rooms.changed + 1000 * rooms.delay > now
        person = func.coalesce(rooms.opener, rooms.room)
        listed = (
            select(schema.rooms, _newest_of(person, rooms.changed))
            .where(rooms.listed, open_now | open_for_spectators)
            .subquery()
            .c
        )
        network = func.coalesce(listed.network, listed.opener, listed.room)
        shown = (
            select(listed.room, listed.changed, _newest_of(network, listed.changed))
            .where(listed.place <= LISTED_PER_PERSON)
            .subquery()
            .c
        )
        first_of_network = shown.place <= FIRST_PER_NETWORK
        query = (
            select(shown.room)
            .order_by(first_of_network.desc(), shown.changed.desc(), shown.room)
            .offset(skip)
            .limit(LOBBY_PAGE)
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

    async def games_of(
        self, player: str, skip: int = 0, game: str | None = None
    ) -> list[FinishedGameRow]:
        """A page of the games that a player has finished, newest first."""
        games, seats = schema.finished_games.c, schema.finished_seats.c
        same = and_(games.room == seats.room, games.number == seats.number)
        query = select(schema.finished_games, seats.seat, _review_method()).join(
            schema.finished_seats, same
        )
        query = query.where(seats.player == player)
        if game is not None:
            query = query.where(games.game == game)
        newest_first = query.order_by(seats.at.desc(), seats.room, seats.number.desc())
        rows = await self.fetch(newest_first.offset(skip).limit(GAMES_PAGE))
        names = await self._names_in([(row.room, row.number) for row in rows])
        return [
            FinishedGameRow(
                table=row.room,
                number=row.number,
                game=row.game,
                at=row.at,
                seat=row.seat,
                bots=json.loads(row.bots),
                names=names.get((row.room, row.number), {}),
                scores=json.loads(row.scores),
                winners=json.loads(row.winners),
                review_method=row.review_method,
            )
            for row in rows
        ]

    async def _names_in(
        self, games: Sequence[tuple[str, int]]
    ) -> dict[tuple[str, int], dict[int, str]]:
        """The names of the people in each of these games, by seat."""
        seats, players = schema.finished_seats.c, schema.players.c
        query = (
            select(seats.room, seats.number, seats.seat, players.name)
            .join(schema.players, players.player == seats.player)
            .where(tuple_(seats.room, seats.number).in_(games))
        )
        names: dict[tuple[str, int], dict[int, str]] = {}
        for row in await self.fetch(query):
            names.setdefault((row.room, row.number), {})[row.seat] = row.name
        return names

    async def unfinished_tables(self, since: int) -> list[str]:
        """The tables with a game in play and an event since a moment."""
        rooms, log = schema.rooms.c, schema.log.c
        last = select(log.at).where(log.room == rooms.room).order_by(log.number.desc()).limit(1)
        return await self._names(
            select(rooms.room).where(rooms.stage == "playing", last.scalar_subquery() >= since)
        )

    async def count_open_tables(self, opener: str, since: int) -> int:
        """How many tables a player has opened since a moment whose game is not over."""
        rooms = schema.rooms.c
        query = select(func.count()).where(
            rooms.opener == opener,
            rooms.stage.in_(("gathering", "playing")),
            rooms.changed >= since,
        )
        count: int = (await self.fetch(query))[0][0]
        return count

    async def count_tables(self) -> dict[str, int]:
        """The number of tables at each stage."""
        stage = schema.rooms.c.stage
        async with self._reading() as connection:
            rows = (await connection.execute(select(stage, func.count()).group_by(stage))).all()
        return {row[0]: row[1] for row in rows}

    async def _names(self, query: Any) -> list[str]:
        async with self._reading() as connection:
            return list((await connection.execute(query)).scalars())

    async def tables_with_deal(self, seed: str) -> list[str]:
        """The tables where several people play, and that have the deal of a finished game."""
        rooms, deals, seats = schema.rooms.c, schema.known_deals.c, schema.seats.c
        people = select(func.count()).where(seats.room == rooms.room).scalar_subquery()
        query = select(rooms.room).join(schema.known_deals, deals.room == rooms.room)
        return await self._names(
            query.where(rooms.stage == "playing", deals.seed == seed, people > 1)
        )

    # Reviews

    async def find_review(self, table: str, number: int) -> ReviewRow | None:
        """The review of a finished game, done or under way."""
        reviews = schema.reviews.c
        query = select(reviews.method, reviews.process, reviews.review)
        rows = await self.fetch(query.where(reviews.room == table, reviews.number == number))
        return ReviewRow(*rows[0]) if rows else None

    async def put_review(self, table: str, number: int, now: int, row: ReviewRow) -> None:
        """Store a review or that a process works on it; nothing if the table was deleted.

        Raises `VersionTaken` if another process does the same at the same time.
        """
        reviews, rooms = schema.reviews, schema.rooms.c
        values = {"room": table, "number": number, "at": now, **row._asdict()}
        columns = [literal(value, reviews.c[name].type) for name, value in values.items()]
        await self.write(
            delete(reviews).where(reviews.c.room == table, reviews.c.number == number),
            insert(reviews).from_select(list(values), select(*columns).where(rooms.room == table)),
        )

    async def forget_review(self, table: str, number: int, process: str) -> None:
        """Note that a process does not work on a review any more."""
        reviews = schema.reviews
        key = (reviews.c.room == table, reviews.c.number == number)
        await self.write(delete(reviews).where(*key, reviews.c.process == process))

    # Heartbeats and downtime

    async def heartbeat(self, process: str, now: int) -> None:
        """Note that a process is running."""
        beats = schema.beats
        await self.write(
            delete(beats).where(beats.c.process == process),
            insert(beats).values(process=process, at=now),
        )

    async def last_heartbeat(self) -> int | None:
        """When a process was last known to run."""
        query = select(func.max(schema.beats.c.at))
        async with self._reading() as connection:
            last: int | None = (await connection.execute(query)).scalar()
        return last

    async def running_processes(self, since: int) -> set[str]:
        """The processes with a heartbeat since a moment."""
        beats = schema.beats.c
        return set(await self._names(select(beats.process).where(beats.at >= since)))

    async def add_downtime(self, since: int, until: int) -> None:
        """Note that no process was running."""
        await self.write(insert(schema.outages).values(since=since, until=until))

    async def downtime(self) -> list[tuple[int, int]]:
        """The periods when no process was running."""
        query = select(schema.outages.c.since, schema.outages.c.until)
        async with self._reading() as connection:
            return [(row.since, row.until) for row in (await connection.execute(query)).all()]


def _newest_of(group: Any, changed: Any) -> Any:
    """The place of a row among those of its group, from 1 for the newest, as a column."""
    return func.row_number().over(partition_by=group, order_by=changed.desc()).label("place")


def _review_method() -> Any:
    """The version of the method with which a finished game was reviewed, as a column."""
    games, reviews = schema.finished_games.c, schema.reviews.c
    method = select(reviews.method).where(
        reviews.room == games.room, reviews.number == games.number, reviews.review.is_not(None)
    )
    return method.correlate(schema.finished_games).scalar_subquery().label("review_method")
