"""What is told of a table, and to whom: the one door through which anything leaves a room.

An *eye* is a seat, or `SPECTATOR` for whoever has none. Positions are told from that eye's VIEW,
moves as that eye may know them, and no secret of a shuffle before its game is over.
"""

from __future__ import annotations

from typing import cast

from msgspec import structs

from theriac.engine.contract import SPECTATOR
from theriac.match import Match
from theriac.server.store import events
from theriac.server.tables.messages import (
    ClockInfo,
    SeatInfo,
    TableInfo,
    UndoRequest,
    Update,
    View,
    Welcome,
)
from theriac.server.tables.redacted import ClientEvent, redact
from theriac.server.tables.table import Entry, Room, Seat

#: How many events are told to one who has seen none.
RECENT = 60
#: Events after which the position is another, or what the clocks show, or somebody sees it from
#: another side: the last game is looked at until the next.
_POSITIONS = (
    events.Sat,
    events.Stood,
    events.Begun,
    events.Moved,
    events.Undone,
    events.Hinted,
    events.Offered,
    events.Handed,
    events.Returned,
)
#: Events that leave the room as it was.
_WORDS = (events.Said, events.Reacted, events.Hinted)


def tell_room(room: Room) -> TableInfo:
    """The table and who is at it."""
    opened, undo = room.opened, room.undo
    return TableInfo(
        table=room.name,
        game=room.game.name,
        options={option.name: option.default for option in room.game.options} | room.options,
        stage=room.stage,
        seats=[_tell_seat(seat) for seat in room.seats],
        commitment=room.commitment,
        clock=opened.clock,
        listed=opened.listed,
        delay=opened.delay,
        adventure=opened.adventure,
        hints=opened.hints,
        games=len(room.finished),
        undo=UndoRequest(undo.seat, sorted(undo.agreed)) if undo else None,
    )


def _tell_seat(seat: Seat) -> SeatInfo:
    return SeatInfo(
        name=seat.name,
        bot=seat.bot,
        stand_in=seat.stand_in,
        taken=seat.player is not None or seat.bot is not None,
        ready=not seat.waiting,
    )


def tell_view(room: Room, eye: int, now: int) -> View | None:
    """The position as an eye sees it; None before the first game."""
    if room.table is None:
        return None
    view = tell_position(room.table, eye)
    if room.hint and room.hint.seat == eye:
        view["hint"] = room.hint.move
    if clock := _tell_clock(room, now):
        view["clock"] = clock
    return view


def tell_position(table: Match, eye: int) -> View:
    """The position of a table as an eye sees it, with all that goes with it but the clocks."""
    view = cast(View, table.spectate() if eye == SPECTATOR else table.view(eye))
    if recalled := table.recall(eye):
        view["recalled"] = recalled
    if eye != SPECTATOR and eye != table.to_act and (anytime := table.out_of_turn()):
        view["anytime"] = anytime
    if table.sheet:
        view["sheet"] = table.sheet
    return view


def _tell_clock(room: Room, now: int) -> ClockInfo | None:
    """What the clocks show: milliseconds left for the game, and for each seat."""
    if room.stage != "playing":
        return None
    game = room.game_left(now)
    if game is None and room.opened.clock is None:
        return None
    seats = [room.seat_left(seat, now) for seat in range(len(room.seats))]
    return {"game": game, "seats": seats}


def tell_event(room: Room, entry: Entry, eye: int) -> ClientEvent:
    """An event as an eye may know it."""
    event = entry.event
    if isinstance(event, events.Moved) and event.seat is not None and event.seat != eye:
        return structs.replace(event, move=shown(room.playing, event.move))
    return redact(event, eye)


def shown(table: Match, move: str) -> str:
    """A move as those see it who did not make it."""
    text = table.settings.text
    return text.write_public(text.read(move))


def tell_happened(room: Room, entry: Entry, eye: int, now: int) -> Update:
    """An event that has just happened, with what changed."""
    event = entry.event
    view = tell_view(room, eye, now) if isinstance(event, _POSITIONS) else None
    same = isinstance(event, _WORDS) or (isinstance(event, events.Moved) and not room.undo_ended)
    return Update(
        entry.number,
        entry.at,
        tell_event(room, entry, eye),
        None if same else tell_room(room),
        view,
        None if same or eye == SPECTATOR else eye,
    )


def tell_welcome(room: Room, eye: int, since: int | None, now: int) -> Welcome:
    """Everything as it is now, and what has happened since a version."""
    first = max(0, room.version - RECENT) if since is None else min(since, room.version)
    return Welcome(
        room.version,
        now,
        tell_room(room),
        [
            Update(entry.number, entry.at, tell_event(room, entry, eye))
            for entry in room.entries[first:]
        ],
        None if eye == SPECTATOR else eye,
        tell_view(room, eye, now),
    )
