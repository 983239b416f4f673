"""Persons, by their keys."""

from __future__ import annotations

from typing import NamedTuple

from theriac.faults import Fault
from theriac.server import keys
from theriac.server.store.store import Store
from theriac.server.tables.decisions import now_ms


class Person(NamedTuple):
    """Somebody who has shown the key."""

    player: str
    name: str


class Persons:
    """All who have a key. Those who came lately are remembered."""

    #: How many are remembered.
    MANY = 20_000

    def __init__(self, kept: Store) -> None:
        self._store = kept
        self._known: dict[str, tuple[str, str]] = {}

    async def add(self, name: str) -> tuple[Person, keys.Key]:
        """A new person, and the key: it is told only now, and kept nowhere."""
        key = keys.new_key()
        name = check_name(name)
        await self._store.add_player(key.player, name, keys.hash_of(key), now_ms())
        self._remember(key.player, (name, keys.hash_of(key)))
        return Person(key.player, name), key

    async def find(self, text: str) -> Person | None:
        """Whose key it is; None if nobody's."""
        key = keys.read_key(text)
        if key is None:
            return None
        known = self._known.get(key.player) or await self._store.find_player(key.player)
        if known is None or not keys.fits(key, known[1]):
            return None
        self._remember(key.player, known)
        return Person(key.player, known[0])

    async def rename(self, person: Person, name: str) -> Person:
        """Another nickname, for what happens from now on."""
        name = check_name(name)
        await self._store.rename_player(person.player, name)
        self._known.pop(person.player, None)
        return person._replace(name=name)

    def _remember(self, player: str, known: tuple[str, str]) -> None:
        if len(self._known) >= self.MANY:
            self._known.clear()
        self._known[player] = known


def check_name(name: str) -> str:
    """A nickname in one line; raises `Fault`."""
    name = " ".join(name.split())
    if not name or len(name) > 24 or not name.isprintable():
        raise Fault("a nickname has 1 to 24 characters that print")
    return name
