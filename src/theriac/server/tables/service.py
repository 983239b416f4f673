"""The host: keeps the rooms in memory, lets requests happen one after another, tells everybody.

An event is in the store before anybody hears of it, and before the memory of this process counts
it as having happened. Several processes may hold the same room: of two events with the same number
the store refuses one, and whoever wrote that looks again.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Coroutine, Iterable, Sequence
from random import Random
from typing import Any

from theriac.engine.contract import SPECTATOR
from theriac.faults import BadBot, Refused
from theriac.server.bots.bot_pool import Thinkers
from theriac.server.bots.hints import Advisor
from theriac.server.running.background import Errands
from theriac.server.running.metrics import Metrics
from theriac.server.running.rule_loader import Speeds
from theriac.server.store import events, store
from theriac.server.store.store import Store, StoreFault, Taken
from theriac.server.tables import messages
from theriac.server.tables.answers import as_told, mark_of, refused, seen_by
from theriac.server.tables.clocks import due, times_up
from theriac.server.tables.decisions import (
    Asker,
    Denied,
    decide,
    follow,
    move_for_bot,
    now_ms,
    pass_on,
)
from theriac.server.tables.downtime import Outages
from theriac.server.tables.messages import ByeMessage, Reply, SignalMessage, writer
from theriac.server.tables.presence import Presence
from theriac.server.tables.pubsub import Herald, Word
from theriac.server.tables.session import Client, Live
from theriac.server.tables.table import Entry, Room, rebuilt

log = logging.getLogger(__name__)

#: How often a request is decided anew when other processes were faster.
TRIES = 8
#: How long a process leaves it to the one that made the last move to ask a bot, in seconds.
PATIENCE = 5.0
#: How long until something is tried again that could not be written down, in seconds.
AGAIN = 2.0
#: How long a room that nobody looks at stays in memory, in seconds.
IDLE = 300.0


class Host:
    """All rooms of this process."""

    def __init__(
        self, kept: Store, thinkers: Thinkers, herald: Herald, metrics: Metrics, *, pace: float
    ) -> None:
        self.store = kept
        self.thinkers = thinkers
        self._advisor = Advisor(thinkers, metrics)
        self.herald = herald
        self.metrics = metrics
        self.outages = Outages()
        self.presence = Presence()
        self.speeds = Speeds()
        self._pace = pace
        self._rooms: dict[str, Live] = {}
        self._loading: dict[str, asyncio.Task[Live | None]] = {}
        self._errands = Errands()
        self._stopping = False

    # Rooms

    async def open(self, name: str, opened: events.Opened) -> Live:
        """Open a table."""
        now = now_ms()
        entry = Entry(1, now, opened)
        await self.store.append(name, [entry], store.room_opened(name, opened, now))
        live = Live(await self._rebuild(name, [entry]))
        self._rooms[name] = live
        async with live.lock:
            await self._settle(live)
        return live

    async def find(self, name: str) -> Live | None:
        """The table of that name, from memory or from the store; None if there is none."""
        live = self._rooms.get(name)
        if live is not None:
            live.used = time.monotonic()
            return live
        if name not in self._loading:
            self._loading[name] = asyncio.create_task(self._load(name))
        try:
            return await asyncio.shield(self._loading[name])
        finally:
            self._loading.pop(name, None)

    async def _load(self, name: str) -> Live | None:
        entries = await self.store.read_log(name)
        if not entries:
            return None
        live = Live(await self._rebuild(name, entries))
        self._rooms[name] = live
        async with live.lock:
            try:
                await self._read_on(live)  # others may have written on while it was made
            except StoreFault as fault:
                log.warning("%s", fault, extra={"table": name})
                self._try_again(live)
                return live
            await self._settle(live)
        return live

    async def _rebuild(self, name: str, entries: Sequence[Entry]) -> Room:
        """The room that a log makes."""
        opened = entries[0].event
        assert isinstance(opened, events.Opened)
        speed = await self.speeds.wait_for(opened.game)
        return await rebuilt(name, entries, self.outages, speed)

    def here(self) -> Iterable[Live]:
        """The rooms in memory."""
        return self._rooms.values()

    async def glance(self, name: str, player: str | None = None) -> Room | None:
        """A room as a person may know it now, only to look at."""
        live = await self.find(name)
        return None if live is None else live.seen_by(player)

    # Requests

    async def handle(self, live: Live, asker: Asker, request: Any) -> Reply:
        """Do what a client asks for, or say why not."""
        try:
            if isinstance(request, messages.Passing):
                return self._pass_on(live, asker, request)
            if isinstance(request, messages.Hint):
                return await self._hint(live, asker, request)
            async with live.lock:
                done = await self._do(live, asker, request)
                return as_told(done, live.seen_by(asker.player))
        except Refused as fault:
            return refused(request.id, "illegal", f"{fault.why}", fault.clause)
        except Denied as fault:
            return refused(request.id, fault.code, str(fault), fault.clause)
        except StoreFault as fault:
            self._try_again(live)
            return refused(request.id, "store", str(fault))

    async def _do(self, live: Live, asker: Asker, request: Any) -> Reply:
        mark = mark_of(asker, request)
        await self._reach(live, seen_by(request))
        for _ in range(TRIES):
            room = live.room
            if mark in room.marks:
                return Reply(request.id, room.marks[mark])
            try:
                happening = decide(room, asker, request)
                if not happening:
                    return Reply(request.id, room.version)
                await self._commit(live, happening, mark)
            except Taken:
                await self._read_on(live)
                continue
            done = Reply(request.id, live.room.marks[mark])
            await self._settle(live)
            return done
        return refused(request.id, "store", "too many others were faster: try again")

    async def _hint(self, live: Live, asker: Asker, request: messages.Hint) -> Reply:
        """Ask a bot while others go on; then write down what it said, and tell."""
        async with live.hinting:
            if version := live.room.marks.get(mark_of(asker, request)):
                return Reply(request.id, version)
            advice = await self._advisor.advise(live.room, asker, request)
            async with live.lock:
                return await self._do(live, asker, advice)

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Let something be done that its asker does not stand and wait for."""
        self._errands.begin(work)

    def _pass_on(self, live: Live, asker: Asker, request: messages.Passing) -> Reply:
        """Show a gesture, or that somebody types: told to all, kept nowhere."""
        self.spread(live, SignalMessage(pass_on(live.room, asker, request)))
        return Reply(request.id, asker.told)

    def spread(self, live: Live, message: SignalMessage) -> None:
        """Tell something that is kept nowhere, here and in the other processes."""
        live.tell_all(writer.encode(message))
        self._errands.begin(self.herald.passing(live.room.name, message))

    # Events

    async def _commit(
        self, live: Live, happening: list[events.AnyEvent], mark: str | None = None
    ) -> None:
        """Write events down, then let them happen, then tell of them. The lock is held."""
        room, now = live.room, now_ms()
        entries = [
            Entry(room.version + 1 + i, now, event, mark if i == 0 else None)
            for i, event in enumerate(happening)
        ]
        notes = [note for entry in entries for note in store.notes_for(room, entry)]
        started = time.perf_counter()
        try:
            await self.store.append(room.name, entries, notes)
        except StoreFault:
            # The store may have kept them before it failed: what it has is what happened.
            version = room.version
            with contextlib.suppress(StoreFault):
                await self._read_on(live)
            if room.entries[version:][: len(entries)] != entries:
                raise
        else:
            for entry in entries:
                self._happen(live, entry)
        self.metrics.append_seconds.observe(time.perf_counter() - started)
        self._errands.begin(self.herald.happened(live.room.name, live.room.version))

    def _happen(self, live: Live, entry: Entry) -> None:
        live.happen(entry)
        if isinstance(entry.event, events.Moved):
            self.metrics.moves.labels(live.room.game.name).inc()

    async def _settle(self, live: Live, *, mine: bool = True) -> None:
        """Let happen what follows by itself; then set the clock and ask bots. The lock is held."""
        for _ in range(TRIES):
            following = follow(live.room)
            if not following:
                break
            if not await self._let_happen(live, following):
                return
        self._look_around(live)
        self._set_timer(live)
        self._ask_bot(live, mine=mine)

    async def _let_happen(self, live: Live, happening: list[events.AnyEvent]) -> bool:
        """Let something happen that nobody has asked for. If it cannot be written down now, False,
        and it is tried again.
        """
        try:
            try:
                await self._commit(live, happening)
            except Taken:
                await self._read_on(live)
        except StoreFault as fault:
            log.warning("%s", fault, extra={"table": live.room.name})
            self._try_again(live)
            return False
        return True

    async def _read_on(self, live: Live) -> None:
        """Let happen what the store has and this process has not. The lock is held."""
        for entry in await self.store.read_log(live.room.name, live.room.version):
            self._happen(live, entry)

    async def _reach(self, live: Live, version: int | None) -> None:
        """Somebody has seen a version, perhaps in another process: be no older than that. The lock
        is held.
        """
        if version is not None and version > live.room.version:
            await self._read_on(live)
            await self._settle(live, mine=False)

    async def catch_up(self, name: str, version: int) -> None:
        """Another process has written events of a table that is here too."""
        live = self._rooms.get(name)
        if live is None:
            return
        async with live.lock:
            try:
                await self._reach(live, version)
            except StoreFault as fault:
                log.warning("%s", fault, extra={"table": name})
                self._try_again(live)

    async def keep_up(self) -> None:
        """Look what other processes have written, should their word have been lost; and tell them
        who is here.
        """
        versions = {name: live.room.version for name, live in self._rooms.items()}
        try:
            for name in await self.store.ahead_of(versions):
                await self.catch_up(name, versions[name] + 1)
        except StoreFault as fault:
            log.warning("%s", fault)
        await self.herald.everybody(self.presence.all_own())
        self._tell_presence()

    async def hear(self, word: Word) -> None:
        """Another process has something to tell."""
        if word.everybody is not None:
            rooms = {room: frozenset(seats) for room, seats in word.everybody.items()}
            self.presence.hear_all(word.process, rooms)
            self._tell_presence()
        if word.version is not None:
            self._errands.begin(self.catch_up(word.room, word.version))
        if word.present is not None:
            self.presence.hear(word.process, word.room, frozenset(word.present))
        live = self._rooms.get(word.room)
        if live is None:
            return
        if word.passing is not None:
            live.tell_all(writer.encode(word.passing))
        self.presence.tell(live)

    # Clients

    async def join(self, live: Live, client: Client, since: int | None) -> bytes:
        """Let a client hear of a table from now on; what it is told first."""
        async with live.lock:
            await self._reach(live, since)
            client.eye = live.eye_of(client.player)
            if client.eye != SPECTATOR:
                await self._take_back(live, client.eye)
            here = self.presence.of(live.room.name)
            client.told, welcome = live.welcome(client.eye, since, here)
            live.clients.add(client)
        self._look_around(live)
        return welcome

    async def _take_back(self, live: Live, number: int) -> None:
        """Whoever comes back plays again, if a bot did meanwhile. The lock is held."""
        seat = live.room.seats[number]
        if seat.stand_in and not seat.out_of_time and live.room.stage != "closed":
            await self._let_happen(live, [events.Returned(number)])
            await self._settle(live)

    async def look(self, live: Live, player: str | None, since: int | None) -> bytes:
        """What a client is told who only looks once."""
        async with live.lock:
            await self._reach(live, since)
            here = self.presence.of(live.room.name)
            return live.welcome(live.eye_of(player), since, here)[1]

    async def wait(self, live: Live, player: str | None, version: int, seconds: float) -> None:
        """Wait until there is something to tell after a version, or long enough."""
        ends = time.monotonic() + seconds
        while (left := ends - time.monotonic()) > 0 and not self._stopping:
            room = live.room
            if room.version > version:
                late = room.opened.delay if live.eye_of(player) == SPECTATOR else 0
                told_in = (room.entries[version].at - now_ms()) / 1000 + late
                if told_in <= 0:
                    return
                left = min(left, told_in)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(live.changed.wait(), left)

    def touch(self, live: Live, player: str) -> None:
        """Somebody without a socket has asked for something, and counts as present for a while."""
        seat = live.room.seat_of(player)
        if seat is not None:
            self.presence.touch(live.room.name, seat)

    def leave(self, live: Live, client: Client) -> None:
        """A client hears no more."""
        live.clients.discard(client)
        self._look_around(live)

    def _look_around(self, live: Live) -> None:
        """Which seats are connected here? If it is news, tell."""
        name = live.room.name
        if self.presence.see(name, live.seats_here):
            self._errands.begin(self.herald.present(name, self.presence.own(name)))
        self.presence.tell(live)

    def _tell_presence(self) -> None:
        for live in list(self._rooms.values()):
            if live.clients:
                self.presence.tell(live)

    def asker(self, live: Live, player: str, name: str) -> Asker:
        """Who asks, and who is there to be asked."""
        version = live.seen_by(player).version
        return Asker(player, name, self.presence.of(live.room.name), version)

    # Clocks and bots

    def _set_timer(self, live: Live) -> None:
        left = due(live.room, now_ms())
        self._ring_in(live, None if left is None else left / 1000)

    def _try_again(self, live: Live) -> None:
        """Look again soon: what could not be written down may have been, or have to be."""
        self._ring_in(live, AGAIN)

    def _ring_in(self, live: Live, seconds: float | None) -> None:
        if live.timer is not None:
            live.timer.cancel()
            live.timer = None
        if seconds is not None and not self._stopping:
            loop = asyncio.get_running_loop()
            live.timer = loop.call_later(seconds, lambda: self._errands.begin(self._ring(live)))

    async def _ring(self, live: Live) -> None:
        """Time is up, or something is to be tried again."""
        async with live.lock:
            try:
                await self._read_on(live)
            except StoreFault as fault:
                log.warning("%s", fault, extra={"table": live.room.name})
                self._try_again(live)
                return
            happening = times_up(live.room, now_ms())
            if not happening or await self._let_happen(live, happening):
                await self._settle(live)

    def _ask_bot(self, live: Live, *, mine: bool) -> None:
        waits = live.thinking is not None and not live.thinking.done()
        if live.room.bot_to_act is None or waits or self._stopping:
            return
        live.thinking = self._errands.begin(self._let_bots_play(live, mine=mine))

    async def _let_bots_play(self, live: Live, *, mine: bool) -> None:
        """Play for bots until a person is to act."""
        if not mine:
            await asyncio.sleep(PATIENCE * (1 + Random().random()))
        while (turn := live.room.bot_to_act) and not self._stopping:
            version, started = live.room.version, time.monotonic()
            move = await self._think(live.room, turn[1])
            if live.room.persons:
                await asyncio.sleep(max(0.0, self._pace - (time.monotonic() - started)))
            async with live.lock:
                if live.room.turn_version > version or live.room.bot_to_act != turn:
                    continue
                if not await self._let_happen(live, move_for_bot(live.room, *turn, move)):
                    return
                await self._settle(live)

    async def _think(self, room: Room, level: str) -> str:
        """The move of a bot; of whichever comes first, should it fail."""
        started = time.perf_counter()
        try:
            return await self.thinkers.ask(room.playing, level)
        except BadBot as fault:
            log.error("%s", fault, extra={"table": room.name})
            return Random().choice(room.playing.legal())
        finally:
            self.metrics.bot_seconds.labels(level).observe(time.perf_counter() - started)

    # The process

    def put_away(self) -> None:
        """Forget rooms that nobody looks at: they are in the store."""
        now = time.monotonic()
        for name, live in list(self._rooms.items()):
            idle = not live.clients and not live.lock.locked() and now - live.used > IDLE
            thinking = live.thinking is not None and not live.thinking.done()
            if idle and not thinking and live.timer is None:
                del self._rooms[name]

    async def farewell(self) -> None:
        """Tell everybody that the server stops."""
        self._stopping = True
        bye = writer.encode(ByeMessage("the server stops: come back in a moment"))
        for live in self._rooms.values():
            live.changed.set()
            for client in list(live.clients):
                client.send(bye)
        await asyncio.sleep(0.05)

    async def stop(self) -> None:
        """Let go of everything."""
        self._stopping = True
        await self.speeds.stop()
        for live in self._rooms.values():
            live.stop_clocks()
        await self._errands.stop()
        self.thinkers.stop()
