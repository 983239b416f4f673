"""Reports: what a player found wrong, with a copy of what they saw, for the operator."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from sqlalchemy import func, insert, select, update

from theriac.faults import Fault
from theriac.server.store import schema
from theriac.server.store.audit import action_row
from theriac.server.store.events import now_ms
from theriac.server.store.store import Store
from theriac.server.typed_text import clean_line

#: The most open reports of one person.
MAX_OPEN = 20


class Report(NamedTuple):
    """A report. `copy` is the table as the reporter saw it, and the event, if it is about one."""

    number: int
    at: int
    reporter: str
    table: str
    person: str | None
    why: str
    copy: dict[str, Any]
    closed: int | None


async def add_report(
    store: Store, reporter: str, table: str, person: str | None, why: str, copy: dict[str, Any]
) -> None:
    """Keep a report; raises `Fault`."""
    why = clean_line(why)
    reports = schema.reports.c
    mine = select(func.count()).where(reports.reporter == reporter, reports.closed.is_(None))
    if (await store.fetch(mine))[0][0] >= MAX_OPEN:
        raise Fault(f"you have {MAX_OPEN} open reports: wait until the operator has read them")
    await store.write(
        insert(schema.reports).values(
            at=now_ms(),
            reporter=reporter,
            room=table,
            person=person,
            why=why,
            copy=json.dumps(copy, ensure_ascii=False),
        )
    )


async def list_reports(store: Store, *, closed: bool = False) -> list[Report]:
    """The open reports, or all, oldest first."""
    reports = schema.reports
    query = select(reports).order_by(reports.c.number)
    rows = await store.fetch(query if closed else query.where(reports.c.closed.is_(None)))
    return [
        Report(
            row.number,
            row.at,
            row.reporter,
            row.room,
            row.person,
            row.why,
            json.loads(row.copy),
            row.closed,
        )
        for row in rows
    ]


async def close_report(store: Store, by: str, number: int) -> None:
    """Note that a report is dealt with; its copy is deleted."""
    reports = schema.reports
    if not await store.fetch(select(reports).where(reports.c.number == number)):
        raise Fault(f"there is no report {number}: theriac admin reports lists them")
    closed = {"closed": now_ms(), "copy": "{}"}
    await store.write(
        update(reports).where(reports.c.number == number).values(closed),
        action_row(by, "close report", number=number),
    )
