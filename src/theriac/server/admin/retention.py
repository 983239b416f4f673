"""Retention: what is deleted by itself after some days."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import func, select, update

from theriac.server.admin.erase import DELETED_WORDS, delete_people
from theriac.server.admin.tables import deletions
from theriac.server.store import events, schema
from theriac.server.store.audit import action_row
from theriac.server.store.events import decode_event, encode_event, now_ms
from theriac.server.store.store import Store

_DAY_MS = 24 * 3_600_000
#: How many tables, people and rows of chat one run deletes at most: the next one continues.
AT_ONCE = 500


@dataclass(frozen=True)
class Retention:
    """How many days things are kept; None: for ever.

    `tables`: where no game is in play, since the last event. `chat`: words said at a table.
    `people`: without a seat anywhere, since they last showed their key.
    """

    tables: float | None = None
    chat: float | None = None
    people: float | None = None


class Pruned(NamedTuple):
    """How many tables, words and people were deleted, or would be."""

    tables: int
    chat: int
    people: int


async def prune(store: Store, by: str, keep: Retention, *, dry_run: bool = False) -> Pruned:
    """Delete what is older than it may be."""
    tables = await _old_tables(store, keep.tables)
    chat = await _old_chat(store, keep.chat)
    people = await _old_people(store, keep.people)
    pruned = Pruned(len(tables), len(chat), len(people))
    if dry_run or not any(pruned):
        return pruned
    for table in tables:
        await store.write(
            *deletions(table), action_row(by, "delete table", table=table, reload=[table])
        )
    await store.write(*[_without_words(row) for row in chat])
    await delete_people(store, by, people)
    changed = sorted({row.room for row in chat} - set(tables))
    await store.write(action_row(by, "prune", reload=changed, **pruned._asdict()))
    return pruned


def _before(days: float) -> int:
    return now_ms() - int(days * _DAY_MS)


async def _old_tables(store: Store, days: float | None) -> list[str]:
    if days is None:
        return []
    rooms, log = schema.rooms.c, schema.log.c
    last = select(func.max(log.at)).where(log.room == rooms.room).scalar_subquery()
    query = select(rooms.room).where(rooms.stage != "playing", last < _before(days))
    return [row.room for row in await store.fetch(query.limit(AT_ONCE))]


async def _old_chat(store: Store, days: float | None) -> list[Any]:
    if days is None:
        return []
    log = schema.log.c
    said = log.event.contains('"kind":"said"')
    kept = log.event.contains(f'"text":"{DELETED_WORDS}"', autoescape=True)
    query = select(schema.log).where(log.at < _before(days), said, ~kept)
    return await store.fetch(query.limit(AT_ONCE))


def _without_words(row: Any) -> Any:
    event = decode_event(row.event)
    assert isinstance(event, events.Said)
    log = schema.log
    text = encode_event(msgspec.structs.replace(event, text=DELETED_WORDS))
    place = (log.c.room == row.room, log.c.number == row.number)
    return update(log).where(*place).values(event=text)


async def _old_people(store: Store, days: float | None) -> list[str]:
    if days is None:
        return []
    players, seats = schema.players.c, schema.seats.c
    seated = select(seats.player).where(seats.player == players.player).exists()
    seen = func.coalesce(players.seen, players.made)
    query = select(players.player).where(seen < _before(days), ~seated)
    return [row.player for row in await store.fetch(query.limit(AT_ONCE))]
