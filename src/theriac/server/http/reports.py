"""Routes: reports to the operator."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import post
from litestar.datastructures import State

from theriac.faults import Fault
from theriac.server.admin.reports import add_report
from theriac.server.http import bodies
from theriac.server.http.requests import (
    AnyRequest,
    find_session,
    limit_by_address,
    limit_table_requests,
    require_player,
)
from theriac.server.tables.messages import encoder
from theriac.server.tables.service import TableService
from theriac.server.tables.table import Table
from theriac.server.tables.views import updates_without_views


@post("/api/tables/{name:str}/report", status_code=204, summary="Report something to the operator")
async def report(request: AnyRequest, name: str, data: bodies.ReportRequest, state: State) -> None:
    """The operator gets a copy of the table as you see it now."""
    player = await require_player(request)
    session = await find_session(request, name)
    limit_table_requests(request, player)
    limit_by_address(request, state.rates.reports)
    service: TableService = state.service
    welcome = msgspec.json.decode(await service.look(session, player.id, None))
    table = session.visible_to(player.id)
    copy: dict[str, Any] = {"seat": data.seat, **welcome}
    if data.event is not None:
        copy["event"] = _event(table, session.viewpoint_of(player.id), data.event)
    person = reported_person(table, data)
    await add_report(service.store, player.id, name, person, data.why, copy)


def _event(table: Table, viewpoint: int, number: int) -> Any:
    """An event as the reporter saw it."""
    if not 0 < number <= table.version:
        raise Fault(f"there is no event {number} at this table: the last is {table.version}")
    (update,) = updates_without_views(table, [table.log[number - 1]], viewpoint)
    return msgspec.json.decode(encoder.encode(update))


def reported_person(table: Table, data: bodies.ReportRequest) -> str | None:
    """The player whom a report is about, as far as it says; raises `Fault`."""
    if data.seat is not None:
        if data.seat >= len(table.seats):
            raise Fault(f"there is no seat {data.seat}, only 0 to {len(table.seats) - 1}")
        return table.seats[data.seat].player
    if data.event is None:
        return None
    key = table.log[data.event - 1].idempotency_key
    return key.partition(":")[0] if key else None
