"""Everything about a person: export it, delete it.

Others share the tables where a person played, so the logs stay, without the person: the name
becomes "deleted", what they said "[deleted]", and their id is gone. Moves, nonces and results stay:
without them the records of the others' games could not be replayed. So do the hashes of the name
that deals are bound to, for the records to verify. Their salts are deleted: without them nobody can
find out which name was hashed.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from typing import Any

import msgspec
from sqlalchemy import Update, and_, delete, or_, select, tuple_, update

from theriac.sealed_deal import DELETED_NAME
from theriac.server.admin.actions import FOLLOWED_AFTER_S
from theriac.server.admin.people import Person, find_person
from theriac.server.admin.tables import players_at, remove_from
from theriac.server.store import events, schema
from theriac.server.store.audit import action_row
from theriac.server.store.events import decode_event, encode_event
from theriac.server.store.store import Store

#: What a log has instead of a deleted person's id and of their words.
DELETED, DELETED_WORDS = "deleted", "[deleted]"
#: The fields of events that tell the cards, or help to.
_SECRET = ("secret", "seed", "nonces")
#: How many rows of logs are read or changed at once: others read and write in between.
ROWS_AT_ONCE = 200


async def export_person(store: Store, by: str, person: str) -> dict[str, Any]:
    """Everything that is stored about a person, for them to read."""
    pieces = [piece async for piece in await export_in_pieces(store, by, person)]
    exported: dict[str, Any] = json.loads("".join(pieces))
    return exported


async def export_in_pieces(store: Store, by: str, person: str) -> AsyncIterator[str]:
    """The same as pieces of JSON: there may be a million events, and memory for some of them."""
    about = await find_person(store, person)
    await store.write(action_row(by, "export person", person))
    return _export(store, about)


async def _export(store: Store, about: Person) -> AsyncIterator[str]:
    yield f'{{"person": {_json(about._asdict())}, "events": ['
    separator = ""
    async for rows in _log_pages(store, about.person):
        yield separator + ", ".join(_json(_exported_event(row)) for row in rows)
        separator = ", "
    lists = await _exported_lists(store, about.person)
    yield "".join(f'], "{name}": [{", ".join(map(_json, rows))}' for name, rows in lists.items())
    yield "]}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _exported_event(row: Any) -> dict[str, Any]:
    return {"table": row.room, "number": row.number, "at": row.at, "event": _public(row.event)}


async def _exported_lists(store: Store, person: str) -> dict[str, list[dict[str, Any]]]:
    """What else there is about a person: the games that they have finished, their reports."""
    reports = schema.reports.c
    written = await store.fetch(
        select(reports.at, reports.room, reports.why, reports.copy).where(
            reports.reporter == person
        )
    )
    finished = schema.finished_seats
    games = await store.fetch(
        select(finished).where(finished.c.player == person).order_by(finished.c.at)
    )
    return {
        "games": [
            {"table": row.room, "number": row.number, "at": row.at, "seat": row.seat}
            for row in games
        ],
        "reports": [
            {"at": row.at, "table": row.room, "why": row.why, "copy": json.loads(row.copy)}
            for row in written
        ],
    }


def _public(event: str) -> dict[str, Any]:
    """An event without what would tell the cards of a game: the game may still be in play."""
    return {name: value for name, value in json.loads(event).items() if name not in _SECRET}


async def delete_person(store: Store, by: str, person: str) -> int:
    """Delete a person from players, seats and logs; the number of tables that were changed.

    Reports that others wrote about them stay until the operator closes them.
    """
    await find_person(store, person)
    return await delete_people(store, by, [person])


async def delete_people(store: Store, by: str, people: Sequence[str]) -> int:
    """The same for several people."""
    players = schema.players
    # First the keys: no server accepts anything more from these people when it has followed.
    for person in people:
        await store.write(
            update(players)
            .where(players.c.player == person)
            .values(key_hash="", name=DELETED_NAME),
            action_row(by, "delete person", person),
        )
    if people:
        await asyncio.sleep(FOLLOWED_AFTER_S)
    return sum([await _delete(store, by, person) for person in people])


async def _delete(store: Store, by: str, person: str) -> int:
    """Delete a person without a key; the number of tables that were changed."""
    seats, players, reports = schema.seats, schema.players, schema.reports
    rows = await store.fetch(select(seats.c.room).where(seats.c.player == person))
    for row in rows:
        await remove_from(store, row.room, person)
    changed = await _erase_from_logs(store, person)
    await store.write(
        update(schema.rooms)
        .where(schema.rooms.c.opener == person)
        .values(opener=None, network=None),
        delete(seats).where(seats.c.player == person),
        delete(schema.finished_seats).where(schema.finished_seats.c.player == person),
        delete(reports).where(reports.c.reporter == person),
        delete(players).where(players.c.player == person),
        action_row(by, "delete person", person, reload=changed),
    )
    return len(changed)


async def _log_pages(store: Store, person: str) -> AsyncIterator[list[Any]]:
    """The rows of logs with something of a person: they asked for it, or the event names them."""
    log = schema.log.c
    named = and_(
        log.event.contains(person, autoescape=True),
        or_(log.event.contains('"kind":"sat"'), log.event.contains('"kind":"opened"')),
    )
    asked = log.mark.startswith(f"{person}:", autoescape=True)
    query = select(schema.log).where(or_(asked, named)).order_by(log.room, log.number)
    query = query.limit(ROWS_AT_ONCE)
    rows = await store.fetch(query)
    while rows:
        yield rows
        last = (rows[-1].room, rows[-1].number)
        rows = await store.fetch(query.where(tuple_(log.room, log.number) > last))


async def _erase_from_logs(store: Store, person: str) -> list[str]:
    """Take a person out of all logs; the tables that were changed."""
    changed: set[str] = set()
    async for rows in _log_pages(store, person):
        tables = {row.room for row in rows}
        salts = [
            statement
            for table in sorted(tables - changed)  # before it forgets where the person sat
            for statement in await _erase_salts(store, table, person)
        ]
        await store.write(*salts, *[_erase(row, person) for row in rows])
        changed |= tables
    return sorted(changed)


def _erase(row: Any, person: str) -> Any:
    """The statement that takes a person out of a row."""
    event = without_person(decode_event(row.event), person)
    return _row(row.room, row.number).values(event=encode_event(event), mark=None)


async def _erase_salts(store: Store, table: str, person: str) -> list[Any]:
    """The statements that take the salts of a person's name out of the deals of a table."""
    return [
        _row(table, entry.number).values(event=encode_event(without_salts(entry.event, seats)))
        for entry, players in players_at(await store.read_log(table))
        if isinstance(entry.event, events.Sealed)
        and (seats := {seat for seat, player in enumerate(players) if player == person})
    ]


def _row(table: str, number: int) -> Update:
    """An update of one row of a log."""
    log = schema.log
    return update(log).where(log.c.room == table, log.c.number == number)


def without_person(event: events.AnyEvent, person: str) -> events.AnyEvent:
    """An event that a person caused, without the person."""
    match event:
        case events.Opened(by=opener) if opener == person:
            return msgspec.structs.replace(event, by=DELETED)
        case events.Sat(player=player) if player == person:
            return msgspec.structs.replace(event, player=DELETED, name=DELETED_NAME)
        case events.Said():
            return msgspec.structs.replace(event, name=DELETED_NAME, text=DELETED_WORDS)
        case events.Reacted():
            return msgspec.structs.replace(event, name=DELETED_NAME)
        case _:
            return event


def without_salts(event: events.Sealed, seats: set[int]) -> events.Sealed:
    """The event that fixed a deal, without the salts of the names of some seats."""
    names = event.names and [
        events.SealedName(name.hash) if seat in seats else name
        for seat, name in enumerate(event.names)
    ]
    return msgspec.structs.replace(event, names=names)
