"""Who is who: a person is known by a key, of which only the hash is kept."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import NamedTuple


class Key(NamedTuple):
    """A person's key: who it is, and the secret that proves it."""

    player: str
    secret: str

    def __str__(self) -> str:
        return f"{self.player}.{self.secret}"


def new_name() -> str:
    """The name of a table or a person: nobody can guess it."""
    return secrets.token_urlsafe(12)


def new_key() -> Key:
    """A key for a new person."""
    return Key(new_name(), secrets.token_urlsafe(24))


def read_key(text: str) -> Key | None:
    """The parts of a key; None for a text that is none."""
    player, dot, secret = text.partition(".")
    return Key(player, secret) if dot and secret and 0 < len(player) <= 24 else None


def hash_of(key: Key) -> str:
    """What is kept of a key. It is long and random: a slow hash would protect nothing more."""
    return hashlib.sha256(key.secret.encode()).hexdigest()


def fits(key: Key, known: str) -> bool:
    """Is it the key of this hash? It takes the same time whichever."""
    return hmac.compare_digest(hash_of(key), known)
