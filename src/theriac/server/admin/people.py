"""People: who they are, mute, ban, keys."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Select, func, or_, select, update

from theriac.faults import Fault, quote
from theriac.server.auth import Key, hash_of, new_key
from theriac.server.store import schema
from theriac.server.store.audit import ActionName, action_row
from theriac.server.store.events import now_ms
from theriac.server.store.store import Store

#: Until when something holds that has no end.
FOR_EVER = 253_402_300_799_000
_HOUR_MS = 3_600_000


class Person(NamedTuple):
    """A player as an operator sees one. Times are milliseconds since 1970."""

    person: str
    name: str
    made: int
    seen: int | None
    muted_until: int | None
    banned_until: int | None
    seats: int
    opened: int


async def list_people(store: Store, search: str = "", limit: int = 100) -> list[Person]:
    """The newest people, or those whose id or name contains a text."""
    query = _people().order_by(schema.players.c.made.desc()).limit(limit)
    if search:
        players = schema.players.c
        query = query.where(
            or_(
                players.player.contains(search, autoescape=True),
                players.name.contains(search, autoescape=True),
            )
        )
    return [Person(*row) for row in await store.fetch(query)]


async def find_person(store: Store, person: str) -> Person:
    """A person by id; raises `Fault`."""
    rows = await store.fetch(_people().where(schema.players.c.player == person))
    if not rows:
        raise Fault(f"there is no person {quote(person)}: theriac admin people lists them")
    return Person(*rows[0])


def _people() -> Select[tuple[object, ...]]:
    players, seats, rooms = schema.players.c, schema.seats.c, schema.rooms.c
    seated = select(func.count()).where(seats.player == players.player)
    opened = select(func.count()).where(rooms.opener == players.player, rooms.stage != "closed")
    return select(
        players.player,
        players.name,
        players.made,
        players.seen,
        players.muted_until,
        players.banned_until,
        seated.scalar_subquery(),
        opened.scalar_subquery(),
    )


async def mute(store: Store, by: str, person: str, hours: float | None = None) -> None:
    """Let a person talk and react no more, for some hours or for ever."""
    await _set(store, by, "mute", person, "muted_until", until_after(hours))


async def unmute(store: Store, by: str, person: str) -> None:
    """Let a person talk again."""
    await _set(store, by, "unmute", person, "muted_until", None)


async def ban(store: Store, by: str, person: str, hours: float | None = None) -> None:
    """Refuse a person's key, for some hours or for ever."""
    await _set(store, by, "ban", person, "banned_until", until_after(hours))


async def unban(store: Store, by: str, person: str) -> None:
    """Accept a person's key again."""
    await _set(store, by, "unban", person, "banned_until", None)


def until_after(hours: float | None) -> int:
    """When something ends that holds for some hours from now, or for ever."""
    return FOR_EVER if hours is None else now_ms() + int(hours * _HOUR_MS)


async def _set(
    store: Store, by: str, action: ActionName, person: str, column: str, until: int | None
) -> None:
    await find_person(store, person)
    players = schema.players
    await store.write(
        update(players).where(players.c.player == person).values({column: until}),
        action_row(by, action, person, until=until),
    )


async def renew_key(store: Store, by: str, person: str) -> Key:
    """A new key for a person; the old one is refused from now on. It is shown only this once."""
    await find_person(store, person)
    key = Key(person, new_key().secret)
    await _set_key(store, by, "renew key", person, hash_of(key))
    return key


async def revoke_key(store: Store, by: str, person: str) -> None:
    """Refuse a person's key, until the operator renews it."""
    await find_person(store, person)
    await _set_key(store, by, "revoke key", person, "")


async def _set_key(store: Store, by: str, action: ActionName, person: str, key_hash: str) -> None:
    players = schema.players
    await store.write(
        update(players).where(players.c.player == person).values(key_hash=key_hash),
        action_row(by, action, person),
    )
