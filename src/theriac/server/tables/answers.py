"""How a request is known, and answered."""

from __future__ import annotations

from typing import Any

from theriac.server.tables import messages
from theriac.server.tables.decisions import Asker
from theriac.server.tables.messages import Refusal, Reply
from theriac.server.tables.table import Room


def seen_by(request: Any) -> int | None:
    """The version that a request answers to, if it says so."""
    if isinstance(request, messages.Play):
        return request.version
    return request.to if isinstance(request, messages.React) else None


def mark_of(asker: Asker, request: Any) -> str:
    """By what a request is known when it comes once more."""
    return f"{asker.player}:{request.id}"


def refused(name: str | None, code: Any, why: str, clause: str | None = None) -> Reply:
    """The answer to what was not done."""
    return Reply(name, refused=Refusal(code, why, clause))


def as_told(done: Reply, room: Room) -> Reply:
    """An answer with no later version than that of the room as the asker may know it."""
    if done.version is None:
        return done
    return Reply(done.id, min(done.version, room.version))
