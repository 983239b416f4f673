"""Authentication: a player is known by a key. The store has only its hash."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import NamedTuple

from theriac.faults import Fault
from theriac.server.store.events import now_ms
from theriac.server.store.store import PlayerRow, Store
from theriac.server.typed_text import clean_name

#: How often it is written down that a player is still here, in milliseconds.
SEEN_EVERY_MS = 24 * 3_600_000


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


class Banned(Fault):
    """The operator has banned this player."""


class Players:
    """All players with a key. Recent ones are cached."""

    #: How many players are cached.
    MAX_CACHED = 20_000

    def __init__(self, store: Store) -> None:
        self._store = store
        self._cache: dict[str, PlayerRow] = {}
        #: How often something was forgotten: what was read before that is not cached after it.
        self._forgotten = 0

    async def add(self, name: str) -> tuple[Player, Key]:
        """A new player and the key. The key is shown only this once and stored nowhere."""
        key = new_key()
        name = clean_name(name)
        await self._store.add_player(key.player, name, hash_of(key), now_ms())
        self._remember(key.player, PlayerRow(name, hash_of(key), now_ms()))
        return Player(key.player, name), key

    async def find(self, text: str) -> Player | None:
        """The player with this key; None if there is none. Raises `Banned`."""
        key = read_key(text)
        if key is None:
            return None
        forgotten = self._forgotten
        known = self._cache.get(key.player) or await self._store.find_player(key.player)
        if known is None or not matches(key, known.key_hash):
            return None
        now = now_ms()
        if known.banned_until is not None and known.banned_until > now:
            raise Banned("the operator of this server has banned you")
        if known.seen is None or now - known.seen > SEEN_EVERY_MS:
            await self._store.note_seen(key.player, now)
            known = known._replace(seen=now)
        if self._forgotten == forgotten:
            self._remember(key.player, known)
        return Player(key.player, known.name)

    async def is_muted(self, player: str) -> bool:
        """May a player not talk now?"""
        known = self._cache.get(player) or await self._store.find_player(player)
        return known is not None and (known.muted_until or 0) > now_ms()

    def forget(self, player: str) -> None:
        """Read a player again: something has changed."""
        self._forgotten += 1
        self._cache.pop(player, None)

    async def rename(self, player: Player, name: str) -> Player:
        """Give a player another nickname, for future events."""
        name = clean_name(name)
        await self._store.rename_player(player.id, name)
        self.forget(player.id)
        return player._replace(name=name)

    def _remember(self, player: str, known: PlayerRow) -> None:
        if len(self._cache) >= self.MAX_CACHED:
            self._cache.clear()
        self._cache[player] = known


def new_id() -> str:
    """An id for a table, a player or a process that nobody can guess."""
    while (made := secrets.token_urlsafe(12)).startswith("-"):
        pass  # `theriac admin mute -w3…` would read an option
    return made


def new_key() -> Key:
    """A key for a new player."""
    return Key(new_id(), secrets.token_urlsafe(24))


def read_key(text: str) -> Key | None:
    """The parts of a key; None if the text is not a key."""
    player, dot, secret = text.partition(".")
    # PostgreSQL fails at a NUL, as if it could not be reached.
    if not dot or not secret or not 0 < len(player) <= 24 or not player.isprintable():
        return None
    return Key(player, secret)


def hash_of(key: Key) -> str:
    """The hash of a key. The secret is long and random, so a slow hash would add nothing."""
    return hashlib.sha256(key.secret.encode()).hexdigest()


def matches(key: Key, key_hash: str) -> bool:
    """Has the key this hash? Compared in constant time."""
    return hmac.compare_digest(hash_of(key), key_hash)
