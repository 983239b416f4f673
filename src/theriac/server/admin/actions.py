"""The audit log: what operators did, and what people did to their own data, as rows in the store.

A command writes its effect and its row in one transaction. Every running server reads new rows each
second and forgets or reads again what they name, so a command needs no connection to a server.
"""

from __future__ import annotations

import json
from typing import Any, Literal, NamedTuple

from sqlalchemy import insert, select

from theriac.server.store import schema
from theriac.server.store.events import now_ms
from theriac.server.store.store import Store

ActionName = Literal[
    "mute",
    "unmute",
    "ban",
    "unban",
    "kick",
    "renew key",
    "revoke key",
    "export person",
    "delete person",
    "close table",
    "delete table",
    "announce",
    "close report",
    "prune",
]


class Action(NamedTuple):
    """A row of the audit log.

    Of `details`, running servers use `read` (tables with a new event), `reload` (tables whose log
    was changed or deleted) and `text` (an announcement).
    """

    number: int
    at: int
    by: str
    action: str
    person: str | None
    table: str | None
    details: dict[str, Any]


def action_row(
    by: str,
    action: ActionName,
    person: str | None = None,
    table: str | None = None,
    **details: Any,
) -> Any:
    """The statement that adds a row to the audit log."""
    return insert(schema.actions).values(
        at=now_ms(),
        by=by[:40],
        action=action,
        person=person,
        room=table,
        details=json.dumps(details, ensure_ascii=False),
    )


async def read_actions(store: Store, after: int = 0, limit: int | None = None) -> list[Action]:
    """The rows after a number, oldest first; with a limit, the newest of them."""
    actions = schema.actions
    query = select(actions).where(actions.c.number > after).order_by(actions.c.number.desc())
    rows = await store.fetch(query.limit(limit) if limit else query)
    return [
        Action(
            row.number,
            row.at,
            row.by,
            row.action,
            row.person,
            row.room,
            json.loads(row.details),
        )
        for row in reversed(rows)
    ]
