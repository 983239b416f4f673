"""What a client may see of a table: everything that is sent about a table is made here.

A *viewpoint* is a seat number, or `SPECTATOR`. A position is made from the VIEW of that viewpoint,
a move is redacted for it, and the secret of a shuffle stays hidden until its game is over.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, cast

from theriac.engine.contract import SPECTATOR
from theriac.match import Match
from theriac.server.limits import DEFAULT_LIMITS, Limits
from theriac.server.store import events
from theriac.server.store.events import LogEntry
from theriac.server.tables.messages import (
    ClockInfo,
    DealInfo,
    SeatInfo,
    TableInfo,
    UndoRequest,
    Update,
    View,
    Welcome,
    encoder,
)
from theriac.server.tables.redacted import ClientEvent, redact
from theriac.server.tables.table import Seat, Table

#: The number of events that a new client gets.
RECENT_EVENTS = 60
#: Events that change the position, the clocks, or the viewpoint of a client. The last game stays in
#: view until the next one begins.
_CHANGES_VIEW = (
    events.Sat,
    events.Stood,
    events.Begun,
    events.Moved,
    events.Undone,
    events.Hinted,
    events.Offered,
    events.Handed,
    events.Returned,
    events.Removed,
)
#: Events that leave the `TableInfo` unchanged; a move does too, unless it ends an undo request.
_KEEPS_TABLE_INFO = (events.Said, events.Reacted, events.Hinted)


def table_info(table: Table) -> TableInfo:
    """The table and who sits at it."""
    opened, undo = table.opened, table.undo
    return TableInfo(
        table=table.name,
        game=table.game.name,
        options={option.name: option.default for option in table.game.options} | table.options,
        stage=table.stage,
        seats=[_seat_info(seat) for seat in table.seats],
        commitment=table.commitment,
        clock=opened.clock,
        listed=opened.listed,
        delay=opened.delay,
        adventure=opened.adventure,
        hints=opened.hints,
        stand_in=opened.stand_in,
        games=len(table.finished),
        undo=UndoRequest(undo.seat, sorted(undo.agreed)) if undo else None,
        locked=table.locked,
        opener=table.seat_of(opened.by),
        sealed=_deal_info(table),
        called_off=table.called_off,
        deal_of=table.deal_of,
    )


def _deal_info(table: Table) -> DealInfo | None:
    """The deal that was sealed for the game in play or about to begin."""
    if table.sealed is None or table.stage not in ("sealing", "playing"):
        return None
    return DealInfo(table.sealed, table.missing, table.nonces)


def _seat_info(seat: Seat) -> SeatInfo:
    return SeatInfo(
        name=seat.name,
        bot=seat.bot,
        stand_in=seat.stand_in,
        taken=seat.player is not None or seat.bot is not None,
        ready=not seat.waiting,
    )


def view_of_table(table: Table, viewpoint: int, now: int) -> View | None:
    """The position, hint and clocks from a viewpoint; None before the first game."""
    return _views_of_table(table, [viewpoint], now)[viewpoint]


def _views_of_table(
    table: Table, viewpoints: Collection[int], now: int
) -> Mapping[int, View | None]:
    """The same from several viewpoints. What all of them see is made once."""
    match = table.match
    if match is None:
        return dict.fromkeys(viewpoints)
    common = _common_view(match) | _common_part(table, now)
    out_of_turn, undo_seats, hint = match.out_of_turn(), table.undo_seats, table.hint
    views: dict[int, Any] = {}
    for viewpoint in viewpoints:
        views[viewpoint] = view = _view_from(match, viewpoint, common, out_of_turn)
        if viewpoint != SPECTATOR:
            view["undo"] = viewpoint in undo_seats
        if hint and hint.seat == viewpoint:
            view["hint"] = hint.move
    return views


def _common_part(table: Table, now: int) -> dict[str, Any]:
    """The clocks, and whether everybody is silent: the same from every viewpoint."""
    common: dict[str, Any] = {}
    if clock := _clock_info(table, now):
        common["clock"] = clock
    if clause := table.silence:
        common["silence"] = {"clause": clause, "gestures": table.game.gestures_in_silence}
    return common


def view_of_match(match: Match, viewpoint: int) -> View:
    """The position from a viewpoint."""
    return cast(View, _view_from(match, viewpoint, _common_view(match), match.out_of_turn()))


def _common_view(match: Match) -> dict[str, Any]:
    """What the views of a position have in common from every viewpoint."""
    common = match.common_view()
    if match.round_count is not None:
        common["rounds"] = match.round_count
    if match.sheet:
        common["sheet"] = match.sheet
    return common


def _view_from(
    match: Match, viewpoint: int, common: dict[str, Any], out_of_turn: list[str]
) -> dict[str, Any]:
    view = common | match.own_view(viewpoint)
    if out_of_turn and viewpoint not in (SPECTATOR, view["to_act"]):
        view["anytime"] = out_of_turn
    return view


def _clock_info(table: Table, now: int) -> ClockInfo | None:
    if not table.has_clock:
        return None
    game = table.game_ms_left(now)
    seats = [table.seat_ms_left(seat, now) for seat in range(len(table.seats))]
    return {"game": game, "seats": seats}


def redacted_event(match: Match | None, event: events.AnyEvent, viewpoint: int) -> ClientEvent:
    """An event without what a viewpoint may not know. `match` is one of its game."""
    if isinstance(event, events.Moved) and event.seat not in (None, viewpoint):
        assert match is not None
        return events.Moved(event.seat, public_move(match, event.move), event.bot)
    return redact(event, viewpoint)


def public_move(match: Match, move: str) -> str:
    """A move as the other players see it."""
    text = match.settings.text
    return text.write_public(text.number_of(move))


def updates_for(
    table: Table, entry: LogEntry, viewpoints: Collection[int], now: int
) -> dict[int, Update]:
    """The messages about the event just applied, by viewpoint: the event, and what it changed."""
    event, number, at = entry.event, entry.number, entry.at
    same_info = isinstance(event, _KEEPS_TABLE_INFO) or (
        isinstance(event, events.Moved) and not table.undo_ended
    )
    redacted = _redacted_for_all(table, event, viewpoints)
    seen = _views_of_table(table, viewpoints, now) if isinstance(event, _CHANGES_VIEW) else {}
    if same_info:
        return {
            each: Update(number, at, redacted[each], None, seen.get(each)) for each in viewpoints
        }
    info = table_info(table)
    return {
        each: Update(
            number, at, redacted[each], info, seen.get(each), None if each == SPECTATOR else each
        )
        for each in viewpoints
    }


def _redacted_for_all(
    table: Table, event: events.AnyEvent, viewpoints: Collection[int]
) -> dict[int, ClientEvent]:
    """An event as each viewpoint may know it. All but the mover see the same of a move."""
    if not isinstance(event, events.Moved) or event.seat is None:
        return {viewpoint: redact(event, viewpoint) for viewpoint in viewpoints}
    public = redacted_event(table.match, event, SPECTATOR)
    return {viewpoint: event if viewpoint == event.seat else public for viewpoint in viewpoints}


def welcome_for(
    table: Table, viewpoint: int, since: int | None, now: int, limits: Limits = DEFAULT_LIMITS
) -> Welcome:
    """The whole state now, and the newest page of the events since a version."""
    first = max(0, table.version - RECENT_EVENTS) if since is None else min(since, table.version)
    since_then = islice(reversed(table.log), table.version - first)
    newest = list(page_of(updates_without_views(table, since_then, viewpoint), limits))
    return Welcome(
        table.version,
        now,
        table_info(table),
        newest[::-1],
        None if viewpoint == SPECTATOR else viewpoint,
        view_of_table(table, viewpoint, now),
        skipped=0 if since is None else table.version - first - len(newest),
    )


def updates_without_views(
    table: Table, entries: Iterable[LogEntry], viewpoint: int
) -> Iterator[Update]:
    """Events as a viewpoint may know them, without the positions that they led to."""
    for entry in entries:
        event = redacted_event(table.match, entry.event, viewpoint)
        yield Update(entry.number, entry.at, event)


def page_of(updates: Iterable[Update], limits: Limits) -> Iterator[Update]:
    """As many updates as fit into a page; at least one."""
    size = 0
    for number, update in enumerate(updates):
        size += len(encoder.encode(update))
        if number and (number >= limits.page_events or size > limits.page_bytes):
            return
        yield update
