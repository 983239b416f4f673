"""A table in memory and the clients connected to it.

A table may be opened with a delay for spectators, so that nobody who watches can help a player. Its
session then has a second copy of the table for them: the same log, some seconds behind.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable

import msgspec

from theriac.engine.contract import SPECTATOR
from theriac.server.bots.thinking_budget import ThinkingBudget
from theriac.server.limits import DEFAULT_LIMITS, Limits
from theriac.server.rate_limit import TokenBucket
from theriac.server.store import events
from theriac.server.store.events import LogEntry, now_ms
from theriac.server.tables import views
from theriac.server.tables.delayed import DelayedSignal, DelayedSignals, DelayedTable
from theriac.server.tables.log_memory import LogMemory
from theriac.server.tables.messages import PresenceMessage, WelcomeMessage, encoder
from theriac.server.tables.previews import Previews
from theriac.server.tables.table import Table

#: Events after which players may have other seats.
_SEATING = (events.Sat, events.Stood, events.Removed, events.Handed)


class Client:
    """A connection that is sent what happens at a table."""

    def __init__(
        self,
        player: str | None,
        send: Callable[[bytes], None],
        disconnect: Callable[[int, str], None],
    ) -> None:
        self.viewpoint = SPECTATOR
        #: Closes the connection, with a close code and a reason.
        self.disconnect = disconnect
        self.player = player
        self.send = send
        #: The version that the messages sent so far have brought the client to.
        self.last_sent_version = 0


class TableSession:
    """A table, its clients, its lock and its timers."""

    def __init__(
        self, table: Table, limits: Limits = DEFAULT_LIMITS, memory: LogMemory | None = None
    ) -> None:
        self.table = table
        self.limits = limits
        self._memory = memory or LogMemory(limits)
        #: Was it dropped from memory? Then there may be another session of the same table.
        self.dropped = False
        #: Held from a decision until its events are stored and sent.
        self.lock = asyncio.Lock()
        #: Held while a bot works on a hint, so that each position is asked about once.
        self.hint_lock = asyncio.Lock()
        self.clients: set[Client] = set()
        #: How many requests wait for a change.
        self.long_polls = 0
        #: The seats of the clients of this process.
        self.connected_seats: frozenset[int] = frozenset()
        #: The seats last sent as connected: to players, and to delayed spectators.
        self.present: frozenset[int] = frozenset()
        self.delayed_present: frozenset[int] = frozenset()
        delay = table.opened.delay
        self.delayed = DelayedTable(table) if delay else None
        self._log_copies = 2 if delay else 1
        self._late_signals = (
            DelayedSignals(delay, limits.delayed_signals, self._send_late) if delay else None
        )
        self.timer: asyncio.TimerHandle | None = None
        self.delay_timer: asyncio.TimerHandle | None = None
        self.bot_task: asyncio.Task[None] | None = None
        #: How long its bots may think.
        self.thinking = ThinkingBudget(limits.bot_share, limits.bot_burst_s)
        self.previews = Previews()
        self.last_used = time.monotonic()
        #: How much those may say who have a seat, and all others: nobody silences the players.
        self._players_talk = TokenBucket(limits.talk_rate, limits.talk_burst)
        self._spectators_talk = TokenBucket(limits.talk_rate, limits.talk_burst)
        #: Set at the next change, where a long poll waits for it.
        self._changed: asyncio.Event | None = None
        self._stopping = False

    # Memory

    @property
    def in_use(self) -> bool:
        """Is somebody here, or is something under way?"""
        if self.clients or self.long_polls or self.lock.locked() or self.hint_lock.locked():
            return True
        return self.bot_task is not None and not self.bot_task.done()

    @property
    def log_bytes(self) -> int:
        """How much memory its log takes, with the copy for delayed spectators."""
        return self._log_copies * self.table.log_bytes

    def keep(self) -> None:
        """Count the log, from now on: the table is kept in memory."""
        self._memory.bytes += self.log_bytes

    def drop(self) -> None:
        """Do nothing more by itself: the table is dropped from memory."""
        self._memory.bytes -= self.log_bytes
        self.dropped = True
        self.cancel_timers()
        self.wake_long_polls()

    # Who sees what, and who talks

    def viewpoint_of(self, player: str | None) -> int:
        """The seat of a player, or `SPECTATOR`."""
        seat = self.table.seat_of(player)
        return SPECTATOR if seat is None else seat

    def may_talk(self, player: str) -> bool:
        """Count something that a player says or shows to everybody. Returns False if it is too
        much for the table.
        """
        is_spectator = self.viewpoint_of(player) == SPECTATOR
        return (self._spectators_talk if is_spectator else self._players_talk).take()

    def add(self, client: Client) -> None:
        """A client has connected."""
        self.clients.add(client)
        self._note_connected_seats()

    def remove(self, client: Client) -> None:
        """A client has disconnected."""
        self.clients.discard(client)
        self._note_connected_seats()

    def _note_connected_seats(self) -> None:
        self.connected_seats = frozenset(each.viewpoint for each in self.clients) - {SPECTATOR}

    def visible_from(self, viewpoint: int) -> Table:
        """The table that a viewpoint may see: for delayed spectators, as it was."""
        if self.delayed is None or viewpoint != SPECTATOR:
            return self.table
        self.send_delayed()
        return self.delayed.table

    def visible_to(self, player: str | None) -> Table:
        """The table that a player may see."""
        return self.table if self.delayed is None else self.visible_from(self.viewpoint_of(player))

    # Sending

    def welcome(
        self, viewpoint: int, since: int | None, present: frozenset[int]
    ) -> tuple[int, bytes]:
        """The version and the welcome message for a viewpoint."""
        table, now = self.visible_from(viewpoint), now_ms()
        if table is not self.table:
            now -= 1000 * table.opened.delay
            present = self.delayed_present
        welcome = views.welcome_for(table, viewpoint, since, now, self.limits)
        welcome = msgspec.structs.replace(welcome, present=sorted(present))
        return table.version, encoder.encode(WelcomeMessage(welcome))

    def apply(self, entry: LogEntry) -> None:
        """Apply a stored event and send it to every client that may see it now."""
        bytes_before = self.table.log_bytes
        self.table.apply(entry)
        if not self.dropped:
            self._memory.bytes += self._log_copies * (self.table.log_bytes - bytes_before)
        newly_seated = self._update_viewpoints() if isinstance(entry.event, _SEATING) else set()
        clients = [client for client in self.clients if client not in newly_seated]
        if self.delayed is not None:
            clients = [client for client in clients if client.viewpoint != SPECTATOR]
        viewpoints = {client.viewpoint for client in clients}
        updates = views.updates_for(self.table, entry, viewpoints, now_ms())
        messages = {viewpoint: encoder.encode(update) for viewpoint, update in updates.items()}
        for client in clients:
            client.last_sent_version = entry.number
            client.send(messages[client.viewpoint])
        for client in newly_seated:
            since = client.last_sent_version
            client.last_sent_version, welcome = self.welcome(
                client.viewpoint, since, self.connected_seats
            )
            client.send(welcome)
        self.send_delayed()
        self.wake_long_polls()

    def wake_long_polls(self) -> None:
        """Let the requests continue that wait for a change."""
        if self._changed is not None:
            self._changed.set()
            self._changed = None

    def end_long_polls(self) -> None:
        """Let them all continue, for good: the server stops."""
        self._stopping = True
        self.wake_long_polls()

    async def wait_for_news(self, player: str | None, version: int, seconds: float) -> None:
        """Wait until a player may see something newer than a version, at most some seconds."""
        deadline, table = time.monotonic() + seconds, self.table
        self.long_polls += 1
        try:
            while (left := deadline - time.monotonic()) > 0:
                if self._stopping or self.dropped:
                    return
                if table.version > version:
                    delay = table.opened.delay if self.viewpoint_of(player) == SPECTATOR else 0
                    visible_in = (table.log[version].at - now_ms()) / 1000 + delay
                    if visible_in <= 0:
                        return
                    left = min(left, visible_in)
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._next_change.wait(), left)
        finally:
            self.long_polls -= 1

    @property
    def _next_change(self) -> asyncio.Event:
        """Is set at the next change."""
        if self._changed is None:
            self._changed = asyncio.Event()
        return self._changed

    def _update_viewpoints(self) -> set[Client]:
        """Look up the seats of the clients. Returns those who were delayed spectators until now:
        they get at once what spectators get later.
        """
        newly_seated = set()
        for client in self.clients:
            before, client.viewpoint = client.viewpoint, self.viewpoint_of(client.player)
            if self.delayed is not None and before == SPECTATOR != client.viewpoint:
                newly_seated.add(client)
        self._note_connected_seats()
        return newly_seated

    def send_delayed(self) -> None:
        """Send spectators the events whose delay is over."""
        if self.delayed is None:
            return
        visible_until = now_ms() - 1000 * self.table.opened.delay
        for entry in self.delayed.catch_up(self.table, visible_until):
            self._send_delayed_event(self.delayed.table, entry, visible_until)
        self._set_delay_timer(self.delayed.next_event_at(self.table), visible_until)

    def _send_delayed_event(self, table: Table, entry: LogEntry, now: int) -> None:
        """Send the spectators what was just applied to the delayed table."""
        waiting = [
            client
            for client in self.clients
            if client.viewpoint == SPECTATOR and client.last_sent_version < entry.number
        ]
        if not waiting:  # making the message takes most of the time
            return
        message = encoder.encode(views.updates_for(table, entry, [SPECTATOR], now)[SPECTATOR])
        for client in waiting:
            client.last_sent_version = entry.number
            client.send(message)

    def _set_delay_timer(self, next_event_at: int | None, visible_until: int) -> None:
        if self.delay_timer is not None:
            self.delay_timer.cancel()
            self.delay_timer = None
        if next_event_at is not None:
            loop = asyncio.get_running_loop()
            seconds = (next_event_at - visible_until) / 1000
            self.delay_timer = loop.call_later(seconds, self.send_delayed)

    def send_presence(self, seats: frozenset[int]) -> None:
        """Send which seats are connected."""
        self.present = seats
        self._send_to_all(encoder.encode(PresenceMessage(sorted(seats))), seats)

    def broadcast(self, message: bytes) -> None:
        """Send the same bytes to every client; to delayed spectators after the delay."""
        self._send_to_all(message, None)

    def _send_to_all(self, message: bytes, present: frozenset[int] | None) -> None:
        late = self._late_signals
        someone_waits = present is not None
        for client in list(self.clients):
            if late is not None and client.viewpoint == SPECTATOR:
                someone_waits = True
            else:
                client.send(message)
        if late is not None and someone_waits:
            late.add(message, present)

    def _send_late(self, signal: DelayedSignal) -> None:
        """Send delayed spectators a signal that is due."""
        if signal.present is not None:
            self.delayed_present = signal.present
        for client in list(self.clients):
            if client.viewpoint == SPECTATOR:
                client.send(signal.message)

    def cancel_timers(self) -> None:
        """Cancel the timers and the bot, when the server stops or the table is dropped."""
        if self._late_signals is not None:
            self._late_signals.cancel()
        for timer in (self.timer, self.delay_timer, self.bot_task):
            if timer is not None:
                timer.cancel()
