"""Tables: list, close, delete; remove people from their seats; announce."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import delete, func, select

from theriac.faults import Fault, quote
from theriac.server.admin.people import find_person
from theriac.server.store import events, schema
from theriac.server.store.audit import action_row
from theriac.server.store.events import LogEntry, now_ms
from theriac.server.store.index import index_updates
from theriac.server.store.store import Store, VersionTaken
from theriac.server.typed_text import clean_line

#: The longest announcement, in characters.
MAX_ANNOUNCEMENT = 300
#: How often an event is written again when a server writes first.
ATTEMPTS = 20

#: From the log and the players of the seats to the events to add.
Decide = Callable[[Sequence[LogEntry], Sequence[str | None]], list[events.AnyEvent]]


class TableRow(NamedTuple):
    """A table as an operator sees it. `changed` is in milliseconds since 1970."""

    table: str
    game: str
    stage: str
    listed: bool
    opener: str | None
    changed: int
    people: int
    events: int


async def list_tables(store: Store, stage: str = "", limit: int = 100) -> list[TableRow]:
    """The tables that changed last, of one stage or all."""
    rooms = schema.rooms.c
    query = _tables().order_by(rooms.changed.desc()).limit(limit)
    return [
        TableRow(*row)
        for row in await store.fetch(query.where(rooms.stage == stage) if stage else query)
    ]


async def find_table(store: Store, table: str) -> TableRow:
    """A table by name; raises `Fault`."""
    rows = await store.fetch(_tables().where(schema.rooms.c.room == table))
    if not rows:
        raise Fault(f"there is no table {quote(table)}: theriac admin tables lists them")
    return TableRow(*rows[0])


def _tables() -> Any:
    rooms, seats, log = schema.rooms.c, schema.seats.c, schema.log.c
    people = select(func.count()).where(seats.room == rooms.room)
    count = select(func.count()).where(log.room == rooms.room)
    return select(
        rooms.room,
        rooms.game,
        rooms.stage,
        rooms.listed,
        rooms.opener,
        rooms.changed,
        people.scalar_subquery(),
        count.scalar_subquery(),
    )


async def close_table(store: Store, by: str, table: str) -> None:
    """Close a table for good; its finished games stay."""
    if (await find_table(store, table)).stage == "closed":
        raise Fault(f"table {quote(table)} is closed already")
    await append(store, table, lambda log, seats: [events.Closed()])
    await store.write(action_row(by, "close table", table=table, read=[table]))


async def delete_table(store: Store, by: str, table: str) -> None:
    """Delete a table with its log and its games."""
    await find_table(store, table)
    await store.write(
        *deletions(table), action_row(by, "delete table", table=table, reload=[table])
    )


def deletions(table: str) -> list[Any]:
    """The statements that delete a table."""
    return [
        delete(part).where(part.c.room == table)
        for part in (
            schema.reviews,
            schema.known_deals,
            schema.finished_seats,
            schema.finished_games,
            schema.log,
            schema.seats,
            schema.rooms,
        )
    ]


async def kick(store: Store, by: str, person: str, table: str | None = None) -> list[str]:
    """Remove a person from a table, or from all: a bot plays on where a game is in play."""
    await find_person(store, person)
    seats = schema.seats.c
    names = [
        row.room for row in await store.fetch(select(seats.room).where(seats.player == person))
    ]
    if table is not None and table not in names:
        raise Fault(f"{quote(person)} has no seat at {quote(table)}")
    removed = [name for name in names if table in (None, name)]
    for name in removed:
        await remove_from(store, name, person)
    await store.write(action_row(by, "kick", person, table, read=removed))
    return removed


async def remove_from(store: Store, table: str, person: str) -> None:
    """Free the seat of a person, or give it to a bot while a game is in play."""
    playing = (await find_table(store, table)).stage == "playing"

    def decide(log: Sequence[LogEntry], seats: Sequence[str | None]) -> list[events.AnyEvent]:
        opened = log[0].event
        assert isinstance(opened, events.Opened)
        level = opened.stand_in if playing else None
        taken = [number for number, player in enumerate(seats) if player == person]
        return [events.Removed(number, "operator", level) for number in taken]

    await append(store, table, decide)


async def announce(store: Store, by: str, text: str) -> None:
    """Say something to everybody who is connected."""
    text = clean_line(text)
    if len(text) > MAX_ANNOUNCEMENT:
        raise Fault(f"an announcement has at most {MAX_ANNOUNCEMENT} characters")
    await store.write(action_row(by, "announce", text=text))


async def append(store: Store, table: str, decide: Decide) -> None:
    """Add events to the log of a table, as a server does; raises `Fault`."""
    for _ in range(ATTEMPTS):
        log = await store.read_log(table)
        seats = players_of(log)
        decided = decide(log, seats)
        now = now_ms()
        entries = [LogEntry(len(log) + 1 + i, now, event) for i, event in enumerate(decided)]
        updates = [row for entry in entries for row in index_updates(table, entry, seats)]
        try:
            if entries:
                await store.append(table, entries, updates)
            return
        except VersionTaken:
            continue
    raise Fault(f"table {quote(table)} changes too often: try again")


def players_of(log: Sequence[LogEntry]) -> list[str | None]:
    """The player of each seat after a log."""
    last: list[str | None] = []
    for _, seats in players_at(log):
        last = seats
    return last


def players_at(log: Sequence[LogEntry]) -> Iterator[tuple[LogEntry, list[str | None]]]:
    """Each entry of a log, with the player of each seat after it."""
    seats: list[str | None] = []
    for entry in log:
        match entry.event:
            case events.Opened(seats=levels):
                seats = [None] * len(levels)
            case events.Sat(player=player, seat=seat):
                seats[seat] = player
            case events.Stood(seat=seat) | events.Removed(seat=seat):
                seats[seat] = None
            case _:
                pass
        yield entry, seats
