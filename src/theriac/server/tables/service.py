"""The tables of this process: opens them, handles requests, runs their clocks and bots.

Requests to a table run one after another, under the lock of its session. `decisions` says what a
request leads to, and `Committer` stores it, applies it and sends it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

from theriac.engine.contract import SPECTATOR
from theriac.faults import Refused
from theriac.server.bots.bot_pool import BotPool
from theriac.server.bots.hints import Advisor
from theriac.server.limits import DEFAULT_LIMITS, Limits
from theriac.server.running.background import BackgroundTasks
from theriac.server.running.metrics import Metrics
from theriac.server.store import events
from theriac.server.store.events import now_ms
from theriac.server.store.store import Store, StoreFault, VersionTaken
from theriac.server.tables import decisions, messages
from theriac.server.tables.bot_turns import BotTables, BotTurns
from theriac.server.tables.commits import Committer
from theriac.server.tables.decisions import Advice, Denied, Requester
from theriac.server.tables.downtime import Downtime
from theriac.server.tables.loaded import LoadedTables
from theriac.server.tables.messages import (
    ByeMessage,
    Reply,
    SignalMessage,
    StoredRequest,
    TableRequest,
    encoder,
)
from theriac.server.tables.presence import REPORT_VALID_S, Presence
from theriac.server.tables.pubsub import ProcessMessage, PubSub
from theriac.server.tables.requests import (
    check_log,
    check_muted,
    check_talk,
    clip_version,
    idempotency_key,
    refusal_of,
    refused,
    version_seen,
)
from theriac.server.tables.rule_loader import RuleLoader
from theriac.server.tables.session import Client, TableSession
from theriac.server.tables.unlogged import UnloggedReplies

log = logging.getLogger(__name__)

#: How often a request is decided before it is refused, when other processes write first.
COMMIT_ATTEMPTS = 8
#: How long to wait before trying again what the store could not write, in seconds.
RETRY_STORE_AFTER_S = 2.0
#: How long clients have to read the goodbye before their sockets close, in seconds.
GOODBYE_S = 0.05


class TableService:
    """What happens at the tables of this process."""

    def __init__(
        self,
        store: Store,
        bot_pool: BotPool,
        pubsub: PubSub,
        metrics: Metrics,
        *,
        bot_delay: float,
        presence: Presence | None = None,
        process: str = "",
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        self.limits = limits
        self.store = store
        self._process = process
        self.bot_pool = bot_pool
        self.pubsub = pubsub
        self.metrics = metrics
        self.downtime = Downtime()
        self.presence = presence or Presence()
        self.rule_loader = RuleLoader()
        self._advisor = Advisor(bot_pool, metrics, limits)
        self.tables = LoadedTables(store, limits, self.downtime, self.rule_loader, self._on_load)
        self._unlogged = UnloggedReplies(limits)
        self._background = BackgroundTasks()
        self._committer = Committer(store, pubsub, self._background, metrics)
        self._bot_turns = BotTurns(
            bot_pool, self.presence, self._background, metrics, self._make_bot_move, bot_delay
        )
        self._bot_tables = BotTables(limits, self.tables)
        self._stopping = False

    # Opening and loading tables

    async def open(
        self, name: str, opened: events.Opened, network: str | None = None
    ) -> TableSession:
        """Open a table; raises `MemoryFull`, or `Denied` if there are too many of bots alone."""
        if None in opened.seats:
            return await self._open(name, opened, network)
        with self._bot_tables.opening(opened.by):
            return await self._open(name, opened, network)

    async def _open(self, name: str, opened: events.Opened, network: str | None) -> TableSession:
        session = await self.tables.create(name, opened, network)
        async with session.lock:
            await self._settle(session)
        return session

    async def _on_load(self, session: TableSession) -> None:
        """A table was loaded: other processes may have written during the replay."""
        async with session.lock:
            try:
                await self._committer.read_new_events(session)
            except StoreFault as fault:
                self._retry_later(session, fault)
                return
            await self._settle(session)

    # Requests

    async def handle(
        self, session: TableSession, requester: Requester, request: TableRequest
    ) -> Reply:
        """Carry out a client's request, or reply why not."""
        try:
            if isinstance(request, messages.SignalRequest):
                return self._signal(session, requester, request)
            if isinstance(request, messages.Hint):
                return await self._hint(session, requester, request)
            async with session.lock:
                reply = await self._carry_out(session, requester, request)
                visible = session.visible_to(requester.player)
                return reply if visible is session.table else clip_version(reply, visible)
        except (Refused, Denied) as fault:
            reply = refusal_of(request.id, fault)
            if isinstance(request, messages.SignalRequest):
                return reply
            return self._without_event(session, requester, reply)
        except StoreFault as fault:
            self._set_timer(session, RETRY_STORE_AFTER_S)
            return refused(request.id, "store", str(fault))

    async def _carry_out(
        self, session: TableSession, requester: Requester, request: StoredRequest | Advice
    ) -> Reply:
        """Decide and commit a request, once per idempotency key. The lock is held."""
        key = idempotency_key(requester, request.id)
        table, seen = session.table, version_seen(request)
        if seen > table.version or session.delayed is not None:
            await self._reach_seen(session, requester.player, seen)
        for _ in range(COMMIT_ATTEMPTS):
            if reply := self._earlier_reply(session, requester, request.id, key):
                return reply
            try:
                if isinstance(request, messages.Hand):
                    await self._check_presence_is_known()
                decided = self._decide(session, requester, request)
            except (Refused, Denied):
                # Another process may have accepted a copy of it.
                if await self._is_up_to_date(session):
                    raise
                continue
            if not decided:
                reply = Reply(request.id, table.version)
                return self._without_event(session, requester, reply)
            try:
                with self._bot_tables.filling(table, decided):
                    await self._committer.commit(session, decided, key)
            except VersionTaken:
                await self._committer.read_new_events(session)
                continue
            reply = Reply(request.id, table.version_by_key[key])
            await self._settle(session)
            return reply
        return refused(request.id, "store", "other processes wrote to this table first: try again")

    def _decide(
        self, session: TableSession, requester: Requester, request: StoredRequest | Advice
    ) -> list[events.AnyEvent]:
        """The events that a request leads to; raises `Refused` or `Denied`."""
        check_muted(requester, request)
        if not isinstance(request, messages.Play):
            check_talk(session, requester, request)
            check_log(session.table, requester, request, self.limits, self.tables)
        visible = session.visible_to(requester.player)
        return decisions.decide_for(visible, session.table, requester, request)

    def _earlier_reply(
        self, session: TableSession, requester: Requester, request_id: str, key: str
    ) -> Reply | None:
        """The reply to an earlier copy of a request: a request has one outcome."""
        if version := session.table.version_by_key.get(key):
            return Reply(request_id, version)
        return self._unlogged.get(requester.player, session.table.name, key)

    def _without_event(self, session: TableSession, requester: Requester, reply: Reply) -> Reply:
        """Keep the reply to a request that left nothing in the log, for copies of it."""
        assert reply.id is not None
        key = idempotency_key(requester, reply.id)
        return self._unlogged.add(requester.player, session.table.name, key, reply)

    async def _is_up_to_date(self, session: TableSession) -> bool:
        """Read what other processes have written; had they written nothing? The lock is held."""
        version = session.table.version
        if not self.pubsub.alone:
            await self._reach(session, version + 1)
        return session.table.version == version

    async def _hint(
        self, session: TableSession, requester: Requester, request: messages.Hint
    ) -> Reply:
        """Ask a bot without holding the table's lock, then commit its advice."""
        with self._advisor.waiting(requester.player):
            return await self._hint_in_turn(session, requester, request)

    async def _hint_in_turn(
        self, session: TableSession, requester: Requester, request: messages.Hint
    ) -> Reply:
        key = idempotency_key(requester, request.id)
        async with session.hint_lock:
            if reply := self._earlier_reply(session, requester, request.id, key):
                return reply
            advice = await self._advisor.advise(session.table, requester, request)
            async with session.lock:
                return await self._carry_out(session, requester, advice)

    async def _check_presence_is_known(self) -> None:
        """Raise `Denied` if another process runs that has not reported who is connected to it."""
        if self.pubsub.alone:
            return
        running = await self.store.running_processes(now_ms() - int(1000 * REPORT_VALID_S))
        if self.presence.silent(running - {self._process}):
            raise Denied("denied", "it is not known yet who is connected elsewhere: try again soon")

    def _signal(
        self, session: TableSession, requester: Requester, request: messages.SignalRequest
    ) -> Reply:
        """Send a gesture or a typing sign to everybody. It is not stored."""
        check_muted(requester, request)
        check_talk(session, requester, request)
        visible = session.visible_to(requester.player)
        signal = decisions.signal_for_all(visible, session.table, requester, request)
        message = SignalMessage(signal)
        session.broadcast(encoder.encode(message))
        self._publish(ProcessMessage(session.table.name, passing=message))
        return Reply(request.id, requester.visible_version)

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Run something in the background."""
        self._background.start(work)

    def _publish(self, message: ProcessMessage) -> None:
        self._background.start(self.pubsub.publish(message))

    # Events without a request

    async def _settle(self, session: TableSession, *, made_last_move: bool = True) -> None:
        """Commit what follows from the state of the table; then set the clock and ask the bot. The
        lock is held.
        """
        for _ in range(COMMIT_ATTEMPTS):
            following = decisions.follow_up(session.table)
            if not following:
                break
            if not await self._commit_or_retry(session, following):
                return
        if session.dropped:
            # Another session of this table may be in memory by now: it reads what was written.
            self.start(self.catch_up(session.table.name))
            return
        self._update_presence(session)
        self._set_clock(session)
        self._bot_turns.start(session, made_last_move=made_last_move)

    async def _commit_or_retry(self, session: TableSession, decided: list[events.AnyEvent]) -> bool:
        """Commit events that nobody requested. Returns False if the store failed: they are tried
        again later. The lock is held.
        """
        try:
            try:
                await self._committer.commit(session, decided)
            except VersionTaken:
                await self._committer.read_new_events(session)
        except StoreFault as fault:
            self._retry_later(session, fault)
            return False
        return True

    async def _reach_seen(
        self, session: TableSession, player: str | None, version: int | None
    ) -> None:
        """Catch up with a version that a player has seen, perhaps in another process. The lock is
        held.

        The store is read for any version that a late spectator cannot have seen here: else the time
        it takes would tell how far the table is.
        """
        if version is not None and version > session.visible_to(player).version:
            await self._reach(session, 2**31)

    async def _reach(self, session: TableSession, version: int) -> None:
        """Catch up with a version of the table. The lock is held."""
        if version > session.table.version:
            await self._committer.read_new_events(session)
            await self._settle(session, made_last_move=False)

    # Other processes

    async def catch_up(self, name: str, version: int = 2**31) -> None:
        """Catch up with what another process has written to a table."""
        session = self.tables.get(name)
        if session is None:
            return
        async with session.lock:
            try:
                await self._reach(session, version)
            except StoreFault as fault:
                self._retry_later(session, fault)

    async def synchronize(self) -> None:
        """Catch up with the other processes, in case a message was lost; report who is here."""
        versions = {session.table.name: session.table.version for session in self.tables}
        try:
            for name in await self.store.tables_ahead_of(versions):
                await self.catch_up(name, versions[name] + 1)
        except StoreFault as fault:
            log.warning("%s", fault)
        local = {name: sorted(seats) for name, seats in self.presence.all_local().items()}
        await self.pubsub.publish(ProcessMessage(everybody=local))
        self._send_presence_everywhere()

    async def on_process_message(self, message: ProcessMessage) -> None:
        """Another process has sent a message."""
        if message.everybody is not None:
            tables = {name: frozenset(seats) for name, seats in message.everybody.items()}
            self.presence.report_all(message.process, tables)
            self._send_presence_everywhere()
        if message.version is not None:
            self._background.start(self.catch_up(message.table, message.version))
        if message.present is not None:
            self.presence.report(message.process, message.table, frozenset(message.present))
        session = self.tables.get(message.table)
        if session is None:
            return
        if message.passing is not None:
            session.broadcast(encoder.encode(message.passing))
        self._send_presence(session)

    # Clients

    async def join(self, session: TableSession, client: Client, since: int | None) -> bytes:
        """Add a client to a table; its welcome message."""
        async with session.lock:
            await self._reach_seen(session, client.player, since)
            client.viewpoint = session.viewpoint_of(client.player)
            if client.viewpoint != SPECTATOR:
                await self._take_seat_back(session, client.viewpoint)
            present = self.presence.of(session.table.name)
            client.last_sent_version, welcome = session.welcome(client.viewpoint, since, present)
            session.add(client)
        self._update_presence(session)
        self._bot_turns.on_arrival(session)
        return welcome

    async def _take_seat_back(self, session: TableSession, number: int) -> None:
        """Give a seat back to its player who has reconnected. The lock is held."""
        seat = session.table.seats[number]
        if seat.stand_in and not seat.out_of_time and session.table.stage != "closed":
            await self._commit_or_retry(session, [events.Returned(number)])
            await self._settle(session)

    async def look(self, session: TableSession, player: str | None, since: int | None) -> bytes:
        """The welcome message for a request without a socket.

        It waits for the lock only if it must read the store: a write may hang.
        """
        if since is not None and since > session.visible_to(player).version:
            async with session.lock:
                await self._reach_seen(session, player, since)
        present = self.presence.of(session.table.name)
        return session.welcome(session.viewpoint_of(player), since, present)[1]

    async def wait_for_news(
        self, session: TableSession, player: str | None, version: int, seconds: float
    ) -> None:
        """Wait until a player may see something newer than a version, at most some seconds."""
        if not self._stopping:
            await session.wait_for_news(player, version, seconds)

    def touch(self, session: TableSession, player: str) -> None:
        """Count a player without a socket as present for a while."""
        seat = session.table.seat_of(player)
        if seat is not None:
            self.presence.touch(session.table.name, seat)

    def leave(self, session: TableSession, client: Client) -> None:
        """Remove a client from a table."""
        session.remove(client)
        self._update_presence(session)

    def requester(
        self, session: TableSession, player: str, name: str, *, muted: bool = False
    ) -> Requester:
        """A player who makes a request now."""
        version = session.visible_to(player).version
        away = self.presence.away(session.table.name, len(session.table.seats))
        return Requester(player, name, away, version, muted)

    def _update_presence(self, session: TableSession) -> None:
        """Report the seats that are connected to this process, if they have changed."""
        name = session.table.name
        loaded = self.tables.get(name) if session.dropped else session
        if self.presence.set_connected(name, loaded.connected_seats if loaded else frozenset()):
            self._publish(ProcessMessage(name, present=sorted(self.presence.local(name))))
        self._send_presence(session)

    def _send_presence(self, session: TableSession) -> None:
        present = self.presence.of(session.table.name)
        if present != session.present:
            session.send_presence(present)

    def _send_presence_everywhere(self) -> None:
        for session in self.tables:
            if session.clients:
                self._send_presence(session)

    # Clocks and bots

    def _retry_later(self, session: TableSession, fault: StoreFault) -> None:
        """Check the table again soon: what the store failed to write may be there, or missing."""
        log.warning("%s", fault, extra={"table": session.table.name})
        self._set_timer(session, RETRY_STORE_AFTER_S)

    def _set_clock(self, session: TableSession) -> None:
        """Set the timer for when the next clock of a table runs out."""
        if session.timer is not None or session.table.has_clock:
            left = decisions.ms_until_timeout(session.table, now_ms())
            self._set_timer(session, None if left is None else left / 1000)

    def _set_timer(self, session: TableSession, seconds: float | None) -> None:
        if session.timer is not None:
            session.timer.cancel()
            session.timer = None
        if seconds is not None and not self._stopping:
            loop = asyncio.get_running_loop()
            session.timer = loop.call_later(
                seconds, lambda: self._background.start(self._on_timer(session))
            )

    async def _on_timer(self, session: TableSession) -> None:
        """A clock has run out, or something is to be tried again."""
        async with session.lock:
            try:
                await self._committer.read_new_events(session)
            except StoreFault as fault:
                self._retry_later(session, fault)
                return
            decided = decisions.on_timeout(session.table, now_ms())
            if not decided or await self._commit_or_retry(session, decided):
                await self._settle(session)

    async def _make_bot_move(self, session: TableSession, seat: int, level: str, move: str) -> bool:
        """Make the move of a bot. Returns False if the store failed. The lock is held."""
        decided = decisions.bot_move(session.table, seat, level, move)
        if not await self._commit_or_retry(session, decided):
            return False
        await self._settle(session)
        return True

    # The process

    async def say_goodbye(self) -> None:
        """Tell every client that the server stops."""
        self._stopping = True
        self._bot_turns.stop()
        bye = encoder.encode(ByeMessage("the server stops: come back in a moment"))
        for session in self.tables:
            session.end_long_polls()
            for client in list(session.clients):
                client.send(bye)
        await asyncio.sleep(GOODBYE_S)

    async def stop(self) -> None:
        """Stop timers, bots and background tasks."""
        self._stopping = True
        self._bot_turns.stop()
        await self.rule_loader.stop()
        for session in self.tables:
            session.cancel_timers()
        await self._background.stop()
        self.bot_pool.stop()
