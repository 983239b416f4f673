"""Clocks: when one runs out, and what happens then."""

from __future__ import annotations

from theriac.server.store import events
from theriac.server.tables.decisions import TIME_LEVEL
from theriac.server.tables.table import Room


def due(room: Room, now: int) -> int | None:
    """In how many milliseconds a clock runs out; None while none runs."""
    if room.to_act is None:
        return None
    times = [room.game_left(now), room.seat_left(room.to_act, now)]
    running = [left for left in times if left is not None]
    return min(running) if running else None


def times_up(room: Room, now: int) -> list[events.AnyEvent]:
    """What happens if a clock has run out: the game's own makes its move; whoever is out of time
    is played for by a bot.
    """
    seat = room.to_act
    if seat is None:
        return []
    clock = room.playing.clock_move
    if room.game_left(now) == 0 and clock is not None:
        return [events.Moved(None, clock)]
    if room.seat_left(seat, now) == 0:
        return [events.Handed(seat, TIME_LEVEL, "time")]
    return []
