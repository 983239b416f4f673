"""Reading the audit log, whose rows `store/audit.py` describes.

Every running server reads new rows each second and forgets or reads again what they name, so a
command needs no connection to a server.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from sqlalchemy import select

from theriac.server.store import schema
from theriac.server.store.store import Store

#: After how many seconds every running server has carried out a row; it reads them each second.
FOLLOWED_AFTER_S = 2.0


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
