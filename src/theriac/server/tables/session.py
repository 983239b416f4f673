"""A room in memory, and who is told of it.

Watchers may be told late, so that nobody who watches can help a player. A table with such a delay
has a second room for them: the same log, some seconds behind.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator

import msgspec

from theriac.engine.contract import SPECTATOR
from theriac.server.tables import views
from theriac.server.tables.decisions import now_ms
from theriac.server.tables.messages import PresenceMessage, WelcomeMessage, writer
from theriac.server.tables.table import Entry, Room


class Client:
    """Somebody who is told what happens at a table."""

    def __init__(self, player: str | None, send: Callable[[bytes], None]) -> None:
        self.eye = SPECTATOR
        self.player = player
        self.send = send
        #: The last version it was told of.
        self.told = 0

    def tell(self, version: int, message: bytes) -> None:
        """Send what brings the client to a version."""
        self.told = version
        self.send(message)


class Behind:
    """A room as it was some time ago; at least as it was opened."""

    def __init__(self, room: Room) -> None:
        self.room = Room(room.name, room.outages, room.speed)
        self.room.apply(room.entries[0])

    def catch_up(self, room: Room, moment: int) -> Iterator[Entry]:
        """Let happen here what had happened there by a moment, one event after another."""
        for entry in room.entries[self.room.version :]:
            if entry.at > moment:
                return
            self.room.apply(entry)
            yield entry

    def next_due(self, room: Room) -> int | None:
        """When the next event happened that has not happened here; None if there is none."""
        waiting = room.entries[self.room.version :][:1]
        return waiting[0].at if waiting else None


class Live:
    """A room and its clients."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.lock = asyncio.Lock()
        #: Held while a bot is asked for a hint: it is asked once a position.
        self.hinting = asyncio.Lock()
        self.clients: set[Client] = set()
        #: The seats that clients were last told to be connected, and watchers who are told late.
        self.present: frozenset[int] = frozenset()
        self.present_then: frozenset[int] = frozenset()
        self.behind = Behind(room) if room.opened.delay else None
        self.timer: asyncio.TimerHandle | None = None
        self.late_timer: asyncio.TimerHandle | None = None
        self.thinking: asyncio.Task[None] | None = None
        self.used = time.monotonic()
        self.changed = asyncio.Event()

    # Who sees what

    def eye_of(self, player: str | None) -> int:
        """The seat of a person, or `SPECTATOR`."""
        seat = self.room.seat_of(player)
        return SPECTATOR if seat is None else seat

    @property
    def seats_here(self) -> frozenset[int]:
        """The seats of the clients."""
        return frozenset(client.eye for client in self.clients) - {SPECTATOR}

    def seen(self, eye: int) -> Room:
        """The room as an eye may know it: for watchers, where they are told late, as it was."""
        if self.behind is None or eye != SPECTATOR:
            return self.room
        self.tell_late()
        return self.behind.room

    def seen_by(self, player: str | None) -> Room:
        """The room as a person may know it."""
        return self.seen(self.eye_of(player))

    # Telling

    def welcome(self, eye: int, since: int | None, present: frozenset[int]) -> tuple[int, bytes]:
        """All that an eye may know now, and its version; and which seats are connected."""
        room, now = self.seen(eye), now_ms()
        if room is not self.room:
            now -= 1000 * room.opened.delay
            present = self.present_then
        welcome = views.tell_welcome(room, eye, since, now)
        welcome = msgspec.structs.replace(welcome, present=sorted(present))
        return room.version, writer.encode(WelcomeMessage(welcome))

    def happen(self, entry: Entry) -> None:
        """Let an event happen, and tell everybody who may hear of it now."""
        self.room.apply(entry)
        told: dict[int, bytes] = {}
        for client in list(self.clients):
            before, client.eye = client.eye, self.eye_of(client.player)
            late = self.behind is not None and before == SPECTATOR
            if late and client.eye == SPECTATOR:
                continue
            if late:  # who has taken a seat is told at once what watchers will hear of later
                client.tell(*self.welcome(client.eye, client.told, self.seats_here))
                continue
            if client.eye not in told:
                happened = views.tell_happened(self.room, entry, client.eye, now_ms())
                told[client.eye] = writer.encode(happened)
            client.tell(entry.number, told[client.eye])
        self.tell_late()
        self.changed.set()
        self.changed = asyncio.Event()

    def tell_late(self) -> None:
        """Tell watchers what happened so long ago that they may hear of it."""
        if self.behind is None:
            return
        moment = now_ms() - 1000 * self.room.opened.delay
        for entry in self.behind.catch_up(self.room, moment):
            told = views.tell_happened(self.behind.room, entry, SPECTATOR, moment)
            message = writer.encode(told)
            for client in list(self.clients):
                if client.eye == SPECTATOR and client.told < entry.number:
                    client.tell(entry.number, message)
        self._wake_at(self.behind.next_due(self.room), moment)

    def _wake_at(self, due: int | None, moment: int) -> None:
        if self.late_timer is not None:
            self.late_timer.cancel()
            self.late_timer = None
        if due is not None:
            loop = asyncio.get_running_loop()
            self.late_timer = loop.call_later((due - moment) / 1000, self.tell_late)

    def tell_present(self, seats: frozenset[int]) -> None:
        """Tell which seats are connected."""
        self.present = seats
        self.tell_all(writer.encode(PresenceMessage(sorted(seats))))
        if self.behind is not None:
            loop = asyncio.get_running_loop()
            loop.call_later(self.room.opened.delay, setattr, self, "present_then", seats)

    def tell_all(self, message: bytes) -> None:
        """Send the same bytes to everybody; to those without a seat as late as the rest."""
        delay = self.room.opened.delay
        for client in list(self.clients):
            if delay and client.eye == SPECTATOR:
                asyncio.get_running_loop().call_later(delay, _tell_watcher, client, message)
            else:
                client.send(message)

    def stop_clocks(self) -> None:
        """No timer rings any more."""
        for timer in (self.timer, self.late_timer):
            if timer is not None:
                timer.cancel()


def _tell_watcher(client: Client, message: bytes) -> None:
    """Who has taken a seat meanwhile knows something newer."""
    if client.eye == SPECTATOR:
        client.send(message)
