"""Rows of the audit log: what operators did, and what people did to their own data.

A row is written in the same transaction as what it is about, where that is one transaction.
`admin/actions.py` reads the rows.
"""

from __future__ import annotations

import json
from typing import Any, Literal

from sqlalchemy import Connection, insert, inspect

from theriac.server.store import schema
from theriac.server.store.events import now_ms

ActionName = Literal[
    "mute",
    "unmute",
    "ban",
    "unban",
    "ban address",
    "unban address",
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
    "backup",
    "restore",
    "migrate",
]


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


def has_audit_log(connection: Connection) -> bool:
    """Has a store an audit log? Those of the first revisions had none."""
    return inspect(connection).has_table(schema.actions.name)


def note_migration(connection: Connection, by: str, before: str | None, after: str | None) -> None:
    """Write down that a store got another revision. To make a new store is no migration."""
    if before is not None and before != after and has_audit_log(connection):
        connection.execute(action_row(by, "migrate", before=before, after=after))
