"""Authentication: a player is known by a key. The store has only its hash."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import NamedTuple

from theriac.faults import Fault
from theriac.server.store.events import now_ms
from theriac.server.store.store import Store


class Key(NamedTuple):
    """A player's key: the player's id, and the secret that proves it."""

    player: str
    secret: str

    def __str__(self) -> str:
        return f"{self.player}.{self.secret}"


class Player(NamedTuple):
    """A player who has shown the key."""

    id: str
    name: str


class Players:
    """All players with a key. Recent ones are cached."""

    #: How many players are cached.
    MAX_CACHED = 20_000

    def __init__(self, store: Store) -> None:
        self._store = store
        #: The nickname and the hash of the key, by id.
        self._cache: dict[str, tuple[str, str]] = {}

    async def add(self, name: str) -> tuple[Player, Key]:
        """A new player and the key. The key is shown only this once and stored nowhere."""
        key = new_key()
        name = check_nickname(name)
        await self._store.add_player(key.player, name, hash_of(key), now_ms())
        self._remember(key.player, (name, hash_of(key)))
        return Player(key.player, name), key

    async def find(self, text: str) -> Player | None:
        """The player with this key; None if there is none."""
        key = read_key(text)
        if key is None:
            return None
        known = self._cache.get(key.player) or await self._store.find_player(key.player)
        if known is None or not matches(key, known[1]):
            return None
        self._remember(key.player, known)
        return Player(key.player, known[0])

    async def rename(self, player: Player, name: str) -> Player:
        """Give a player another nickname, for future events."""
        name = check_nickname(name)
        await self._store.rename_player(player.id, name)
        self._cache.pop(player.id, None)
        return player._replace(name=name)

    def _remember(self, player: str, known: tuple[str, str]) -> None:
        if len(self._cache) >= self.MAX_CACHED:
            self._cache.clear()
        self._cache[player] = known


def check_nickname(name: str) -> str:
    """A nickname with single spaces; raises `Fault`."""
    name = " ".join(name.split())
    if not name or len(name) > 24 or not name.isprintable():
        raise Fault("this nickname cannot be used: give 1 to 24 printable characters")
    return name


def new_id() -> str:
    """An id for a table, a player or a process that nobody can guess."""
    return secrets.token_urlsafe(12)


def new_key() -> Key:
    """A key for a new player."""
    return Key(new_id(), secrets.token_urlsafe(24))


def read_key(text: str) -> Key | None:
    """The parts of a key; None if the text is not a key."""
    player, dot, secret = text.partition(".")
    return Key(player, secret) if dot and secret and 0 < len(player) <= 24 else None


def hash_of(key: Key) -> str:
    """The hash of a key. The secret is long and random, so a slow hash would add nothing."""
    return hashlib.sha256(key.secret.encode()).hexdigest()


def matches(key: Key, key_hash: str) -> bool:
    """Has the key this hash? Compared in constant time."""
    return hmac.compare_digest(hash_of(key), key_hash)
